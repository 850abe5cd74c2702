/* SPDX-License-Identifier: MIT */
/* Least-cost paths from every cell of a grid to the nearest of plain sources: at no cost, without
 * profiles or domains. They are those of least_cost.h, which has a single order, on one thread; but
 * where vectors pay, costs come from tile_relaxation.h, on all threads. Costs decide ways: a path
 * comes through an edge that makes up for the difference of two costs, and of several such edges
 * that of the first source, of the cheaper cell, of the first cell. So ways are found when asked
 * for. */
#ifndef TW_NODES_FEATURE_KERNELS_NEAREST_PATHS_H
#define TW_NODES_FEATURE_KERNELS_NEAREST_PATHS_H

#include "feature/kernels/least_cost.h"

struct tw_nearest_paths {
    const struct tw_task *task;
    const struct tw_weighted_grid *grid;
    const double *cost; /* of the path from a cell of the grid */
    struct tw_search search;
    int32_t *source; /* by cell, -1 where not known yet; NULL: `search` knows */
    int32_t *stack;
    uint32_t steps; /* questions so far */
};

/* Searches from sources[0..count), 1 or more; their cost is 0, feature the index. Of several at one
 * cell the first holds. */
enum tw_status tw_nearest_paths_find(struct tw_task *task, const struct tw_weighted_grid *grid,
                                     const struct tw_path_source *sources, int32_t count,
                                     struct tw_nearest_paths *paths);

/* The number of the source where the path from a cell of the map ends; of a task that is cancelled
 * any. One thread at a time. */
int32_t tw_nearest_paths_source(struct tw_nearest_paths *paths, int32_t cell);
/* The next cell on the way there; the cell itself at its source. One thread at a time. */
int32_t tw_nearest_paths_next(struct tw_nearest_paths *paths, int32_t cell);

/* The scratch that it takes on a width x height grid. */
void tw_nearest_paths_forecast(struct tw_forecast *f, int32_t width, int32_t height);

#endif
