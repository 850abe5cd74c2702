/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/row_bands/row_bands_layout.h"

#include <thalweg/kernel.h>

enum { BAND = TW_ROW_BANDS_ROWS, LAG = TW_ROW_BANDS_LAG };
enum { VECTOR = TW_ROW_BANDS_VECTOR, STEP = TW_ROW_BANDS_STEP };
enum { CHUNK = 32 };

void tw_row_bands_lay_out(struct tw_row_bands_layout *at, const struct tw_row_bands_map *map)
{
    *at = (struct tw_row_bands_layout){.map = *map, .rows = map->height - map->rule->closed};
    at->count = (at->rows - 1) / BAND + 1;
    size_t w = (size_t)map->width, seam = (2 * w + VECTOR - 1) / VECTOR * VECTOR;
    at->band = w * STEP + seam + VECTOR; /* neighbours must not be whole pages apart */
    at->plane = (size_t)at->count * at->band;
}

/* One row's columns from `x` on, in slots one after the other. */
static void copy_columns(float *restrict packed, float *restrict plain, int32_t count, bool pack)
{
    if (pack)
        for (int32_t i = 0; i < count; i++)
            packed[i * STEP] = plain[i];
    else
        for (int32_t i = 0; i < count; i++)
            plain[i] = packed[i * STEP];
}

/* Rows `first` to `end` of a band, some slots of each row at a time: those stay in the nearest
 * cache until all rows are there. Rows -1 and `rows` are those of its neighbours. */
static void copy_rows(const struct tw_row_bands_layout *at, int32_t band, int32_t plane,
                      int32_t first, int32_t end, bool pack)
{
    int32_t w = at->map.width, h = at->map.height;
    float *packed = tw_row_bands_band(at, band) + (size_t)plane * at->plane;
    float *plain = at->map.cells + (size_t)plane * (size_t)w * (size_t)h;
    for (int32_t begin = 0; begin < w; begin += CHUNK)
        for (int32_t row = first; row < end; row++) {
            int32_t x = tw_wrap(begin - LAG * row, w), y = tw_wrap(band * BAND + row, h);
            int32_t count = w - begin < CHUNK ? w - begin : CHUNK;
            int32_t before = w - x < count ? w - x : count; /* the map's columns wrap */
            float *cell = packed + (ptrdiff_t)begin * STEP + row;
            float *cells = plain + (size_t)y * (size_t)w;
            for (int32_t ahead = 0; ahead < CHUNK; ahead += VECTOR)
                __builtin_prefetch(cells + x + CHUNK + ahead);
            copy_columns(cell, cells + x, before, pack);
            copy_columns(cell + (ptrdiff_t)before * STEP, cells, count - before, pack);
        }
}

/* On a torus the last band is the last that has visited the first row. */
static void copy_bands(const struct tw_row_bands_layout *at, int32_t begin, int32_t end, bool pack)
{
    bool torus = !at->map.rule->closed;
    for (int32_t band = begin; band < end; band++) {
        int32_t rows = tw_row_bands_rows(at, band), first = band == 0 && torus;
        int32_t last = rows + (band == at->count - 1 && torus);
        for (int32_t plane = 0; plane < at->map.rule->planes; plane++)
            copy_rows(at, band, plane, pack ? -1 : first, pack ? rows + 1 : last, pack);
    }
}

static void pack_bands(void *at, int32_t begin, int32_t end) { copy_bands(at, begin, end, true); }

static void unpack_bands(void *at, int32_t begin, int32_t end)
{
    copy_bands(at, begin, end, false);
}

void tw_row_bands_pack(struct tw_task *task, struct tw_row_bands_layout *at, bool packed)
{
    if (packed != at->packed)
        tw_rows(task, at->count, 1, packed ? pack_bands : unpack_bands, at);
    at->packed = packed;
}

static float *lane(const struct tw_row_bands_layout *at, int32_t band, int32_t x, int32_t row)
{
    return tw_row_bands_band(at, band) + (ptrdiff_t)((x + LAG * row) % at->map.width) * STEP + row;
}

float *tw_row_bands_cell(const struct tw_row_bands_layout *at, int32_t x, int32_t y)
{
    if (!at->packed)
        return at->map.cells + (size_t)y * (size_t)at->map.width + x;
    return lane(at, y / BAND, x, y % BAND);
}

void tw_row_bands_renew(const struct tw_row_bands_layout *at, int32_t band, int32_t x,
                        int32_t count)
{
    for (int32_t i = x; band > 0 && i < x + count; i++) {
        const float *from = lane(at, band, i, 0);
        float *to = lane(at, band - 1, i, BAND);
        for (int32_t p = 0; p < at->map.rule->planes; p++)
            to[(size_t)p * at->plane] = from[(size_t)p * at->plane];
    }
}
