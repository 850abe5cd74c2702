/* SPDX-License-Identifier: MIT */
/* When least costs may be relaxed in tiles, and what ends that before its end. */
#include "feature/kernels/tile_relaxation.h"

#include "base/memory/block.h"
#include "feature/kernels/tile_relaxation_patch.h"
#include "support/probe.h"
#include "task/task.h"

#include <stdlib.h>

enum { SIDE = 200, SIDE_TILES = (SIDE + TW_TILE - 1) / TW_TILE, TILES = SIDE_TILES * SIDE_TILES };

/* ---- when it applies ---- */

static const struct tw_path_source plain = {.cell = 9, .profile = -1, .domain = -1};

static bool applies(struct tw_path_source source, double least, double most)
{
    const struct tw_weighted_grid grid = {.width = 4, .height = 8};
    const struct tw_path_source sources[] = {plain, source};
    const struct tw_paths paths = {.grid = &grid, .sources = sources, .least = least, .most = most};
    return tw_tile_relaxation_applies(&paths, 2);
}

static void no_source_may_have_rules_of_its_own(void **state)
{
    struct tw_path_source profile = plain, domain = plain, yields = plain;
    (void)state;
    profile.profile = 0;
    domain.domain = 0;
    yields.yields = true;
    assert_true(applies(plain, 1, 2));
    assert_false(applies(profile, 1, 2));
    assert_false(applies(domain, 1, 2));
    assert_false(applies(yields, 1, 2));
}

/* A sum that an increment leaves as it is would not rise along a path; Dijkstra's order has a rule
 * for that. */
static void increments_must_not_be_lost_in_rounding(void **state)
{
    const struct tw_weighted_grid grid = {.width = 4, .height = 8};
    struct tw_path_source source = plain;
    const struct tw_paths paths = {.grid = &grid, .sources = &source, .least = 1, .most = 2};
    (void)state;
    assert_true(applies(plain, 1, 1e12 / 8));
    assert_false(applies(plain, 1, 1e12 / 7));
    source.cost = 1e12 - 16;
    assert_true(tw_tile_relaxation_applies(&paths, 1));
    source.cost = 1e12;
    assert_false(tw_tile_relaxation_applies(&paths, 1));
}

/* ---- what ends it ---- */

static struct {
    bool labels; /* sources of two features */
    atomic_bool stop;
    int polls, last; /* the poll that stops the task; 0: none */
    uint64_t bytes;  /* of scratch that it took */
} given;

/* From two corners. */
static enum tw_status relax_corners(struct tw_task *task, const struct tw_weighted_grid *grid)
{
    static double cost[(SIDE + 2) * (SIDE + 2)];
    static int32_t feature[SIDE * SIDE];
    struct tw_path_source sources[] = {plain, plain};
    struct tw_paths paths = {.task = task, .grid = grid, .sources = sources, .sea = TW_COST_NONE};
    sources[0].cell = tw_weighted_grid_cell(grid, 0, 0);
    sources[1].cell = tw_weighted_grid_cell(grid, SIDE - 1, SIDE - 1);
    sources[1].feature = given.labels;
    tw_paths_bound(&paths, 0, true, 0);
    enum tw_status status = tw_tile_relaxation(task, &paths, 2, cost, feature);
    if (status != TW_OK)
        return status;
    given.bytes = task->scratch_bytes;
    probe_require(cost[sources[0].cell] == 0 && cost[sources[1].cell] == 0);
    probe_require(feature[0] == 0 && feature[SIDE * SIDE - 1] == (int32_t)given.labels);
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        probe_require(cost[tw_weighted_grid_cell(grid, i % SIDE, i / SIDE)] < 4 * SIDE);
    return TW_OK;
}

/* The same; the scratch is free again afterwards, since a task has a limited number of blocks. */
static enum tw_status relax(struct tw_task *task, const struct tw_weighted_grid *grid)
{
    const uint64_t before = task->scratch_bytes;
    const int count = task->scratch_count;
    enum tw_status status = relax_corners(task, grid);
    given.bytes -= before;
    while (task->scratch_count > count)
        tw_block_free(task->scratch[--task->scratch_count]);
    tw_memory_return(task->memory, task->scratch_bytes - before);
    task->scratch_bytes = before;
    return status;
}

static void poll(void *context)
{
    (void)context;
    if (++given.polls == given.last)
        atomic_store(&given.stop, true);
}

static enum tw_status relax_until(struct tw_task *task, const struct tw_weighted_grid *grid,
                                  int last)
{
    const atomic_bool *stop = task->stop;
    given.last = last;
    given.polls = 0;
    atomic_store(&given.stop, false);
    task->poll = poll;
    task->stop = &given.stop;
    enum tw_status status = relax(task, grid);
    task->poll = NULL;
    task->stop = stop;
    return status;
}

static enum tw_status build(struct tw_task *task, struct tw_weighted_grid *grid)
{
    const struct tw_edge_weights weights = {
        .mean = 1, .deviation = 0.5f, .diagonal = 1.5f, .step = 1};
    return tw_weighted_grid_build(task, &weights, grid);
}

static enum tw_status cancel_at_each_poll(struct tw_task *task)
{
    struct tw_weighted_grid grid;
    probe_require(build(task, &grid) == TW_OK);
    int polls[2];
    for (int labels = 0; labels < 2; labels++) {
        given.labels = labels;
        probe_require(relax_until(task, &grid, 0) == TW_OK);
        polls[labels] = given.polls;
        for (int last = 1; last <= polls[labels]; last++) {
            probe_require(relax_until(task, &grid, last) == TW_CANCELLED);
            probe_require(given.polls == last);
        }
    }
    probe_require(polls[0] > SIDE_TILES && polls[1] > polls[0] + SIDE_TILES);
    return TW_OK;
}

static void it_polls_for_cancellation_in_every_round(void **state)
{
    (void)state;
    probe_run(cancel_at_each_poll, SIDE, SIDE, 2);
}

/* Any one of its arrays may be the one for which there is no memory. */
static enum tw_status run_short_of_memory(struct tw_task *task)
{
    const uint64_t tiles = TILES * sizeof(struct tw_tile), active = TILES * sizeof(int32_t);
    const uint64_t labels = (uint64_t)TILES * TW_PLANE * sizeof(double);
    struct tw_weighted_grid grid;
    probe_require(build(task, &grid) == TW_OK);
    for (int i = 0; i < 2; i++) {
        const uint64_t allowed[] = {tiles - 1, tiles + active - 1,
                                    tiles + active + (i ? labels - 1 : 0), tiles + active + labels};
        struct tw_forecast forecast = {.scratch = 0};
        given.labels = i;
        tw_tile_relaxation_forecast(&forecast, SIDE, SIDE, given.labels);
        for (int k = 0; k < 4; k++) {
            const bool enough = k >= 2 + i;
            task->memory->limit = atomic_load(&task->memory->used) + allowed[k];
            probe_require(relax(task, &grid) == (enough ? TW_OK : TW_LIMIT));
            probe_require(!enough || given.bytes == forecast.scratch);
        }
    }
    task->memory->limit = 0;
    task->refused = false;
    return TW_OK;
}

static void without_memory_it_says_so(void **state)
{
    (void)state;
    probe_run(run_short_of_memory, SIDE, SIDE, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_source_may_have_rules_of_its_own),
        cmocka_unit_test(increments_must_not_be_lost_in_rounding),
        cmocka_unit_test(it_polls_for_cancellation_in_every_round),
        cmocka_unit_test(without_memory_it_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
