/* SPDX-License-Identifier: MIT */
/* Soft cast shadows by sweeps: O(9 n), no rays, no search radius. */
#ifndef TW_NODES_RENDER_KERNELS_SHADOW_SWEEP_H
#define TW_NODES_RENDER_KERNELS_SHADOW_SWEEP_H

#include <thalweg/node.h>

struct tw_shadow_sweep {
    const float *z; /* heights in cells */
    int32_t width, height;
    float sea;                /* level of water, which is lit as flat */
    double azimuth, altitude; /* of the sun's middle, degrees */
    double softness;          /* d: half of the sun's width, degrees */
};

/* Writes the share of the sun that each cell sees, 0 to 255. TW_MEMORY, TW_CANCELLED or TW_OK. */
enum tw_status tw_shadow_sweep_cast(struct tw_task *task, const struct tw_shadow_sweep *sweep,
                                    uint8_t *lit);

/* The scratch that it takes on a map of this size. */
void tw_shadow_sweep_forecast(struct tw_forecast *f, int32_t width, int32_t height);

#endif
