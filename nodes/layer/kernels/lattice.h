/* SPDX-License-Identifier: MIT */
/* Maps between the task's cells and a lattice of its own, and the smoothing of sand there. */
#ifndef TW_NODES_LAYER_KERNELS_LATTICE_H
#define TW_NODES_LAYER_KERNELS_LATTICE_H

#include <thalweg/node.h>

struct tw_grid {
    float *cells;
    int32_t width, height;
};

/* Brings `from` onto the cells of `to`: means where both sides of `to` have at most as many cells,
 * else bicubic (Catmull-Rom), beyond borders wrapped or clamped. */
enum tw_status tw_lattice_bring(struct tw_task *task, const struct tw_grid *from,
                                const struct tw_grid *to, bool wraps);

/* Sand creeps down the slopes of its surface for some passes, which smooths steps of slabs: a face
 * passes 0.15 of the drop, at most 0.2 of the giver's sand. The sum stays. */
struct tw_sand_settling {
    const float *rock;
    float *sand, *next; /* the result is in `sand` */
    int32_t width, height;
    bool wraps;
};
void tw_lattice_settle(struct tw_task *task, struct tw_sand_settling *s, int32_t passes);

#endif
