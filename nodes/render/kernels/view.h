/* SPDX-License-Identifier: MIT */
/* A picture of a lit surface: rays, what they see, haze and tone, and more rays where edges need
 * them. */
#ifndef TW_NODES_RENDER_KERNELS_VIEW_H
#define TW_NODES_RENDER_KERNELS_VIEW_H

#include "render/kernels/block.h"
#include "render/kernels/camera.h"
#include "render/kernels/ray_packet.h"
#include "render/kernels/surface_mips.h"
#include "render/kernels/tone.h"

enum tw_view_mode { TW_VIEW_BLOCK, TW_VIEW_SCENE };

struct tw_view {
    enum tw_view_mode mode;
    struct tw_map_block block;
    struct tw_pyramid pyramid; /* of the ground and the water on it */
    struct tw_surface_mips mips;
    struct tw_camera camera;
    int32_t width, height; /* of the picture */
    float pixel;           /* angle of a pixel */
    float blur;            /* of the ground, in pixels */
    float exposure, haze;
    struct tw_rgb haze_colour;
    struct tw_rgb horizon, zenith; /* of the sky, as shown */
    struct tw_rgb plain;           /* colour of the ground beyond a scene */
    struct tw_tone_tables tones;
};

/* Derives the rest from mode, block, camera, size, exposure and haze (both as factors). */
void tw_view_set(struct tw_view *view, double degrees);

/* What rays see: linear light as shown, the root of its luminance, and how far away it is. */
struct tw_view_packet {
    struct tw_light_packet light;
    float root[TW_RAYS], depth[TW_RAYS];
};
/* What TW_RAYS rays through (u, v) see, which meet nothing up to the depths `sight`. */
void tw_view_look(enum tw_simd simd, const struct tw_view *view, const double *u, const double *v,
                  const double *sight, struct tw_view_packet *seen);

/* Of rays that meet the ground: its light with haze, as shown. Other lanes are without meaning. */
void tw_view_ground(enum tw_simd simd, const struct tw_view *view, const struct tw_ray_packet *rays,
                    const struct tw_hit_packet *hits, struct tw_light_packet *seen);

/* Writes width x height pixels of 3 bytes. TW_MEMORY, TW_CANCELLED or TW_OK. */
enum tw_status tw_view_paint(struct tw_task *task, const struct tw_view *view, uint8_t *pixels);
/* The scratch that it takes. */
void tw_view_forecast(struct tw_forecast *f, int32_t width, int32_t height);

#endif
