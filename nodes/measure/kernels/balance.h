/* SPDX-License-Identifier: MIT */
/* How fast a land must rise to stay as it is while rivers cut it and its hillsides creep, by the
 * laws of rising_land.h: U = K A^m S^n - D lap z. */
#ifndef TW_NODES_MEASURE_KERNELS_BALANCE_H
#define TW_NODES_MEASURE_KERNELS_BALANCE_H

#include "common/rising_land/rising_land.h"

/* `land`: routed, with widened areas, on ground without depressions, and with a talus above all
 * slopes; `dt` is that of its laws. Outlets get 0. */
void tw_balance_rates(struct tw_task *task, const struct tw_rising_land *land, double dt,
                      float *rate);

#endif
