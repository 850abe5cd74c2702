/* SPDX-License-Identifier: MIT */
#include "erosion/kernels/row_bands/talus_levelling.h"

#include <thalweg/kernel.h>

#include <string.h>

static void visit_partly(const void *constants, float share, float *cell,
                         float *const neighbours[4], size_t plane)
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
    float amount = 0.5f * steepest * share;
    *cell -= amount;
    *lowest += amount;
}

static void visit(const void *constants, float *cell, float *const neighbours[4], size_t plane)
{
    visit_partly(constants, 1, cell, neighbours, plane);
}

static void visit_kept(const void *constants, float *cell, float *const neighbours[4], size_t plane)
{
    if (cell[plane] != 0)
        visit(constants, cell, neighbours, plane);
}

/* What one lane moves, and its neighbours' shares of that. */
struct split {
    float amount;
    struct tw_row_bands_shares shares;
};

static TW_INLINE struct split split(const struct tw_levelling *level, bool gives, float here,
                                    float n0, float n1, float n2, float n3)
{
    float d0 = here - n0, d1 = here - n1, d2 = here - n2, d3 = here - n3;
    float steepest = tw_row_bands_steepest(d0, d1, d2, d3), amount = 0.5f * steepest;
    amount = steepest > level->min_drop ? amount : 0;
    amount = steepest <= level->max_drop ? amount : 0;
    amount = gives ? amount : 0;
    return (struct split){amount, tw_row_bands_share(amount, d0, d1, d2, d3)};
}

/* The lanes that give: all, or those below `visited`; with `kept` only those with `gives` above 0.
 */
struct givers {
    bool all, kept;
    int32_t visited;
    size_t plane; /* from a cell to its `gives` */
};

static TW_INLINE bool giver(struct givers g, const float *cells, int32_t lane)
{
    bool gives = g.all || lane < g.visited;
    return g.kept ? gives && cells[g.plane + (size_t)lane] > 0 : gives;
}

/* One slot. `here` and `left` hold the values at x and x - 1 and pass on those at x + 1 and x; the
 * one at x - 1 is final then. */
static TW_INLINE void cross_step(const struct tw_levelling *level, int32_t lanes, struct givers g,
                                 const float *row, float *restrict here, float *restrict left,
                                 float *restrict up, float *restrict down,
                                 const float *restrict right, float *restrict left_out)
{
    for (int32_t b = 0; b < lanes; b++) {
        struct split s = split(level, giver(g, row, b), here[b], up[b], left[b], right[b], down[b]);
        up[b] -= s.shares.of[0];
        left_out[b] = left[b] - s.shares.of[1];
        left[b] = here[b] - s.amount;
        here[b] = right[b] - s.shares.of[2];
        down[b] -= s.shares.of[3];
    }
}

static TW_INLINE void sweep_cross(const struct tw_levelling *level,
                                  const struct tw_row_bands_run *run, int32_t lanes,
                                  struct givers g)
{
    float here[TW_ROW_BANDS_LANES], left[TW_ROW_BANDS_LANES];
    int32_t slot = run->first;
    memcpy(here, tw_row_bands_slot(run, slot), (size_t)lanes * sizeof *here);
    memcpy(left, tw_row_bands_slot(run, slot - 1), (size_t)lanes * sizeof *left);
    for (int32_t i = 0; i < run->count; i++) {
        tw_row_bands_fetch(run, slot);
        cross_step(level, lanes, g, tw_row_bands_slot(run, slot), here, left,
                   tw_row_bands_slot(run, slot - TW_ROW_BANDS_LAG) - 1,
                   tw_row_bands_slot(run, slot + TW_ROW_BANDS_LAG) + 1,
                   tw_row_bands_slot(run, slot + 1), tw_row_bands_slot(run, slot - 1));
        slot = slot + 1 < run->slots ? slot + 1 : 0;
    }
    memcpy(tw_row_bands_slot(run, slot), here, (size_t)lanes * sizeof *here);
    memcpy(tw_row_bands_slot(run, slot - 1), left, (size_t)lanes * sizeof *left);
}

