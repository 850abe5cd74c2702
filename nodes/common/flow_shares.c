/* SPDX-License-Identifier: MIT */
/* Shares of water; see the header. Cells within the map are computed CHUNK of a row at a time, a
 * direction after the other, so that every step is vector code. Powers are most of the work, and
 * only about three neighbours of a cell need one: the others are not lower, or the steepest, whose
 * share is 1. The slopes that do are gathered, raised and put back.
 * The weights of a band of BAND rows lie one after the other. Of two neighbouring cells at most one
 * gives to the other, so a cell has four on average; those on the band's two sides may have more.
 */
#include "common/flow_shares.h"

#include <thalweg/kernel.h>
#include <thalweg/power.h>

#include <string.h>

enum { CHUNK = 64, BAND = 32, WEIGHTS_A_COLUMN = 4 * BAND + 3 };

static const float nearness[8] = {0.70710678f, 1, 0.70710678f, 1, 1, 0.70710678f, 1, 0.70710678f};

struct sharing {
    const struct tw_drainage *d;
    const float *filled;
    struct tw_flow_shares *shares;
    float exponent;
    enum tw_simd simd;
};

struct chunk {
    float slope[8][CHUNK]; /* by direction; in the end the share */
    float steepest[CHUNK], sum[CHUNK];
    uint32_t receivers[CHUNK];
    float value[8 * CHUNK + 1]; /* slopes that need a power; in the end shares one by one */
    uint16_t place[8 * CHUNK + 1];
};

/* Slopes of a cell of the map's rim. */
static void find_rim_slopes(const struct sharing *s, int32_t cell, struct chunk *c)
{
    c->steepest[0] = 0;
    for (int k = 0; k < 8; k++) {
        float drop = 0;
        if (s->d->to[cell] != TW_OUTLET)
            drop = s->filled[cell] - s->filled[tw_drainage_neighbour(s->d, cell, k)];
        c->slope[k][0] = tw_max(drop, 0) * nearness[k];
        c->steepest[0] = tw_max(c->steepest[0], c->slope[k][0]);
    }
}

static TW_INLINE void find_slopes(const struct sharing *s, int32_t cell, int32_t n, struct chunk *c)
{
    const float *filled = s->filled + cell;
    for (int32_t i = 0; i < n; i++)
        c->steepest[i] = 0;
    for (int k = 0; k < 8; k++)
        for (int32_t i = 0; i < n; i++) {
            float drop = filled[i] - filled[i + s->d->step[k]];
            float slope = (drop > 0 ? drop : 0) * nearness[k];
            c->slope[k][i] = slope;
            c->steepest[i] = c->steepest[i] > slope ? c->steepest[i] : slope;
        }
}

static TW_INLINE void raise_slopes(struct chunk *c, int32_t n, double exponent)
{
    float *slope = c->slope[0];
    int32_t count = 0;
    for (int32_t k = 0; k < 8; k++)
        for (int32_t i = 0; i < n; i++) {
            float v = c->slope[k][i];
            c->value[count] = v;
            c->place[count] = (uint16_t)(k * CHUNK + i);
            count += (v > 0) & (v < 1);
        }
    for (int32_t i = 0; i < count; i++)
        c->value[i] = (float)tw_vector_pow((double)c->value[i], exponent);
    for (int32_t i = 0; i < count; i++)
        slope[c->place[i]] = c->value[i];
}

/* From slopes to shares; those of cells without a slope stay 0. */
static TW_INLINE void find_shares(const struct sharing *s, int32_t n, struct chunk *c)
{
    for (int k = 0; k < 8; k++)
        for (int32_t i = 0; i < n; i++) /* over the steepest, so that powers cannot all vanish */
            c->slope[k][i] /= c->steepest[i] > 0 ? c->steepest[i] : 1.0f;
    if (s->exponent != 1.0f)
        raise_slopes(c, n, (double)s->exponent);
    for (int32_t i = 0; i < n; i++) {
        c->sum[i] = 0;
        c->receivers[i] = 0;
    }
    for (int k = 0; k < 8; k++)
        for (int32_t i = 0; i < n; i++)
            c->sum[i] += c->slope[k][i];
    for (int k = 0; k < 8; k++)
        for (int32_t i = 0; i < n; i++) {
            c->slope[k][i] /= c->sum[i] > 0 ? c->sum[i] : 1.0f;
            c->receivers[i] |= c->slope[k][i] > 0 ? 1u << k : 0u;
        }
}

static TW_INLINE void share_chunk_body(const struct sharing *s, int32_t cell, int32_t n, bool rim,
                                       struct chunk *c)
{
    if (rim)
        find_rim_slopes(s, cell, c);
    else
        find_slopes(s, cell, n, c);
    find_shares(s, n, c);
}
TW_SIMD_KERNEL(share_chunk,
               (const struct sharing *s, int32_t cell, int32_t n, bool rim, struct chunk *c),
               (s, cell, n, rim, c))

/* Everything to the D8 receiver, or nowhere from an outlet. */
static void share_level(const struct sharing *s, int32_t cell, int32_t i, struct chunk *c)
{
    int to = s->d->to[cell];
    c->receivers[i] = to == TW_OUTLET ? 0 : 1u << to;
    if (to != TW_OUTLET)
        c->slope[to][i] = 1;
}

