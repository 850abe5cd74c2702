/* SPDX-License-Identifier: MIT */
/* Diamond-square on 2^n + 1 points a side, Coats 2008, section 2.1: an offset is a share of the
 * average it is added to. His text has the same share at all levels, the code that made his figures
 * one that grows with the step; we have both. Not his code's slips: a share that lags behind, and
 * three corners instead of four at the right border. */

#include <thalweg/draws.h>
#include <thalweg/kernel.h>
#include <thalweg/rescale.h>
#include <thalweg/resolution.h>
#include <thalweg/simd.h>

#include <string.h>

enum { STEP, CONSTANT };
enum { STRIP = 512 };

struct params {
    float roughness; /* stochastic parameter */
    int32_t amplitude;
    bool rescale;
    int32_t side;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(
        struct params, roughness, 0.2, 0, 1, TW_UNIT_SHARE,
        "range of an offset as a share of the average, a cell of half step if amplitude is step"),
    TW_PARAM_ENUM(struct params, amplitude, STEP, "step|constant",
                  "roughness times the half step in cells, as his code, or alone, as his text"),
    TW_PARAM_BOOL(struct params, rescale, 0, "rescale to 0..1"),
    TW_PARAM_SIDE(struct params, "roughness and amplitude step are"),
    TW_PARAM_END,
};

enum { OUT };
static const struct tw_port outputs[] = {
    {"out", TW_HEIGHTMAP, 0, "the terrain, of either sign"},
    TW_PORT_END,
};

/* From a grid of n + 1 points a side to one of 2n + 1. */
struct level {
    struct tw_task *task;
    uint64_t seed;
    enum tw_simd simd;
    const float *from;
    float *to;
    int32_t n;
    float share;    /* S */
    uint32_t index; /* from 1 on */
};

/* Squares of one row, with the points around them; entry i + 1 of a diamond row is right of point
 * i. Diamonds outside the map are 0, and the average then is that of three. */
struct strip {
    int32_t x, count;           /* points x to x + count - 1; there is one further to the right */
    const float *upper, *lower; /* rows y and y + 1, from point x on */
    float above[STRIP + 1], below[STRIP + 1]; /* diamonds at y - 1/2 and y + 1/2 */
    float draws[STRIP + 1];
};

static TW_INLINE float displace(float average, float share, float draw)
{
    return average * (1.0f + share * (draw - 0.5f));
}

static TW_INLINE void diamonds_body(const float *upper, const float *lower, const float *draws,
                                    float share, int32_t count, float *restrict out)
{
    for (int32_t i = 0; i < count; i++) {
        float sum = upper[i] + upper[i + 1] + lower[i] + lower[i + 1];
        out[i] = displace(sum / 4.0f, share, draws[i]);
    }
}
TW_SIMD_KERNEL(diamonds,
               (const float *upper, const float *lower, const float *draws, float share,
                int32_t count, float *restrict out),
               (upper, lower, draws, share, count, out))

/* Points of an even row of the finer grid: what is known, and the middle of each edge to the right.
 */
static TW_INLINE void even_body(const struct strip *s, float neighbours, float share,
                                float *restrict out)
{
    for (int32_t i = 0; i < s->count; i++) {
        float sum = s->above[i + 1] + s->upper[i] + s->upper[i + 1] + s->below[i + 1];
        out[2 * i] = s->upper[i];
        out[2 * i + 1] = displace(sum / neighbours, share, s->draws[i]);
    }
}
TW_SIMD_KERNEL(even, (const struct strip *s, float neighbours, float share, float *restrict out),
               (s, neighbours, share, out))

/* Points of an odd row: the middle of each edge down, and diamonds. */
static TW_INLINE void odd_body(const struct strip *s, float share, float *restrict out)
{
    for (int32_t i = 0; i < s->count; i++) {
        float sum = s->upper[i] + s->below[i] + s->below[i + 1] + s->lower[i];
        out[2 * i] = displace(sum / (s->x + i > 0 ? 4.0f : 3.0f), share, s->draws[i]);
        out[2 * i + 1] = s->below[i + 1];
    }
}
TW_SIMD_KERNEL(odd, (const struct strip *s, float share, float *restrict out), (s, share, out))

