/* SPDX-License-Identifier: MIT */
/* Polygon maps as outputs: new ones, and copies to which a node adds its layer. */
#ifndef TW_NODES_ISLAND_KERNELS_POLYMAP_BUILD_H
#define TW_NODES_ISLAND_KERNELS_POLYMAP_BUILD_H

#include "common/polymap/polymap.h"

/* An output 0 with these counts; all words but the header are 0. */
enum tw_status tw_polymap_create(struct tw_task *task, const struct tw_polymap_header *head,
                                 struct tw_polymap *map);
/* Output 0 as a copy of input 0, which must have `layers`; `needs` names the nodes that add them.
 */
enum tw_status tw_polymap_copy(struct tw_task *task, uint32_t layers, const char *needs,
                               struct tw_polymap *map);

static inline int32_t tw_polymap_far_end(const struct tw_polymap_edge *edge, int32_t corner)
{
    return edge->v0 == corner ? edge->v1 : edge->v0;
}

/* A cell's value is the mean of its corners'. */
void tw_polymap_average(const struct tw_polymap *map, const float *corners, float *cells);

#endif