/* Appends the shares of n cells to the weights from `at` on; returns where they end. */
static size_t append(const struct sharing *s, int32_t cell, int32_t n, struct chunk *c, size_t at)
{
    size_t count = 0;
    for (int32_t i = 0; i < n; i++) {
        s->shares->first[cell + i] = (int32_t)((ptrdiff_t)(at + count) - 4 * (ptrdiff_t)(cell + i));
        s->shares->receivers[cell + i] = (uint8_t)c->receivers[i];
        for (int k = 0; k < 8; k++) {
            c->value[count] = c->slope[k][i];
            count += c->receivers[i] >> k & 1;
        }
    }
    memcpy(s->shares->weights + at, c->value, count * sizeof *c->value);
    return at + count;
}

static size_t share_run(const struct sharing *s, int32_t cell, int32_t n, bool rim, size_t at)
{
    struct chunk c;
    share_chunk(s->simd)(s, cell, n, rim, &c);
    for (int32_t i = 0; i < n; i++)
        if (c.steepest[i] <= 0 || s->d->to[cell + i] == TW_OUTLET)
            share_level(s, cell + i, i, &c);
    return append(s, cell, n, &c, at);
}

static void share_bands(void *context, int32_t begin, int32_t end)
{
    const struct sharing *s = context;
    int32_t w = s->d->width, h = s->d->height;
    for (int32_t band = begin; band < end; band++) {
        size_t at = (size_t)band * WEIGHTS_A_COLUMN * (size_t)w;
        for (int32_t y = band * BAND; y < h && y < (band + 1) * BAND; y++)
            for (int32_t x = 0, n; x < w; x += n) {
                bool rim = y == 0 || y == h - 1 || x == 0 || x == w - 1;
                n = rim ? 1 : w - 1 - x < CHUNK ? w - 1 - x : CHUNK;
                at = share_run(s, y * w + x, n, rim, at);
            }
    }
}

static TW_INLINE void count_run_body(const struct sharing *s, int32_t cell, int32_t n)
{
    const uint8_t *receivers = s->shares->receivers + cell;
    uint8_t *donors = s->shares->donors + cell;
    memset(donors, 0, (size_t)n);
    for (int k = 0; k < 8; k++)
        for (int32_t i = 0; i < n; i++)
            donors[i] = (uint8_t)(donors[i] + (receivers[i + s->d->step[k]] >> (7 - k) & 1));
}
TW_SIMD_KERNEL(count_run, (const struct sharing *s, int32_t cell, int32_t n), (s, cell, n))

static void count_cell(const struct sharing *s, int32_t cell)
{
    int count = 0;
    for (int k = 0; k < 8; k++) {
        int32_t from = tw_drainage_rim_neighbour(s->d, cell, k);
        count += from >= 0 && s->shares->receivers[from] >> (7 - k) & 1;
    }
    s->shares->donors[cell] = (uint8_t)count;
}

static void count_rows(void *context, int32_t begin, int32_t end)
{
    const struct sharing *s = context;
    int32_t w = s->d->width, h = s->d->height;
    for (int32_t y = begin; y < end; y++) {
        bool rim = y == 0 || y == h - 1 || w < 3;
        for (int32_t x = 0; x < w; x += rim || w < 2 ? 1 : w - 1)
            count_cell(s, y * w + x);
        if (!rim)
            count_run(s->simd)(s, y * w + 1, w - 2);
    }
}

static int32_t bands(int32_t height) { return (height + BAND - 1) / BAND; }

enum tw_status tw_flow_shares_init(struct tw_task *task, struct tw_flow_shares *s)
{
    size_t width = (size_t)tw_task_width(task), cells = width * (size_t)tw_task_height(task);
    size_t columns = width * (size_t)bands(tw_task_height(task));
    s->weights = tw_task_scratch(task, columns, WEIGHTS_A_COLUMN * sizeof *s->weights);
    s->first = tw_task_scratch(task, cells, sizeof *s->first);
    s->receivers = tw_task_scratch(task, cells, sizeof *s->receivers);
    s->donors = tw_task_scratch(task, cells, sizeof *s->donors);
    return s->weights && s->first && s->receivers && s->donors ? TW_OK : tw_task_no_memory(task);
}

void tw_flow_shares_fill(struct tw_task *task, const struct tw_drainage *d, const float *filled,
                         float exponent, struct tw_flow_shares *s)
{
    struct sharing sharing = {d, filled, s, exponent, tw_task_simd(task)};
    tw_rows(task, bands(d->height), 1, share_bands, &sharing);
    tw_rows(task, d->height, 8, count_rows, &sharing);
}

void tw_flow_shares_forecast(struct tw_forecast *f)
{
    uint64_t columns = (uint64_t)f->width * (uint64_t)bands(f->height);
    tw_forecast_scratch(f, columns, WEIGHTS_A_COLUMN * sizeof(float));
    tw_forecast_maps(f, 1, sizeof(int32_t) + 2 * sizeof(uint8_t));
}
