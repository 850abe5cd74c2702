/* SPDX-License-Identifier: MIT */
#include "layer/kernels/lattice.h"
#include "common/area_mean.h"

#include <thalweg/kernel.h>
#include <thalweg/part.h>

enum { TAPS = 4, ROWS = 8 };

struct bringing {
    const struct tw_grid *from, *to;
    bool wraps;
};

/* Four cells of a row or column, and their weights. */
struct taps {
    int32_t at[TAPS];
    double weight[TAPS];
};

static struct taps taps_of(int32_t i, int32_t from, int32_t to, bool wraps)
{
    const double at = ((double)i + 0.5) * from / to - 0.5;
    int32_t cell = (int32_t)at;
    cell -= (double)cell > at;
    const double t = at - cell, s = 1 - t;
    struct taps taps = {.weight = {-0.5 * t * s * s, 1 + t * t * (1.5 * t - 2.5),
                                   1 + s * s * (1.5 * s - 2.5), -0.5 * s * t * t}};
    for (int32_t k = 0; k < TAPS; k++) {
        const int32_t tap = cell - 1 + k;
        taps.at[k] = wraps ? tw_wrap(tap, from) : tw_clamp_index(tap, from);
    }
    return taps;
}

static void bring_rows(void *context, int32_t begin, int32_t end)
{
    const struct bringing *b = context;
    const struct tw_grid *from = b->from, *to = b->to;
    for (int32_t y = begin; y < end; y++) {
        const struct taps down = taps_of(y, from->height, to->height, b->wraps);
        for (int32_t x = 0; x < to->width; x++) {
            const struct taps across = taps_of(x, from->width, to->width, b->wraps);
            double sum = 0;
            for (int j = 0; j < TAPS; j++) {
                const float *row = from->cells + (size_t)down.at[j] * (size_t)from->width;
                double row_sum = 0;
                for (int i = 0; i < TAPS; i++)
                    row_sum += across.weight[i] * (double)row[across.at[i]];
                sum += down.weight[j] * row_sum;
            }
            to->cells[(size_t)y * (size_t)to->width + (size_t)x] = (float)sum;
        }
    }
}

static enum tw_status average(struct tw_task *task, void *context)
{
    const struct bringing *b = context;
    tw_area_mean(task, b->from->cells, b->to->width, b->to->height, b->to->cells);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

enum tw_status tw_lattice_bring(struct tw_task *task, const struct tw_grid *from,
                                const struct tw_grid *to, bool wraps)
{
    struct bringing b = {from, to, wraps};
    const struct tw_task_span span = {from->width, from->height, 0, 0};
    if (to->width <= from->width && to->height <= from->height)
        return tw_task_part(task, &span, average, &b);
    tw_rows(task, to->height, ROWS, bring_rows, &b);
    return tw_task_cancelled(task) ? TW_CANCELLED : TW_OK;
}

/* Returns what a cell passes to another, below 0 what it gets. */
static float flux(const struct tw_sand_settling *s, size_t from, size_t to)
{
    const float drop = (s->rock[from] + s->sand[from]) - (s->rock[to] + s->sand[to]);
    return tw_clamp(0.15f * drop, -0.2f * s->sand[to], 0.2f * s->sand[from]);
}

static void settle_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_sand_settling *s = context;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < s->width; x++) {
            const int32_t xs[4] = {x, x - 1, x + 1, x}, ys[4] = {y - 1, y, y, y + 1};
            const size_t cell = (size_t)y * (size_t)s->width + (size_t)x;
            float sand = s->sand[cell];
            for (int i = 0; i < 4; i++) {
                const int32_t nx = tw_wrap(xs[i], s->width), ny = tw_wrap(ys[i], s->height);
                if (s->wraps || (nx == xs[i] && ny == ys[i]))
                    sand -= flux(s, cell, (size_t)ny * (size_t)s->width + (size_t)nx);
            }
            s->next[cell] = sand;
        }
}

void tw_lattice_settle(struct tw_task *task, struct tw_sand_settling *s, int32_t passes)
{
    for (int32_t i = 0; i < passes; i++) {
        float *before = s->sand;
        tw_rows(task, s->height, ROWS, settle_rows, s);
        s->sand = s->next;
        s->next = before;
    }
}
