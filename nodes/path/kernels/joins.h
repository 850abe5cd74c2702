/* SPDX-License-Identifier: MIT */
/* Where a river that has moved ends on those that have moved before it. */
#ifndef TW_NODES_PATH_KERNELS_JOINS_H
#define TW_NODES_PATH_KERNELS_JOINS_H

#include "path/kernels/stems.h"

/* Ends the river where it first reaches or crosses a stem. One whose line, points `first` to
 * `end` - 1 of the list as it was given, joined an earlier line but which reaches no stem any more
 * goes on to the nearest. */
void tw_stems_join(const struct tw_stems *stems, const struct tw_value *lines, int32_t first,
                   int32_t end, struct tw_course *course);

#endif
