/* SPDX-License-Identifier: MIT */
/* Gradients as maps of vectors, and sampling maps at a vector from each cell. */
#ifndef TW_NODES_SHAPE_KERNELS_VECTOR_FIELD_H
#define TW_NODES_SHAPE_KERNELS_VECTOR_FIELD_H

#include <thalweg/kernel.h>
#include <thalweg/node.h>

#include <math.h>

/* Slopes below this, in rise per map side, have no direction. */
#define TW_FLAT 1e-9f

enum tw_slope_direction { TW_SLOPE_ASCENT, TW_SLOPE_DESCENT, TW_SLOPE_LEFT };

/* What becomes of a gradient. */
struct tw_slope_field {
    enum tw_slope_direction direction; /* left: of the way up, along the contour */
    bool unit;                         /* length 1, or 0 where it is flat */
    bool wrap;
};

static inline struct tw_vector tw_unit_vector(struct tw_vector v)
{
    float length = sqrtf(v.x * v.x + v.y * v.y);
    float scale = length < TW_FLAT ? 0.0f : 1.0f / length;
    return (struct tw_vector){v.x * scale, v.y * scale};
}

/* Rise per map side at every cell: central differences, one-sided at borders that end. `out` has
 * the task's size. */
void tw_slope_field_run(struct tw_task *task, const struct tw_slope_field *field, const float *in,
                        struct tw_vector *out);

/* Four cells and their weights for a place near a cell. The offset is split, not the place, so that
 * fractions are as fine at the far side of a large map. */
struct tw_beside {
    size_t at[4]; /* north-west, north-east, south-west, south-east */
    float fx, fy;
};

static inline struct tw_beside tw_beside_cell(int32_t width, int32_t height, int32_t x, int32_t y,
                                              float dx, float dy, bool wrap)
{
    dx = tw_cut_to_integer(dx);
    dy = tw_cut_to_integer(dy);
    int32_t x0 = tw_floor(dx), y0 = tw_floor(dy);
    struct tw_beside beside = {.fx = dx - (float)x0, .fy = dy - (float)y0};
    x0 += x;
    y0 += y;
    int32_t x1 = wrap ? tw_wrap(x0 + 1, width) : tw_clamp_index(x0 + 1, width);
    int32_t y1 = wrap ? tw_wrap(y0 + 1, height) : tw_clamp_index(y0 + 1, height);
    x0 = wrap ? tw_wrap(x0, width) : tw_clamp_index(x0, width);
    y0 = wrap ? tw_wrap(y0, height) : tw_clamp_index(y0, height);
    beside.at[0] = (size_t)y0 * (size_t)width + (size_t)x0;
    beside.at[1] = (size_t)y0 * (size_t)width + (size_t)x1;
    beside.at[2] = (size_t)y1 * (size_t)width + (size_t)x0;
    beside.at[3] = (size_t)y1 * (size_t)width + (size_t)x1;
    return beside;
}

static inline float tw_between(const struct tw_beside *b, float nw, float ne, float sw, float se)
{
    float north = nw * (1.0f - b->fx) + ne * b->fx, south = sw * (1.0f - b->fx) + se * b->fx;
    return north * (1.0f - b->fy) + south * b->fy;
}

static inline float tw_height_beside(const float *cells, const struct tw_beside *b)
{
    return tw_between(b, cells[b->at[0]], cells[b->at[1]], cells[b->at[2]], cells[b->at[3]]);
}

static inline struct tw_vector tw_vector_beside(const struct tw_vector *cells,
                                                const struct tw_beside *b)
{
    struct tw_vector nw = cells[b->at[0]], ne = cells[b->at[1]], sw = cells[b->at[2]],
                     se = cells[b->at[3]];
    return (struct tw_vector){tw_between(b, nw.x, ne.x, sw.x, se.x),
                              tw_between(b, nw.y, ne.y, sw.y, se.y)};
}

#endif
