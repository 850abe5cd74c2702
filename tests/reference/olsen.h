/* SPDX-License-Identifier: MIT */
/* The erosion kernels of Olsen 2004 as plain loops, one cell after the other: what the optimised
 * nodes must equal byte for byte, and what the benchmark compares them with. The map is a torus or
 * closed: a cell's neighbour outside is the cell itself then, to which nothing flows. */
#ifndef TW_TESTS_REFERENCE_OLSEN_H
#define TW_TESTS_REFERENCE_OLSEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ref_map {
    float *h, *w; /* heights; water where there is any */
    int32_t width, height;
    float threshold;          /* T */
    float carried, evaporate; /* K, Ke */
    bool closed;
    float share;    /* of what a visit would move; 0: all */
    bool kept;      /* cells of the border give nothing */
    int32_t first;  /* the row that is the map's first: 0 but where rows are counted otherwise */
    int32_t apron;  /* closed: cells over which a border cell's gain is laid; 0: none */
    float *before;  /* then memory for a map */
    float range[2]; /* and the lowest and highest height: no apron leaves them */
};

struct ref_size {
    int32_t width, height;
    bool closed;
};

enum { REF_CROSS, REF_ROTATED };

typedef void ref_visit(const struct ref_map *map, int32_t x, int32_t y);

/* Indices of the four neighbours: up, left, right, down, or the corners in reading order. */
static inline void ref_four(const struct ref_map *map, int32_t x, int32_t y, int kind, size_t at[4])
{
    int32_t left = x ? x - 1 : map->width - 1, right = x + 1 < map->width ? x + 1 : 0;
    size_t w = (size_t)map->width, row = (size_t)y * w;
    size_t up = (size_t)(y ? y - 1 : map->height - 1) * w;
    size_t down = (size_t)(y + 1 < map->height ? y + 1 : 0) * w;
    at[0] = up + (size_t)(kind == REF_CROSS ? x : left);
    at[1] = (kind == REF_CROSS ? row + (size_t)left : up + (size_t)right);
    at[2] = (kind == REF_CROSS ? row + (size_t)right : down + (size_t)left);
    at[3] = down + (size_t)(kind == REF_CROSS ? x : right);
    bool cross = kind == REF_CROSS;
    for (int i = 0; map->closed && i < 4; i++) {
        bool above = cross ? i == 0 : i < 2, below = cross ? i == 3 : i > 1;
        bool west = cross ? i == 1 : i % 2 == 0, east = cross ? i == 2 : i % 2 == 1;
        if ((above && y == 0) || (below && y == map->height - 1) || (west && x == 0) ||
            (east && x == map->width - 1))
            at[i] = row + (size_t)x;
    }
}

/* The steepest drop to one of the four and which one it is; -1 when none is lower. */
static inline int ref_lowest(const float *a, float here, const size_t at[4], float *drop)
{
    int lowest = -1;
    *drop = 0;
    for (int i = 0; i < 4; i++)
        if (here - a[at[i]] > *drop) {
            *drop = here - a[at[i]];
            lowest = i;
        }
    return lowest;
}

static inline bool ref_keeps(const struct ref_map *map, int32_t x, int32_t y)
{
    int32_t last = (map->first + map->height - 1) % map->height;
    return map->kept && (x == 0 || x == map->width - 1 || y == map->first || y == last);
}

static inline void ref_level(const struct ref_map *map, int32_t x, int32_t y, int kind, bool steep)
{
    size_t at[4], cell = (size_t)y * (size_t)map->width + (size_t)x;
    float drop;
    if (ref_keeps(map, x, y))
        return;
    ref_four(map, x, y, kind, at);
    int lowest = ref_lowest(map->h, map->h[cell], at, &drop);
    if (lowest < 0 || (drop > map->threshold) != steep)
        return;
    float amount = drop / 2 * (map->share > 0 ? map->share : 1);
    map->h[cell] -= amount;
    map->h[at[lowest]] += amount;
}

static inline void ref_olsen_visit(const struct ref_map *map, int32_t x, int32_t y)
{
    ref_level(map, x, y, REF_CROSS, false);
}

static inline void ref_olsen_rotated_visit(const struct ref_map *map, int32_t x, int32_t y)
{
    ref_level(map, x, y, REF_ROTATED, false);
}

