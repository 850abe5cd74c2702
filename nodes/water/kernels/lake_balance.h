/* SPDX-License-Identifier: MIT */
/* Lakes in balance: what runs into each evaporates from it or overflows, after fill-spill-merge
 * (Barnes, Callaghan & Wickert 2021). Deviation: the paper pours a volume of water, where this
 * finds the steady state of rain without end, in which a lake's area counts and not its volume. */
#ifndef TW_NODES_WATER_KERNELS_LAKE_BALANCE_H
#define TW_NODES_WATER_KERNELS_LAKE_BALANCE_H

#include "water/kernels/depressions.h"

struct tw_water_budget {
    int64_t evaporated, to_sea; /* units of rain */
};

/* Fills the depressions found with their rain, of which every cell of a lake loses `evaporation`
 * (as much as rain of that amount gives a cell). Sets `level` of each: a cell lies under water if
 * it is below the level of its home. Sets `lake`, whose cells touch those of no other lake. */
struct tw_water_budget tw_lake_balance(struct tw_depressions *d, double evaporation);

#endif
