/* SPDX-License-Identifier: MIT */
/* Slopes of a terrain and the light on them, shared by the pictures. */
#ifndef TW_NODES_RENDER_KERNELS_HILLSHADE_H
#define TW_NODES_RENDER_KERNELS_HILLSHADE_H

#include <thalweg/simd.h>

#include <math.h>

struct tw_hillshade_slopes {
    const float *cells;
    int32_t width, height;
    float scale; /* what height 1 measures in cells */
    bool wrap;   /* opposite borders meet */
    enum tw_simd simd;
};

/* A task's input as slopes; `exaggeration` is what height 1 measures in map sides, `border` the
 * field of the node's TW_PARAM_BORDER row. */
struct tw_hillshade_slopes tw_hillshade_slopes_of(const struct tw_task *task, int input,
                                                  float exaggeration, int32_t border);

/* Gradient of `count` cells of row y from x on, by the 3 x 3 weights of Horn 1981: dx towards the
 * east, dy towards the south, both as rise over run. Beyond a border that ends the map the ground
 * goes straight on: a slope is as steep there as inland. */
void tw_hillshade_slopes_find(const struct tw_hillshade_slopes *slopes, int32_t y, int32_t x,
                              int32_t count, float *dx, float *dy);

struct tw_hillshade_light {
    float x, y, z;  /* towards the light: east, south, up */
    float softness; /* see tw_hillshade_light_soften() */
};

struct tw_hillshade_light tw_hillshade_light_from(float azimuth, float altitude, float softness);

/* Light of a cosine c between light and normal (Lambert), k being the softness: max(0, c) with a
 * rounded corner, so that slopes turned away keep their forms; 1 at c = 1. */
static TW_INLINE float tw_hillshade_light_soften(float c, float k)
{
    return (c + sqrtf(c * c + k * k)) / (1.0f + sqrtf(1.0f + k * k));
}

/* Light in 0..1 on `count` cells of row y from x on, at most TW_HILLSHADE_CELLS of them. */
enum { TW_HILLSHADE_CELLS = 256 };
void tw_hillshade_light_find(const struct tw_hillshade_slopes *slopes,
                             const struct tw_hillshade_light *source, int32_t y, int32_t x,
                             int32_t count, float *shade);

/* What descriptors say of that. */
#define TW_HILLSHADE_BORDERS                                                                       \
    "Border: slopes cross the borders only where the recipe says borders: wrap. Elsewhere the "    \
    "ground goes straight on, and slopes across a border are those between its outer two cells."

/* The rows that every lit picture has. S must have the fields. */
#define TW_LIGHT_PARAMS(S)                                                                         \
    TW_PARAM_F32(S, azimuth, 315, 0, 360, TW_UNIT_DEGREES,                                         \
                 "where the light comes from, clockwise from north"),                              \
        TW_PARAM_F32(S, altitude, 45, 0, 90, TW_UNIT_DEGREES, "the light above the horizon"),      \
        TW_PARAM_F32(S, softness, 0.5, 0, 10, TW_UNIT_NONE,                                        \
                     "0: slopes turned away are black; above, they keep their forms")

#endif
