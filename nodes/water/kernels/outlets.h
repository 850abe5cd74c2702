/* SPDX-License-Identifier: MIT */
/* Where water leaves a map. */
#ifndef TW_NODES_WATER_KERNELS_OUTLETS_H
#define TW_NODES_WATER_KERNELS_OUTLETS_H

#include "common/drainage/exits.h"

/* For users' `.detail`. */
#define TW_WATER_OUTLETS_DETAIL                                                                    \
    "\nWater leaves through cells where `sea` is at least 1/2 and, on a map that ends at its "     \
    "borders, over these. Where borders meet and there is no sea, it leaves at the lowest cells "  \
    "of the map." TW_CLOSED_DETAIL

#define TW_SEA_PORT                                                                                \
    {                                                                                              \
        "sea", TW_MASK, TW_OPTIONAL, "where water leaves: 1/2 or more"                             \
    }

/* Fails where the map has more than 2^28 cells, whose rain may be too much for sums. */
enum tw_status tw_water_check_size(struct tw_task *task);

#endif
