/* SPDX-License-Identifier: MIT */
/* Between two lattice rows, gradient noise at (x, y) is linear in four numbers that depend on x
 * alone: for each lattice row the height P and the slope Q down the map, interpolated across. They
 * are kept for a strip of columns, so that a cell costs a few operations and a lattice point is
 * hashed about once. */
#include "noise/kernels/octaves.h"

#include "common/simd.h"

#include <thalweg/kernel.h>

enum { STRIP = 512, LATTICE = 1024, BLOCK_ROWS = 64 };

struct octave {
    enum tw_basis basis;
    uint32_t index, key[2];
    double step_x, step_y;  /* lattice cells a cell of the map */
    int32_t wrap_x, wrap_y; /* lattice points a side; 0: no end */
};

struct strip {
    int32_t x, count;
    int32_t origin, next;  /* lattice column of column[] 0; first lattice row not there yet */
    int32_t column[STRIP]; /* of the lattice, from origin on */
    float share[STRIP], fade[STRIP];
    float height[2][STRIP], slope[2][STRIP]; /* P and Q of lattice row j at [j & 1] */
};

struct walk {
    struct tw_task *task;
    const struct tw_octaves *octaves;
    const struct octave *at;
    int32_t width, height;
    enum tw_simd simd;
};

/* 6t^5 - 15t^4 + 10t^3, Perlin 2002. */
static TW_INLINE float fade(float t) { return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f); }

/* Finaliser of MurmurHash3 (Appleby, public domain) with the octave's second key in its middle. */
static TW_INLINE uint32_t mix(uint32_t h, uint32_t key)
{
    h = (h ^ h >> 16) * 0x85EBCA6Bu ^ key;
    h = (h ^ h >> 13) * 0xC2B2AE35u;
    return h ^ h >> 16;
}

/* A lattice point's word: mix(i ACROSS + j DOWN + key[0], key[1]). */
static const uint32_t ACROSS = 0x9E3779B1u, DOWN = 0x85EBCA77u;

/* A unit vector, even in all directions: an angle u of -45 to 45 degrees from an axis, its sine and
 * cosine by polynomials (error below 1e-4), and two low bits for one of the four half axes. */
static TW_INLINE void gradient(uint32_t h, float *gx, float *gy)
{
    float u = (float)(int32_t)h * 0x1p-31f, square = u * u;
    float sine = u * (0.7848f - 0.0777f * square);
    float cosine = 1.0f - square * (0.3081f - 0.0152f * square);
    float swap = (float)(int32_t)(h & 1) * (sine - cosine);
    float sign = (float)(1 - (int32_t)(h & 2));
    *gx = sign * (cosine + swap);
    *gy = sign * (sine - swap);
}

static TW_INLINE float value(uint32_t h) { return (float)(int32_t)h * 0x1p-31f; }

/* Lattice points of one row from column `from` on. */
static TW_INLINE void draw_body(const struct octave *o, int32_t from, int32_t j, int32_t count,
                                float *restrict gx, float *restrict gy)
{
    uint32_t key0 = o->key[0], key1 = o->key[1];
    uint32_t first = (uint32_t)from * ACROSS + (uint32_t)j * DOWN + key0;
    if (o->basis == TW_BASIS_VALUE)
        for (int32_t i = 0; i < count; i++) {
            gx[i] = value(mix(first + (uint32_t)i * ACROSS, key1));
            gy[i] = 0;
        }
    else
        for (int32_t i = 0; i < count; i++)
            gradient(mix(first + (uint32_t)i * ACROSS, key1), &gx[i], &gy[i]);
}
TW_SIMD_KERNEL(draw,
               (const struct octave *o, int32_t from, int32_t j, int32_t count, float *restrict gx,
                float *restrict gy),
               (o, from, j, count, gx, gy))

/* A lattice row at the strip's columns: heights of its ramps, or its values. */
static TW_INLINE void spread_body(const struct strip *s, bool gradients, const float *gx,
                                  const float *gy, float *restrict height, float *restrict slope)
{
    for (int32_t i = 0; i < s->count; i++) {
        const float *x = gx + s->column[i], *y = gy + s->column[i];
        float share = s->share[i], left, right;
        left = gradients ? x[0] * share : x[0];
        right = gradients ? x[1] * (share - 1.0f) : x[1];
        height[i] = left + s->fade[i] * (right - left);
        slope[i] = y[0] + s->fade[i] * (y[1] - y[0]);
    }
}
TW_SIMD_KERNEL(spread,
               (const struct strip *s, bool gradients, const float *gx, const float *gy,
                float *restrict height, float *restrict slope),
               (s, gradients, gx, gy, height, slope))

