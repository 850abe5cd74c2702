/* SPDX-License-Identifier: MIT */
/* Means are taken in double, where two heights that differ as floats stay different; water and
 * summits, which only compare heights, get their ranks. */
#include "measure/kernels/reference_cells.h"

#include <float.h>

struct means {
    const struct tw_reference_input *input;
    struct tw_reference_cells *r;
    uint8_t *counts;
};

static double mean_at(const struct tw_reference_input *input, const float *map, int32_t x,
                      int32_t y)
{
    const int32_t f = input->factor;
    const float *row =
        map + (size_t)y * (size_t)f * (size_t)input->in_width + (size_t)x * (size_t)f;
    double sum = 0;
    for (int32_t j = 0; j < f; j++, row += input->in_width)
        for (int32_t i = 0; i < f; i++)
            sum += (double)row[i];
    return sum / ((double)f * f);
}

static void mean_rows(void *context, int32_t begin, int32_t end)
{
    const struct means *m = context;
    const int32_t width = m->r->width;
    for (int32_t y = begin; y < end; y++)
        for (int32_t x = 0; x < width; x++) {
            const size_t i = (size_t)y * (size_t)width + (size_t)x;
            m->r->z[i] = mean_at(m->input, m->input->in, x, y);
            if (m->counts)
                m->counts[i] = mean_at(m->input, m->input->mask, x, y) >= 0.5;
        }
}

static void find_relief(struct tw_reference_cells *r)
{
    double low = DBL_MAX, high = -DBL_MAX;
    for (int32_t i = 0; i < r->cells; i++) {
        if (!tw_reference_counts(r, i))
            continue;
        low = r->z[i] < low ? r->z[i] : low;
        high = r->z[i] > high ? r->z[i] : high;
        r->count++;
    }
    r->relief = high > low ? high - low : 0;
}

static enum tw_status rank_means(struct tw_task *task, struct tw_reference_cells *r)
{
    float *ranks = tw_task_scratch(task, (size_t)r->cells, sizeof *ranks);
    double *sorted = tw_task_scratch(task, (size_t)r->cells, sizeof *sorted);
    if (!ranks || !sorted)
        return tw_task_no_memory(task);
    r->rank = ranks;
    r->of_rank = sorted;
    return tw_ranks_find(task, r->z, r->cells, ranks, sorted);
}

enum tw_status tw_reference_cells_init(struct tw_task *task, const struct tw_reference_input *input,
                                       struct tw_reference_cells *r)
{
    struct means means = {.input = input, .r = r};
    *r = (struct tw_reference_cells){.width = tw_task_width(task),
                                     .height = tw_task_height(task),
                                     .wrap = input->wrap,
                                     .rank = input->in};
    r->cells = r->width * r->height;
    r->z = tw_task_scratch(task, (size_t)r->cells, sizeof *r->z);
    if (input->mask)
        r->counts = means.counts = tw_task_scratch(task, (size_t)r->cells, sizeof *r->counts);
    if (!r->z || (input->mask && !r->counts))
        return tw_task_no_memory(task);
    tw_rows(task, r->height, 32, mean_rows, &means);
    find_relief(r);
    return input->factor > 1 ? rank_means(task, r) : TW_OK;
}

size_t tw_reference_gather(const struct tw_reference_cells *r, int32_t frame, double *numbers)
{
    const int32_t off = r->wrap ? 0 : frame;
    size_t count = 0;
    for (int32_t y = off; y < r->height - off; y++)
        for (int32_t x = off; x < r->width - off; x++) {
            const int32_t cell = y * r->width + x;
            if (tw_reference_counts(r, cell))
                numbers[count++] = numbers[cell];
        }
    return count;
}

void tw_reference_cells_forecast(struct tw_forecast *f, bool masked)
{
    tw_forecast_maps(f, 1, sizeof(double));
    if (masked)
        tw_forecast_maps(f, 1, sizeof(uint8_t));
}
