/* SPDX-License-Identifier: MIT */
/* Passes out of the basins of drainage_basins.h. The join needs few of them: where two basins meet
 * along a ridge, only a pass lower than all before it can be the lowest. Workers store the passes
 * over the basin's cells, which the join no longer needs. */
#ifndef TW_NODES_COMMON_DRAINAGE_PASSES_H
#define TW_NODES_COMMON_DRAINAGE_PASSES_H

#include "common/drainage/drainage.h"

#include <thalweg/kernel.h>

/* From a cell of one basin to its neighbour `inside` another. */
struct tw_drainage_pass {
    int32_t basin;
    uint32_t height; /* as tw_float_key() */
    int32_t way;     /* 8 x `inside` + its direction from the cell */
};

/* Part of a basin's cells in the order, from begin to end - 1; in a part that is listed, the first
 * entry is ~ the number of passes, which follow. */
struct tw_drainage_part {
    int32_t begin, end;
};

/* The first part from `begin` on of a basin whose cells end before `end`. */
struct tw_drainage_part tw_drainage_part(int32_t begin, int32_t end);

/* The pass from a cell to its neighbour in direction k. */
static inline struct tw_drainage_pass tw_drainage_pass(const struct tw_drainage *d,
                                                       const float *heights, int32_t cell, int k)
{
    int32_t inside = tw_drainage_neighbour(d, cell, k);
    float higher = heights[inside] > heights[cell] ? heights[inside] : heights[cell];
    uint32_t height = tw_float_key(higher + 0.0f); /* -0 becomes 0 */
    return (struct tw_drainage_pass){d->label[inside], height, inside * 8 + k};
}

/* Returns the height of a pass's lower cell, from `inside` in direction k. Of passes that are as
 * high, which often share their higher cell, the one whose lower cell is lowest is taken, so that
 * ways through depressions turn with the map. */
static inline float tw_drainage_pass_low(const struct tw_drainage *d, const float *heights,
                                         int32_t inside, int k)
{
    float own = heights[inside], beyond = heights[tw_drainage_neighbour(d, inside, k)];
    return own < beyond ? own : beyond;
}

/* With `label`, `start` and `order` of all basins set: marks `edge`, the neighbours of each cell in
 * other basins less those that no pass is lowest to, and lists passes in the order where they take
 * less room than the cells. They are in the order of these, as a walk over them would find them. */
void tw_drainage_list_passes(struct tw_task *task, struct tw_drainage *d, const float *heights);

#endif
