/* SPDX-License-Identifier: MIT */
/* Thermal erosion: slopes steeper than the talus angle slump until they rest. Olsen 2004, "Thermal
 * erosion", reference implementation, after Musgrave 1989. His difference map is computed from the
 * receiving side: every cell first notes what it gives, then adds up what its neighbours give it.
 */
#include "common/resolution.h"
#include "common/simd.h"
#include "erosion/kernels/framed_map.h"
#include "erosion/kernels/mass_balance.h"
#include "erosion/kernels/ports.h"

#include <thalweg/kernel.h>

struct params {
    float talus; /* T N: rise per map side */
    float rate;  /* c: share of the excess that moves in a pass */
    int32_t iterations;
    int32_t side;
    int32_t border;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct params, talus, 4, 1e-6, 1e6, TW_UNIT_RISE_PER_SIDE,
                 "steepest slope that stays at rest"),
    TW_PARAM_F32(struct params, rate, 0.5, 0, 1, TW_UNIT_SHARE,
                 "share of the excess moved in a pass; above 0.5 it may oscillate"),
    TW_PARAM_I32(struct params, iterations, 50, 0, 100000, "passes", "passes over the map"),
    TW_PARAM_SIDE(struct params, "iterations are"),
    TW_PARAM_BORDER(struct params, border),
    TW_PARAM_END,
};

static const struct tw_port inputs[] = {
    TW_EROSION_IN,
    TW_PORT_END,
};

static const struct tw_port outputs[] = {
    TW_EROSION_OUT,
    TW_EROSION_CHANGES,
    TW_EROSION_LEDGER,
    TW_PORT_END,
};

enum { ERODED = 1 };

struct slump {
    struct tw_framed_map h, next, loss, total; /* total: sum of the drops above T */
    float threshold, rate;                     /* T, c */
    enum tw_simd simd;
};

/* loss = c (d_max - T), where any drop d is above T */
static TW_INLINE void give_body(const struct slump *s, int32_t y)
{
    const float *around[8], *restrict h = tw_framed_map_row(&s->h, y);
    float *restrict loss = tw_framed_map_row(&s->loss, y), *restrict total =
                                                               tw_framed_map_row(&s->total, y);
    float threshold = s->threshold, rate = s->rate;
    tw_framed_map_around(&s->h, y, around);
    TW_INDEPENDENT
    for (int32_t x = 0; x < s->h.width; x++) {
        float steepest = threshold, sum = 0;
        for (int k = 0; k < 8; k++) {
            float drop = h[x] - around[k][x];
            sum += drop > threshold ? drop : 0;
            steepest = tw_max(steepest, drop);
        }
        loss[x] = rate * (steepest - threshold);
        total[x] = sum;
    }
}
TW_SIMD_KERNEL(give, (const struct slump *s, int32_t y), (s, y))

/* h + (-loss + gains); a neighbour that is d > T higher gives its loss * d / total */
static TW_INLINE void take_body(const struct slump *s, int32_t y)
{
    const float *around[8], *losses[8], *totals[8], *restrict h = tw_framed_map_row(&s->h, y);
    const float *restrict loss = tw_framed_map_row(&s->loss, y);
    float *restrict next = tw_framed_map_row(&s->next, y), threshold = s->threshold;
    tw_framed_map_around(&s->h, y, around);
    tw_framed_map_around(&s->loss, y, losses);
    tw_framed_map_around(&s->total, y, totals);
    TW_INDEPENDENT
    for (int32_t x = 0; x < s->h.width; x++) {
        float difference = -loss[x];
        for (int k = 0; k < 8; k++) {
            float drop = around[k][x] - h[x], gain = losses[k][x] * drop / totals[k][x];
            difference += drop > threshold ? gain : -0.0f; /* -0 keeps any sum's bits */
        }
        next[x] = h[x] + difference;
    }
}
TW_SIMD_KERNEL(take, (const struct slump *s, int32_t y), (s, y))

static void give_rows(void *context, int32_t begin, int32_t end)
{
    const struct slump *s = context;
    for (int32_t y = begin; y < end; y++) {
        give(s->simd)(s, y);
        tw_framed_map_close(&s->loss, y);
        tw_framed_map_close(&s->total, y);
    }
}

static void take_rows(void *context, int32_t begin, int32_t end)
{
    const struct slump *s = context;
    for (int32_t y = begin; y < end; y++) {
        take(s->simd)(s, y);
        tw_framed_map_close(&s->next, y);
    }
}

/* Beyond a wall a neighbour too high to receive gives 0 d / 1. */
static bool allocate(struct tw_task *task, struct slump *s, bool wraps)
{
    return tw_framed_map_create(task, &s->h, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_create(task, &s->next, wraps, TW_FRAMED_MAP_WALL) &&
           tw_framed_map_create(task, &s->loss, wraps, 0) &&
           tw_framed_map_create(task, &s->total, wraps, 1);
}

static enum tw_status run(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, 0);
    struct slump s = {
        .threshold = p->talus / (float)out->width, .rate = p->rate, .simd = tw_task_simd(task)};
    if (!allocate(task, &s, tw_task_wraps(task, p->border)))
        return tw_task_no_memory(task);
    tw_framed_map_read(&s.h, tw_floats(tw_task_input(task, 0)));
    int32_t passes = tw_resolution_passes(task, p->side, p->iterations);
    for (int32_t i = 0; i < passes; i++) {
        if (tw_task_cancelled(task))
            return TW_CANCELLED;
        tw_rows(task, out->height, 8, give_rows, &s);
        tw_rows(task, out->height, 8, take_rows, &s);
        tw_framed_map_swap(&s.h, &s.next);
        tw_task_progress(task, (double)(i + 1) / passes);
    }
    return tw_mass_balance_finish(task, s.h.cells, s.h.stride, ERODED);
}

extern const struct tw_node_type tw_node_erosion_thermal;
const struct tw_node_type tw_node_erosion_thermal = {
    .name = "erosion.thermal",
    .version = 3,
    .summary = "thermal erosion: slopes above the talus angle slump until they rest",
    .detail =
        "With d the drops to the eight neighbours and T = talus / width: where the greatest d "
        "exceeds T the cell loses a = rate (d_max - T), and each neighbour with d > T gains a d "
        "/ (sum of such d). All changes of a pass apply after it.\n" TW_RESOLUTION_PASSES_DETAIL
        "\nBorder: the other side, or none: then cells outside neither give nor take.",
    .cite = "olsen2004 musgrave1989",
    .inputs = inputs,
    .outputs = outputs,
    .params = params,
    .params_size = sizeof(struct params),
    .example = "noise: {type: noise.midpoint}\n"
               "eroded: {type: erosion.thermal, in: noise, talus: 4, iterations: 20}",
    .bordered = true,
    .in_place = true,
    .reach = TW_REACH_ALL,
    .run = run,
};
