/* SPDX-License-Identifier: MIT */
/* The least slope that heights of a map can hold. */
#ifndef TW_NODES_SHAPE_KERNELS_LEAST_RISE_H
#define TW_NODES_SHAPE_KERNELS_LEAST_RISE_H

#include <thalweg/kernel.h>
#include <thalweg/rescale.h>

#include <math.h>
#include <string.h>

/* Two units in the last place of the greatest height for each cell that is crossed: less could be
 * lost where the sum is rounded to a float. */
static inline double tw_least_rise(struct tw_span span)
{
    float greatest = tw_max(fabsf(span.low), fabsf(span.high));
    uint32_t bits;
    memcpy(&bits, &greatest, sizeof bits);
    bits &= 0x7F800000u; /* its exponent: the power of two at or below it */
    memcpy(&greatest, &bits, sizeof greatest);
    double unit = (double)greatest * 0x1p-23;
    return 2 * (unit > 0x1p-149 ? unit : 0x1p-149);
}

#endif
