/* SPDX-License-Identifier: MIT */
/* Plain depression filling for tests: w = max(z, least w of eight neighbours) until nothing
 * changes, from infinity (Planchon and Darboux 2001). Border cells keep their heights. */
#ifndef TW_TESTS_REFERENCE_FLOOD_H
#define TW_TESTS_REFERENCE_FLOOD_H

#include <thalweg/field.h>

#include <float.h>
#include <stdlib.h>

static inline bool flood_relax(const struct tw_value *map, float *level, int32_t x, int32_t y)
{
    int32_t w = map->width, h = map->height, at = y * w + x;
    if (x == 0 || y == 0 || x == w - 1 || y == h - 1)
        return false;
    float least = FLT_MAX, z = tw_floats(map)[at];
    for (int32_t j = -1; j <= 1; j++)
        for (int32_t i = -1; i <= 1; i++)
            if ((i || j) && level[at + j * w + i] < least)
                least = level[at + j * w + i];
    least = least > z ? least : z;
    bool changed = least < level[at];
    level[at] = changed ? least : level[at];
    return changed;
}

static inline float *flood_reference(const struct tw_value *map)
{
    int32_t w = map->width, h = map->height;
    float *level = malloc(tw_value_count(map) * sizeof *level);
    for (int32_t y = 0; y < h; y++)
        for (int32_t x = 0; x < w; x++)
            level[y * w + x] =
                x == 0 || y == 0 || x == w - 1 || y == h - 1 ? tw_floats(map)[y * w + x] : FLT_MAX;
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

#endif