/* Addressed by the point's place in the finer grid, from column x on every second one. */
static void draw(const struct level *level, bool square, int32_t x, int32_t y, int32_t count,
                 float *out)
{
    const struct tw_draws draws = {level->seed, (uint32_t)x, 2, (uint32_t)y,
                                   level->index * 2 + square};
    tw_draw_row(level->simd, &draws, count, out);
}

static const float *row_of(const struct level *level, int32_t y)
{
    return level->from + (size_t)y * (size_t)(level->n + 1);
}

/* The diamonds below row y, with the one left of the strip; 0 outside the map. */
static void make_diamonds(const struct level *level, int32_t y, struct strip *s, float *out)
{
    int32_t left = s->x > 0, x = s->x - left, count = s->count + left;
    out[0] = 0;
    if (y < 0 || y >= level->n) {
        memset(out, 0, (size_t)(s->count + 1) * sizeof *out);
        return;
    }
    draw(level, false, 2 * x + 1, 2 * y + 1, count, s->draws);
    diamonds(level->simd)(row_of(level, y) + x, row_of(level, y + 1) + x, s->draws, level->share,
                          count, out + 1 - left);
}

/* The rightmost point of the odd row: three neighbours. */
static void close_row(const struct level *level, int32_t y, const struct strip *s, float *odd_row)
{
    int32_t n = level->n;
    float word, sum = row_of(level, y)[n] + s->below[s->count] + row_of(level, y + 1)[n];
    draw(level, true, 2 * n, 2 * y + 1, 1, &word);
    odd_row[2 * n] = displace(sum / 3.0f, level->share, word);
}

static void refine_row(const struct level *level, int32_t y, struct strip *s)
{
    int32_t n = level->n;
    bool inside = y > 0 && y < n, last = s->x + s->count == n;
    size_t pitch = 2 * (size_t)n + 1;
    float *even_row = level->to + 2 * (size_t)y * pitch, *odd_row = even_row + pitch;
    s->upper = row_of(level, y) + s->x;
    draw(level, true, 2 * s->x + 1, 2 * y, s->count, s->draws);
    even(level->simd)(s, inside ? 4.0f : 3.0f, level->share, even_row + 2 * s->x);
    if (last)
        even_row[2 * n] = row_of(level, y)[n];
    if (y == n)
        return;
    s->lower = row_of(level, y + 1) + s->x;
    draw(level, true, 2 * s->x, 2 * y + 1, s->count, s->draws);
    odd(level->simd)(s, level->share, odd_row + 2 * s->x);
    if (last)
        close_row(level, y, s, odd_row);
}

static void refine_rows(void *context, int32_t begin, int32_t end)
{
    const struct level *level = context;
    struct strip s;
    for (s.x = 0; s.x < level->n && !tw_task_cancelled(level->task); s.x += s.count) {
        s.count = level->n < STRIP ? level->n : STRIP; /* both are powers of two */
        make_diamonds(level, begin - 1, &s, s.above);
        for (int32_t y = begin; y < end; y++) {
            make_diamonds(level, y, &s, s.below);
            refine_row(level, y, &s);
            memcpy(s.above, s.below, (size_t)(s.count + 1) * sizeof *s.above);
        }
    }
}

static void set_corners(const struct tw_task *task, float *corners)
{
    for (uint32_t i = 0; i < 4; i++) {
        struct tw_random4 words = tw_random(tw_task_seed(task), i % 2, i / 2, 0, 0);
        corners[i] = tw_uniform(words.at[0]) - 0.5f;
    }
}

