/* SPDX-License-Identifier: MIT */
/* The law of incision.h for single cells. */
#ifndef TW_NODES_COMMON_RISING_LAND_INCISION_LAW_H
#define TW_NODES_COMMON_RISING_LAND_INCISION_LAW_H

#include "common/rising_land/incision.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

/* Bits of a float that its place in the table does not show, and the place of 1. */
enum { TW_INCISION_DROPPED = 23 - TW_INCISION_FINE, TW_INCISION_ONE = 127 << TW_INCISION_FINE };

/* K dt A^m / (cell length)^n for an area of at least 1. */
static TW_INLINE float tw_incision_power(const struct tw_incision *s, float area)
{
    uint32_t bits;
    memcpy(&bits, &area, sizeof bits);
    const float *at = s->powers + ((bits >> TW_INCISION_DROPPED) - TW_INCISION_ONE);
    float within =
        (float)(bits & ((1u << TW_INCISION_DROPPED) - 1)) * (1.0f / (1 << TW_INCISION_DROPPED));
    return at[0] + within * (at[1] - at[0]);
}

/* L^n, in cells. */
static inline double tw_incision_length(double square, double n)
{
    return n == 2 ? square : tw_pow(sqrt(square), n);
}

/* Height where the flow line meets the side between the receivers, of which one that gets no share
 * may not be a cell. Without branches, which would go either way at random. */
static TW_INLINE float tw_incision_base(const float *z, struct tw_receivers to, float corner)
{
    float first = z[corner >= 1 ? to.corner : to.cardinal];
    float second = z[corner <= 0 ? to.cardinal : to.corner];
    return first + corner * (second - first);
}

#endif
