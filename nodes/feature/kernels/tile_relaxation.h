/* SPDX-License-Identifier: MIT */
/* Least costs over a whole grid where no profile bends them: c(n) = min c(m) + w(m, n) over the
 * neighbours m. That minimum does not depend on the order of work, since weights are positive and
 * rounded sums keep their order; so patches of cells are relaxed as vectors, in rounds, tiles side
 * by side, until nothing changes, and the costs are those of Dijkstra's order to the last bit. */
#ifndef TW_NODES_FEATURE_KERNELS_TILE_RELAXATION_H
#define TW_NODES_FEATURE_KERNELS_TILE_RELAXATION_H

#include "feature/kernels/least_cost.h"

/* Whether these sources, in rising cost, may be searched so: none has a profile or a domain, none
 * yields, and no increment is lost in rounding. */
bool tw_tile_relaxation_applies(const struct tw_paths *paths, int32_t count);

/* Costs by cell of the grid, undefined on its border, and by cell of the map the feature that
 * Dijkstra's order (cost, feature, cell) gives them; TW_COST_NONE and -1 where no source leads.
 * `feature` may be NULL: half the work where sources are of several features. */
enum tw_status tw_tile_relaxation(struct tw_task *task, const struct tw_paths *paths, int32_t count,
                                  double *cost, int32_t *feature);

/* The scratch that it takes; `labels`: for several features. */
void tw_tile_relaxation_forecast(struct tw_forecast *f, int32_t width, int32_t height, bool labels);

#endif
