/* SPDX-License-Identifier: MIT */
/* Quantiles without a sort. */
#ifndef TW_NODES_MEASURE_KERNELS_ORDER_STATISTICS_H
#define TW_NODES_MEASURE_KERNELS_ORDER_STATISTICS_H

#include <stddef.h>

enum { TW_QUANTILES = 3 };

/* Where a share of the numbers lies below: between two of them, at `share` of the way. */
struct tw_order_place {
    double low, high, share;
};

/* The places of three shares p, in any order, of at least one finite number; `work` holds as many.
 * Linear in their number. */
void tw_order_find(const double *numbers, size_t count, const double p[TW_QUANTILES], double *work,
                   struct tw_order_place places[TW_QUANTILES]);

/* Linear between two numbers, as NumPy's quantile. */
static inline double tw_order_between(const struct tw_order_place *at)
{
    return at->low + (at->high - at->low) * at->share;
}

static inline void tw_order_quantiles(const double *numbers, size_t count,
                                      const double p[TW_QUANTILES], double *work,
                                      double quantiles[TW_QUANTILES])
{
    struct tw_order_place places[TW_QUANTILES];
    tw_order_find(numbers, count, p, work, places);
    for (int i = 0; i < TW_QUANTILES; i++)
        quantiles[i] = tw_order_between(&places[i]);
}

#endif
