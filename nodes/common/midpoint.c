/* SPDX-License-Identifier: MIT */
/* Diamond-square on a torus, level by level: a level reads a dense n x n grid and writes a dense
 * 2n x 2n one, so that every level streams. A cell's random offset is addressed by its position in
 * units of its level, so a larger torus shows the same terrain in more detail. */
#include "common/midpoint.h"

#include <thalweg/draws.h>
#include <thalweg/kernel.h>
#include <thalweg/rescale.h>
#include <thalweg/simd.h>

#include <string.h>

enum { STRIP = 512 };

struct level {
    struct tw_task *task;
    const struct tw_midpoint *noise;
    uint64_t seed;
    enum tw_simd simd;
    const float *from;
    float *to;
    int32_t side;    /* n, of `from` */
    float amplitude; /* of the offsets */
    uint32_t index;  /* from 1 on */
};

/* Some columns of two rows of `from` and of the diamonds between rows. Entry 0 is the column to the
 * left of the strip, for lateral neighbours. */
struct strip {
    int32_t x, count;
    float upper[STRIP + 2], lower[STRIP + 2];          /* rows y and y + 1 of `from` */
    float above[STRIP + 1], below[STRIP + 1];          /* diamonds at rows y - 1/2 and y + 1/2 */
    float east_offset[STRIP], south_offset[STRIP + 1]; /* the second for diamonds as well */
};

/* How the level displaces; `middle` is subtracted from draws so that they lie in -1/2..1/2. */
struct displacement {
    float amplitude, middle;
    bool smoothed;
};

int32_t tw_midpoint_side(int32_t width, int32_t height, int32_t frequency)
{
    int32_t longest = width > height ? width : height, side = frequency;
    while (side < longest)
        side *= 2;
    return side;
}

static TW_INLINE float displace(struct displacement by, float sum, float draw)
{
    float average = sum * 0.25f, offset = (draw - by.middle) * by.amplitude;
    return by.smoothed ? average * (1.0f + offset) : average + offset;
}

/* Diamond step: centres of squares, from their four corners. */
static TW_INLINE void diamonds_body(const struct strip *s, struct displacement by,
                                    float *restrict out)
{
    for (int32_t i = 0; i <= s->count; i++) {
        float sum = s->upper[i] + s->upper[i + 1] + s->lower[i] + s->lower[i + 1];
        out[i] = displace(by, sum, s->south_offset[i]);
    }
}
TW_SIMD_KERNEL(diamonds, (const struct strip *s, struct displacement by, float *restrict out),
               (s, by, out))

/* Square step: edge midpoints, from their four lateral neighbours, interleaved with known values.
 */
static TW_INLINE void squares_body(const struct strip *s, struct displacement by,
                                   float *restrict even, float *restrict odd)
{
    for (int32_t i = 0; i < s->count; i++) {
        float known = s->upper[i + 1], diamond = s->below[i + 1];
        float east = s->above[i + 1] + known + s->upper[i + 2] + diamond;
        float south = known + s->below[i] + diamond + s->lower[i + 1];
        even[2 * i] = known;
        even[2 * i + 1] = displace(by, east, s->east_offset[i]);
        odd[2 * i] = displace(by, south, s->south_offset[i]);
        odd[2 * i + 1] = diamond;
    }
}
TW_SIMD_KERNEL(squares,
               (const struct strip *s, struct displacement by, float *restrict even,
                float *restrict odd),
               (s, by, even, odd))

/* Adds the four words one after the other, in the order of the definition. */
static TW_INLINE void add_words_body(const struct tw_draws *draws, uint32_t word, int32_t count,
                                     float *restrict out)
{
    const struct tw_draws d = *draws;
    for (int32_t i = 0; i < count; i++) {
        struct tw_random4 words = tw_random(d.seed, d.x + d.step * (uint32_t)i, d.y, d.kind, word);
        float sum = out[i] + tw_uniform(words.at[0]);
        sum = sum + tw_uniform(words.at[1]);
        sum = sum + tw_uniform(words.at[2]);
        out[i] = sum + tw_uniform(words.at[3]);
    }
}
TW_SIMD_KERNEL(add_words,
               (const struct tw_draws *draws, uint32_t word, int32_t count, float *restrict out),
               (draws, word, count, out))

/* Normal draws around 0, cut to -1/2..1/2: the sum of twelve uniforms (three calls of tw_random
 * with the counter's last word 0, 1, 2) has deviation 1; 1/6 of it leaves the range at three
 * deviations. */
static void draw_normal_row(enum tw_simd level, const struct tw_draws *draws, int32_t count,
                            float *out)
{
    for (int32_t i = 0; i < count; i++)
        out[i] = 0;
    for (uint32_t word = 0; word < 3; word++)
        add_words(level)(draws, word, count, out);
    for (int32_t i = 0; i < count; i++)
        out[i] = tw_clamp((out[i] - 6.0f) / 6.0f, -0.5f, 0.5f);
}

