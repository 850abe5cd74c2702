/* SPDX-License-Identifier: MIT */
/* Sorted numbers, and measures of their distributions. */
#ifndef TW_NODES_MEASURE_KERNELS_SORTED_H
#define TW_NODES_MEASURE_KERNELS_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* Sorts finite floats; `work` holds as many. Linear in their number. */
void tw_sort_floats(float *numbers, float *work, size_t count);
/* Returns the number that a share p, 0 to 1, lies below; linear between two. */
double tw_sorted_quantile(const float *sorted, size_t count, double p);
/* The largest gap of two cumulative distributions of equally many numbers (Kolmogorov). */
double tw_sorted_gap(const float *a, const float *b, size_t count);

#endif
