/* SPDX-License-Identifier: MIT */
/* Where it tiles, lattice rows cross the map from border to border. Between two of them, gradient
 * noise at (x, y) is linear in four numbers that depend on x alone: for each lattice row the height
 * P and the slope Q down the map, interpolated across. They are kept for a strip of columns, so
 * that a cell costs a few operations and a lattice point is hashed about once. A rotated lattice
 * has no such rows: every cell hashes its own corners. */
#include "noise/kernels/octaves.h"

#include "common/simd.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { STRIP = 512, LATTICE = 1024, BLOCK_ROWS = 64, VECTOR = 16 };

/* A lattice that tiles is skewed by whole cells, so that no lattice line is parallel to a border:
 * from the left to the right border rows climb by `climb`, and from the top to the bottom each row
 * is shifted against the one above, by `slip` in all. So points (i + wrap_x, j + climb) and
 * (i + slip, j + wrap_y) are the point (i, j). A cell centre (x, y) lies at row step_y y + start_y
 * + climb x / width, and at column step_x x + start_x + slip j / wrap_y of row j.
 * On a rotated lattice it lies at (cosine x - sine y + start_x, sine x + cosine y + start_y). */
struct octave {
    enum tw_basis basis;
    uint32_t index, key[2];
    double step_x, step_y; /* lattice cells a cell of the map */
    double start_x, start_y;
    int32_t width;          /* of the map */
    int32_t wrap_x, wrap_y; /* lattice cells a side */
    int32_t climb, slip;    /* 1 or -1; of 0 to wrap_y / 2 */
    bool rotated;
    double cosine, sine; /* of the angle, times step_x */
};

/* Added to places on a rotated lattice: whole lattice cells, more than lie left of or above its
 * origin, so that truncation rounds down. */
enum { POSITIVE = 2 * TW_OCTAVES_FINEST };

/* Arrays begin at cache lines, which loads of whole vectors then do not straddle. */
#define ALIGNED _Alignas(64)