/* Draws at every second column of row y of the finer grid. */
static void draw(const struct level *level, bool square, int32_t x, int32_t y, int32_t count,
                 float *out)
{
    const struct tw_draws draws = {level->seed, (uint32_t)x, 2, (uint32_t)y,
                                   level->index * 2 + square};
    if (level->noise->gaussian)
        draw_normal_row(level->simd, &draws, count, out);
    else
        tw_draw_row(level->simd, &draws, count, out);
}

/* Row y of `from`: `count` columns from x - 1 on. Rows and columns wrap. */
static void load_row(const struct level *level, int32_t x, int32_t y, int32_t count, float *out)
{
    int32_t n = level->side;
    const float *row = level->from + (size_t)tw_wrap(y, n) * (size_t)n;
    out[0] = row[tw_wrap(x - 1, n)];
    out[count - 1] = row[tw_wrap(x + count - 2, n)];
    memcpy(out + 1, row + x, (size_t)(count - 2) * sizeof *out);
}

/* The diamonds below row y: loads that row and the next. */
static void make_diamonds(const struct level *level, struct displacement by, int32_t y,
                          struct strip *s, float *out)
{
    int32_t n = level->side, row = 2 * tw_wrap(y, n) + 1;
    load_row(level, s->x, y, s->count + 2, s->upper);
    load_row(level, s->x, y + 1, s->count + 2, s->lower);
    draw(level, false, 2 * tw_wrap(s->x - 1, n) + 1, row, 1, s->south_offset);
    draw(level, false, 2 * s->x + 1, row, s->count, s->south_offset + 1);
    diamonds(level->simd)(s, by, out);
}

static void refine_strip(const struct level *level, int32_t begin, int32_t end, struct strip *s)
{
    const struct displacement by = {level->amplitude, level->noise->gaussian ? 0 : 0.5f,
                                    level->noise->smoothed};
    size_t pitch = 2 * (size_t)level->side;
    make_diamonds(level, by, begin - 1, s, s->above);
    for (int32_t y = begin; y < end; y++) {
        float *even = level->to + 2 * (size_t)y * pitch + 2 * (size_t)s->x;
        make_diamonds(level, by, y, s, s->below);
        draw(level, true, 2 * s->x + 1, 2 * y, s->count, s->east_offset);
        draw(level, true, 2 * s->x, 2 * y + 1, s->count, s->south_offset);
        squares(level->simd)(s, by, even, even + pitch);
        memcpy(s->above, s->below, (size_t)(s->count + 1) * sizeof *s->above);
    }
}

static void refine_rows(void *context, int32_t begin, int32_t end)
{
    const struct level *level = context;
    struct strip strip;
    for (strip.x = 0; strip.x < level->side; strip.x += STRIP) {
        int32_t rest = level->side - strip.x;
        strip.count = rest < STRIP ? rest : STRIP;
        if (tw_task_cancelled(level->task))
            return;
        refine_strip(level, begin, end, &strip);
    }
}

static void start_values(uint64_t seed, int32_t frequency, float *cells)
{
    for (int32_t y = 0; y < frequency; y++)
        for (int32_t x = 0; x < frequency; x++) {
            struct tw_random4 words = tw_random(seed, (uint32_t)x, (uint32_t)y, 0, 0);
            cells[(size_t)y * (size_t)frequency + (size_t)x] =
                frequency == 1 ? 0.5f : tw_uniform(words.at[0]);
        }
}

void tw_midpoint_forecast(struct tw_forecast *f, int32_t side, bool own_torus)
{
    uint64_t half = ((uint64_t)side + 1) / 2, whole = own_torus ? (uint64_t)side : 0;
    tw_forecast_scratch(f, half * half + whole * whole, sizeof(float));
    tw_forecast_scratch(f, (uint64_t)side, sizeof(struct tw_span)); /* to rescale the torus */
}

enum tw_status tw_midpoint_fill(struct tw_task *task, const struct tw_midpoint *noise, int32_t side,
                                float *cells)
{
    struct level level = {
        .task = task, .noise = noise, .seed = tw_task_seed(task), .simd = tw_task_simd(task)};
    size_t half = (size_t)(side + 1) / 2;
    float *other = tw_task_scratch(task, half * half, sizeof *other);
    int32_t levels = 0;
    if (!other)
        return tw_task_no_memory(task);
    while (noise->frequency << levels < side)
        levels++;
    /* the two blocks alternate so that the last level ends up in `cells` */
    float *to = levels % 2 ? other : cells;
    start_values(level.seed, noise->frequency, to);
    level.amplitude = 1;
    for (level.side = noise->frequency; level.side < side; level.side *= 2) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        level.index++;
        level.from = to;
        level.to = to = to == cells ? other : cells;
        tw_rows(task, level.side, 16, refine_rows, &level);
        level.amplitude *= noise->persistence;
    }
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    return tw_rescale(task, cells, cells, side, side, (struct tw_span){0, 1});
}