/* Draws lattice row j and interpolates it across the strip. */
static void add_lattice_row(const struct octave *o, enum tw_simd simd, int32_t j, struct strip *s)
{
    float gx[LATTICE], gy[LATTICE];
    int32_t count = s->column[s->count - 1] + 2, row = o->wrap_y ? tw_wrap(j, o->wrap_y) : j;
    for (int32_t done = 0, run; done < count; done += run) {
        int32_t from = o->wrap_x ? tw_wrap(s->origin + done, o->wrap_x) : s->origin;
        run = o->wrap_x && o->wrap_x - from < count - done ? o->wrap_x - from : count - done;
        draw(simd)(o, from, row, run, gx + done, gy + done);
    }
    spread(simd)(s, o->basis == TW_BASIS_PERLIN, gx, gy, s->height[j & 1], s->slope[j & 1]);
}

static TW_INLINE void blend_body(const struct strip *s, int32_t j, float share, float factor,
                                 float *restrict out)
{
    const float *p0 = s->height[j & 1], *q0 = s->slope[j & 1];
    const float *p1 = s->height[~j & 1], *q1 = s->slope[~j & 1];
    float t = fade(share);
    for (int32_t i = 0; i < s->count; i++) {
        float upper = p0[i] + q0[i] * share, lower = p1[i] + q1[i] * (share - 1.0f);
        out[i] = (upper + t * (lower - upper)) * factor;
    }
}
TW_SIMD_KERNEL(blend,
               (const struct strip *s, int32_t j, float share, float factor, float *restrict out),
               (s, j, share, factor, out))

/* sqrt(2) brings gradient noise, at most sqrt(1/2) in the middle of four gradients, to -1..1. */
static void lattice_row(const struct octave *o, enum tw_simd simd, int32_t y, struct strip *s,
                        float *out)
{
    double v = ((double)y + 0.5) * o->step_y;
    int32_t j = (int32_t)v;
    for (s->next = s->next < j ? j : s->next; s->next <= j + 1; s->next++)
        add_lattice_row(o, simd, s->next, s);
    blend(simd)(s, j, (float)(v - (double)j), o->basis == TW_BASIS_PERLIN ? 1.41421356f : 1.0f,
                out);
}

/* One corner's share in simplex noise: (1/2 - d^2)^4 of its gradient's ramp. */
static TW_INLINE float corner(uint32_t h, float x, float y)
{
    float gx, gy, t = 0.5f - x * x - y * y;
    gradient(h, &gx, &gy);
    t = (t + fabsf(t)) * 0.5f; /* at least 0 */
    t *= t;
    return t * t * (gx * x + gy * y);
}

/* Simplex noise (Perlin 2001): skew to a lattice of squares, each cut into two triangles. Three
 * corners with the worst gradients of length 1 give 1 / 99.2043. */
static TW_INLINE void simplex_body(const struct octave *o, const struct strip *s, int32_t y,
                                   float *restrict out)
{
    const float skew = 0.366025404f, unskew = 0.211324865f;
    const uint32_t key0 = o->key[0], key1 = o->key[1];
    const float step = (float)o->step_x, v = ((float)y + 0.5f) * (float)o->step_y;
    for (int32_t n = 0; n < s->count; n++) {
        float u = ((float)(s->x + n) + 0.5f) * step, across = (u + v) * skew;
        int32_t i = (int32_t)(u + across), j = (int32_t)(v + across);
        float back = (float)(i + j) * unskew;
        float x0 = u - ((float)i - back), y0 = v - ((float)j - back);
        int32_t right = x0 > y0;
        float x1 = x0 - (float)right + unskew, y1 = y0 - (float)(1 - right) + unskew;
        float x2 = x0 - 1.0f + 2.0f * unskew, y2 = y0 - 1.0f + 2.0f * unskew;
        uint32_t first = (uint32_t)i * ACROSS + (uint32_t)j * DOWN + key0;
        uint32_t second = first + DOWN + ((ACROSS - DOWN) & (0u - (uint32_t)right));
        float sum = corner(mix(first, key1), x0, y0) + corner(mix(second, key1), x1, y1) +
                    corner(mix(first + ACROSS + DOWN, key1), x2, y2);
        out[n] = sum * 99.2f;
    }
}
TW_SIMD_KERNEL(simplex,
               (const struct octave *o, const struct strip *s, int32_t y, float *restrict out),
               (o, s, y, out))

