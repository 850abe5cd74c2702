/* SPDX-License-Identifier: MIT */
/* Summits by prominence: the height above the highest saddle to higher ground (Helman 2005). */
#ifndef TW_NODES_MEASURE_KERNELS_SUMMITS_H
#define TW_NODES_MEASURE_KERNELS_SUMMITS_H

#include "measure/kernels/reference_cells.h"

enum { TW_SUMMIT_SHARES = 2 };

/* Counts the summits whose prominence is at least so many percent of the relief, which is above 0.
 * The highest has all of it. `memory` holds 8 bytes a cell. Of equally high cells the first is the
 * higher; nothing lies beyond a closed border. */
enum tw_status tw_summits_count(struct tw_task *task, const struct tw_reference_cells *r,
                                void *memory, const int32_t percent[TW_SUMMIT_SHARES],
                                int32_t counts[TW_SUMMIT_SHARES]);
/* The scratch that it takes on natural land, and gives back. */
void tw_summits_forecast(struct tw_forecast *f);

#endif
