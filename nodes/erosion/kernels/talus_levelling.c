/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/talus_levelling.h"

#include <string.h>

static void visit(const void *constants, float *cell, float *const neighbours[4], size_t plane)
{
    const struct tw_levelling *level = constants;
    float steepest = 0, *lowest = NULL;
    (void)plane;
    for (int i = 0; i < 4; i++) {
        float drop = *cell - *neighbours[i];
        if (drop > steepest) {
            steepest = drop;
            lowest = neighbours[i];
        }
    }
    if (!lowest || !(steepest > level->min_drop) || steepest > level->max_drop)
        return;
    float amount = 0.5f * steepest;
    *cell -= amount;
    *lowest += amount;
}

/* What one lane moves, and its neighbours' shares of that. */
struct split {
    float amount;
    struct tw_row_bands_shares shares;
};

static TW_INLINE struct split split(const struct tw_levelling *level, float here, float n0,
                                    float n1, float n2, float n3)
{
    float d0 = here - n0, d1 = here - n1, d2 = here - n2, d3 = here - n3;
    float steepest = tw_row_bands_steepest(d0, d1, d2, d3), amount = 0.5f * steepest;
    amount = steepest > level->min_drop ? amount : 0;
    amount = steepest <= level->max_drop ? amount : 0;
    return (struct split){amount, tw_row_bands_share(amount, d0, d1, d2, d3)};
}

/* One slot. `here` and `left` hold the values at x and x - 1 and pass on those at x + 1 and x; the
 * one at x - 1 is final then. */
static TW_INLINE void cross_step(const struct tw_levelling *level, int32_t lanes,
                                 float *restrict here, float *restrict left, float *restrict up,
                                 float *restrict down, const float *restrict right,
                                 float *restrict left_out)
{
    for (int32_t b = 0; b < lanes; b++) {
        struct split s = split(level, here[b], up[b], left[b], right[b], down[b]);
        up[b] -= s.shares.of[0];
        left_out[b] = left[b] - s.shares.of[1];
        left[b] = here[b] - s.amount;
        here[b] = right[b] - s.shares.of[2];
        down[b] -= s.shares.of[3];
    }
}

static TW_INLINE void cross_lanes(const struct tw_levelling *level,
                                  const struct tw_row_bands_run *run, int32_t lanes)
{
    float here[TW_ROW_BANDS_LANES], left[TW_ROW_BANDS_LANES];
    int32_t slot = run->first;
    memcpy(here, tw_row_bands_slot(run, slot), (size_t)lanes * sizeof *here);
    memcpy(left, tw_row_bands_slot(run, slot - 1), (size_t)lanes * sizeof *left);
    for (int32_t i = 0; i < run->count; i++) {
        cross_step(level, lanes, here, left, tw_row_bands_slot(run, slot - TW_ROW_BANDS_LAG) - 1,
                   tw_row_bands_slot(run, slot + TW_ROW_BANDS_LAG) + 1,
                   tw_row_bands_slot(run, slot + 1), tw_row_bands_slot(run, slot - 1));
        slot = slot + 1 < run->slots ? slot + 1 : 0;
    }
    memcpy(tw_row_bands_slot(run, slot), here, (size_t)lanes * sizeof *here);
    memcpy(tw_row_bands_slot(run, slot - 1), left, (size_t)lanes * sizeof *left);
}

static TW_INLINE void diagonal_step(const struct tw_levelling *level, int32_t lanes,
                                    float *restrict row, float *restrict n0, float *restrict n1,
                                    float *restrict n2, float *restrict n3)
{
    for (int32_t b = 0; b < lanes; b++) {
        struct split s = split(level, row[b], n0[b], n1[b], n2[b], n3[b]);
        row[b] -= s.amount;
        n0[b] -= s.shares.of[0];
        n1[b] -= s.shares.of[1];
        n2[b] -= s.shares.of[2];
        n3[b] -= s.shares.of[3];
    }
}

static TW_INLINE void diagonal_lanes(const struct tw_levelling *level,
                                     const struct tw_row_bands_run *run, int32_t lanes)
{
    int32_t slot = run->first;
    for (int32_t i = 0; i < run->count; i++) {
        int32_t up = slot - TW_ROW_BANDS_LAG, down = slot + TW_ROW_BANDS_LAG;
        diagonal_step(level, lanes, tw_row_bands_slot(run, slot),
                      tw_row_bands_slot(run, up - 1) - 1, tw_row_bands_slot(run, up + 1) - 1,
                      tw_row_bands_slot(run, down - 1) + 1, tw_row_bands_slot(run, down + 1) + 1);
        slot = slot + 1 < run->slots ? slot + 1 : 0;
    }
}

TW_ROW_BANDS_SWEEP(cross, struct tw_levelling)
TW_ROW_BANDS_SWEEP(diagonal, struct tw_levelling)

enum tw_status tw_levelling_run(struct tw_task *task, const struct tw_levelling *level,
                                enum tw_neighbourhood around, enum tw_visiting_order order,
                                int32_t iterations, bool closed)
{
    const struct tw_value *in = tw_task_input(task, 0);
    struct tw_value *out = tw_task_output(task, 0);
    enum tw_simd simd = tw_task_simd(task);
    const struct tw_row_bands_rule rule = {.constants = level,
                                           .planes = 1,
                                           .closed = closed,
                                           .around = around,
                                           .visit = visit,
                                           .sweep = around == TW_NEIGHBOURS_CROSS ? cross(simd)
                                                                                  : diagonal(simd)};
    if (in->data != out->data)
        memcpy(out->data, in->data, tw_value_count(out) * sizeof(float));
    return tw_row_bands_run(task, &rule, order, iterations, tw_floats(out));
}
