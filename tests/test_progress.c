/* SPDX-License-Identifier: MIT */
/* Progress that nodes report, on which no byte depends: fractions in 0..1 that only grow. */
#include "support/example.h"

#include "graph/graph.h"
#include "task/task.h"

#include <stdio.h>

enum { WIDTH = 33, HEIGHT = 20 };

static const struct tw_node *reporter; /* of the last report */
static double reported;
static int count, wrong;

/* The linker puts this in front of the engine's function (tests/CMakeLists.txt). */
void __real_tw_task_progress(struct tw_task *task, double share);
void __wrap_tw_task_progress(struct tw_task *task, double share);

void __wrap_tw_task_progress(struct tw_task *task, double share)
{
    double before = task->node == reporter ? reported : 0;
    if (!(share >= 0 && share <= 1 && share >= before) && wrong++ == 0)
        print_error("a share of %.9g after one of %.9g\n", share, before);
    reporter = task->node;
    reported = share < 1 ? share : 0; /* 1 ends a part; the next starts at 0 */
    count++;
    __real_tw_task_progress(task, share);
}

static void shares_grow_to_the_whole(void **state)
{
    int reporters = 0;
    (void)state;
    EACH_NODE_TYPE(type)
    {
        struct tw_recipe *recipe = example_load(*type, WIDTH, HEIGHT);
        struct tw_result *result = NULL;
        struct tw_error error = {.status = TW_OK};
        const struct tw_run_options options = {.threads = 1};
        reporter = NULL;
        count = wrong = 0;
        if (tw_recipe_run(recipe, &options, &result, &error) != TW_OK)
            fail_msg("%s: %s", (*type)->name, error.message);
        if (wrong > 0)
            fail_msg("%s: %d of %d shares", (*type)->name, wrong, count);
        reporters += count > 0;
        tw_result_release(result);
        tw_recipe_release(recipe);
    }
    assert_true(reporters > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_grow_to_the_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
