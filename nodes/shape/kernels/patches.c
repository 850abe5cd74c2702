/* SPDX-License-Identifier: MIT */
#include "shape/kernels/patches.h"

#include <thalweg/kernel.h>

enum { QUICK = 16384 /* atoms */ };

/* ---- where patches begin ---- */

static int32_t count_along(int32_t cells, int32_t spacing, int32_t first, bool wrap)
{
    const int32_t last = wrap ? cells - 1 : cells - TW_PATCH_SIDE;
    return (last - first + (wrap ? 0 : spacing - 1)) / spacing + 1;
}

struct tw_patches tw_patches_of(struct tw_patch_map map, int32_t spacing, bool covers)
{
    const int32_t first = map.wrap && covers ? spacing - TW_PATCH_SIDE : 0;
    return (struct tw_patches){.map = map,
                               .spacing = spacing,
                               .first = first,
                               .across = count_along(map.width, spacing, first, map.wrap),
                               .down = count_along(map.height, spacing, first, map.wrap)};
}

int32_t tw_patches_spacing(struct tw_patch_map map)
{
    int32_t best = 1;
    for (int32_t spacing = 1; spacing <= TW_PATCH_STEP; spacing *= 2) {
        if (map.wrap && (map.width % spacing != 0 || map.height % spacing != 0))
            break;
        best = spacing;
        const struct tw_patches atoms = tw_patches_of(map, spacing, false);
        if (tw_patches_count(&atoms) <= QUICK)
            break;
    }
    return best;
}

static int32_t begin_of(const struct tw_patches *p, int32_t i, int32_t cells)
{
    const int32_t begin = p->first + i * p->spacing, last = cells - TW_PATCH_SIDE;
    return p->map.wrap || begin < last ? begin : last;
}

static int32_t find_along(const struct tw_patches *dictionary, int32_t begin, int32_t cells)
{
    if (dictionary->map.wrap)
        return tw_wrap(begin, cells) / dictionary->spacing;
    return (begin + dictionary->spacing - 1) / dictionary->spacing;
}

int32_t tw_patches_find(const struct tw_patches *dictionary, const struct tw_patches *p,
                        int32_t index)
{
    const int32_t x = begin_of(p, index % p->across, p->map.width);
    const int32_t y = begin_of(p, index / p->across, p->map.height);
    return find_along(dictionary, y, p->map.height) * dictionary->across +
           find_along(dictionary, x, p->map.width);
}

double tw_patches_read(const struct tw_patches *p, int32_t index, const float *coarse,
                       double *patch)
{
    const int32_t left = begin_of(p, index % p->across, p->map.width);
    const int32_t top = begin_of(p, index / p->across, p->map.height);
    double sum = 0, squares = 0;
    for (int32_t k = 0; k < TW_PATCH_CELLS; k++) {
        const int32_t x = tw_wrap(left + k % TW_PATCH_SIDE, p->map.width);
        const int32_t y = tw_wrap(top + k / TW_PATCH_SIDE, p->map.height);
        patch[k] = (double)coarse[(size_t)y * (size_t)p->map.width + (size_t)x];
        sum += patch[k];
    }
    for (int32_t k = 0; k < TW_PATCH_CELLS; k++) {
        patch[k] -= sum / TW_PATCH_CELLS;
        squares += patch[k] * patch[k];
    }
    return squares;
}

/* ---- on the fine map ---- */

/* Where a coarse cell begins, to the nearest fine cell. */
static int32_t fine_of(int64_t begin, int32_t fine, int32_t coarse)
{
    const int64_t twice = 2 * begin * fine + coarse, by = 2 * (int64_t)coarse;
    return (int32_t)(twice >= 0 ? twice / by : -((by - 1 - twice) / by));
}

static int32_t fine_side(const struct tw_patches *p, bool column)
{
    return column ? fine_of(TW_PATCH_SIDE, p->map.fine_width, p->map.width)
                  : fine_of(TW_PATCH_SIDE, p->map.fine_height, p->map.height);
}

static int32_t fine_begin(const struct tw_patches *p, int32_t i, bool column)
{
    return column ? fine_of(begin_of(p, i, p->map.width), p->map.fine_width, p->map.width)
                  : fine_of(begin_of(p, i, p->map.height), p->map.fine_height, p->map.height);
}

struct tw_patch_span tw_patches_over(const struct tw_patches *p, int32_t i, bool column)
{
    const int32_t count = column ? p->across : p->down, side = fine_side(p, column);
    const int32_t step = fine_of(p->spacing, column ? p->map.fine_width : p->map.fine_height,
                                 column ? p->map.width : p->map.height);
    int32_t begin = (i - side) / (step + 1), end;
    begin = begin > 0 ? begin : 0;
    while (begin + 1 < count && fine_begin(p, begin, column) + side <= i)
        begin++;
    for (end = begin; end < count && fine_begin(p, end, column) <= i; end++)
        continue;
    return (struct tw_patch_span){begin, end > begin ? end : begin + 1};
}

/* A tent over the patch. */
static double weight_of(int32_t within, int32_t side)
{
    const int32_t before = 2 * within + 1, after = 2 * (side - within) - 1;
    const int32_t least = before < after ? before : after;
    return least > 0 ? least : 0.5;
}

struct tw_patch_spot tw_patches_place(const struct tw_patches *p, int32_t u, int32_t v,
                                      const struct tw_patches *dictionary, int32_t atom, int32_t x,
                                      int32_t y)
{
    const int32_t width = p->map.fine_width, height = p->map.fine_height;
    const int32_t dx = x - fine_begin(p, u, true), dy = y - fine_begin(p, v, false);
    const int32_t from_x = fine_begin(dictionary, atom % dictionary->across, true) + dx;
    const int32_t from_y = fine_begin(dictionary, atom / dictionary->across, false) + dy;
    const int32_t at_x = p->map.wrap ? tw_wrap(from_x, width) : tw_clamp_index(from_x, width);
    const int32_t at_y = p->map.wrap ? tw_wrap(from_y, height) : tw_clamp_index(from_y, height);
    return (struct tw_patch_spot){(size_t)at_y * (size_t)width + (size_t)at_x,
                                  weight_of(dx, fine_side(p, true)) *
                                      weight_of(dy, fine_side(p, false))};
}
