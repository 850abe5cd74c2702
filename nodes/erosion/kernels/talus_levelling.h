/* SPDX-License-Identifier: MIT */
/* The automaton behind erosion.olsen and erosion.thermal_fast (Olsen 2004): a cell moves half of
 * its steepest drop d to that neighbour, the first on ties, when min_drop < d <= max_drop. */
#ifndef TW_NODES_EROSION_KERNELS_TALUS_LEVELLING_H
#define TW_NODES_EROSION_KERNELS_TALUS_LEVELLING_H

#include "erosion/kernels/row_bands.h"

struct tw_levelling {
    float min_drop, max_drop; /* 0 <= min_drop, max_drop <= TW_ROW_BANDS_DROP_MAX */
};

/* `iterations` passes from the task's first input to its first output. TW_CANCELLED when the task
 * is. */
enum tw_status tw_levelling_run(struct tw_task *task, const struct tw_levelling *level,
                                enum tw_neighbourhood around, enum tw_visiting_order order,
                                int32_t iterations, bool closed);

#endif