static inline void ref_thermal_rotated_visit(const struct ref_map *map, int32_t x, int32_t y)
{
    ref_level(map, x, y, REF_ROTATED, true);
}

static inline void ref_thermal_cross_visit(const struct ref_map *map, int32_t x, int32_t y)
{
    ref_level(map, x, y, REF_CROSS, true);
}

static inline void ref_hydraulic_visit(const struct ref_map *map, int32_t x, int32_t y)
{
    size_t at[4], cell = (size_t)y * (size_t)map->width + (size_t)x;
    float steepest = 0;
    int lowest = -1;
    ref_four(map, x, y, REF_CROSS, at);
    for (int i = 0; i < 4; i++) {
        float drop = (map->h[cell] + map->w[cell]) - (map->h[at[i]] + map->w[at[i]]);
        if (drop > steepest) {
            steepest = drop;
            lowest = i;
        }
    }
    if (lowest >= 0 && !ref_keeps(map, x, y)) {
        float amount = map->w[cell] < steepest / 2 ? map->w[cell] : steepest / 2;
        map->w[cell] -= amount;
        map->w[at[lowest]] += amount;
    }
    float gone = map->evaporate * map->w[cell];
    map->w[cell] -= gone;
    map->h[cell] += map->carried * gone;
}

/* A closed map is visited as one with one more column and row, whose cells do nothing. */
static inline void ref_visit_cell(const struct ref_map *map, ref_visit *visit, int32_t x, int32_t y)
{
    if (x < map->width && y < map->height)
        visit(map, x, y);
}

/* What a border cell gained since `before` is laid over itself and the cells inland: the nth from
 * the last, counted from there, gets n of 1 + 2 + ... + cells parts. */
static inline void ref_lay_gain(float *cell, ptrdiff_t inland, float before, int32_t cells,
                                const float range[2])
{
    float gain = *cell - before;
    for (int32_t k = 1; k < cells; k++) {
        float *to = cell + k * inland;
        float laid = gain * (2.0f * (float)(cells - k) / ((float)cells * (float)(cells + 1)));
        laid = laid < range[1] - *to ? laid : range[1] - *to;
        laid = laid > range[0] - *to ? laid : range[0] - *to;
        *cell -= laid;
        *to += laid;
    }
}

/* All of a closed border, from what it was `before`: a copy of the map. */
static inline void ref_lay_gains(float *h, const float *before, struct ref_size size, int32_t cells,
                                 const float range[2])
{
    ptrdiff_t width = size.width, height = size.height;
    ptrdiff_t least = width < height ? width : height, east = width - 1, south = height - 1;
    cells = cells < least ? cells : (int32_t)least;
    for (ptrdiff_t y = 0; cells > 1 && y < height; y++) {
        ref_lay_gain(h + y * width, 1, before[y * width], cells, range);
        ref_lay_gain(h + y * width + east, -1, before[y * width + east], cells, range);
    }
    for (ptrdiff_t x = 0; cells > 1 && x < width; x++) {
        ref_lay_gain(h + x, width, before[x], cells, range);
        ref_lay_gain(h + south * width + x, -width, before[south * width + x], cells, range);
    }
}

/* docs/decisions/visiting-order.md; passes count from 0. */
static inline int64_t ref_start(int32_t pass, int32_t width)
{
    return (int64_t)((uint64_t)((uint32_t)pass * 2654435769u) * (uint64_t)width / 4294967296u);
}

static inline void ref_visits(const struct ref_map *map, bool bands, int32_t pass, ref_visit *visit)
{
    int32_t w = map->width + map->closed, h = map->height + map->closed;
    int64_t start = ref_start(pass, w);
    if (!bands || map->height < 24) {
        for (int32_t y = 0; y < h; y++)
            for (int32_t x = 0; x < w; x++)
                ref_visit_cell(map, visit, x, y);
        return;
    }
    for (int32_t top = 0; top < h; top += 64)
        for (int32_t t = 0; t < w; t++)
            for (int32_t y = top; y < top + 64 && y < h; y++)
                ref_visit_cell(map, visit, (int32_t)(((start + t - 3 * (y - top)) % w + w) % w), y);
}

