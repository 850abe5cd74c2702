/* SPDX-License-Identifier: MIT */
/* The march of rays as it is defined: from every cell over all columns, then over all rows. */
#ifndef TW_TESTS_REFERENCE_SHADOWS_H
#define TW_TESTS_REFERENCE_SHADOWS_H

#include <thalweg/kernel.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

struct ray_march {
    const double *heights; /* in cells */
    int32_t width, height;
    double x, y, rise, highest; /* unit vector towards the light, rise per cell */
};

/* Height on column x between two rows, or on row x between two columns; -1e300 outside. */
static inline double height_between(const struct ray_march *m, bool column, int32_t at,
                                    double along)
{
    int32_t size = column ? m->height : m->width, other = column ? m->width : m->height;
    if (at < 0 || at >= other || along < 0 || along > (double)(size - 1))
        return -1e300;
    int32_t low = (int32_t)along, high = low + 1 < size ? low + 1 : low;
    double share = along - (double)low;
    size_t w = (size_t)m->width, p = (size_t)at;
    double a = m->heights[column ? (size_t)low * w + p : p * w + (size_t)low];
    double b = m->heights[column ? (size_t)high * w + p : p * w + (size_t)high];
    return a + (b - a) * share;
}

/* Whether the terrain rises above the ray where it crosses columns (or rows). */
static inline bool ray_is_blocked(const struct ray_march *m, int32_t x, int32_t y, bool columns)
{
    double along = columns ? m->x : m->y, across = columns ? m->y : m->x;
    if (fabs(along) < 1e-9)
        return false;
    double length = 1 / fabs(along), start = m->heights[(size_t)y * (size_t)m->width + (size_t)x];
    int32_t sign = along > 0 ? 1 : -1, from = columns ? x : y;
    int32_t size = columns ? m->width : m->height;
    for (int32_t k = 1; from + sign * k >= 0 && from + sign * k < size; k++) {
        double far = length * (double)k, ray = start + far * m->rise;
        if (ray > m->highest)
            return false;
        if (height_between(m, columns, from + sign * k, (double)(columns ? y : x) + across * far) >
            ray + 1e-6)
            return true;
    }
    return false;
}

/* 0 in shadow, else 1. */
static inline void ray_march(const double *heights, int32_t width, int32_t height, double azimuth,
                             double tilt, float *lit)
{
    struct ray_march m = {heights,
                          width,
                          height,
                          tw_sin_degrees(azimuth),
                          -tw_cos_degrees(azimuth),
                          tw_cos_degrees(tilt) / tw_sin_degrees(tilt),
                          heights[0]};
    for (size_t i = 1; i < (size_t)width * (size_t)height; i++)
        m.highest = heights[i] > m.highest ? heights[i] : m.highest;
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            lit[(size_t)y * (size_t)width + (size_t)x] =
                ray_is_blocked(&m, x, y, true) || ray_is_blocked(&m, x, y, false) ? 0.0f : 1.0f;
}

#endif
