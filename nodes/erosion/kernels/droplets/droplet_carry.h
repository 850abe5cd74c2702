/* SPDX-License-Identifier: MIT */
/* What droplets did to a smaller map, carried to the cells of the task's: the parameter `side` of
 * erosion.droplets. */
#ifndef TW_NODES_EROSION_KERNELS_DROPLETS_DROPLET_CARRY_H
#define TW_NODES_EROSION_KERNELS_DROPLETS_DROPLET_CARRY_H

#include "erosion/kernels/droplets/beyer.h"

#include <thalweg/node.h>

struct tw_droplet_carry {
    const struct tw_beyer *small;
    float *small_eroded; /* overwritten, as the maps of `small` are */
    const float *in;     /* of the task's size */
    const struct tw_beyer *model;
    float *eroded;
};

/* Fills `eroded` and the maps of `model`, but `exported`, from those of `small`. */
enum tw_status tw_droplet_carry_change(struct tw_task *task, const struct tw_droplet_carry *c);

#endif