static inline void ref_pass(const struct ref_map *map, bool bands, int32_t pass, ref_visit *visit)
{
    const struct ref_size size = {map->width, map->height, map->closed};
    if (map->apron)
        memcpy(map->before, map->h, (size_t)size.width * (size_t)size.height * sizeof *map->before);
    ref_visits(map, bands, pass, visit);
    if (map->apron)
        ref_lay_gains(map->h, map->before, size, map->apron, map->range);
}

/* Copies the map into one with rows counted from `first` on, then mirrored, or back. */
static inline void ref_arrange(const struct ref_map *map, float *other, int32_t first, int32_t turn,
                               bool back)
{
    bool columns = turn == 1 || turn == 2, rows = turn >= 2;
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 0; x < map->width; x++) {
            int32_t to_x = columns ? map->width - 1 - x : x;
            int32_t to_y = rows ? map->height - 1 - y : y;
            float *a = map->h + (size_t)((y + first) % map->height) * (size_t)map->width + x;
            float *b = other + (size_t)to_y * (size_t)map->width + to_x;
            *(back ? a : b) = *(back ? b : a);
        }
}

/* Part of what 16 rows from `first` on would move, more and more or less and less. */
static inline void ref_fade(const struct ref_map *map, int64_t start, int32_t first, bool out,
                            ref_visit *visit)
{
    int32_t w = map->width;
    struct ref_map partly = *map;
    for (int32_t t = 0; t < w; t++)
        for (int32_t row = 0; row < 16; row++) {
            partly.share = ((float)(out ? 15 - row : row) + 0.5f) / 16;
            visit(&partly, (int32_t)(((start + t - 3 * row) % w + w) % w), first + row);
        }
}

/* `even` and `odd` passes in turn, on four mirrorings; corners with 2^(1/2) times the threshold.
 * `left`: passes that follow. */
static inline void ref_alternating_pass(const struct ref_map *map, bool bands, int32_t pass,
                                        int32_t left, ref_visit *even, ref_visit *odd,
                                        bool odd_has_corners)
{
    ref_visit *visit = pass % 2 == 1 ? odd : even;
    bool fades = left < 8 && !map->closed && !map->kept && map->height >= 32;
    struct ref_map of_pass = *map;
    int32_t turn = pass / 2, h = map->height;
    uint32_t fraction = (uint32_t)turn * 2654435769u;
    int32_t first = map->closed ? 0 : (int32_t)((uint64_t)fraction * (uint64_t)h / 4294967296u);
    of_pass.h = malloc((size_t)map->width * (size_t)h * sizeof *of_pass.h);
    if (!of_pass.h)
        return;
    if ((pass % 2 == 1) == odd_has_corners)
        of_pass.threshold *= 1.41421356f;
    /* Where the map's first row lies then; mirrored, where its last one does. */
    of_pass.first = turn % 4 >= 2 ? first % h : (h - first) % h;
    ref_arrange(map, of_pass.h, first, turn % 4, false);
    if (fades)
        ref_fade(&of_pass, ref_start(pass, map->width), h - 16, false, visit);
    ref_pass(&of_pass, bands, pass, visit);
    if (fades)
        ref_fade(&of_pass, ref_start(pass + 1, map->width), 0, true, visit);
    ref_arrange(map, of_pass.h, first, turn % 4, true);
    free(of_pass.h);
}

static inline void ref_hydraulic_fast(const struct ref_map *map, bool bands, int32_t iterations,
                                      float rain)
{
    size_t count = (size_t)map->width * (size_t)map->height;
    memset(map->w, 0, count * sizeof *map->w);
    for (int32_t i = 0; i < iterations; i++) {
        for (size_t j = 0; j < count; j++) {
            map->w[j] += rain;
            map->h[j] -= map->carried * rain;
        }
        ref_pass(map, bands, i, ref_hydraulic_visit);
    }
    for (size_t j = 0; j < count; j++)
        map->h[j] += map->carried * map->w[j];
}

