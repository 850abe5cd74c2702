/* SPDX-License-Identifier: MIT */
/* A round brush on a map: it spreads an amount over the cells around one, with weights
 * max(0, radius - distance) that sum to 1. The border folds it back: what would lie beyond goes
 * to the cells that mirror those, or cells of the border would get less than others and a rim would
 * remain. The inline functions are for kernels of simd.h. */
#ifndef TW_NODES_EROSION_KERNELS_DROPLETS_BRUSH_H
#define TW_NODES_EROSION_KERNELS_DROPLETS_BRUSH_H

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <stdint.h>

enum {
    TW_BRUSH_RADIUS_MAX = 12,
    TW_BRUSH_ROW_MAX = 24,
    TW_BRUSH_MAX = (2 * TW_BRUSH_RADIUS_MAX - 1) * TW_BRUSH_ROW_MAX
};

/* Rows of weights are padded with 0 to a multiple of 4 cells. */
struct tw_brush {
    int32_t width, height; /* of the map */
    int32_t across, row;   /* sides of the brush, the second with its padding */
    float weights[TW_BRUSH_MAX];
};

/* `radius` from 1 to TW_BRUSH_RADIUS_MAX. The brush touches no cell further than radius + 2 from
 * its own, padding included, and no cell outside the map. */
void tw_brush_make(struct tw_brush *brush, int32_t radius, int32_t width, int32_t height);

/* tw_brush_paint and tw_brush_dig for a brush that may reach beyond the border, where it is folded
 * back. */
void tw_brush_paint_folded(const struct tw_brush *brush, float *map, int32_t x, int32_t y,
                           float amount);
float tw_brush_dig_folded(const struct tw_brush *brush, float *map, int32_t x, int32_t y,
                          float amount, float floor);

/* tw_brush_dig on hard ground, of which each cell gives (1 - hardness) of what soft ground would.
 */
float tw_brush_dig_hard(const struct tw_brush *brush, float *map, const float *hardness, int32_t x,
                        int32_t y, float amount, float floor);

static TW_INLINE bool tw_brush_is_folded(const struct tw_brush *brush, int32_t x, int32_t y)
{
    int32_t left = x - brush->across / 2, top = y - brush->across / 2;
    return (left < 0) | (top < 0) | (left + brush->row > brush->width) |
           (top + brush->across > brush->height);
}

static TW_INLINE float *tw_brush_corner(const struct tw_brush *brush, float *map, int32_t x,
                                        int32_t y)
{
    size_t left = (size_t)(x - brush->across / 2), top = (size_t)(y - brush->across / 2);
    return map + top * (size_t)brush->width + left;
}

/* Adds `amount` to the cells around x, y. */
static TW_INLINE void tw_brush_paint(const struct tw_brush *brush, float *map, int32_t x, int32_t y,
                                     float amount)
{
    if (tw_brush_is_folded(brush, x, y)) {
        tw_brush_paint_folded(brush, map, x, y, amount);
        return;
    }
    float *restrict to = tw_brush_corner(brush, map, x, y);
    const float *restrict weight = brush->weights;
    for (int32_t v = 0; v < brush->across; v++, to += brush->width, weight += brush->row)
        for (int32_t u = 0; u < brush->row; u++)
            to[u] += amount * weight[u];
}

/* A cell after `amount` was taken from it, no deeper than to `floor`. */
static TW_INLINE float tw_brush_dug(float before, float amount, float floor)
{
    return tw_max(before - amount, tw_min(before, floor));
}

static TW_INLINE float tw_brush_dig_rows(const struct tw_brush *brush, float *restrict to,
                                         float amount, float floor, int32_t row)
{
    const float *restrict weight = brush->weights;
    float taken[TW_BRUSH_ROW_MAX] = {0}, sum = 0;
    for (int32_t v = 0; v < brush->across; v++, to += brush->width, weight += row)
        for (int32_t u = 0; u < row; u++) {
            float before = to[u];
            to[u] = tw_brush_dug(before, amount * weight[u], floor);
            taken[u] += before - to[u];
        }
    for (int32_t u = 0; u < row / 2; u++)
        taken[u] += taken[u + row / 2];
    for (int32_t u = 0; u < row / 4; u++)
        sum += taken[u] + taken[u + row / 4];
    return sum;
}

/* Takes `amount` from the cells around x, y, but lowers none of them below `floor`; returns what it
 * took. */
static TW_INLINE float tw_brush_dig(const struct tw_brush *brush, float *map, int32_t x, int32_t y,
                                    float amount, float floor)
{
    if (tw_brush_is_folded(brush, x, y))
        return tw_brush_dig_folded(brush, map, x, y, amount, floor);
    float *to = tw_brush_corner(brush, map, x, y);
    if (brush->row == 8) /* radius 3 and 4, the usual ones: a row is a vector */
        return tw_brush_dig_rows(brush, to, amount, floor, 8);
    return tw_brush_dig_rows(brush, to, amount, floor, brush->row);
}

#endif
