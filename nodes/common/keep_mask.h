/* SPDX-License-Identifier: MIT */
/* What nodes with a TW_KEEPS_TYPE output owe to masks: shares stay within 0..1. */
#ifndef TW_NODES_COMMON_KEEP_MASK_H
#define TW_NODES_COMMON_KEEP_MASK_H

#include <thalweg/node.h>

/* Cuts `count` cells to 0..1. */
void tw_keep_mask_cells(enum tw_simd simd, float *cells, size_t count);

/* Cuts output 0 where it is a mask; a heightmap stays as it is. */
void tw_keep_mask(struct tw_task *task);

#endif
