/* SPDX-License-Identifier: MIT */
/* The cells of a map from the lowest to the highest. */
#ifndef TW_NODES_WATER_KERNELS_HEIGHT_ORDER_H
#define TW_NODES_WATER_KERNELS_HEIGHT_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Sorts cells by their heights, then by their indices. Both arrays hold `cells` words; the order
 * begins at `work`, as int32_t, and what it does not take is free again. */
const int32_t *tw_height_order(const float *heights, size_t cells, uint64_t *work, uint64_t *other);

#endif