/* Fills side + 1 points a side; `other` holds half as many squares a side. */
static enum tw_status fill(struct tw_task *task, int32_t side, float *points, float *other)
{
    const struct params *p = tw_task_params(task);
    int32_t levels = 0;
    while (1 << levels < side)
        levels++;
    float *to = levels % 2 ? other : points;
    float cell = (float)(1 / tw_resolution_scale(task, p->side)); /* in cells of that map */
    struct level level = {.task = task, .seed = tw_task_seed(task), .simd = tw_task_simd(task)};
    set_corners(task, to);
    for (level.n = 1; level.n < side; level.n *= 2) {
        level.index++;
        level.from = to;
        level.to = to = to == points ? other : points;
        level.share =
            p->roughness * (p->amplitude == STEP ? (float)(side / level.n / 2) * cell : 1.0f);
        tw_rows(task, level.n + 1, 16, refine_rows, &level);
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
    }
    return TW_OK;
}

static int32_t side_of(int32_t width, int32_t height)
{
    int32_t side = 2;
    while (side + 1 < width || side + 1 < height)
        side *= 2;
    return side;
}

static enum tw_status run(struct tw_task *task)
{
    struct tw_value *out = tw_task_output(task, OUT);
    int32_t width = out->width, height = out->height, side = side_of(width, height);
    size_t pitch = (size_t)side + 1, half = (size_t)side / 2 + 1;
    float *points = tw_task_scratch(task, pitch * pitch, sizeof *points);
    float *other = tw_task_scratch(task, half * half, sizeof *other);
    if (!points || !other)
        return tw_task_no_memory(task);
    enum tw_status status = fill(task, side, points, other);
    if (status != TW_OK)
        return status;
    for (int32_t y = 0; y < height; y++)
        memcpy(tw_floats(out) + (size_t)y * (size_t)width, points + (size_t)y * pitch,
               (size_t)width * sizeof(float));
    if (!((const struct params *)tw_task_params(task))->rescale)
        return TW_OK;
    return tw_rescale(task, tw_floats(out), tw_floats(out), width, height, (struct tw_span){0, 1});
}

static void forecast(struct tw_forecast *f)
{
    const struct params *p = f->params;
    uint64_t side = (uint64_t)side_of(f->width, f->height), half = side / 2 + 1;
    tw_forecast_scratch(f, (side + 1) * (side + 1) + half * half, sizeof(float));
    if (p->rescale)
        tw_rescale_forecast(f);
}

extern const struct tw_node_type tw_node_noise_diamond_square;
const struct tw_node_type tw_node_noise_diamond_square = {
    .name = "noise.diamond_square",
    .version = 1,
    .summary = "diamond-square with offsets proportional to the height",
    .keywords = "fractal, plasma, fractal mountains, clouds, midpoint, random hills",
    .detail =
        "Makes the jagged terrain of a published diamond-square whose offsets grow with the "
        "height. Use it to reproduce that method; choose noise.midpoint for the usual one, and "
        "noise.perlin for terrain of any size without lines.\n"
        "First the corners are u - 1/2, with u uniform in 0..1. Then on every level the centres "
        "of squares follow, from 4 corners, and the middles of edges, from 3 or 4 neighbours:\n"
        "    average (1 + S (u - 1/2)).\n"
        "amplitude: with step, S is roughness times the half step in cells; with constant, S is "
        "roughness, which gives a dull tilted sheet. Heights are of either sign and, with step, "
        "large; rescale brings them to 0..1.\n"
        "The side is the least 2^n + 1 that covers the map, which is its upper left part. "
        "Borders do not wrap. Sizes between the powers of two show a part of the next larger "
        "one.\n"
        "The half step in cells doubles with the size, and so does S on every level: other "
        "terrain. With `side` cells are those of a map of that width, and a map twice as fine "
        "shows the same terrain in more detail.\n"
        "The middles of edges take the S of the centres of their level. The code of 2008 queues "
        "them with half of its step, so half of S, which makes edges smoother than centres; its "
        "text has one share for both.\n"
        "Rows and columns through the points of coarse levels show in low light, which comes "
        "with the method. shape.perturb bends them.",
    .cite = "coats2008 fournier1982",
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "land: {type: noise.diamond_square, rescale: true}",
    .random = true,
    .reach = TW_REACH_ALL,
    .run = run,
    .forecast = forecast,
    .wraps = tw_never_wraps,
};
