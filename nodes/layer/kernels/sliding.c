/* SPDX-License-Identifier: MIT */
#include "layer/kernels/sliding.h"

#include <thalweg/kernel.h>

#include <string.h>

enum { DIGIT_BITS = 11, DIGITS = 3, BUCKETS = 1 << DIGIT_BITS, POLL = 1 << 16 };

static const double lengths[8] = {1.4142135623730951, 1, 1.4142135623730951, 1, 1,
                                  1.4142135623730951, 1, 1.4142135623730951};

bool tw_sliding_lay_out(struct tw_scratch *s, struct tw_sliding_order *order)
{
    order->cells = tw_scratch_maps(s, 1, sizeof *order->cells);
    order->spare = tw_scratch_maps(s, 1, sizeof *order->spare);
    return tw_scratch_is_laid(s);
}

static double top_of(const struct tw_sliding *s, int32_t cell)
{
    return (double)s->rock[cell] + s->loose[cell];
}

static void key_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_sliding *s = context;
    for (int32_t i = begin * s->width; i < end * s->width; i++)
        s->order.cells[i] = (uint64_t)~tw_float_key((float)top_of(s, i)) << 32 | (uint32_t)i;
}

static uint32_t digit_of(uint64_t cell, int digit)
{
    return (uint32_t)(cell >> (32 + digit * DIGIT_BITS)) & (BUCKETS - 1);
}

static void count_digits(const uint64_t *cells, int32_t count, int32_t first[DIGITS][BUCKETS])
{
    memset(first, 0, sizeof(int32_t[DIGITS][BUCKETS]));
    for (int32_t i = 0; i < count; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            first[digit][digit_of(cells[i], digit)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        int32_t sum = 0;
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            int32_t here = first[digit][bucket];
            first[digit][bucket] = sum;
            sum += here;
        }
    }
}

/* Sorts cells by falling surface, as float32, with a stable radix sort: ties keep reading order. */
static void sort(struct tw_task *task, struct tw_sliding *s)
{
    int32_t first[DIGITS][BUCKETS], count = s->width * s->height;
    tw_rows(task, s->height, 64, key_rows, s);
    count_digits(s->order.cells, count, first);
    for (int digit = 0; digit < DIGITS && !tw_task_cancelled(task); digit++) {
        uint64_t *from = s->order.cells, *to = s->order.spare;
        for (int32_t i = 0; i < count; i++)
            to[first[digit][digit_of(from[i], digit)]++] = from[i];
        s->order.cells = to;
        s->order.spare = from;
    }
}

/* Returns the cell at x, y; -1 beyond a border. */
static int32_t cell_at(const struct tw_sliding *s, int32_t x, int32_t y)
{
    if (s->wraps)
        return tw_wrap(y, s->height) * s->width + tw_wrap(x, s->width);
    const bool inside = x >= 0 && x < s->width && y >= 0 && y < s->height;
    return inside ? y * s->width + x : -1;
}

/* Writes the neighbours of a cell, in reading order; -1 beyond a border. */
static void find_around(const struct tw_sliding *s, int32_t cell, int32_t around[8])
{
    const int32_t x = cell % s->width, y = cell / s->width;
    const bool inner = x > 0 && x + 1 < s->width && y > 0 && y + 1 < s->height;
    for (int32_t i = 0; i < 8; i++) {
        const int32_t place = i < 4 ? i : i + 1, dx = place % 3 - 1, dy = place / 3 - 1;
        around[i] = inner ? cell + dy * s->width + dx : cell_at(s, x + dx, y + dy);
    }
}

/* Lets a cell lose m = min(free, e* / (1 + e* / E)), where e_j are the drops to its neighbours
 * beyond repose, E their sum and e* the greatest; neighbour j gains m e_j / E. A cell that loses
 * all of m comes to rest towards its steepest neighbour. */
static void let_slide(struct tw_sliding *s, int32_t cell)
{
    int32_t around[8];
    double excess[8], sum = 0, greatest = 0, top = top_of(s, cell);
    const double held = s->keep ? (double)tw_max(s->keep[cell], 0) : 0;
    const double free = s->loose[cell] - held;
    if (!(free > 0))
        return;
    find_around(s, cell, around);
    for (int i = 0; i < 8; i++) {
        double e = around[i] < 0 ? 0 : top - top_of(s, around[i]) - s->rise * lengths[i];
        excess[i] = e > 0 ? e : 0;
        sum += excess[i];
        greatest = excess[i] > greatest ? excess[i] : greatest;
    }
    if (!(sum > 0))
        return;
    const double level = greatest / (1 + greatest / sum), moved = free < level ? free : level;
    s->loose[cell] = free < level ? held : s->loose[cell] - moved;
    for (int i = 0; i < 8; i++)
        if (excess[i] > 0)
            s->loose[around[i]] += moved * (excess[i] / sum);
}

enum tw_status tw_sliding_sweep(struct tw_task *task, struct tw_sliding *s)
{
    const int32_t count = s->width * s->height;
    sort(task, s);
    for (int32_t i = 0; i < count; i++) {
        if (i % POLL == 0 && tw_task_cancelled(task))
            return TW_CANCELLED;
        let_slide(s, (int32_t)(uint32_t)s->order.cells[i]);
    }
    return TW_OK;
}

static bool falls_too_steeply(const struct tw_sliding *s, int32_t cell)
{
    int32_t around[8];
    find_around(s, cell, around);
    for (int i = 0; i < 8; i++)
        if (around[i] >= 0 && top_of(s, cell) - top_of(s, around[i]) > 1.03 * s->rise * lengths[i])
            return true;
    return false;
}

double tw_sliding_over(const struct tw_sliding *s)
{
    int64_t loose = 0, over = 0;
    for (int32_t i = 0; i < s->width * s->height; i++) {
        const double held = s->keep ? (double)tw_max(s->keep[i], 0) : 0;
        if (s->loose[i] - held <= 1e-3 * s->rise)
            continue;
        loose++;
        over += falls_too_steeply(s, i);
    }
    return loose > 0 ? (double)over / (double)loose : 0;
}

double tw_sliding_sum(const double *loose, int32_t width, int32_t height)
{
    double sum = 0;
    for (int32_t y = 0; y < height; y++) {
        double row = 0;
        for (int32_t x = 0; x < width; x++)
            row += *loose++;
        sum += row;
    }
    return sum;
}