/* Index of the Moore neighbour k in reading order, 0..7. */
static inline size_t ref_moore(struct ref_size size, int32_t x, int32_t y, int k)
{
    int place = k < 4 ? k : k + 1;
    int32_t i = x + place % 3 - 1, j = y + place / 3 - 1, width = size.width, height = size.height;
    if (size.closed && (i < 0 || i >= width || j < 0 || j >= height))
        return (size_t)y * (size_t)width + (size_t)x;
    i = i < 0 ? width - 1 : i >= width ? 0 : i;
    j = j < 0 ? height - 1 : j >= height ? 0 : j;
    return (size_t)j * (size_t)width + (size_t)i;
}

/* One pass with a difference map: first what each cell gives, then what each cell gets. */
static inline void ref_thermal_pass(float *h, const float *hardness, float *loss, float *total,
                                    float *difference, struct ref_size size, float threshold,
                                    float rate)
{
    size_t count = (size_t)size.width * (size_t)size.height, cell = 0;
    for (int32_t y = 0; y < size.height; y++)
        for (int32_t x = 0; x < size.width; x++, cell++) {
            float steepest = 0;
            loss[cell] = total[cell] = 0;
            for (int k = 0; k < 8; k++) {
                float drop = h[cell] - h[ref_moore(size, x, y, k)];
                if (drop > threshold)
                    total[cell] += drop;
                if (drop > threshold && drop > steepest)
                    steepest = drop;
            }
            if (steepest > threshold)
                loss[cell] = rate * (steepest - threshold);
            if (hardness)
                loss[cell] *= 1.0f - hardness[cell];
        }
    cell = 0;
    for (int32_t y = 0; y < size.height; y++)
        for (int32_t x = 0; x < size.width; x++, cell++) {
            difference[cell] = -loss[cell];
            for (int k = 0; k < 8; k++) {
                size_t from = ref_moore(size, x, y, k);
                float drop = h[from] - h[cell];
                if (drop > threshold)
                    difference[cell] += loss[from] * drop / total[from];
            }
        }
    for (size_t i = 0; i < count; i++)
        h[i] += difference[i];
}

/* `hardness` may be NULL. */
static inline void ref_thermal(float *h, const float *hardness, struct ref_size size,
                               float threshold, float rate, int32_t iterations)
{
    size_t count = (size_t)size.width * (size_t)size.height;
    float *scratch = malloc(3 * count * sizeof *scratch);
    for (int32_t i = 0; scratch && i < iterations; i++)
        ref_thermal_pass(h, hardness, scratch, scratch + count, scratch + 2 * count, size,
                         threshold, rate);
    free(scratch);
}

struct ref_rain {
    float rain, solubility, evaporation, capacity;
    int32_t iterations;
    const float *hardness, *map; /* of the ground, and where it rains; may be NULL */
};

/* Heights, water and sediment; a = h + w; what a cell gives; sum of its drops. */
struct ref_flow {
    float *h, *w, *m, *a, *water, *sediment, *total;
    struct ref_size size;
};

static inline void ref_flow_give(const struct ref_flow *f, int32_t x, int32_t y)
{
    size_t cell = (size_t)y * (size_t)f->size.width + (size_t)x;
    float sum = f->a[cell], cells = 1, total = 0;
    for (int k = 0; k < 8; k++) {
        float other = f->a[ref_moore(f->size, x, y, k)];
        if (f->a[cell] - other > 0) {
            total += f->a[cell] - other;
            sum += other;
            cells += 1;
        }
    }
    f->total[cell] = total;
    f->water[cell] = f->sediment[cell] = 0;
    if (!(total > 0) || !(f->w[cell] > 0))
        return;
    float over = f->a[cell] - sum / cells;
    f->water[cell] = f->w[cell] < over ? f->w[cell] : over;
    f->sediment[cell] = f->m[cell] * (f->water[cell] / f->w[cell]);
}

static inline void ref_flow_take(const struct ref_flow *f, int32_t x, int32_t y,
                                 const struct ref_rain *rain)
{
    size_t cell = (size_t)y * (size_t)f->size.width + (size_t)x;
    float water = -f->water[cell], sediment = -f->sediment[cell];
    for (int k = 0; k < 8; k++) {
        size_t from = ref_moore(f->size, x, y, k);
        float drop = f->a[from] - f->a[cell];
        if (drop > 0) {
            water += f->water[from] * (drop / f->total[from]);
            sediment += f->sediment[from] * (drop / f->total[from]);
        }
    }
    f->w[cell] = (f->w[cell] + water) * (1 - rain->evaporation);
    f->m[cell] += sediment;
    float excess = f->m[cell] - rain->capacity * f->w[cell];
    if (excess > 0) {
        f->m[cell] -= excess;
        f->h[cell] += excess;
    }
}

