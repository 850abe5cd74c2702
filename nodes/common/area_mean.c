/* SPDX-License-Identifier: MIT */
#include "common/area_mean.h"

/* Work is shared out in runs of cells within a row, since a coarse map may have few rows. A range
 * is worth a worker from so many cells of the fine map on. */
enum { RUN = 64, RANGE_CELLS = 1 << 13, POLLED_CELLS = 1 << 12 };

struct mean {
    struct tw_task *task;
    const float *fine;
    float *coarse;
    int32_t from_width, from_height, width, height;
    double across, down; /* cells of the fine map per cell of the coarse one */
    int32_t runs;        /* a row */
};

/* Returns how much of cell i of the fine map lies between begin and end. */
static double covered(int32_t i, double begin, double end)
{
    double first = i > begin ? i : begin, last = i + 1 < end ? i + 1 : end;
    return last - first;
}

static float mean_of(const struct mean *mean, int32_t x, int32_t y)
{
    const double across = mean->across, down = mean->down;
    double left = x * across, right = (x + 1) * across, top = y * down, bottom = (y + 1) * down;
    double sum = 0;
    for (int32_t j = (int32_t)top; j < mean->from_height && j < bottom; j++) {
        const float *row = mean->fine + (size_t)j * (size_t)mean->from_width;
        double row_sum = 0;
        if (across >= POLLED_CELLS && tw_task_cancelled(mean->task))
            return 0;
        for (int32_t i = (int32_t)left; i < mean->from_width && i < right; i++)
            row_sum += (double)row[i] * covered(i, left, right);
        sum += row_sum * covered(j, top, bottom);
    }
    return (float)(sum / (across * down));
}

static void mean_runs(void *context, int32_t begin, int32_t end)
{
    const struct mean *mean = context;
    for (int32_t run = begin; run < end; run++) {
        const bool over = tw_task_cancelled(mean->task);
        const int32_t y = run / mean->runs, first = run % mean->runs * RUN;
        const int32_t last = first + RUN < mean->width ? first + RUN : mean->width;
        for (int32_t x = first; x < last; x++)
            mean->coarse[(size_t)y * (size_t)mean->width + (size_t)x] =
                over ? 0 : mean_of(mean, x, y);
    }
}

void tw_area_mean(struct tw_task *task, const float *fine, int32_t width, int32_t height,
                  float *coarse)
{
    struct mean mean = {.task = task,
                        .fine = fine,
                        .coarse = coarse,
                        .from_width = tw_task_width(task),
                        .from_height = tw_task_height(task),
                        .width = width,
                        .height = height,
                        .runs = (width - 1) / RUN + 1};
    mean.across = (double)mean.from_width / width;
    mean.down = (double)mean.from_height / height;
    const double cells = RUN * mean.across * mean.down;
    const int32_t grain = cells < RANGE_CELLS ? (int32_t)(RANGE_CELLS / cells) : 1;
    tw_rows(task, height * mean.runs, grain, mean_runs, &mean);
}
