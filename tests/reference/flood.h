/* SPDX-License-Identifier: MIT */
/* Plain depression filling for tests: w = max(z, least w of eight neighbours) until nothing
 * changes, from infinity (Planchon and Darboux 2001). Border cells keep their heights; on a torus
 * those do that are as low as the lowest. */
#ifndef TW_TESTS_REFERENCE_FLOOD_H
#define TW_TESTS_REFERENCE_FLOOD_H

#include <thalweg/field.h>

#include <float.h>
#include <stdlib.h>

static inline bool flood_relax(const struct tw_value *map, float *level, int32_t x, int32_t y)
{
    int32_t w = map->width, h = map->height, at = y * w + x;
    float least = FLT_MAX, z = tw_floats(map)[at];
    if (level[at] <= z) /* an outlet, or as low as can be */
        return false;
    for (int32_t j = -1; j <= 1; j++)
        for (int32_t i = -1; i <= 1; i++) {
            float near = level[(y + j + h) % h * w + (x + i + w) % w];
            least = near < least ? near : least;
        }
    least = least > z ? least : z;
    bool changed = least < level[at];
    level[at] = changed ? least : level[at];
    return changed;
}

static inline float *flood_reference(const struct tw_value *map, bool wrap)
{
    int32_t w = map->width, h = map->height;
    const float *z = tw_floats(map);
    float *level = malloc(tw_value_count(map) * sizeof *level), lowest = z[0];
    for (int32_t i = 0; i < w * h; i++)
        lowest = z[i] < lowest ? z[i] : lowest;
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++) {
            bool border = x == 0 || y == 0 || x == w - 1 || y == h - 1;
            bool outlet = wrap ? z[y * w + x] <= lowest : border;
            level[y * w + x] = outlet ? z[y * w + x] : FLT_MAX;
        }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t y = 0; y < h; y++)
            for (int32_t x = 0; x < w; x++)
                changed |= flood_relax(map, level, x, y);
        for (int32_t y = h - 1; y >= 0; y--)
            for (int32_t x = w - 1; x >= 0; x--)
                changed |= flood_relax(map, level, x, y);
    }
    return level;
}

/* The lowest surface that is everywhere but at its outlets at least `step` times the distance above
 * one of eight neighbours: every way over a neighbour is tried until nothing changes (Bellman and
 * Ford), in double, and rounded at the end. */
static inline bool flood_rising_relax(const struct tw_value *map, double *level, double step,
                                      bool wrap, int32_t at)
{
    int32_t w = map->width, h = map->height, x = at % w, y = at / w;
    double least = level[at], z = (double)tw_floats(map)[at];
    for (int32_t k = 0; k < 9; k++) {
        int32_t i = x + k % 3 - 1, j = y + k / 3 - 1;
        bool inside = i >= 0 && j >= 0 && i < w && j < h, diagonal = k % 3 != 1 && k / 3 != 1;
        if (!inside && !wrap)
            continue;
        double over =
            level[(j + h) % h * w + (i + w) % w] + (diagonal ? 1.4142135623730951 * step : step);
        least = over < least ? over : least;
    }
    least = least > z ? least : z;
    bool changed = least < level[at];
    level[at] = changed ? least : level[at];
    return changed;
}

static inline float *flood_rising_reference(const struct tw_value *map, bool wrap, double step)
{
    int32_t w = map->width, h = map->height;
    const float *z = tw_floats(map);
    double *level = malloc(tw_value_count(map) * sizeof *level);
    float *result = malloc(tw_value_count(map) * sizeof *result), lowest = z[0];
    for (int32_t i = 0; i < w * h; i++)
        lowest = z[i] < lowest ? z[i] : lowest;
    for (int32_t i = 0; i < w * h; i++) {
        bool border = i % w == 0 || i / w == 0 || i % w == w - 1 || i / w == h - 1;
        level[i] = (wrap ? z[i] <= lowest : border) ? (double)z[i] : DBL_MAX;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < w * h; i++)
            changed |= flood_rising_relax(map, level, step, wrap, i);
        for (int32_t i = w * h - 1; i >= 0; i--)
            changed |= flood_rising_relax(map, level, step, wrap, i);
    }
    for (int32_t i = 0; i < w * h; i++)
        result[i] = (float)level[i];
    free(level);
    return result;
}

#endif
