/* SPDX-License-Identifier: MIT */
/* What is around a map cut out as a block: its sides, the floor that it stands on, and the air. */
#ifndef TW_NODES_RENDER_KERNELS_BLOCK_H
#define TW_NODES_RENDER_KERNELS_BLOCK_H

#include "render/kernels/heightfield_raycast.h"
#include "render/kernels/surface_light.h"

struct tw_map_block {
    struct tw_scene scene;
    const float *ground; /* heights in cells, without water */
    const float *lakes;  /* with water; NULL where there is no more than the sea */
    int32_t width, height;
    float k;               /* 1024 / the wider side */
    float sea, low, range; /* the sea's level, the lowest ground, highest - lowest */
    float bottom;          /* of the block */
    float fade;            /* 1 / D of water */
    const float *noise;    /* the tile */
    struct tw_palette palette;
    struct tw_rgb strata[2], soil;
    struct tw_rgb backdrop_low, backdrop_high; /* as shown, without the tone curve */
};

/* `bottom` follows from the lowest ground and the sea. */
void tw_block_set(struct tw_map_block *block);

/* Light from the side of the block at a point on it. */
struct tw_rgb tw_block_side(const struct tw_map_block *block, const double *at);

/* The backdrop, as shown; `v` is 1 at the picture's top and -1 at its bottom. */
struct tw_rgb tw_block_backdrop(const struct tw_map_block *block, const struct tw_ray *ray,
                                double v);

#endif
