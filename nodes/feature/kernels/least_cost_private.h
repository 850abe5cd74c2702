/* SPDX-License-Identifier: MIT */
/* What a search in one piece (least_cost.c) and one in strips (least_cost_strips.c) share. */
#ifndef TW_NODES_FEATURE_KERNELS_LEAST_COST_PRIVATE_H
#define TW_NODES_FEATURE_KERNELS_LEAST_COST_PRIVATE_H

#include "feature/kernels/least_cost_settle.h"

enum { TW_SEARCH_POLLS = 1 << 14 }; /* cells settled between polls for cancellation */

/* Take or count the memory of `count` searches, and of as many queues for so many cells each. */
void tw_search_lay_out_cells(struct tw_scratch *s, const struct tw_weighted_grid *grid,
                             struct tw_search *searches, int32_t count);
void tw_search_lay_out_queues(struct tw_scratch *s, const struct tw_paths *paths, int32_t cells,
                              struct tw_search *searches, int32_t count);

/* What a first use needs. */
void tw_search_clean(const struct tw_weighted_grid *grid, struct tw_search *search);
void tw_search_clean_queue(struct tw_bucket_queue *queue);

/* Over the whole grid; the first bucket begins at cost `base`. */
struct tw_settling tw_search_begin(const struct tw_paths *paths, const struct tw_bounds *bounds,
                                   struct tw_search *search, double base);

/* Sources are held from the start and settle at their own cost. Returns the first of those sorted
 * by cost that are beyond the limit. */
int32_t tw_search_hold_sources(struct tw_settling *run, int32_t begin, int32_t end);

/* Settles source i if its cell is still its own. */
void tw_search_settle_source(struct tw_settling *run, int32_t i);

/* Gives sources that have never settled their cost. */
void tw_search_show_held(const struct tw_paths *paths, struct tw_search *search, int32_t begin,
                         int32_t end);

#endif
