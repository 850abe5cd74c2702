/* SPDX-License-Identifier: MIT */
/* The surroundings of a map cut out as a block: its sides, the floor that it rests on, and the air.
 */
#ifndef TW_NODES_RENDER_KERNELS_BLOCK_H
#define TW_NODES_RENDER_KERNELS_BLOCK_H

#include "render/kernels/ray_packet.h"
#include "render/kernels/surface_light.h"
#include "render/kernels/wall_strata.h"

/* The block's shadow on the floor: its footprint, moved along the light, softer the further. */
enum { TW_FOOTPRINTS = 4 };
struct tw_floor_shadow {
    float x[TW_FOOTPRINTS], y[TW_FOOTPRINTS], soft[TW_FOOTPRINTS]; /* cells */
    float share;                                                   /* of each */
    float contact;                                                 /* cells that it is felt */
};

enum tw_side { TW_WEST, TW_EAST, TW_NORTH, TW_SOUTH, TW_SIDES };

struct tw_map_block {
    struct tw_scene scene;
    const float *rim[TW_SIDES]; /* heights in cells along each side, without water */
    const float *lakes; /* of the map, with water; NULL where there is no more than the sea */
    int32_t width, height;
    float k;               /* 1024 / the wider side */
    float sea, low, range; /* the sea's level, the lowest ground, highest - lowest */
    float bottom;          /* of the block */
    float fade;            /* 1 / D of water */
    const float *noise;    /* the tile */
    struct tw_palette palette;
    struct tw_rgb strata[2], soil;
    const struct tw_wall_strata *layers;       /* that the sides show; NULL for none */
    struct tw_rgb backdrop_low, backdrop_high; /* as shown, without the tone curve */
    struct tw_floor_shadow shadow;
};

/* `bottom` follows from the lowest ground and the sea. */
void tw_block_set(struct tw_map_block *block);

/* Light from the side of the block at a point on it. */
struct tw_rgb tw_block_side(const struct tw_map_block *block, const double *at);

/* The backdrop as a packet of rays sees it, as shown; `v` is 1 at the picture's top and -1 at its
 * bottom. */
void tw_block_backdrop(enum tw_simd simd, const struct tw_map_block *block,
                       const struct tw_ray_packet *rays, const double *v,
                       struct tw_light_packet *seen);

#endif
