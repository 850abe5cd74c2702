/* SPDX-License-Identifier: MIT */
#include "common/bands.h"

enum { BAND_ROWS = 8, RASTER_BELOW = 24 };

struct map {
    const struct tw_bands_rule *rule;
    float *cells;
    int32_t width, height;
};

static void visit(const struct map *map, int32_t x, int32_t y)
{
    int32_t w = map->width, left = x ? x - 1 : w - 1, right = x + 1 < w ? x + 1 : 0;
    float *row = map->cells + (size_t)y * (size_t)w;
    float *up = map->cells + (size_t)(y ? y - 1 : map->height - 1) * (size_t)w;
    float *down = map->cells + (size_t)(y + 1 < map->height ? y + 1 : 0) * (size_t)w;
    float *cross[4] = {up + x, row + left, row + right, down + x};
    float *diagonal[4] = {up + left, up + right, down + left, down + right};
    map->rule->visit(map->rule->constants, row + x,
                     map->rule->around == TW_AROUND_CROSS ? cross : diagonal,
                     (size_t)w * (size_t)map->height);
}

static void pass_raster(const struct map *map)
{
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++)
            visit(map, x, y);
}

static void pass_bands(const struct map *map)
{
    int32_t bands = map->height / BAND_ROWS, rest = map->height % BAND_ROWS;
    for (int32_t r = 0; r < BAND_ROWS + rest; r++)
        for (int32_t x = 0; x < map->width; x++)
            for (int32_t b = r < BAND_ROWS ? 0 : bands - 1; b < bands; b++)
                visit(map, x, b * BAND_ROWS + r);
}

enum tw_status tw_bands_run(struct tw_task *task, const struct tw_bands_rule *rule,
                            enum tw_bands_order order, int32_t iterations, float *cells)
{
    struct map map = {rule, cells, tw_task_width(task), tw_task_height(task)};
    size_t count = (size_t)map.width * (size_t)map.height;
    for (int32_t i = 0; i < iterations; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        if (rule->before)
            rule->before(rule->constants, cells, count, count);
        if (order == TW_RASTER || map.height < RASTER_BELOW)
            pass_raster(&map);
        else
            pass_bands(&map);
        tw_task_progress(task, (double)(i + 1) / iterations);
    }
    return TW_OK;
}