static TW_INLINE void diagonal_step(const struct tw_levelling *level, int32_t lanes,
                                    struct givers g, float *restrict row, float *restrict n0,
                                    float *restrict n1, float *restrict n2, float *restrict n3)
{
    for (int32_t b = 0; b < lanes; b++) {
        struct split s = split(level, giver(g, row, b), row[b], n0[b], n1[b], n2[b], n3[b]);
        row[b] -= s.amount;
        n0[b] -= s.shares.of[0];
        n1[b] -= s.shares.of[1];
        n2[b] -= s.shares.of[2];
        n3[b] -= s.shares.of[3];
    }
}

static TW_INLINE void sweep_diagonal(const struct tw_levelling *level,
                                     const struct tw_row_bands_run *run, int32_t lanes,
                                     struct givers g)
{
    int32_t slot = run->first;
    for (int32_t i = 0; i < run->count; i++) {
        int32_t up = slot - TW_ROW_BANDS_LAG, down = slot + TW_ROW_BANDS_LAG;
        tw_row_bands_fetch(run, slot);
        diagonal_step(level, lanes, g, tw_row_bands_slot(run, slot),
                      tw_row_bands_slot(run, up - 1) - 1, tw_row_bands_slot(run, up + 1) - 1,
                      tw_row_bands_slot(run, down - 1) + 1, tw_row_bands_slot(run, down + 1) + 1);
        slot = slot + 1 < run->slots ? slot + 1 : 0;
    }
}

#define LANES_OF(name, sweep, kept)                                                                \
    static TW_INLINE void name##_lanes(const struct tw_levelling *level,                           \
                                       const struct tw_row_bands_run *run, int32_t lanes,          \
                                       bool all)                                                   \
    {                                                                                              \
        sweep(level, run, lanes, (struct givers){all, kept, run->visited, run->plane});            \
    }                                                                                              \
    TW_ROW_BANDS_SWEEP(name, struct tw_levelling)

LANES_OF(cross, sweep_cross, false)
LANES_OF(cross_kept, sweep_cross, true)
LANES_OF(diagonal, sweep_diagonal, false)
LANES_OF(diagonal_kept, sweep_diagonal, true)

static struct tw_row_bands_rule rule_of(const struct tw_levelling *level,
                                        const struct tw_levelling_passes *passes,
                                        enum tw_neighbourhood around, enum tw_simd simd)
{
    struct tw_row_bands_rule rule = {.constants = level,
                                     .planes = 1,
                                     .closed = passes->closed,
                                     .kept = passes->kept,
                                     .apron = passes->apron,
                                     .around = around,
                                     .visit = passes->kept ? visit_kept : visit,
                                     .visit_partly = visit_partly};
    if (around == TW_NEIGHBOURS_CROSS)
        rule.sweep = passes->kept ? cross_kept(simd) : cross(simd);
    else
        rule.sweep = passes->kept ? diagonal_kept(simd) : diagonal(simd);
    return rule;
}

/* The limits of `level` for drops to corners, which are 2^(1/2) times as far away. */
static struct tw_levelling farther(const struct tw_levelling *level)
{
    return (struct tw_levelling){1.41421356f * level->min_drop,
                                 tw_min(1.41421356f * level->max_drop, TW_ROW_BANDS_DROP_MAX)};
}

enum tw_status tw_levelling_run(struct tw_task *task, const struct tw_levelling *level,
                                const struct tw_levelling_passes *passes)
{
    const struct tw_value *in = tw_task_input(task, 0);
    struct tw_value *out = tw_task_output(task, 0);
    enum tw_simd simd = tw_task_simd(task);
    const struct tw_levelling corners = passes->alternating ? farther(level) : *level;
    const struct tw_row_bands_rule rules[] = {
        [TW_NEIGHBOURS_CROSS] = rule_of(level, passes, TW_NEIGHBOURS_CROSS, simd),
        [TW_NEIGHBOURS_DIAGONAL] = rule_of(&corners, passes, TW_NEIGHBOURS_DIAGONAL, simd),
    };
    struct tw_row_bands_rule rule = rules[passes->around];
    rule.odd = passes->alternating ? &rules[!passes->around] : NULL;
    if (in->data != out->data)
        memcpy(out->data, in->data, tw_value_count(out) * sizeof(float));
    return tw_row_bands_run(task, &rule, passes->order, passes->count, tw_floats(out));
}
