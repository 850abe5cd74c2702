/* SPDX-License-Identifier: MIT */
/* Depressions of drainage.h: each is a basin, and all are joined to the outlets. */
#ifndef TW_NODES_COMMON_DRAINAGE_BASINS_H
#define TW_NODES_COMMON_DRAINAGE_BASINS_H

#include "common/drainage/drainage.h"

/* Appends the tree of `root` to the order, which serves as the queue, from `at` on or, with a step
 * of -1, downwards; returns where the next one goes. */
static inline int32_t tw_drainage_append_tree(const struct tw_drainage *d, int32_t at, int32_t root,
                                              int32_t step)
{
    int32_t *order = d->order;
    order[at] = root;
    for (int32_t head = at, next = at + step;; head += step) {
        if (head == next)
            return next;
        int32_t cell = order[head];
        unsigned bits = d->from[cell];
        if (d->rim && d->rim[cell])
            for (; bits; bits &= bits - 1, next += step)
                order[next] = tw_drainage_rim_neighbour(d, cell, __builtin_ctz(bits));
        for (; bits; bits &= bits - 1, next += step)
            order[next] = cell + d->step[__builtin_ctz(bits)];
    }
}

/* Every cell may be an outlet: so small trees share a grove, and groves are no more than this. */
static inline uint64_t tw_drainage_groves_max(int32_t width, int32_t height)
{
    return 2 * ((uint64_t)width + (uint64_t)height);
}

/* Appends the trees of the outlets in the order of the map, one after the other; returns the number
 * of their cells. */
int32_t tw_drainage_order_outlets(struct tw_drainage *d);

static inline bool tw_drainage_on_border(const struct tw_drainage *d, int32_t x, int32_t y)
{
    return x == 0 || y == 0 || x == d->width - 1 || y == d->height - 1;
}

/* Lists the cells that have no receiver and are not outlets, in the order of the map; returns their
 * number. */
int32_t tw_drainage_list_pits(const struct tw_drainage *d, int32_t *pits);

/* Labels the basins of pits and turns the course of each, so that it drains over its lowest pass.
 * Receivers and donors are known, and `pits` of them are listed in the memory of the order. */
enum tw_status tw_drainage_join_basins(struct tw_task *task, struct tw_drainage *d,
                                       const float *heights, int32_t pits);

/* Labels every cell with its basin, 0 where it drains to an outlet, once receivers are known; pits
 * that touch and are as high share one. Returns the number of basins. */
int32_t tw_drainage_label_basins(struct tw_task *task, struct tw_drainage *d, const float *heights);

/* Takes memory for at least so many basins; growing loses its contents. */
enum tw_status tw_drainage_reserve(struct tw_task *task, struct tw_drainage *d, int32_t basins);

/* The scratch that this takes on natural land. */
void tw_drainage_basins_forecast(struct tw_forecast *f);

#endif
