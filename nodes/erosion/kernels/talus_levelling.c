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
    if (!lowest || !(steepest > level->above) || steepest > level->upto)
        return;
    float moved = 0.5f * steepest;
    *cell -= moved;
    *lowest += moved;
}

/* What one lane moves, and what its neighbours lose by that. */
struct split {
    float moved;
    struct tw_row_bands_shares lost;
};

static TW_INLINE struct split split(const struct tw_levelling *level, float here, float n0,
                                    float n1, float n2, float n3)
{
    float d0 = here - n0, d1 = here - n1, d2 = here - n2, d3 = here - n3;
    float steepest = tw_row_bands_steepest(d0, d1, d2, d3), moved = 0.5f * steepest;
    moved = steepest > level->above ? moved : 0;
    moved = steepest <= level->upto ? moved : 0;
    return (struct split){moved, tw_row_bands_share(moved, d0, d1, d2, d3)};
}

/* One column of a row. `here` and `left` hold the values at x and x - 1 and pass on those at x + 1
 * and x; the one at x - 1 is final then. */
static TW_INLINE void cross_step(const struct tw_levelling *level, int32_t lanes,
                                 float *restrict here, float *restrict left, float *restrict up,
                                 float *restrict down, const float *restrict right,
                                 float *restrict left_out)
{
    for (int32_t b = 0; b < lanes; b++) {
        struct split s = split(level, here[b], up[b], left[b], right[b], down[b]);
        up[b] -= s.lost.to[0];
        left_out[b] = left[b] - s.lost.to[1];
        left[b] = here[b] - s.moved;
        here[b] = right[b] - s.lost.to[2];
        down[b] -= s.lost.to[3];
    }
}

static TW_INLINE void cross_lanes(const struct tw_levelling *level,
                                  const struct tw_row_bands_rows *rows, int32_t lanes)
{
    float here[TW_ROW_BANDS_LANES], left[TW_ROW_BANDS_LANES], *up = rows->up, *down = rows->down,
                                                              *row = rows->row;
    float *last = row + (size_t)(rows->width - 1) * rows->step, *left_out = last;
    memcpy(here, row, (size_t)lanes * sizeof *here);
    memcpy(left, last, (size_t)lanes * sizeof *left);
    for (int32_t x = 0; x < rows->width; x++) {
        float *right = x + 1 < rows->width ? row + rows->step : rows->row;
        cross_step(level, lanes, here, left, up, down, right, left_out);
        left_out = row;
        up += rows->step;
        row += rows->step;
        down += rows->step;
    }
    memcpy(rows->row, here, (size_t)lanes * sizeof *here);
    memcpy(last, left, (size_t)lanes * sizeof *left);
}

static TW_INLINE void diagonal_step(const struct tw_levelling *level, int32_t lanes,
                                    float *restrict row, float *restrict n0, float *restrict n1,
                                    float *restrict n2, float *restrict n3)
{
    for (int32_t b = 0; b < lanes; b++) {
        struct split s = split(level, row[b], n0[b], n1[b], n2[b], n3[b]);
        row[b] -= s.moved;
        n0[b] -= s.lost.to[0];
        n1[b] -= s.lost.to[1];
        n2[b] -= s.lost.to[2];
        n3[b] -= s.lost.to[3];
    }
}

static TW_INLINE void diagonal_lanes(const struct tw_levelling *level,
                                     const struct tw_row_bands_rows *rows, int32_t lanes)
{
    for (int32_t x = 0; x < rows->width; x++) {
        size_t left = (size_t)(x ? x - 1 : rows->width - 1) * rows->step;
        size_t right = (size_t)(x + 1 < rows->width ? x + 1 : 0) * rows->step;
        diagonal_step(level, lanes, rows->row + (size_t)x * rows->step, rows->up + left,
                      rows->up + right, rows->down + left, rows->down + right);
    }
}

TW_ROW_BANDS_SWEEP(cross, struct tw_levelling)
TW_ROW_BANDS_SWEEP(diagonal, struct tw_levelling)

enum tw_status tw_levelling_run(struct tw_task *task, const struct tw_levelling *level,
                                enum tw_neighbourhood around, enum tw_visiting_order order,
                                int32_t iterations)
{
    const struct tw_value *in = tw_task_input(task, 0);
    struct tw_value *out = tw_task_output(task, 0);
    enum tw_simd simd = tw_task_simd(task);
    const struct tw_row_bands_rule rule = {.constants = level,
                                           .planes = 1,
                                           .around = around,
                                           .visit = visit,
                                           .sweep = around == TW_NEIGHBOURS_CROSS ? cross(simd)
                                                                                  : diagonal(simd)};
    if (in->data != out->data)
        memcpy(out->data, in->data, tw_value_count(out) * sizeof(float));
    return tw_row_bands_run(task, &rule, order, iterations, tw_floats(out));
}