/* Lays a border cell's change over so many cells from it inland: of 3, 3/6, 2/6 and 1/6 of it. */
static inline void ref_flow_lay(float *cell, ptrdiff_t inland, float change, int32_t cells,
                                const float *hardness)
{
    float held = 0;
    cell[0] -= change;
    for (int32_t k = 0; k < cells; k++) {
        float part = change * (2.0f * (float)(cells - k) / (float)(cells * (cells + 1)));
        float stays = hardness && k > 0 && part < 0 ? part * hardness[k * inland] : 0;
        cell[k * inland] += part - stays;
        held += stays;
    }
    cell[0] += held;
}

/* The same in the order of sums of whole rows. */
static inline void ref_flow_lay_row(float *cell, ptrdiff_t inland, float change, int32_t cells,
                                    const float *hardness)
{
    for (int32_t k = 0; k < cells; k++) {
        float share = 2.0f * (float)(cells - k) / (float)(cells * (cells + 1));
        float part = (share - (k == 0 ? 1.0f : 0.0f)) * change;
        float stays = hardness && k > 0 && part < 0 ? part * hardness[k * inland] : 0;
        cell[k * inland] += part - stays;
        cell[0] += stays;
    }
}

/* What a pass changes at closed borders: rows first, then columns. */
static inline void ref_flow_lay_all(const struct ref_flow *f, const float *change,
                                    const float *hard)
{
    ptrdiff_t w = f->size.width, h = f->size.height, east = w - 1, south = (h - 1) * w;
    int32_t least = f->size.width < f->size.height ? f->size.width : f->size.height;
    int32_t cells = least < 3 ? least : 3;
    for (ptrdiff_t y = 0; cells > 1 && y < h; y++) {
        ref_flow_lay(f->h + y * w, 1, change[y * w], cells, hard ? hard + y * w : NULL);
        ref_flow_lay(f->h + y * w + east, -1, change[y * w + east], cells,
                     hard ? hard + y * w + east : NULL);
    }
    for (ptrdiff_t x = 0; cells > 1 && x < w; x++) {
        ref_flow_lay_row(f->h + x, w, change[x], cells, hard ? hard + x : NULL);
        ref_flow_lay_row(f->h + south + x, -w, change[south + x], cells,
                         hard ? hard + south + x : NULL);
    }
}

/* `maps` holds w and m afterwards: 2 * cells floats. */
static inline void ref_hydraulic(float *h, float *maps, struct ref_size size,
                                 const struct ref_rain *rain)
{
    size_t count = (size_t)size.width * (size_t)size.height;
    float *more = malloc(5 * count * sizeof *more), *change = more ? more + 4 * count : NULL;
    struct ref_flow f = {
        h, maps, maps + count, more, more + count, more + 2 * count, more + 3 * count, size};
    memset(maps, 0, 2 * count * sizeof *maps);
    for (int32_t i = 0; more && i < rain->iterations; i++) {
        for (size_t j = 0; j < count; j++) {
            f.w[j] += rain->map ? rain->rain * rain->map[j] : rain->rain;
            float soft = rain->hardness ? 1.0f - rain->hardness[j] : 1.0f;
            float dissolved = rain->solubility * soft * f.w[j];
            f.h[j] -= dissolved;
            f.m[j] += dissolved;
            f.a[j] = f.h[j] + f.w[j];
            change[j] = f.h[j] + dissolved;
        }
        for (int32_t y = 0; y < size.height; y++)
            for (int32_t x = 0; x < size.width; x++)
                ref_flow_give(&f, x, y);
        for (int32_t y = 0; y < size.height; y++)
            for (int32_t x = 0; x < size.width; x++)
                ref_flow_take(&f, x, y, rain);
        for (size_t j = 0; j < count; j++)
            change[j] = f.h[j] - change[j];
        if (size.closed)
            ref_flow_lay_all(&f, change, rain->hardness);
    }
    for (size_t j = 0; j < count; j++)
        h[j] += f.m[j];
    free(more);
}

#endif
