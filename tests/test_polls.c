/* SPDX-License-Identifier: MIT */
/* Work that small recipes make large, by many images on narrow maps, wide units or long lists: it
 * asks again and again whether the run is cancelled, and ends when it is. */
#include "support/harness.h"

#include "task/task.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int polls;
static int last; /* the poll from which the run is cancelled */

/* The linker puts this in front of the engine's function (tests/CMakeLists.txt). */
bool __real_tw_task_cancelled(const struct tw_task *task);
bool __wrap_tw_task_cancelled(const struct tw_task *task);

bool __wrap_tw_task_cancelled(const struct tw_task *task)
{
    int poll = atomic_fetch_add(&polls, 1) + 1;
    return (last && poll >= last) || __real_tw_task_cancelled(task);
}

struct work {
    const char *nodes;
    int32_t width, height;
    int least; /* polls */
};

static const struct work works[] = {
    {"in: {type: test.map}\n"
     "out: {type: source.stamp, in: in, stamp: in, points: [[0.5, 0.5, 4, 90]], border: wrap}\n",
     512, 1, 2048},
    {"in: {type: test.map}\n"
     "lines: {type: path.line, points: [[0, 0.2, 0.5, 1, 1], [0, 0.8, 0.5, 1, 1]]}\n"
     "out: {type: path.carve, in: in, lines: [lines], plain: 32, border: wrap}\n",
     32, 32, 4 * 64 * 64},
    {"in: {type: test.map}\n"
     "places: {type: feature.points, points: [[0.2, 0.2], [0.8, 0.8]]}\n"
     "out: {type: path.road, in: in, via: places, grade: 1}\n",
     64, 200, 200},
    {"flat: {type: source.constant, value: 0}\n"
     "steps: {type: combine.formula, a: flat, formula: \"x < 0.5 ? a : 0.5\"}\n"
     "out: {type: shape.connect, in: steps, unit_size: 32, unit_talus: 3}\n",
     96, 96, 32},
    {"in: {type: test.map}\n"
     "out: {type: erosion.coast, in: in, level: 0.5, border: wrap}\n",
     1024, 2, 1024},
    {"in: {type: test.map}\n"
     "lines: {type: water.rivers, in: in, threshold: 0}\n"
     "out: {type: path.meander, lines: lines, age: 0}\n",
     64, 64, 512},
};

static void long_work_polls(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        const struct work *work = &works[i];
        struct tw_value map = harness_terrain(work->width, work->height, 1);
        const struct harness harness = {
            .width = work->width, .height = work->height, .nodes = work->nodes};
        harness_give(0, &map);
        atomic_store(&polls, last = 0);
        tw_result_release(harness_run(&harness));
        if (atomic_load(&polls) < work->least)
            fail_msg("%spolls %d times; expected %d", work->nodes, atomic_load(&polls),
                     work->least);
        last = atomic_load(&polls) / 2;
        atomic_store(&polls, 0);
        struct tw_error error = harness_fail(&harness);
        assert_int_equal(error.status, TW_CANCELLED);
        assert_true(atomic_load(&polls) < last + 1000);
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_work_polls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
