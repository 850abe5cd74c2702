/* SPDX-License-Identifier: MIT */
/* Levels of lakes without the courses of their water. */
#ifndef TW_NODES_COMMON_DRAINAGE_LEVELS_H
#define TW_NODES_COMMON_DRAINAGE_LEVELS_H

#include "common/drainage/drainage.h"

/* Labels basins and finds their levels, as joining them would, once receivers are known. Sets
 * *complete to false if there are more passes than fit the memory, which the order of cells lends.
 */
enum tw_status tw_drainage_level_basins(struct tw_task *task, struct tw_drainage *d,
                                        const float *heights, bool *complete);

#endif
