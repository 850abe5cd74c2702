/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/row_bands/row_bands_turn.h"

#include <thalweg/kernel.h>

static void swap_floats(float *a, float *b)
{
    float kept = *a;
    *a = *b;
    *b = kept;
}

/* Within the walls: every row from its end. */
static void mirror_columns(const struct tw_row_bands_map *map)
{
    int32_t w = map->width - map->rule->closed, h = map->height - map->rule->closed;
    size_t stride = (size_t)map->width, plane = stride * (size_t)map->height;
    for (int32_t p = 0; p < map->rule->planes; p++)
        for (int32_t y = 0; y < h; y++) {
            float *row = map->cells + (size_t)p * plane + (size_t)y * stride;
            for (int32_t x = 0; x < w / 2; x++)
                swap_floats(row + x, row + w - 1 - x);
        }
}

/* Within the walls: rows `first` to `end` from the last to the first. */
static void mirror_rows(const struct tw_row_bands_map *map, int32_t first, int32_t end)
{
    size_t stride = (size_t)map->width, plane = stride * (size_t)map->height;
    for (int32_t p = 0; p < map->rule->planes; p++)
        for (int32_t y = first, other = end - 1; y < other; y++, other--) {
            float *rows = map->cells + (size_t)p * plane;
            for (int32_t x = 0; x < map->width - map->rule->closed; x++)
                swap_floats(rows + (size_t)y * stride + x, rows + (size_t)other * stride + x);
        }
}

/* On a torus rows are counted from another one every time, and then: nothing, columns, both or rows
 * are mirrored. */
bool tw_row_bands_turn(struct tw_task *task, struct tw_row_bands_layout *at, int32_t from,
                       int32_t to)
{
    const struct tw_row_bands_map *map = &at->map;
    int32_t was = from / TW_ROW_BANDS_TURN, is = to / TW_ROW_BANDS_TURN;
    int32_t h = map->height - map->rule->closed;
    if (!map->rule->odd || was == is)
        return false;
    tw_row_bands_pack(task, at, false);
    if ((was % 4 == 1 || was % 4 == 2) != (is % 4 == 1 || is % 4 == 2))
        mirror_columns(map);
    if (was % 4 >= 2)
        mirror_rows(map, 0, h);
    if (!map->rule->closed) {
        int32_t rolled = tw_wrap(tw_row_bands_start(is, h) - tw_row_bands_start(was, h), h);
        mirror_rows(map, 0, rolled);
        mirror_rows(map, rolled, h);
        mirror_rows(map, 0, h);
    }
    if (is % 4 >= 2)
        mirror_rows(map, 0, h);
    return true;
}