static void place_columns(const struct octave *o, struct strip *s)
{
    s->origin = (int32_t)(((double)s->x + 0.5) * o->step_x);
    s->next = 0;
    for (int32_t i = 0; i < s->count; i++) {
        double u = ((double)(s->x + i) + 0.5) * o->step_x;
        int32_t column = (int32_t)u;
        s->column[i] = column - s->origin;
        s->share[i] = (float)(u - (double)column);
        s->fade[i] = fade(s->share[i]);
    }
}

static void walk_strip(const struct walk *w, const struct octave *o, int32_t begin, int32_t end,
                       struct strip *s)
{
    float noise[STRIP];
    place_columns(o, s);
    for (int32_t y = begin; y < end; y++) {
        const struct tw_noise_row row = {(int32_t)o->index, s->x, y, s->count, noise};
        if (o->basis == TW_BASIS_SIMPLEX)
            simplex(w->simd)(o, s, y, noise);
        else
            lattice_row(o, w->simd, y, s, noise);
        w->octaves->sink(w->octaves->context, &row);
    }
}

/* As many columns as LATTICE points reach over. */
static int32_t strip_length(const struct octave *o)
{
    double length = (LATTICE - 4) / o->step_x;
    return length >= STRIP ? STRIP : length < 1 ? 1 : (int32_t)length;
}

/* All octaves of a block that stays in the cache. */
static void walk_block(const struct walk *w, int32_t x, int32_t columns, int32_t begin, int32_t end)
{
    struct strip strip;
    for (int32_t k = 0; k < w->octaves->count; k++) {
        int32_t length = strip_length(&w->at[k]);
        for (int32_t done = 0; done < columns; done += strip.count) {
            strip.x = x + done;
            strip.count = columns - done < length ? columns - done : length;
            walk_strip(w, &w->at[k], begin, end, &strip);
        }
    }
}

static void walk_rows(void *context, int32_t begin, int32_t end)
{
    const struct walk *w = context;
    for (int32_t y = begin; y < end; y += BLOCK_ROWS)
        for (int32_t x = 0; x < w->width && !tw_task_cancelled(w->task); x += STRIP)
            walk_block(w, x, w->width - x < STRIP ? w->width - x : STRIP, y,
                       end - y < BLOCK_ROWS ? end : y + BLOCK_ROWS);
}

static double cells_of_octave(const struct tw_octaves *octaves, int32_t k)
{
    double cells = (double)octaves->frequency;
    for (int32_t i = 0; i < k; i++)
        cells *= (double)octaves->lacunarity;
    return cells;
}

static void prepare(struct tw_task *task, const struct tw_octaves *octaves, int32_t k,
                    struct octave *out)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    double step = cells_of_octave(octaves, k) / (double)(width > height ? width : height);
    struct tw_random4 words = tw_random(tw_task_seed(task), (uint32_t)k, 0, 0, 0);
    *out =
        (struct octave){octaves->basis, (uint32_t)k, {words.at[0], words.at[1]}, step, step, 0, 0};
    if (octaves->tile) {
        double across = step * (double)width, down = step * (double)height;
        out->wrap_x = across < 1 ? 1 : (int32_t)(across + 0.5);
        out->wrap_y = down < 1 ? 1 : (int32_t)(down + 0.5);
        out->step_x = (double)out->wrap_x / (double)width;
        out->step_y = (double)out->wrap_y / (double)height;
    }
}

const char *tw_octaves_check(const struct tw_octaves *octaves)
{
    if (octaves->basis == TW_BASIS_SIMPLEX && octaves->tile)
        return "simplex noise cannot tile, its lattice is skewed: say tile: false, or take perlin";
    return cells_of_octave(octaves, octaves->count - 1) > TW_OCTAVES_FINEST
               ? "the last octave has more than 65536 lattice cells a side: lower octaves, "
                 "frequency or lacunarity"
               : NULL;
}

enum tw_status tw_octaves_run(struct tw_task *task, const struct tw_octaves *octaves)
{
    struct octave *at = tw_task_scratch(task, (size_t)octaves->count, sizeof *at);
    if (!at)
        return tw_task_no_memory(task);
    for (int32_t k = 0; k < octaves->count; k++)
        prepare(task, octaves, k, &at[k]);
    struct walk walk = {
        task, octaves, at, tw_task_width(task), tw_task_height(task), tw_task_simd(task)};
    tw_rows(task, walk.height, 16, walk_rows, &walk);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

void tw_octaves_forecast(struct tw_forecast *f, int32_t octaves)
{
    tw_forecast_scratch(f, (uint64_t)octaves, sizeof(struct octave));
}
