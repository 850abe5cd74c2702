/* SPDX-License-Identifier: MIT */
#include "common/rising_land/slump.h"

#include "common/ground_maps.h"
#include "common/kept_border.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

/* loss = c max(d - T), where any drop d is above T */
static TW_INLINE void give_body(const struct tw_slump *s, int32_t y)
{
    const float *around[8], *restrict h = tw_framed_map_row(&s->h, y);
    float *restrict loss = tw_framed_map_row(&s->loss, y), *restrict total =
                                                               tw_framed_map_row(&s->total, y);
    const struct tw_slump k = *s; /* no store can change it */
    tw_framed_map_around(&s->h, y, around);
    TW_INDEPENDENT
    for (int32_t x = 0; x < k.h.width; x++) {
        float steepest = 0, sum = 0;
        for (int i = 0; i < 8; i++) {
            float drop = h[x] - around[i][x];
            sum += drop > k.threshold[i] ? drop - k.less[i] : 0;
            steepest = tw_max(steepest, drop - k.threshold[i]);
        }
        loss[x] = k.rate * steepest;
        total[x] = sum;
    }
}
TW_SIMD_KERNEL(give, (const struct tw_slump *s, int32_t y), (s, y))

/* Hard ground gives less of what it would. */
static TW_INLINE void hold_body(const struct tw_slump *s, int32_t y)
{
    const float *restrict hardness = s->hardness + (size_t)y * (size_t)s->h.width;
    float *restrict loss = tw_framed_map_row(&s->loss, y);
    int32_t width = s->h.width;
    for (int32_t x = 0; x < width; x++)
        loss[x] *= tw_softness(hardness[x]);
}
TW_SIMD_KERNEL(hold, (const struct tw_slump *s, int32_t y), (s, y))

/* h + (-loss + gains); a neighbour that is d > T higher gives its loss * weight / total. */
static TW_INLINE void take_body(const struct tw_slump *s, int32_t y)
{
    const float *around[8], *losses[8], *totals[8], *restrict h = tw_framed_map_row(&s->h, y);
    const float *restrict loss = tw_framed_map_row(&s->loss, y);
    float *restrict next = tw_framed_map_row(&s->next, y);
    const struct tw_slump k = *s;
    tw_framed_map_around(&s->h, y, around);
    tw_framed_map_around(&s->loss, y, losses);
    tw_framed_map_around(&s->total, y, totals);
    TW_INDEPENDENT
    for (int32_t x = 0; x < k.h.width; x++) {
        float difference = -loss[x];
        for (int i = 0; i < 8; i++) {
            float drop = around[i][x] - h[x];
            float gain = losses[i][x] * (drop - k.less[i]) / totals[i][x];
            difference += drop > k.threshold[i] ? gain : -0.0f; /* -0 keeps any sum's bits */
        }
        next[x] = h[x] + difference;
    }
}
TW_SIMD_KERNEL(take, (const struct tw_slump *s, int32_t y), (s, y))

static void give_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_slump *s = context;
    for (int32_t y = begin; y < end; y++) {
        give(s->simd)(s, y);
        if (s->hardness)
            hold(s->simd)(s, y);
        if (s->kept)
            tw_kept_border_clear(&s->loss, y);
        tw_framed_map_close(&s->loss, y);
        tw_framed_map_close(&s->total, y);
    }
}

static void take_rows(void *context, int32_t begin, int32_t end)
{
    const struct tw_slump *s = context;
    for (int32_t y = begin; y < end; y++) {
        take(s->simd)(s, y);
        tw_framed_map_close(&s->next, y);
    }
}

/* Cells of a wall are too high to receive, and give 0 d / 1. */
bool tw_slump_lay_out(struct tw_scratch *scratch, struct tw_slump *s, bool wraps)
{
    return tw_framed_map_lay_out(scratch, &s->h, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_lay_out(scratch, &s->next, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_lay_out(scratch, &s->loss, wraps, 0) &&
           tw_framed_map_lay_out(scratch, &s->total, wraps, 1);
}

/* Neighbours are alike from cell to cell; over true distances, corners are farther away, and what
 * slides is shared by the excess, so that it fades out where slopes come to rest. */
void tw_slump_set_talus(struct tw_slump *s, float threshold, enum tw_slump_slope slope)
{
    for (int i = 0; i < 8; i++) {
        bool corner = i == 0 || i == 2 || i == 5 || i == 7;
        bool farther = slope == TW_SLUMP_DISTANCE && corner;
        s->threshold[i] = farther ? 1.41421356f * threshold : threshold;
        s->less[i] = slope == TW_SLUMP_DISTANCE ? s->threshold[i] : 0;
    }
}

enum tw_status tw_slump_settle(struct tw_task *task, struct tw_slump *s, int32_t passes)
{
    int32_t height = tw_task_height(task);
    for (int32_t i = 0; i < passes; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        tw_rows(task, height, 8, give_rows, s);
        tw_rows(task, height, 8, take_rows, s);
        tw_framed_map_swap(&s->h, &s->next);
        tw_task_progress(task, (double)(i + 1) / passes);
    }
    return TW_OK;
}
