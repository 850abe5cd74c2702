/* SPDX-License-Identifier: MIT */
#include "common/rising_land/incision.h"

#include "common/drainage/flow_areas.h"
#include "common/ground_maps.h"
#include "common/rising_land/incision_law.h"

#include <thalweg/kernel.h>
#include <thalweg/masks.h>

#include <string.h>

enum { NEWTON_STEPS = 60 };

/* x with x + f x^n = h, for h > 0, f >= 0 and n other than 1. With y = x^n when n < 1 it is y^(1/n)
 * + f y = h, so the unknown's power is above 1 either way and Newton's steps fall monotonically to
 * the root. */
static double drop_after(double f, double h, double n)
{
    if (n == 2)
        return 2 * h / (1 + sqrt(1 + 4 * f * h));
    double linear = n > 1 ? 1 : f, curved = n > 1 ? f : 1, power = n > 1 ? n : 1 / n;
    if (f <= 0)
        return h;
    double x = h / linear, bound = tw_pow(h / curved, 1 / power);
    x = x < bound ? x : bound;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        double slope = curved * tw_pow(x, power - 1);
        double next = x - (linear * x + slope * x - h) / (linear + power * slope);
        bool done = x - next <= 1e-9 * x;
        x = next;
        if (done)
            break;
    }
    return n > 1 ? x : h - f * x;
}

void tw_incision_init(struct tw_incision *s, double erodibility_dt, double m, double n,
                      double talus, int32_t width)
{
    double side = (double)width, factor = erodibility_dt * tw_pow(side, n) / tw_pow(side, 2 * m);
    s->n = n;
    s->talus_rise = (float)(talus / side);
    for (int32_t i = 0; i < TW_INCISION_POWERS; i++) {
        uint32_t bits = (uint32_t)(TW_INCISION_ONE + i) << TW_INCISION_DROPPED;
        float area;
        memcpy(&area, &bits, sizeof area);
        s->powers[i] = (float)(factor * tw_pow((double)area, m));
    }
}

/* ---- the width of rivers ---- */

struct widening {
    const struct tw_incision *s;
    const struct tw_flow_lines *f;
    float *area;
    enum tw_simd simd;
};

static TW_INLINE float binomial(float a, float b, float c, float d, float e)
{
    return 0.0625f * ((a + e) + 4 * (b + d) + 6 * c);
}

/* An area is weighted by the length of its water's path through the cell. */
static TW_INLINE void along_body(const struct widening *w, int32_t y)
{
    size_t at = (size_t)y * (size_t)w->f->d->width;
    const float *restrict corner = w->f->corner + at;
    float *restrict area = w->area + at;
    for (int32_t x = 0; x < w->f->d->width; x++)
        area[x] *= sqrtf(1 + corner[x] * corner[x]);
}
TW_SIMD_KERNEL(along, (const struct widening *w, int32_t y), (w, y))

static int32_t index_at(const struct widening *w, int32_t i, int32_t count)
{
    int32_t mirrored = i < 0 ? -i : i < count ? i : 2 * (count - 1) - i;
    return w->s->wrap ? tw_wrap(i, count) : tw_clamp_index(w->s->mirrors ? mirrored : i, count);
}

static TW_INLINE void across_body(const struct widening *w, int32_t y)
{
    int32_t width = w->f->d->width;
    size_t at = (size_t)y * (size_t)width;
    const float *restrict in = w->area + at;
    float *restrict out = w->f->filled + at;
    for (int32_t x = 2; x < width - 2; x++)
        out[x] = binomial(in[x - 2], in[x - 1], in[x], in[x + 1], in[x + 2]);
}
TW_SIMD_KERNEL(across, (const struct widening *w, int32_t y), (w, y))

/* The two cells at either end of a row. */
static void across_ends(const struct widening *w, int32_t y)
{
    int32_t width = w->f->d->width;
    const float *in = w->area + (size_t)y * (size_t)width;
    float *out = w->f->filled + (size_t)y * (size_t)width;
    for (int32_t x = 0; x < width; x += x == 1 && width > 4 ? width - 3 : 1)
        out[x] = binomial(in[index_at(w, x - 2, width)], in[index_at(w, x - 1, width)], in[x],
                          in[index_at(w, x + 1, width)], in[index_at(w, x + 2, width)]);
}

