/* SPDX-License-Identifier: MIT */
/* The ground's light, independent of who looks at it: heights to a colour in linear light and a
 * share of water per cell. */
#ifndef TW_NODES_RENDER_KERNELS_SURFACE_LIGHT_H
#define TW_NODES_RENDER_KERNELS_SURFACE_LIGHT_H

#include "render/kernels/materials.h"
#include "render/kernels/sun.h"

/* Settings on which the surface and every view of it must agree. */
struct tw_scene {
    enum tw_mood mood;
    float sea;          /* height; far below the map for none */
    float exaggeration; /* what height 1 measures in map sides */
    struct tw_sun sun;
};

/* How a map's ramp colours it; colours lie `steps` apart from `low` to `high`. */
enum tw_ramp_by { TW_RAMP_HEIGHT, TW_RAMP_SLOPE, TW_RAMP_MASK };
enum { TW_RAMP_STEPS = 1024 };
struct tw_surface_ramp {
    float low, high; /* of heights, in cells above the datum */
    enum tw_ramp_by by;
    struct tw_rgb at[TW_RAMP_STEPS + 1];
    struct tw_rgb below, above; /* of what lies beyond */
};

/* Everything below is of the map's size, row 0 in the north. NULL where not given. */
struct tw_surface_job {
    struct tw_scene scene;
    const float *heights;
    int32_t width, height;
    int32_t enlarge;      /* cells of the result per cell of the map and axis, 1 to 4 */
    const float *lakes;   /* depth of standing water, as height */
    const float *wetness; /* 0..1 instead of what the valleys suggest */
    const float *shade;   /* share of the sun instead of cast shadows */
    const float *mask;    /* of a ramp by mask */
    const float *water;   /* share that it covers instead of what depths suggest */
    const struct tw_layers *layers;
    const struct tw_value *image; /* the ground's own colours, of any size */
    const struct tw_surface_ramp *ramp;
    float snow, bump, shading, softness;
};

/* Cells of the result per height, and the height that they count from. */
float tw_surface_scale(const struct tw_surface_job *job);
float tw_surface_datum(const struct tw_surface_job *job);

/* Lights width x height x enlarge^2 cells. TW_MEMORY, TW_CANCELLED or TW_OK. */
enum tw_status tw_surface_light(struct tw_task *task, const struct tw_surface_job *job,
                                struct tw_surface_cell *to);
/* The scratch that it takes and gives back. */
void tw_surface_light_forecast(struct tw_forecast *f, int32_t width, int32_t height,
                               int32_t enlarge, bool shadow);

/* Light of a cell's element and back: square roots of light up to TW_SURFACE_WHITE. */
#define TW_SURFACE_WHITE 16.0f
static TW_INLINE uint16_t tw_surface_pack(float light)
{
    float root = sqrtf(tw_clamp(light * (1.0f / TW_SURFACE_WHITE), 0.0f, 1.0f));
    return (uint16_t)(int32_t)(root * 65535.0f + 0.5f);
}
static TW_INLINE float tw_surface_unpack(uint16_t stored)
{
    float root = (float)stored;
    return root * root * (TW_SURFACE_WHITE / (65535.0f * 65535.0f));
}

#endif
