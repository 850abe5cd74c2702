/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/coast/fetch.h"

#include <thalweg/kernel.h>

enum { DIRECTIONS = 16, NEAR = 3, STEPS = 4096 /* of the percentile */ };
#define INLAND (-1.0f) /* no shore; in `work` */
#define LEAST 0.15     /* weight of waves from the side */
#define MOST 0.95      /* share of the shore that is not more exposed than 1 */

struct shores {
    const struct tw_task *task;
    const struct tw_fetch *fetch;
    float *raw, *out;
    double east[DIRECTIONS], south[DIRECTIONS], weight[DIRECTIONS];
};

/* Beyond a closed border the map's edge repeats. */
static int32_t along(int32_t at, int32_t size, bool wrap)
{
    if (wrap)
        return tw_wrap(at, size);
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

static bool is_sea(const struct tw_fetch *f, int32_t x, int32_t y)
{
    return !(f->ahead[along(y, f->height, f->wrap) * f->width + along(x, f->width, f->wrap)] > 0);
}

static bool is_shore(const struct tw_fetch *f, int32_t x, int32_t y)
{
    bool land = false;
    if (!is_sea(f, x, y))
        return false;
    for (int k = 0; k < 9; k++)
        land |= !is_sea(f, x + k % 3 - 1, y + k / 3 - 1);
    return land;
}

static int32_t floor_of(double v)
{
    const int32_t i = (int32_t)v;
    return (double)i > v ? i - 1 : i;
}

/* Open water over the reach, 0..1. */
static double open_share(const struct shores *s, int32_t x, int32_t y, int direction)
{
    const int32_t steps = floor_of(s->fetch->reach) + 1;
    for (int32_t k = 1; k <= steps; k++) {
        const int32_t dx = floor_of(0.5 + s->east[direction] * k);
        const int32_t dy = floor_of(0.5 + s->south[direction] * k);
        if (!is_sea(s->fetch, x + dx, y + dy))
            return (double)(k - 1) / steps;
    }
    return 1;
}

static void raw_rows(void *context, int32_t begin, int32_t end)
{
    const struct shores *s = context;
    const struct tw_fetch *f = s->fetch;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < f->width && !tw_task_cancelled(s->task); x++) {
            double sum = 0, weights = 0;
            float *to = &s->raw[y * f->width + x];
            *to = INLAND;
            if (!is_shore(f, x, y))
                continue;
            for (int i = 0; i < DIRECTIONS; i++) {
                sum += s->weight[i] > 0 ? s->weight[i] * open_share(s, x, y, i) : 0;
                weights += s->weight[i];
            }
            *to = (float)(sum / weights);
        }
}

static double mean_near(const struct shores *s, int32_t x, int32_t y)
{
    const struct tw_fetch *f = s->fetch;
    double sum = 0;
    int32_t count = 0;
    for (int32_t j = y - NEAR; j <= y + NEAR; j++)
        for (int32_t i = x - NEAR; i <= x + NEAR; i++) {
            const float raw =
                s->raw[along(j, f->height, f->wrap) * f->width + along(i, f->width, f->wrap)];
            sum += raw > INLAND ? (double)raw : 0;
            count += raw > INLAND;
        }
    return sum / count;
}

static void mean_rows(void *context, int32_t begin, int32_t end)
{
    const struct shores *s = context;
    const int32_t w = s->fetch->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < w; x++)
            s->out[y * w + x] = s->raw[y * w + x] > INLAND ? (float)mean_near(s, x, y) : 0;
}

/* Divides by the percentile, found to a step. */
static void scale(const struct shores *s)
{
    const int32_t cells = s->fetch->width * s->fetch->height;
    int32_t counts[STEPS + 1] = {0}, shores = 0, below = 0, step = 0;
    for (int32_t i = 0; i < cells; i++)
        if (s->raw[i] > INLAND) {
            counts[(int32_t)(s->out[i] * STEPS)]++;
            shores++;
        }
    while (step < STEPS && below + counts[step] < MOST * shores)
        below += counts[step++];
    const float most = (float)(step + 1) / STEPS;
    for (int32_t i = 0; i < cells; i++)
        s->out[i] = tw_min(s->out[i] / most, 1);
}

enum tw_status tw_fetch_find(struct tw_task *task, const struct tw_fetch *fetch, float *work,
                             float *out)
{
    struct shores s = {.task = task, .fetch = fetch, .raw = work, .out = out};
    for (int i = 0; i < DIRECTIONS; i++) {
        const double degrees = 360.0 / DIRECTIONS * i;
        const double towards = LEAST + tw_cos_degrees(degrees - fetch->azimuth);
        s.east[i] = tw_sin_degrees(degrees);
        s.south[i] = -tw_cos_degrees(degrees);
        s.weight[i] = towards > 0 ? towards : 0;
    }
    tw_rows(task, fetch->height, 4, raw_rows, &s);
    if (tw_task_cancelled(task))
        return TW_CANCELLED;
    tw_rows(task, fetch->height, 4, mean_rows, &s);
    scale(&s);
    return TW_OK;
}
