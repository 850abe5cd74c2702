/* SPDX-License-Identifier: MIT */
#include "common/lanczos.h"

#include <thalweg/kernel.h>

#include <math.h>

enum { LOBES = 3 };

/* sinc(x) sinc(x / 3), where sinc(x) = sin(pi x) / (pi x). */
static double lanczos(double x)
{
    const double pi = 3.14159265358979323846;
    if (x == 0.0)
        return 1.0;
    if (fabs(x) >= LOBES)
        return 0.0;
    return LOBES * tw_sin_degrees(180.0 * x) * tw_sin_degrees(180.0 / LOBES * x) /
           (pi * pi * x * x);
}

static double stretch_of(int32_t from, int32_t to)
{
    return from > to ? (double)from / (double)to : 1.0;
}

int32_t tw_lanczos_taps(int32_t from, int32_t to)
{
    return (int32_t)ceil(2.0 * LOBES * stretch_of(from, to));
}

int32_t tw_lanczos_taps_of(double step)
{
    return (int32_t)ceil(2.0 * LOBES * (step > 1.0 ? step : 1.0));
}

int32_t tw_lanczos_weights(int32_t from, int32_t to, int32_t i, double *weights)
{
    return tw_lanczos_weights_at((i + 0.5) * ((double)from / (double)to) - 0.5,
                                 stretch_of(from, to), tw_lanczos_taps(from, to), weights);
}

int32_t tw_lanczos_weights_at(double centre, double stretch, int32_t taps, double *weights)
{
    const int32_t first = (int32_t)floor(centre - LOBES * stretch) + 1;
    double sum = 0.0;
    for (int32_t k = 0; k < taps; k++)
        sum += weights[k] = lanczos((first + k - centre) / stretch);
    for (int32_t k = 0; k < taps; k++)
        weights[k] /= sum;
    return first;
}
