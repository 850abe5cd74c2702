/* SPDX-License-Identifier: MIT */
/* Shallow water in maps without frames: from a coarser level and for a finer one
 * (erosion/kernels/levels.h), and as velocities. */
#ifndef TW_NODES_EROSION_KERNELS_VIRTUAL_PIPES_MAPS_H
#define TW_NODES_EROSION_KERNELS_VIRTUAL_PIPES_MAPS_H

#include "erosion/kernels/levels.h"
#include "erosion/kernels/virtual_pipes.h"

/* What a level carries over besides its ground: water, sediment and four fluxes. */
enum { TW_VIRTUAL_PIPES_STATES = 6 };

/* Goes on with the water, sediment and fluxes that the coarser level left. */
void tw_virtual_pipes_resume(struct tw_task *task, const struct tw_level *level,
                             const struct tw_virtual_pipes *m);
/* Leaves them and the ground to the finer level. */
void tw_virtual_pipes_leave(struct tw_task *task, const struct tw_level *level,
                            const struct tw_virtual_pipes *m);

/* Velocities of the `width` cells of row y, in map sides per time, each part of them at most
 * `fastest`. */
void tw_virtual_pipes_velocity(const struct tw_virtual_pipes *m, int32_t y, float fastest,
                               struct tw_vector *velocity);

#endif
