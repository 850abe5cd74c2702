/* SPDX-License-Identifier: MIT */
/* Runs of k cells from runs of 1, 2, 4, ... cells: each step joins two of the last, side by side or
 * so far overlapping that they are k long. First along rows, then down columns. */
#include "common/opening.h"

#include <string.h>

struct job {
    const struct tw_bitmap *from, *to;
    int32_t offset; /* from each cell to the other run's: east or south */
    bool cover;     /* either run, not both */
};

/* Cell x becomes that of x + offset, those at the end 0; 0 < offset < width. */
static void shift_west(const struct tw_bitmap *map, const uint64_t *restrict row, int32_t offset,
                       uint64_t *restrict out)
{
    int32_t n = map->stride, skip = offset / 64, shift = offset % 64;
    for (int32_t i = 0; i + skip + 1 < n; i++)
        out[i] = row[i + skip] >> shift | row[i + skip + 1] << 1 << (63 - shift);
    out[n - 1 - skip] = row[n - 1] >> shift;
    memset(out + n - skip, 0, (size_t)skip * sizeof *out);
}

/* Adds to cell x that of x - offset. */
static void add_shifted_east(const struct tw_bitmap *map, const uint64_t *restrict row,
                             int32_t offset, uint64_t *restrict out)
{
    int32_t n = map->stride, skip = offset / 64, shift = offset % 64;
    out[skip] |= row[0] << shift;
    for (int32_t i = skip + 1; i < n; i++)
        out[i] |= row[i - skip] << shift | row[i - skip - 1] >> 1 >> (63 - shift);
    out[n - 1] &= tw_bitmap_tail(map);
}

/* The other run of a row. Where the two overlap, it lies offset - width to the west. */
static void take_other(const struct job *job, const uint64_t *restrict row, uint64_t *restrict out)
{
    if (job->from->wrap || !job->cover)
        shift_west(job->from, row, job->offset, out);
    else
        memset(out, 0, (size_t)job->from->stride * sizeof *out);
    if (job->from->wrap || job->cover)
        add_shifted_east(job->from, row, job->from->width - job->offset, out);
}

static void combine(const struct job *job, const uint64_t *restrict row, uint64_t *restrict out)
{
    if (job->cover)
        for (int32_t i = 0; i < job->from->stride; i++)
            out[i] |= row[i];
    else
        for (int32_t i = 0; i < job->from->stride; i++)
            out[i] &= row[i];
}

static void across_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    for (int32_t y = begin; y < end; y++) {
        uint64_t *out = tw_bitmap_row(job->to, y);
        take_other(job, tw_bitmap_row(job->from, y), out);
        combine(job, tw_bitmap_row(job->from, y), out);
    }
}

static void down_rows(void *context, int32_t begin, int32_t end)
{
    const struct job *job = context;
    size_t bytes = (size_t)job->from->stride * sizeof *job->from->words;
    for (int32_t y = begin; y < end; y++) {
        uint64_t *out = tw_bitmap_row(job->to, y);
        int32_t other = y + job->offset; /* could overflow on no map: offset < height */
        bool across = other >= job->from->height;
        other -= across ? job->from->height : 0;
        if (job->from->wrap || across == job->cover)
            memcpy(out, tw_bitmap_row(job->from, other), bytes);
        else
            memset(out, 0, bytes);
        combine(job, tw_bitmap_row(job->from, y), out);
    }
}

/* Runs of `size` in one direction, or as long as the map's side; off a torus no longer run fits. */
static void join_runs(struct tw_task *task, tw_rows_fn *rows, int32_t size, bool cover,
                      struct tw_bitmap *map, struct tw_bitmap *spare)
{
    int32_t side = rows == across_rows ? map->width : map->height, step;
    if (!map->wrap && !cover && size > side) {
        memset(map->words, 0, (size_t)map->stride * (size_t)map->height * sizeof *map->words);
        return;
    }
    size = size < side ? size : side;
    for (int32_t length = 1; length < size; length += step) {
        step = length < size - length ? length : size - length;
        struct job job = {map, spare, cover ? side - step : step, cover};
        tw_rows(task, map->height, 64, rows, &job);
        uint64_t *words = map->words;
        map->words = spare->words;
        spare->words = words;
    }
}

void tw_opening_erode(struct tw_task *task, int32_t size, struct tw_bitmap *map,
                      struct tw_bitmap *spare)
{
    join_runs(task, across_rows, size, false, map, spare);
    join_runs(task, down_rows, size, false, map, spare);
}

void tw_opening_dilate(struct tw_task *task, int32_t size, struct tw_bitmap *map,
                       struct tw_bitmap *spare)
{
    join_runs(task, across_rows, size, true, map, spare);
    join_runs(task, down_rows, size, true, map, spare);
}
