/* SPDX-License-Identifier: MIT */
#include "measure/kernels/opening.h"

#include <string.h>

enum { BLOCK = 256 };

struct job {
    const uint8_t *in;
    uint8_t *out;
    int32_t width, height, size;
    bool cover;
};

/* One step of either scan: a fit counts the ones in a run, a cover what is left of a square. */
static int32_t step(bool cover, uint8_t cell, int32_t run, int32_t size)
{
    if (cover)
        return cell ? size : run - (run > 0);
    return cell ? run + (run < size) : 0;
}

static void across_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    int32_t width = job->width, size = job->size < width ? job->size : width;
    for (int32_t y = begin; y < end; y++) {
        const uint8_t *in = job->in + (size_t)y * (size_t)width;
        uint8_t *out = job->out + (size_t)y * (size_t)width;
        int32_t run = 0;
        if (job->cover) {
            for (int32_t x = width - size; x < width; x++)
                run = step(true, in[x], run, size);
            for (int32_t x = 0; x < width; x++)
                out[x] = (run = step(true, in[x], run, size)) > 0;
        } else {
            for (int32_t x = size - 1; x >= 0; x--)
                run = step(false, in[x], run, size);
            for (int32_t x = width - 1; x >= 0; x--)
                out[x] = (run = step(false, in[x], run, size)) == size;
        }
    }
}

/* One row of the scans of `count` columns side by side, in place. */
static void down_row(const struct job *job, uint8_t *cells, int32_t count, int32_t size,
                     int32_t *run, bool write)
{
    for (int32_t x = 0; x < count; x++)
        run[x] = step(job->cover, cells[x], run[x], size);
    for (int32_t x = 0; write && x < count; x++)
        cells[x] = job->cover ? run[x] > 0 : run[x] == size;
}

static void down_columns(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    int32_t height = job->height, size = job->size < height ? job->size : height, run[BLOCK];
    for (int32_t x = begin; x < end; x += BLOCK) {
        int32_t count = end - x < BLOCK ? end - x : BLOCK;
        memset(run, 0, sizeof run);
        for (int32_t i = 0; i < size; i++) {
            int32_t y = job->cover ? height - size + i : size - 1 - i;
            down_row(job, job->out + (size_t)y * (size_t)job->width + x, count, size, run, false);
        }
        for (int32_t i = 0; i < height; i++) {
            int32_t y = job->cover ? i : height - 1 - i;
            down_row(job, job->out + (size_t)y * (size_t)job->width + x, count, size, run, true);
        }
    }
}

/* Squares of one cell change nothing. */
static void scan(struct tw_task *task, struct job *job)
{
    size_t cells = (size_t)tw_task_width(task) * (size_t)tw_task_height(task);
    if (job->size == 1 && job->in != job->out)
        memcpy(job->out, job->in, cells);
    if (job->size == 1)
        return;
    job->width = tw_task_width(task);
    job->height = tw_task_height(task);
    tw_rows(task, job->height, 32, across_rows, job);
    tw_rows(task, job->width, BLOCK, down_columns, job);
}

void tw_opening_erode(struct tw_task *task, int32_t size, const uint8_t *in, uint8_t *out)
{
    scan(task, &(struct job){.in = in, .out = out, .size = size, .cover = false});
}

void tw_opening_dilate(struct tw_task *task, int32_t size, const uint8_t *in, uint8_t *out)
{
    scan(task, &(struct job){.in = in, .out = out, .size = size, .cover = true});
}
