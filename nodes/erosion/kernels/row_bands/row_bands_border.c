/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/row_bands/row_bands_border.h"

#include <thalweg/kernel.h>

#include <string.h>

/* What no apron may leave: the range of the heights within the walls. */
static void find_range(const struct tw_row_bands_map *map, struct tw_row_bands_border *border)
{
    border->floor = border->ceiling = map->cells[0];
    for (int32_t y = 0; y < map->height - 1; y++)
        for (int32_t x = 0; x < map->width - 1; x++) {
            float height = map->cells[(size_t)y * (size_t)map->width + (size_t)x];
            border->floor = tw_min(border->floor, height);
            border->ceiling = tw_max(border->ceiling, height);
        }
}

bool tw_row_bands_border_lay_out(struct tw_scratch *s, struct tw_row_bands_border *border,
                                 const struct tw_row_bands_map *map)
{
    bool laid = map->rule->closed && map->rule->apron > 1;
    uint64_t cells = 2 * ((uint64_t)map->width + (uint64_t)map->height);
    border->before = laid ? tw_scratch_take(s, cells, sizeof *border->before) : NULL;
    return tw_scratch_is_laid(s);
}

void tw_row_bands_border_init(struct tw_row_bands_border *border,
                              const struct tw_row_bands_layout *at)
{
    const struct tw_row_bands_map *map = &at->map;
    int32_t least = map->width < map->height ? map->width : map->height;
    if (!border->before)
        return;
    tw_border_apron_set(&border->apron, map->rule->apron, least - 1);
    find_range(map, border);
}

/* Lays over its apron what the border cell x, y, `before` the pass, has gained; what would carry
 * cells beyond the range of heights stays. */
static void lay_gain(const struct tw_row_bands_border *border, const struct tw_row_bands_layout *at,
                     int32_t x, int32_t y, int32_t dx, int32_t dy, float before)
{
    float *cell = tw_row_bands_cell(at, x, y), gain = *cell - before;
    for (int32_t k = 1; gain != 0 && k < border->apron.cells; k++) {
        float *inland = tw_row_bands_cell(at, x + k * dx, y + k * dy);
        float laid = gain * border->apron.share[k];
        laid = tw_min(laid, border->ceiling - *inland);
        laid = tw_max(laid, border->floor - *inland);
        *cell -= laid;
        *inland += laid;
    }
}

void tw_row_bands_border_note(const struct tw_row_bands_border *border,
                              const struct tw_row_bands_layout *at)
{
    int32_t w = at->map.width - 1, h = at->map.height - 1;
    float *before = border->before;
    for (int32_t y = 0; before && y < h; y++) {
        before[y] = *tw_row_bands_cell(at, 0, y);
        before[h + y] = *tw_row_bands_cell(at, w - 1, y);
    }
    for (int32_t x = 0; before && x < w; x++) {
        before[2 * h + x] = *tw_row_bands_cell(at, x, 0);
        before[2 * h + w + x] = *tw_row_bands_cell(at, x, h - 1);
    }
}

/* Copies what aprons may have changed in the first rows of bands. */
static void renew_rows(const struct tw_row_bands_border *border,
                       const struct tw_row_bands_layout *at)
{
    int32_t w = at->map.width - 1, n = border->apron.cells;
    for (int32_t band = 1; band < at->count; band++) {
        bool all = at->rows - band * TW_ROW_BANDS_ROWS <= n || 2 * n >= w;
        tw_row_bands_renew(at, band, 0, all ? w : n);
        tw_row_bands_renew(at, band, all ? w : w - n, all ? 0 : n);
    }
}

void tw_row_bands_border_lay(const struct tw_row_bands_border *border,
                             const struct tw_row_bands_layout *at)
{
    int32_t w = at->map.width - 1, h = at->map.height - 1;
    const float *before = border->before;
    for (int32_t y = 0; before && y < h; y++) {
        lay_gain(border, at, 0, y, 1, 0, before[y]);
        lay_gain(border, at, w - 1, y, -1, 0, before[h + y]);
    }
    for (int32_t x = 0; before && x < w; x++) {
        lay_gain(border, at, x, 0, 0, 1, before[2 * h + x]);
        lay_gain(border, at, x, h - 1, 0, -1, before[2 * h + w + x]);
    }
    if (before && at->packed)
        renew_rows(border, at);
    tw_row_bands_border_note(border, at);
}

void tw_row_bands_enter_walls(const struct tw_row_bands_map *walled, const float *cells)
{
    size_t inner = (size_t)walled->width - 1;
    float *row = walled->cells;
    for (int32_t p = 0; p < walled->rule->planes; p++) {
        float wall = p ? 0 : TW_ROW_BANDS_WALL;
        for (int32_t y = 0; y < walled->height - 1; y++, cells += inner) {
            memcpy(row, cells, inner * sizeof *row);
            row[inner] = wall;
            row += walled->width;
        }
        for (int32_t x = 0; x < walled->width; x++)
            *row++ = wall;
    }
}

void tw_row_bands_leave_walls(const struct tw_row_bands_map *walled, float *cells)
{
    size_t inner = (size_t)walled->width - 1;
    const float *row = walled->cells;
    for (int32_t p = 0; p < walled->rule->planes; p++, row += walled->width)
        for (int32_t y = 0; y < walled->height - 1; y++, cells += inner, row += walled->width)
            memcpy(cells, row, inner * sizeof *row);
}

void tw_row_bands_fill_givers(float *gives, int32_t width, int32_t height)
{
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            *gives++ = x > 0 && x < width - 1 && y > 0 && y < height - 1 ? 1.0f : 0.0f;
}
