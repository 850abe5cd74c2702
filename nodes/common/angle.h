/* SPDX-License-Identifier: MIT */
/* Angles without branches, so that loops over cells become vectors. */
#ifndef TW_NODES_COMMON_ANGLE_H
#define TW_NODES_COMMON_ANGLE_H

#include <thalweg/simd.h>

#include <math.h>

#define TW_DEGREES_PER_RADIAN 57.29577951308232

/* tw_atan2() of kernel.h, the same bits: 0 for the origin. */
static TW_INLINE double tw_vector_atan2(double y, double x)
{
    double across = x < 0 ? -x : x, up = y < 0 ? -y : y;
    double long_side = across > up ? across : up, short_side = across > up ? up : across;
    double t = short_side / (long_side > 0 ? long_side : 1);
    t = t / (1 + sqrt(1 + t * t));
    t = t / (1 + sqrt(1 + t * t));
    double square = t * t, sum = 0;
#pragma GCC unroll 12
    for (int i = 23; i > 0; i -= 2)
        sum = 1.0 / (double)i - sum * square;
    double angle = 4 * t * sum;
    angle = up > across ? 1.5707963267948966 - angle : angle;
    angle = x < 0 ? 3.141592653589793 - angle : angle;
    angle = long_side > 0 ? angle : 0;
    return y < 0 ? -angle : angle;
}

#endif
