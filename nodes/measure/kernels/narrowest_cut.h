/* SPDX-License-Identifier: MIT */
/* The fewest places that part one start from the others: a flow in which each place lets one unit
 * through (Ford and Fulkerson 1956). Of several such cuts the one nearest the start, which does not
 * depend on the flow that is found. */
#ifndef TW_NODES_MEASURE_KERNELS_NARROWEST_CUT_H
#define TW_NODES_MEASURE_KERNELS_NARROWEST_CUT_H

#include "measure/kernels/reach_ways.h"

struct tw_cut {
    uint8_t *base;   /* of each place: free, or of which base */
    uint8_t *flow;   /* of each place: a bit for each neighbour that it sends a unit to */
    uint8_t *parent; /* of each state of the search, two for each place */
    int32_t *stack;
    int32_t *source, sources; /* places of the base at hand */
    struct tw_flood flood;
};

bool tw_cut_lay_out(struct tw_scratch *s, struct tw_cut *cut);
/* Finds a cut for each start against all others. A start's base, which is not cut, is what a flood
 * from it fills within `range` columns and rows. Marks the places of all cuts in `mark`, and
 * returns the size of the smallest through `least`; -1 if bases touch everywhere, or if there is
 * one start only. TW_CANCELLED when the task is. */
enum tw_status tw_cut_find_all(struct tw_task *task, const struct tw_unit_ground *ground,
                               struct tw_cut *cut, const int32_t *starts, int32_t count,
                               int32_t range, uint8_t *mark, int32_t *least);

#endif
