/* SPDX-License-Identifier: MIT */
/* For a node whose result depends on whether the recipe says how large its map is. */
#ifndef THALWEG_WORLD_SIDE_H
#define THALWEG_WORLD_SIDE_H

#include <thalweg/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Metres along the map's side (of the width); 0 where the recipe's world does not give `side_m`, of
 * which tw_task_world() has the default. A node that reads this says `physical`. */
TW_API double tw_task_side_m(const struct tw_task *task);

#ifdef __cplusplus
}
#endif
#endif
