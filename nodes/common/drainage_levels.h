/* SPDX-License-Identifier: MIT */
/* Levels of lakes without the courses of their water. */
#ifndef TW_NODES_COMMON_DRAINAGE_LEVELS_H
#define TW_NODES_COMMON_DRAINAGE_LEVELS_H

#include "common/drainage.h"

/* With receivers known: labels basins and finds their levels, as joining them would. Not *complete
 * where there are more passes than memory, which the order of cells lends. */
enum tw_status tw_drainage_level_basins(struct tw_task *task, struct tw_drainage *d,
                                        const float *heights, bool *complete);

#endif
