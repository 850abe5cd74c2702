/* SPDX-License-Identifier: MIT */
#include "common/moved.h"

#include <thalweg/kernel.h>

enum { LANES = 8 };

double tw_moved_sum(const struct tw_task *task, const float *map)
{
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    double sum = 0;
    for (int32_t y = 0; y < height; y++) {
        double row = 0;
        for (int32_t x = 0; x < width; x++)
            row += (double)*map++;
        sum += row;
    }
    return sum;
}

struct maps {
    const float *before, *after;
    float *eroded, *deposited;
    int32_t width;
    struct tw_moved *rows;
};

static void compare_cells(const struct maps *m, size_t first, int32_t count, double down[LANES],
                          double up[LANES])
{
    const float *before = m->before + first, *after = m->after + first;
    for (int32_t i = 0; i < count; i++) {
        float change = after[i] - before[i];
        float lost = tw_max(-change, 0), gained = tw_max(change, 0);
        m->eroded[first + (size_t)i] = lost;
        m->deposited[first + (size_t)i] = gained;
        down[i] += (double)lost;
        up[i] += (double)gained;
    }
}

/* Sums run in lanes of fixed order. */
static struct tw_moved compare_row(const struct maps *m, size_t first)
{
    double down[LANES] = {0}, up[LANES] = {0};
    struct tw_moved sums = {0};
    int32_t x = 0;
    for (; x + LANES <= m->width; x += LANES)
        compare_cells(m, first + (size_t)x, LANES, down, up);
    compare_cells(m, first + (size_t)x, m->width - x, down, up);
    for (int k = 0; k < LANES; k++) {
        sums.eroded += down[k];
        sums.deposited += up[k];
    }
    return sums;
}

static void compare_rows(void *context, int32_t begin, int32_t end)
{
    const struct maps *m = context;
    for (int32_t y = begin; y < end; y++)
        m->rows[y] = compare_row(m, (size_t)y * (size_t)m->width);
}

enum tw_status tw_moved_maps(struct tw_task *task, const float *before, const float *after,
                             float *eroded, float *deposited, struct tw_moved *sums)
{
    int32_t height = tw_task_height(task);
    struct maps m = {before,
                     after,
                     eroded,
                     deposited,
                     tw_task_width(task),
                     tw_task_scratch(task, (size_t)height, sizeof *m.rows)};
    if (!m.rows)
        return tw_task_no_memory(task);
    tw_rows(task, height, 16, compare_rows, &m);
    *sums = (struct tw_moved){0};
    for (int32_t y = 0; y < height; y++) {
        sums->eroded += m.rows[y].eroded;
        sums->deposited += m.rows[y].deposited;
    }
    return TW_OK;
}
