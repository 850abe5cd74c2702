/* SPDX-License-Identifier: MIT */
/* Sixteen rays from one eye at a time, as vectors: the intersections that tw_raycast() finds, but
 * for the rounding of single precision where a hair decides. */
#ifndef TW_NODES_RENDER_KERNELS_RAY_PACKET_H
#define TW_NODES_RENDER_KERNELS_RAY_PACKET_H

#include "render/kernels/heightfield_raycast.h"

enum { TW_RAYS = 16 };

struct tw_ray_packet {
    double from[3], along[3][TW_RAYS]; /* as of tw_ray */
    double free[TW_RAYS];              /* cells along each without a hit; 0 where not known */
};

enum tw_hit_kind { TW_HIT_NONE, TW_HIT_WALL, TW_HIT_GROUND };

struct tw_hit_packet {
    int32_t kind[TW_RAYS]; /* enum tw_hit_kind */
    double t[TW_RAYS], at[3][TW_RAYS];
};

/* Linear light that each ray sees. */
struct tw_light_packet {
    float red[TW_RAYS], green[TW_RAYS], blue[TW_RAYS];
};

static inline struct tw_ray tw_ray_of(const struct tw_ray_packet *rays, int lane)
{
    return (struct tw_ray){{rays->from[0], rays->from[1], rays->from[2]},
                           {rays->along[0][lane], rays->along[1][lane], rays->along[2][lane]}};
}

static inline struct tw_hit tw_hit_of(const struct tw_hit_packet *hits, int lane)
{
    return (struct tw_hit){hits->kind[lane] == TW_HIT_WALL,
                           hits->t[lane],
                           {hits->at[0][lane], hits->at[1][lane], hits->at[2][lane]}};
}

void tw_ray_packet_cast(enum tw_simd simd, const struct tw_pyramid *pyramid, double bottom,
                        const struct tw_ray_packet *rays, struct tw_hit_packet *hits);

#endif
