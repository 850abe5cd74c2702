/* SPDX-License-Identifier: MIT */
/* On an even grid nearly every cell lies on a least-cost path to the first one, so that one
 * question asks for all of them: cancellation is polled meanwhile, and ends it. */
#include "feature/kernels/nearest_paths.h"
#include "support/probe.h"
#include "task/task.h"

enum {
    SIDE = 512,
    CELLS = SIDE * SIDE,
    POLLS = CELLS >> 15 /* of every second cell, one in 2^14 */
};

static struct {
    atomic_bool stop;
    int polls, last; /* the poll that stops the task; 0: none */
} given;

static void poll(void *context)
{
    (void)context;
    if (++given.polls == given.last)
        atomic_store(&given.stop, true);
}

/* Asks for the source of the cell that is farthest from it. */
static enum tw_status ask(struct tw_task *task)
{
    const struct tw_edge_weights even = {.mean = 1, .diagonal = 1.5f, .step = 1};
    struct tw_weighted_grid grid;
    struct tw_nearest_paths paths;
    enum tw_status status = tw_weighted_grid_build(task, &even, &grid);
    if (status != TW_OK)
        return status;
    const struct tw_path_source first = {
        .cell = tw_weighted_grid_cell(&grid, 0, 0), .profile = -1, .domain = -1};
    int32_t middle = tw_weighted_grid_cell(&grid, SIDE - 1, SIDE / 2);
    status = tw_nearest_paths_find(task, &grid, &first, 1, &paths);
    if (status != TW_OK || !paths.source) /* one thread has found all sources at once */
        return status;
    const atomic_bool *stop = task->stop;
    task->poll = poll;
    task->stop = &given.stop;
    int32_t source = tw_nearest_paths_source(&paths, middle);
    const int polls = given.polls;
    int32_t next = given.last ? tw_nearest_paths_next(&paths, middle) : middle; /* a path's end */
    task->poll = NULL;
    task->stop = stop;
    probe_require(source == 0 && next == middle);
    probe_require(given.last ? polls == given.last : polls >= POLLS / 4);
    return TW_OK;
}

static void questions_poll_for_cancellation(void **state)
{
    (void)state;
    for (int last = 0; last < 3; last++) {
        given.last = last;
        given.polls = 0;
        atomic_store(&given.stop, false);
        probe_run(ask, SIDE, SIDE, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_poll_for_cancellation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