struct strip {
    int32_t x, count;
    int32_t origin, next; /* lattice column of column[] 0; first lattice row not drawn yet */
    ALIGNED int32_t column[STRIP];  /* of the lattice, from origin on, where start and slip are 0 */
    ALIGNED float share[STRIP];     /* of the way to the next one */
    ALIGNED float rise[STRIP];      /* lattice rows, 0 to 1, due to climb */
    ALIGNED float height[4][STRIP]; /* P of lattice row j at [j & 3] */
    ALIGNED float slope[4][STRIP];  /* Q */
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

/* A lattice point's share in P `x` lattice cells right of it: its ramp across, or its value. */
static TW_INLINE float ramp(bool gradients, float gx, float x) { return gradients ? gx * x : gx; }

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

/* A lattice row at the strip's columns: heights of its ramps, or its values. The row begins `shift`
 * of a lattice cell further left. */
static TW_INLINE void spread_body(const struct strip *s, bool gradients, float shift,
                                  const float *gx, const float *gy, float *restrict height,
                                  float *restrict slope)
{
    for (int32_t i = 0; i < s->count; i++) {
        float share = s->share[i] + shift, t, left, right;
        int32_t carry = share >= 1.0f, at = s->column[i] + carry;
        share -= (float)carry;
        t = fade(share);
        left = ramp(gradients, gx[at], share);
        right = ramp(gradients, gx[at + 1], share - 1.0f);
        height[i] = left + t * (right - left);
        slope[i] = gy[at] + t * (gy[at + 1] - gy[at]);
    }
}
TW_SIMD_KERNEL(spread,
               (const struct strip *s, bool gradients, float shift, const float *gx,
                const float *gy, float *restrict height, float *restrict slope),
               (s, gradients, shift, gx, gy, height, slope))

/* Moves lattice point (i, j), at most a few maps away, to the one of all its names whose random
 * numbers are drawn: between (0, 0), (wrap_x, climb) and (slip, wrap_y). Returns how many of
 * `count` points to the right, with it, move alike. */
static int32_t find_point(const struct octave *o, int64_t *i, int64_t *j, int32_t count)
{
    int64_t points = (int64_t)o->wrap_x * o->wrap_y - o->climb * o->slip;
    for (int64_t p = 1, q = 1; p || q;) {
        int64_t across = *i * o->wrap_y - *j * o->slip, down = *j * o->wrap_x - *i * o->climb;
        p = (across >= points) - (across < 0);
        q = (down >= points) - (down < 0);
        *i -= p * o->wrap_x + q * o->slip;
        *j -= p * o->climb + q * o->wrap_y;
    }
    int64_t right = points - (*i * o->wrap_y - *j * o->slip), run = count;
    int64_t down = *j * o->wrap_x - *i * o->climb, rows = o->climb > 0 ? down + 1 : points - down;
    if ((run - 1) * o->wrap_y >= right)
        run = (right + o->wrap_y - 1) / o->wrap_y;
    return (int32_t)(run < rows ? run : rows);
}

/* Draws lattice row j and interpolates it across the strip. */
static void add_lattice_row(const struct octave *o, enum tw_simd simd, int32_t j, struct strip *s)
{
    float gx[LATTICE], gy[LATTICE];
    double start = o->start_x + (double)o->slip * (double)j / (double)o->wrap_y;
    int32_t first = (int32_t)start, count = s->column[s->count - 1] + 3;
    for (int32_t done = 0, run; done < count; done += run) {
        int64_t column = (int64_t)s->origin + first + done, row = j;
        run = find_point(o, &column, &row, count - done);
        draw(simd)(o, (int32_t)column, (int32_t)row, run, gx + done, gy + done);
    }
    spread(simd)(s, o->basis == TW_BASIS_PERLIN, (float)(start - (double)first), gx, gy,
                 s->height[j & 3], s->slope[j & 3]);
}

/* Columns of a map row that lie between the same two lattice rows. */
static TW_INLINE void blend_part(const struct strip *s, int32_t j, float down, float factor,
                                 int32_t first, int32_t end, float *restrict out)
{
    const float *p0 = s->height[j & 3], *q0 = s->slope[j & 3];
    const float *p1 = s->height[(j + 1) & 3], *q1 = s->slope[(j + 1) & 3];
    for (int32_t i = first; i < end; i++) {
        float share = down + s->rise[i];
        float upper = p0[i] + q0[i] * share, lower = p1[i] + q1[i] * (share - 1.0f);
        out[i] = (upper + fade(share) * (lower - upper)) * factor;
    }
}

/* `down` is how far the map row lies below lattice row j where it does not rise. From column
 * `crossing` on, it is on the other side of row j + 1. Parts begin and end at whole vectors: what
 * the second overwrites is put back. */
static TW_INLINE void blend_body(const struct strip *s, int32_t j, float down, float factor,
                                 int32_t crossing, float *restrict out)
{
    int32_t carry = down + s->rise[0] >= 1.0f, first = crossing & ~(VECTOR - 1);
    int32_t end = first + VECTOR < s->count ? first + VECTOR : s->count;
    float kept[VECTOR];
    blend_part(s, j + carry, down - (float)carry, factor, 0, end, out);
    if (crossing == s->count)
        return;
    memcpy(kept, out + first, sizeof kept);
    blend_part(s, j + 1 - carry, down - (float)(1 - carry), factor, first, s->count, out);
    for (int32_t i = 0; i < VECTOR; i++)
        out[first + i] = first + i < crossing ? kept[i] : out[first + i];
}
TW_SIMD_KERNEL(blend,
               (const struct strip *s, int32_t j, float down, float factor, int32_t crossing,
                float *restrict out),
               (s, j, down, factor, crossing, out))

/* sqrt(2) brings gradient noise, at most sqrt(1/2) in the middle of four gradients, to -1..1. */
static TW_INLINE float factor_of(enum tw_basis basis)
{
    return basis == TW_BASIS_PERLIN ? 1.41421356f : 1.0f;
}

/* The first column that lies on the other side of lattice row j + 1 than column 0, `down` as in
 * blend(); a row that leads away from it has none. A guess comes first, since rounding may move it.
 */
static int32_t find_crossing(const struct octave *o, const struct strip *s, float down)
{
    double guess = (1 - (double)(down + s->rise[0])) * o->width * o->climb;
    int32_t at = guess < 0 ? 0 : guess > s->count ? s->count : (int32_t)guess;
    bool side = down + s->rise[0] >= 1.0f;
    if (side == (o->climb > 0))
        return s->count;
    while (at > 0 && (down + s->rise[at - 1] >= 1.0f) != side)
        at--;
    while (at < s->count && (down + s->rise[at] >= 1.0f) == side)
        at++;
    return at;
}

static void lattice_row(const struct octave *o, enum tw_simd simd, int32_t y, struct strip *s,
                        float *out)
{
    double v = ((double)y + 0.5) * o->step_y + o->start_y;
    int32_t j = (int32_t)v, crossing;
    float down = (float)(v - (double)j);
    crossing = find_crossing(o, s, down);
    bool further = crossing < s->count || down + s->rise[0] >= 1.0f;
    for (s->next = s->next < j ? j : s->next; s->next <= j + 1 + further; s->next++)
        add_lattice_row(o, simd, s->next, s);
    blend(simd)(s, j, down, factor_of(o->basis), crossing, out);
}

/* P + Q y of a lattice row, `y` lattice cells below it. */
static TW_INLINE float rotated_row(bool gradients, uint32_t first, uint32_t key, float x, float y)
{
    uint32_t left = mix(first, key), right = mix(first + ACROSS, key);
    float p0, p1, q0 = 0, q1 = 0;
    if (gradients) {
        gradient(left, &p0, &q0);
        gradient(right, &p1, &q1);
    } else {
        p0 = value(left);
        p1 = value(right);
    }
    p0 = ramp(gradients, p0, x);
    p1 = ramp(gradients, p1, x - 1.0f);
    return p0 + fade(x) * (p1 - p0) + (q0 + fade(x) * (q1 - q0)) * y;
}

static TW_INLINE void rotated_cells(const struct octave *o, bool gradients, const struct strip *s,
                                    int32_t y, float *restrict out)
{
    const double cosine = o->cosine, sine = o->sine, down = (double)y + 0.5;
    const double start_x = o->start_x + POSITIVE, start_y = o->start_y + POSITIVE;
    const uint32_t key0 = o->key[0], key1 = o->key[1];
    const float factor = factor_of(o->basis);
    for (int32_t n = 0; n < s->count; n++) {
        double across = (double)(s->x + n) + 0.5;
        double u = cosine * across - sine * down + start_x;
        double v = sine * across + cosine * down + start_y;
        int32_t i = (int32_t)u, j = (int32_t)v;
        float a = (float)(u - (double)i), b = (float)(v - (double)j);
        uint32_t first = (uint32_t)i * ACROSS + (uint32_t)j * DOWN + key0;
        float upper = rotated_row(gradients, first, key1, a, b);
        float lower = rotated_row(gradients, first + DOWN, key1, a, b - 1.0f);
        out[n] = (upper + fade(b) * (lower - upper)) * factor;
    }
}
static TW_INLINE void rotated_body(const struct octave *o, const struct strip *s, int32_t y,
                                   float *restrict out)
{
    if (o->basis == TW_BASIS_PERLIN)
        rotated_cells(o, true, s, y, out);
    else
        rotated_cells(o, false, s, y, out);
}
TW_SIMD_KERNEL(rotated,
               (const struct octave *o, const struct strip *s, int32_t y, float *restrict out),
               (o, s, y, out))

/* One corner's share in simplex noise: (1/2 - d^2)^4 of its gradient's ramp. */
static TW_INLINE float corner(uint32_t h, float x, float y)
{
    float gx, gy, t = 0.5f - x * x - y * y;
    gradient(h, &gx, &gy);
    t = (t + fabsf(t)) * 0.5f; /* at least 0 */
    t *= t;
    return t * t * (gx * x + gy * y);
}

/* Vectorises; for what lies well within an int32_t. */
static TW_INLINE int32_t floor_of(float v)
{
    int32_t i = (int32_t)v;
    return i - ((float)i > v);
}

/* Simplex noise (Perlin 2001): skew to a lattice of squares, each cut into two triangles. Three
 * corners with the worst gradients of length 1 give 1 / 99.2043. */
static TW_INLINE void simplex_body(const struct octave *o, const struct strip *s, int32_t y,
                                   float *restrict out)
{
    const float skew = 0.366025404f, unskew = 0.211324865f;
    const uint32_t key0 = o->key[0], key1 = o->key[1];
    const float cosine = (float)o->cosine, sine = (float)o->sine, down = (float)y + 0.5f;
    const float start_u = (float)o->start_x - down * sine;
    const float start_v = (float)o->start_y + down * cosine;
    for (int32_t n = 0; n < s->count; n++) {
        float right_of = (float)(s->x + n) + 0.5f;
        float u = right_of * cosine + start_u, v = right_of * sine + start_v;
        float across = (u + v) * skew;
        int32_t i = floor_of(u + across), j = floor_of(v + across);
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
    const double start = o->climb > 0 ? 0 : 1, rise = (double)o->climb / (double)o->width;
    s->origin = (int32_t)(((double)s->x + 0.5) * o->step_x);
    s->next = 0;
    for (int32_t i = 0; i < s->count; i++) {
        double x = (double)(s->x + i) + 0.5, u = x * o->step_x;
        int32_t column = (int32_t)u;
        s->column[i] = column - s->origin;
        s->share[i] = (float)(u - (double)column);
        s->rise[i] = (float)(start + x * rise);
    }
}

static void walk_strip(const struct walk *w, const struct octave *o, int32_t begin, int32_t end,
                       struct strip *s)
{
    ALIGNED float noise[STRIP];
    if (!o->rotated)
        place_columns(o, s);
    for (int32_t y = begin; y < end; y++) {
        const struct tw_noise_row row = {(int32_t)o->index, s->x, y, s->count, noise};
        if (o->basis == TW_BASIS_SIMPLEX)
            simplex(w->simd)(o, s, y, noise);
        else if (o->rotated)
            rotated(w->simd)(o, s, y, noise);
        else
            lattice_row(o, w->simd, y, s, noise);
        w->octaves->sink(w->octaves->context, &row);
    }
}

/* As many columns as LATTICE points reach over. */
static int32_t strip_length(const struct octave *o)
{
    double length = (LATTICE - 8) / o->step_x;
    return length >= STRIP ? STRIP : length < 1 ? 1 : (int32_t)length;
}

/* All octaves of a block that stays in the cache. */
static void walk_block(const struct walk *w, int32_t x, int32_t columns, int32_t begin, int32_t end)
{
    struct strip strip;
    strip.rise[0] = 0; /* for the analyser: a strip has a column at least */
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

/* Degrees from one octave's lattice to the next: 60 over the golden ratio. Multiples spread evenly
 * over the 60 degrees after which a simplex lattice repeats, and over the 90 of a square one. */
#define TURN 37.082039324993690

/* Of a lattice cell, from one row to the next; about 1 less the golden ratio's inverse, so that
 * columns never align. */
#define SLIP 0.381966

static double cells_of_octave(const struct tw_octaves *octaves, int32_t k)
{
    double cells = (double)octaves->frequency;
    for (int32_t i = 0; i < k; i++)
        cells *= (double)octaves->lacunarity;
    return cells;
}

/* One noise for all octaves, whose second key is the node's. An octave's own first key moves its
 * lattice by whole cells, since ACROSS is odd, and its start by a part of one: lattice points of
 * octaves do not coincide. */
static void prepare(struct tw_task *task, const struct tw_octaves *octaves, int32_t k,
                    struct octave *out)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    double step = cells_of_octave(octaves, k) / (double)(width > height ? width : height);
    struct tw_random4 node = tw_random(tw_task_seed(task), 0, 1, 0, 0);
    struct tw_random4 own = tw_random(tw_task_seed(task), (uint32_t)k, 0, 0, 0);
    *out = (struct octave){.basis = octaves->basis,
                           .index = (uint32_t)k,
                           .key = {own.at[0], node.at[0]},
                           .step_x = step,
                           .step_y = step,
                           .start_x = (double)tw_uniform(own.at[1]),
                           .start_y = (double)tw_uniform(own.at[2]),
                           .width = width,
                           .rotated = !octaves->tile};
    if (octaves->tile) {
        double across = step * (double)width, down = step * (double)height;
        out->wrap_x = across < 1 ? 1 : (int32_t)(across + 0.5);
        out->wrap_y = down < 1 ? 1 : (int32_t)(down + 0.5);
        out->climb = own.at[3] & 1 ? 1 : -1;
        out->slip = (int32_t)((double)out->wrap_y * SLIP);
        out->step_x =
            ((double)out->wrap_x - (double)(out->climb * out->slip) / (double)out->wrap_y) /
            (double)width;
        out->step_y = (double)out->wrap_y / (double)height;
    } else {
        double angle = 360.0 * (double)tw_uniform(node.at[1]) + TURN * k;
        out->cosine = tw_cos_degrees(angle) * step;
        out->sine = tw_sin_degrees(angle) * step;
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