static TW_INLINE void down_body(const struct widening *w, const float *const rows[5], float *out)
{
    const float *restrict a = rows[0], *restrict b = rows[1], *restrict c = rows[2];
    const float *restrict d = rows[3], *restrict e = rows[4];
    for (int32_t x = 0; x < w->f->d->width; x++)
        out[x] = (8.0f / 3) * binomial(a[x], b[x], c[x], d[x], e[x]);
}
TW_SIMD_KERNEL(down, (const struct widening *w, const float *const rows[5], float *out),
               (w, rows, out))

static void across_rows(void *context, int32_t begin, int32_t end)
{
    const struct widening *w = context;
    for (int32_t y = begin; y < end; y++) {
        along(w->simd)(w, y);
        across(w->simd)(w, y);
        across_ends(w, y);
    }
}

static void down_rows(void *context, int32_t begin, int32_t end)
{
    const struct widening *w = context;
    size_t width = (size_t)w->f->d->width;
    for (int32_t y = begin; y < end; y++) {
        const float *rows[5];
        for (int32_t k = 0; k < 5; k++)
            rows[k] = w->f->filled + (size_t)index_at(w, y + k - 2, w->f->d->height) * width;
        down(w->simd)(w, rows, w->area + (size_t)y * width);
    }
}

void tw_incision_widen(struct tw_task *task, const struct tw_incision *s,
                       const struct tw_flow_lines *f, float *area)
{
    struct widening w = {s, f, area, tw_task_simd(task)};
    tw_rows(task, f->d->height, 16, across_rows, &w);
    tw_rows(task, f->d->height, 16, down_rows, &w);
}

/* ---- the step ---- */

struct weighing {
    const struct tw_incision *s;
    const struct tw_flow_lines *f;
    const float *area;
    float *weight;
    void (*linear)(const struct weighing *, size_t begin, size_t end);
};

enum { LOOKED_UP = 64 }; /* powers at a time: loads from a table do not mix with vectors */

/* Computes what the step needs of every cell besides heights: f, or for n = 1 the share 1 / (1 + f)
 * of its height above the base that remains. */
static TW_INLINE void linear_body(const struct weighing *w, size_t begin, size_t end)
{
    float powers[LOOKED_UP];
    for (size_t first = begin, count; first < end; first += count) {
        const float *corner = w->f->corner + first, *area = w->area + first;
        float *restrict weight = w->weight + first;
        count = end - first < LOOKED_UP ? end - first : LOOKED_UP;
        for (size_t i = 0; i < count; i++)
            powers[i] = tw_incision_power(w->s, area[i]);
        for (size_t i = 0; i < count; i++) {
            double length = sqrt(1 + (double)(corner[i] * corner[i]));
            weight[i] = (float)(length / (length + (double)powers[i]));
        }
    }
}
TW_SIMD_KERNEL(linear, (const struct weighing *w, size_t begin, size_t end), (w, begin, end))

static void weigh_rows(void *context, int32_t begin, int32_t end)
{
    const struct weighing *w = context;
    size_t width = (size_t)w->f->d->width, first = (size_t)begin * width;
    if (w->s->n == 1) {
        w->linear(w, first, (size_t)end * width);
        return;
    }
    for (size_t i = first; i < (size_t)end * width; i++) {
        double square = 1 + (double)(w->f->corner[i] * w->f->corner[i]);
        w->weight[i] = (float)((double)tw_incision_power(w->s, w->area[i]) /
                               tw_incision_length(square, w->s->n));
    }
}

/* Solves two strips at a time: a cell waits for its receivers, but not for those of the other
 * strip. AHEAD cells before its turn a cell's values are fetched from memory. */
enum { LANES = 2, AHEAD = 32 };

/* Copies f's pointers, so that they stay in registers across stores. */
struct lowering {
    const struct tw_incision *s;
    const struct tw_flow_lines *f;
    struct tw_flow_lines_steps steps;
    const uint8_t *facet;
    const float *corner, *weight;
    float *z;
};

