/* SPDX-License-Identifier: MIT */
/* Depressions filled so that water runs off with a least slope: the lowest surface z' >= z on which
 * every cell but the outlets is at least `step` times the distance above one of its eight
 * neighbours. That is z' = z at outlets, elsewhere
 *
 *     z'(c) = max(z(c), least of z'(n) + step |c n| over the neighbours n),
 *
 * a shortest-path problem with one solution, whatever the order of the cells. So it turns and
 * mirrors with the map. Paths are summed in double and rounded once. */
#ifndef TW_NODES_SHAPE_KERNELS_RISING_FILL_H
#define TW_NODES_SHAPE_KERNELS_RISING_FILL_H

#include "common/drainage/exits.h"

struct tw_rising_fill {
    const float *heights;
    double step; /* rise from a cell to the next one, above 0 */
    const struct tw_exits *exits;
};

/* Fills a map of the task's size; TW_MEMORY, TW_CANCELLED or TW_OK. */
enum tw_status tw_rising_fill(struct tw_task *task, const struct tw_rising_fill *fill, float *out);
void tw_rising_fill_forecast(struct tw_forecast *f);

#endif
