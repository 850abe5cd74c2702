/* SPDX-License-Identifier: MIT */
/* Passes in bands order over a packed map, as vectors. */
#ifndef TW_NODES_EROSION_KERNELS_ROW_BANDS_PASS_H
#define TW_NODES_EROSION_KERNELS_ROW_BANDS_PASS_H

#include "erosion/kernels/row_bands_layout.h"

/* `passes` in bands order, the first of them with this number, one after the other. For maps of 64
 * columns and 66 rows, walls included, or more. */
void tw_row_bands_pass_run(struct tw_task *task, const struct tw_row_bands_layout *at, int32_t pass,
                           int32_t passes);
/* The most that tw_row_bands_pass_run() takes. */
int32_t tw_row_bands_pass_most(const struct tw_row_bands_layout *at);

#endif
