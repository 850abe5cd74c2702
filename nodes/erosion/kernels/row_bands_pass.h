/* SPDX-License-Identifier: MIT */
/* A pass in bands order over a packed map, as vectors. */
#ifndef TW_NODES_EROSION_KERNELS_ROW_BANDS_PASS_H
#define TW_NODES_EROSION_KERNELS_ROW_BANDS_PASS_H

#include "erosion/kernels/row_bands_layout.h"

struct tw_row_bands_pass {
    const struct tw_row_bands_layout *layout;
    int32_t chunk, chunks; /* steps of a chunk; chunks of a band */
    int32_t delay;         /* stages from a band's beginning to that of the next */
    int32_t start;         /* the column where the first row of a band begins */
    int32_t stage;
};

/* For maps of 64 columns and 66 rows, walls included, or more. */
void tw_row_bands_pass_init(struct tw_row_bands_pass *pass, const struct tw_row_bands_layout *at);
void tw_row_bands_pass_run(struct tw_task *task, struct tw_row_bands_pass *pass, int32_t start);

#endif