/* Heights of the receivers are those of the end of the step, so they come first. `plain`: n is 1
 * and nothing is hard, where the next height costs less than a branch. */
static TW_INLINE void lower(const struct lowering *l, int32_t cell, bool plain)
{
    const struct tw_incision *s = l->s;
    int facet = l->facet[cell];
    if (facet == TW_FLOW_LINES_NONE)
        return;
    float corner = l->corner[cell], top = l->z[cell], own = l->weight[cell], left;
    float base =
        tw_incision_base(l->z, tw_flow_lines_receivers(l->f, &l->steps, cell, facet), corner);
    float drop = top - base, steepest = s->talus_rise * sqrtf(1 + corner * corner);
    if (!plain && !(drop > 0))
        return;
    left = plain || s->n == 1 ? own * drop : (float)drop_after((double)own, (double)drop, s->n);
    float next = tw_min(base + tw_min(left, steepest), top);
    if (!plain && s->hardness)
        next = tw_strength_blend(top, next, tw_softness(s->hardness[cell]));
    l->z[cell] = drop > 0 ? next : top;
}

static TW_INLINE void fetch(const struct lowering *l, int32_t cell)
{
    __builtin_prefetch(l->z + cell, 1);
    __builtin_prefetch(l->weight + cell);
    __builtin_prefetch(l->corner + cell);
    __builtin_prefetch(l->facet + cell);
}

/* The last `count` cells before `ends`, of one lane or of two in turns, from their ends. */
static TW_INLINE void lower_lanes(const struct lowering *lowering, const int32_t *const *ends,
                                  int lanes, ptrdiff_t count, bool plain)
{
    const struct lowering l = *lowering;
    const int32_t *first = ends[0] - 1, *second = ends[lanes - 1] - 1;
    for (; count > 0; count--, first--, second--) {
        if (count > AHEAD) {
            fetch(&l, first[-AHEAD]);
            if (lanes > 1)
                fetch(&l, second[-AHEAD]);
        }
        lower(&l, *first, plain);
        if (lanes > 1)
            lower(&l, *second, plain);
    }
}

static void lower_range(const struct lowering *l, struct tw_flow_range range)
{
    const int32_t *end = l->f->order + range.end;
    if (l->s->n == 1 && !l->s->hardness)
        lower_lanes(l, &end, 1, range.end - range.begin, true);
    else
        lower_lanes(l, &end, 1, range.end - range.begin, false);
}

/* Two ranges of which no cell receives from the other. */
static void lower_pair(const struct lowering *l, struct tw_flow_range a, struct tw_flow_range b)
{
    const int32_t *ends[] = {l->f->order + a.end, l->f->order + b.end};
    int32_t first = a.end - a.begin, second = b.end - b.begin;
    int32_t both = first < second ? first : second;
    if (l->s->n == 1 && !l->s->hardness) {
        lower_lanes(l, ends, LANES, both, true);
        a.end -= both;
        b.end -= both;
    }
    lower_range(l, a);
    lower_range(l, b);
}

/* A strip's own cells give to each other and to the rest, which is as low as it gets. */
static void lower_strips(void *context, int32_t begin, int32_t end)
{
    const struct lowering *l = context;
    for (; begin + 1 < end; begin += LANES)
        lower_pair(l, tw_flow_areas_own(l->f, begin), tw_flow_areas_own(l->f, begin + 1));
    if (begin < end)
        lower_range(l, tw_flow_areas_own(l->f, begin));
}

void tw_incision_step(struct tw_task *task, const struct tw_incision *s,
                      const struct tw_flow_lines *f, const float *area, float *z)
{
    struct weighing w = {s, f, area, f->filled, linear(tw_task_simd(task))};
    tw_rows(task, f->d->height, 16, weigh_rows, &w);
    struct lowering lowering = {.s = s,
                                .f = f,
                                .steps = tw_flow_lines_steps(f->d),
                                .facet = f->facet,
                                .corner = f->corner,
                                .weight = f->filled,
                                .z = z};
    for (int32_t strip = f->strips - 1; strip >= 0; strip--)
        lower_range(&lowering, tw_flow_areas_rest(f, strip));
    tw_rows(task, f->strips, LANES, lower_strips, &lowering);
}
