/* SPDX-License-Identifier: MIT */
/* Shares of water; see the header. Cells within the map are computed CHUNK of a row at a time, a
 * direction after the other, so that every step is vector code. Only about three neighbours of a
 * cell need a power: the others are not lower, or the steepest, whose share is 1. The slopes that
 * do are gathered, raised and put back. */
#include "common/drainage/flow_shares.h"
#include "common/near_powers.h"
#include "common/pack_ones.h"

#include <thalweg/kernel.h>

#include <float.h>

enum { CHUNK = 64 };

static const float nearness[8] = {0.70710678f, 1, 0.70710678f, 1, 1, 0.70710678f, 1, 0.70710678f};

struct sharing {
    const struct tw_drainage *d;
    const float *filled;
    struct tw_flow_shares *shares;
    float exponent;
    enum tw_simd simd;
    struct tw_near_powers near;
};

struct chunk {
    float slope[8][CHUNK]; /* by direction; in the end the share */
    float steepest[CHUNK], sum[CHUNK];
    uint32_t receivers[CHUNK];
    float value[8 * CHUNK], raised[8 * CHUNK]; /* slopes that need a power, and with it */
    uint16_t place[8 * CHUNK];
};

/* Slopes of a cell of the map's rim. */
static void find_rim_slopes(const struct sharing *s, int32_t cell, struct chunk *c)
{
    c->steepest[0] = 0;
    for (int k = 0; k < 8; k++) {
        bool gives = s->d->to[cell] != TW_OUTLET;
        int32_t next = gives ? tw_drainage_neighbour(s->d, cell, k) : -1;
        float drop = next < 0 ? 0 : s->filled[cell] - s->filled[next];
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

/* raised[i] = value[i]^exponent as float of tw_vector_pow(), which errs by 2^-42. */
static TW_INLINE void raise(const struct tw_near_powers *near, const float *value, int32_t count,
                            float *raised)
{
    double powers[CHUNK];
    tw_near_powers(near, value, count, powers);
    if (tw_near_powers_round(powers, near->spread, value, count, raised))
        return;
    for (int32_t i = 0; i < count; i++)
        raised[i] = (float)tw_vector_pow((double)value[i], near->exponent);
}

static TW_INLINE void raise_slopes(const struct tw_near_powers *near, struct chunk *c, int32_t n)
{
    float *slope = c->slope[0];
    int32_t count = 0;
    for (int32_t k = 0; k < 8; k++) {
        uint8_t ones[CHUNK] = {0};
        for (int32_t i = 0; i < n; i++)
            ones[i] = (c->slope[k][i] > 0) & (c->slope[k][i] < 1);
        for (uint64_t bits = tw_pack_ones(ones); bits; bits &= bits - 1, count++) {
            int32_t place = k * CHUNK + __builtin_ctzll(bits);
            c->value[count] = slope[place];
            c->place[count] = (uint16_t)place;
        }
    }
    for (int32_t i = 0; i < count; i += CHUNK)
        raise(near, c->value + i, count - i < CHUNK ? count - i : CHUNK, c->raised + i);
    for (int32_t i = 0; i < count; i++)
        slope[c->place[i]] = c->raised[i];
}

/* Turns slopes into shares; those of cells without a slope stay 0. */
static TW_INLINE void find_shares(const struct sharing *s, int32_t n, struct chunk *c)
{
    for (int k = 0; k < 8; k++)
        for (int32_t i = 0; i < n; i++) /* over the steepest, so that powers cannot all vanish */
            c->slope[k][i] /= c->steepest[i] > 0 ? c->steepest[i] : 1.0f;
    if (s->exponent != 1.0f)
        raise_slopes(&s->near, c, n);
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

/* Slopes that can be compared; one that overflows is as steep as any. */
static bool has_shares(float steepest) { return steepest > 0 && steepest <= FLT_MAX; }

/* Gives everything to the D8 receiver, or nothing from an outlet. */
static void share_level(const struct sharing *s, int32_t cell, int32_t i, struct chunk *c)
{
    int to = s->d->to[cell];
    c->receivers[i] = to == TW_OUTLET ? 0 : 1u << to;
    if (to != TW_OUTLET)
        c->slope[to][i] = 1;
}

/* Computes what n cells in a row give, and to whom. */
static void store_run(const struct sharing *s, int32_t cell, int32_t n, bool rim, struct chunk *c)
{
    for (int k = 0; k < 8; k++) {
        int32_t next = rim ? tw_drainage_rim_neighbour(s->d, cell, k) : cell + s->d->step[k];
        for (int32_t i = 0; next >= 0 && i < n; i++)
            s->shares->weights[8 * ((ptrdiff_t)next + i) + 7 - k] = c->slope[k][i];
    }
    for (int32_t i = 0; i < n; i++)
        s->shares->receivers[cell + i] = (uint8_t)c->receivers[i];
}

static void share_run(const struct sharing *s, int32_t cell, int32_t n, bool rim)
{
    struct chunk c;
    share_chunk(s->simd)(s, cell, n, rim, &c);
    for (int32_t i = 0; i < n; i++)
        if (!has_shares(c.steepest[i]) || s->d->to[cell + i] == TW_OUTLET)
            share_level(s, cell + i, i, &c);
    store_run(s, cell, n, rim, &c);
}

static void share_rows(void *context, int32_t begin, int32_t end)
{
    const struct sharing *s = context;
    int32_t w = s->d->width, h = s->d->height;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0, n; x < w; x += n) {
            bool rim = y == 0 || y == h - 1 || x == 0 || x == w - 1;
            n = rim ? 1 : w - 1 - x < CHUNK ? w - 1 - x : CHUNK;
            share_run(s, y * w + x, n, rim);
        }
}

static TW_INLINE void find_run_donors_body(const struct sharing *s, int32_t cell, int32_t n)
{
    const uint8_t *restrict here = s->shares->receivers + cell;
    const uint8_t *restrict up = here - s->d->width, *restrict down = here + s->d->width;
    uint8_t *restrict donors = s->shares->donors + cell;
    for (int32_t x = 0; x < n; x++) {
        unsigned bits = up[x - 1] & 0x80 ? 0x01 : 0;
        bits |= up[x] & 0x40 ? 0x02 : 0;
        bits |= up[x + 1] & 0x20 ? 0x04 : 0;
        bits |= here[x - 1] & 0x10 ? 0x08 : 0;
        bits |= here[x + 1] & 0x08 ? 0x10 : 0;
        bits |= down[x - 1] & 0x04 ? 0x20 : 0;
        bits |= down[x] & 0x02 ? 0x40 : 0;
        bits |= down[x + 1] & 0x01 ? 0x80 : 0;
        donors[x] = (uint8_t)bits;
    }
}
TW_SIMD_KERNEL(find_run_donors, (const struct sharing *s, int32_t cell, int32_t n), (s, cell, n))

static void find_donors(const struct sharing *s, int32_t cell)
{
    unsigned donors = 0;
    for (int k = 0; k < 8; k++) {
        int32_t from = tw_drainage_rim_neighbour(s->d, cell, k);
        bool gives = from >= 0 && s->shares->receivers[from] >> (7 - k) & 1;
        donors |= gives ? 1u << k : 0;
    }
    s->shares->donors[cell] = (uint8_t)donors;
}

static void find_donors_of_rows(void *context, int32_t begin, int32_t end)
{
    const struct sharing *s = context;
    int32_t w = s->d->width, h = s->d->height;
    for (int32_t y = begin; y < end; y++) {
        bool rim = y == 0 || y == h - 1 || w < 3;
        for (int32_t x = 0; x < w; x += rim || w < 2 ? 1 : w - 1)
            find_donors(s, y * w + x);
        if (!rim)
            find_run_donors(s->simd)(s, y * w + 1, w - 2);
    }
}

bool tw_flow_shares_lay_out(struct tw_scratch *s, struct tw_flow_shares *shares)
{
    shares->weights = tw_scratch_maps(s, 8, sizeof *shares->weights);
    shares->receivers = tw_scratch_maps(s, 1, sizeof *shares->receivers);
    shares->donors = tw_scratch_maps(s, 1, sizeof *shares->donors);
    return tw_scratch_is_laid(s);
}

void tw_flow_shares_fill(struct tw_task *task, const struct tw_drainage *d, const float *filled,
                         float exponent, struct tw_flow_shares *s)
{
    struct sharing sharing = {d, filled, s, exponent, tw_task_simd(task), {.exponent = 0}};
    tw_near_powers_init(&sharing.near, sharing.simd, (double)exponent);
    tw_rows(task, d->height, 16, share_rows, &sharing);
    tw_rows(task, d->height, 8, find_donors_of_rows, &sharing);
}
