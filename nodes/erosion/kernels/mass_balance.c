/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/mass_balance.h"

#include <thalweg/kernel.h>
#include <thalweg/masks.h>

#include <string.h>

enum { LANES = 8 };
enum { DEPOSITED = 1, LEDGER }; /* from the port of eroded on */

double tw_mass_balance_sum(const struct tw_task *task, const float *map)
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

/* Whether anything uses one of the three outputs. */
static bool is_used(const struct tw_scratch *s, int port)
{
    return tw_scratch_wants(s, port) || tw_scratch_wants(s, port + DEPOSITED) ||
           tw_scratch_wants(s, port + LEDGER);
}

bool tw_mass_balance_lay_out(struct tw_scratch *s, bool masked, int port, float **before)
{
    *before = masked || is_used(s, port) ? tw_scratch_output(s, port) : NULL;
    return tw_scratch_is_laid(s);
}

struct maps {
    const float *before, *after;
    const float *mask;               /* may be NULL */
    float *out, *eroded, *deposited; /* the last two: NULL when not used */
    int32_t width;
    size_t stride;                /* of after */
    struct tw_mass_balance *rows; /* NULL: no ledger */
};

static void store_cells(const struct maps *m, size_t first, const float *after, int32_t count,
                        double down[LANES], double up[LANES])
{
    float spare[LANES];
    float *eroded = m->eroded ? m->eroded + first : spare;
    float *deposited = m->deposited ? m->deposited + first : spare;
    for (int32_t i = 0; i < count; i++) {
        size_t at = first + (size_t)i;
        float height = m->mask ? tw_strength_blend(m->before[at], after[i], m->mask[at]) : after[i];
        float change = height - m->before[at];
        float loss = tw_max(-change, 0), gain = tw_max(change, 0);
        m->out[at] = height;
        eroded[i] = loss;
        deposited[i] = gain;
        down[i] += (double)loss;
        up[i] += (double)gain;
    }
}

/* Sums run in lanes of fixed order. */
static struct tw_mass_balance store_row(const struct maps *m, size_t y)
{
    double down[LANES] = {0}, up[LANES] = {0};
    struct tw_mass_balance sums = {0};
    size_t first = y * (size_t)m->width;
    const float *after = m->after + y * m->stride;
    int32_t x = 0;
    for (; x + LANES <= m->width; x += LANES)
        store_cells(m, first + (size_t)x, after + x, LANES, down, up);
    store_cells(m, first + (size_t)x, after + x, m->width - x, down, up);
    for (int k = 0; k < LANES; k++) {
        sums.eroded += down[k];
        sums.deposited += up[k];
    }
    return sums;
}

static void store_rows(void *context, int32_t begin, int32_t end)
{
    const struct maps *m = context;
    for (int32_t y = begin; y < end; y++) {
        struct tw_mass_balance row = store_row(m, (size_t)y);
        if (m->rows)
            m->rows[y] = row;
    }
}

static void copy_rows(void *context, int32_t begin, int32_t end)
{
    const struct maps *m = context;
    for (int32_t y = begin; y < end; y++)
        memcpy(m->out + (size_t)y * (size_t)m->width, m->after + (size_t)y * m->stride,
               (size_t)m->width * sizeof *m->out);
}

enum tw_status tw_mass_balance_store(struct tw_task *task, const float *before, const float *after,
                                     size_t stride, const struct tw_value *mask, int port,
                                     struct tw_mass_balance *sums)
{
    int32_t height = tw_task_height(task);
    struct maps m = {.before = before,
                     .after = after,
                     .mask = mask ? tw_floats(mask) : NULL,
                     .out = tw_floats(tw_task_output(task, 0)),
                     .eroded = tw_floats(tw_task_output(task, port)),
                     .deposited = tw_floats(tw_task_output(task, port + 1)),
                     .width = tw_task_width(task),
                     .stride = stride};
    bool summed = tw_task_wants(task, port + LEDGER);
    *sums = (struct tw_mass_balance){0};
    if (!mask && !is_used(&(struct tw_scratch){.task = task}, port)) {
        if (after != m.out)
            tw_rows(task, height, 16, copy_rows, &m);
        return TW_OK;
    }
    m.rows = summed ? tw_task_scratch(task, (size_t)height, sizeof *m.rows) : NULL;
    if (summed && !m.rows)
        return tw_task_no_memory(task);
    tw_rows(task, height, 16, store_rows, &m);
    for (int32_t y = 0; summed && y < height; y++) {
        sums->eroded += m.rows[y].eroded;
        sums->deposited += m.rows[y].deposited;
    }
    return TW_OK;
}

static enum tw_status store_with_ledger(struct tw_task *task, const float *before,
                                        const float *after, size_t stride,
                                        const struct tw_value *mask, int port)
{
    struct tw_mass_balance sums = {0};
    enum tw_status status = tw_mass_balance_store(task, before, after, stride, mask, port, &sums);
    if (status != TW_OK || !tw_task_wants(task, port + LEDGER))
        return status;
    status = tw_task_list(task, port + LEDGER, 2);
    if (status != TW_OK)
        return status;
    tw_record_set(tw_task_output(task, port + LEDGER), 0, "eroded", sums.eroded);
    tw_record_set(tw_task_output(task, port + LEDGER), 1, "deposited", sums.deposited);
    return TW_OK;
}

enum tw_status tw_mass_balance_finish(struct tw_task *task, const float *after, size_t stride,
                                      const struct tw_value *mask, int port)
{
    const float *before = tw_floats(tw_task_input(task, 0));
    return store_with_ledger(task, before, after, stride, mask, port);
}

enum tw_status tw_mass_balance_begin(struct tw_task *task, const struct tw_value *mask, int port,
                                     float **before)
{
    const struct tw_value *in = tw_task_input(task, 0);
    if (!tw_mass_balance_lay_out(&(struct tw_scratch){.task = task}, mask, port, before))
        return tw_task_no_memory(task);
    if (*before)
        memcpy(*before, in->data, tw_value_count(in) * sizeof **before);
    return TW_OK;
}

enum tw_status tw_mass_balance_end(struct tw_task *task, const float *before,
                                   const struct tw_value *mask, int port)
{
    const float *out = tw_floats(tw_task_output(task, 0));
    return store_with_ledger(task, before, out, (size_t)tw_task_width(task), mask, port);
}

void tw_mass_balance_in_place_forecast(struct tw_forecast *f, bool masked, int port)
{
    float *before;
    tw_mass_balance_lay_out(&(struct tw_scratch){.forecast = f}, masked, port, &before);
    tw_mass_balance_forecast(f);
}

void tw_mass_balance_forecast(struct tw_forecast *f)
{
    struct maps m;
    tw_forecast_scratch(f, (uint64_t)f->height, sizeof *m.rows);
}
