/* SPDX-License-Identifier: MIT */
/* Whether a map has few different heights, as one of 8 bits has. */
#ifndef TW_NODES_MEASURE_KERNELS_DISTINCT_H
#define TW_NODES_MEASURE_KERNELS_DISTINCT_H

#include <stddef.h>
#include <stdint.h>

enum { TW_DISTINCT_MOST = 1000 };

/* How many different heights there are, TW_DISTINCT_MOST for that many or more. */
int32_t tw_distinct_count(const float *heights, size_t count);

#endif
