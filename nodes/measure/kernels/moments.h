/* SPDX-License-Identifier: MIT */
/* Sums over a map in double precision, in an order that depends on neither threads nor instruction
 * set. */
#ifndef TW_NODES_MEASURE_KERNELS_MOMENTS_H
#define TW_NODES_MEASURE_KERNELS_MOMENTS_H

#include <thalweg/node.h>

struct tw_moments {
    double sum, mean;
    double deviation; /* of the population */
};

/* Moments of width x height cells; fails only when out of memory. */
enum tw_status tw_moments_find(struct tw_task *task, const float *cells, int32_t width,
                               int32_t height, struct tw_moments *moments);

/* The scratch that it takes. */
void tw_moments_forecast(struct tw_forecast *f);

#endif
