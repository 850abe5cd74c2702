/* SPDX-License-Identifier: MIT */
/* What a node may ask of its task, and what becomes of what it does: the nodes are the test's. */
#include "support/harness.h"
#include "support/until.h"

#include "task/task.h"

#include <thalweg/part.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum behaviour {
    FINE,
    FAILS,
    FAILS_SILENTLY,
    IS_NAN,
    IS_INFINITE_MASK,
    TAKES_TOO_MUCH,
    TAKES_TOO_MANY,
    TAKES_BEYOND_THE_LIMIT,
    GIVES_BACK,
    HAS_PARTS,
    LISTS,
    LISTS_TOO_MUCH,
    LISTS_NOT,
    STOPS,
    WARNS
};

static enum behaviour behaviour;
static volatile int cancel;
static double progressed, least, most; /* what the callbacks received, which must stay in range */
static struct tw_error warned;
static int warnings;

static enum tw_status scratch(struct tw_task *task)
{
    for (size_t i = 0; i < TW_SCRATCH_MAX; i++) {
        unsigned char *block = tw_task_scratch(task, i * 100, 3);
        if (!block || (uintptr_t)block % 64 != 0)
            return tw_task_fail(task, "scratch %zu is missing or not aligned", i);
        memset(block, 1, i * 300);
    }
    return tw_task_scratch(task, 1, 1) ? TW_OK : tw_task_no_memory(task);
}

/* More in all than the limit of 7 MiB, and more blocks than there can be. */
static enum tw_status give_back(struct tw_task *task)
{
    unsigned char *kept = tw_task_scratch(task, 1 << 20, 1);
    const struct tw_scratch_mark before = tw_task_scratch_mark(task);
    if (!kept)
        return tw_task_no_memory(task);
    kept[0] = 7;
    for (int step = 0; step < 3; step++) {
        if (!tw_task_scratch(task, 4 << 20, 1))
            return tw_task_no_memory(task);
        for (int i = 2; i < TW_SCRATCH_MAX; i++)
            if (!tw_task_scratch(task, 100, 1))
                return tw_task_no_memory(task);
        tw_task_scratch_return(task, before);
    }
    return kept[0] == 7 ? TW_OK : TW_NODE;
}

/* All scratch that there can be, in a part of a part. */
static enum tw_status inner_part(struct tw_task *task, void *context)
{
    enum tw_status *status = context;
    if (tw_task_width(task) != 2 || tw_task_height(task) != 1)
        return tw_task_fail(task, "an inner part is not 2 x 1");
    tw_task_progress(task, 0.5);
    for (int i = 1; *status == TW_OK && i < TW_SCRATCH_MAX; i++)
        *status = tw_task_scratch(task, 100, 1) ? TW_OK : TW_MEMORY;
    return *status == TW_OK && tw_task_scratch(task, 1, 1) ? TW_NODE : TW_CANCELLED;
}

static enum tw_status outer_part(struct tw_task *task, void *context)
{
    const struct tw_task_span part = {2, 1, 0.5, 1};
    enum tw_status status = TW_OK;
    (void)context;
    for (int k = 0; k < 3; k++)
        if (tw_task_part(task, &part, inner_part, &status) != TW_CANCELLED || status != TW_OK)
            return tw_task_fail(task,
                                "a part has scratch for %d blocks less one no more, or not "
                                "its own status",
                                TW_SCRATCH_MAX);
    return tw_task_width(task) == 5 && tw_task_height(task) == 3 ? TW_OK : TW_NODE;
}

static enum tw_status has_parts(struct tw_task *task)
{
    const struct tw_task_span part = {5, 3, 0.2, 0.6};
    unsigned char *kept = tw_task_scratch(task, 4, 1);
    if (!kept)
        return tw_task_no_memory(task);
    memset(kept, 7, 4);
    enum tw_status status = tw_task_part(task, &part, outer_part, NULL);
    bool whole = tw_task_width(task) == 10 && tw_task_height(task) == 6 && kept[3] == 7;
    if (task->permille != 500) /* 0.2 + 0.4 (0.5 + 0.5 / 2) */
        return tw_task_fail(task, "progress is %d", (int)task->permille);
    return whole ? status : tw_task_fail(task, "a part leaves its size behind");
}

static enum tw_status list(struct tw_task *task)
{
    static const int32_t counts[] = {5, 5, 0, 3, 3}; /* equal ones get the block just freed */
    for (int k = 0; k < 5; k++) {
        if (tw_task_list(task, 2, counts[k]) != TW_OK)
            return TW_MEMORY;
        struct tw_point *points = tw_points(tw_task_output(task, 2));
        for (int32_t i = 0; i < counts[k]; i++) {
            if (points[i].x != 0 || points[i].cost != 0)
                return tw_task_fail(task, "a list of %d is not zeroed", (int)counts[k]);
            memset(&points[i], 1, sizeof points[i]);
        }
    }
    return TW_OK;
}

static enum tw_status stop(struct tw_task *task)
{
    __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED);
    for (; !tw_task_cancelled(task); until_pause())
        tw_task_progress(task, 0.5);
    return TW_CANCELLED;
}

static enum tw_status run(struct tw_task *task)
{
    struct tw_value *map = tw_task_output(task, 0), *mask = tw_task_output(task, 1);
    for (size_t i = 0; i < tw_value_count(map); i++)
        tw_floats(map)[i] = tw_floats(mask)[i] = 0.5f;
    if (behaviour != LISTS_NOT && tw_task_list(task, 2, 0) != TW_OK)
        return TW_MEMORY;
    switch (behaviour) {
    case FINE:
    case LISTS_NOT:
        return TW_OK;
    case FAILS:
        return tw_task_fail(task, "%d is not %s", 1, "two");
    case FAILS_SILENTLY:
        return TW_NODE;
    case IS_NAN:
        tw_floats(map)[7 + 3 * 10] = NAN;
        return TW_OK;
    case IS_INFINITE_MASK:
        tw_floats(mask)[59] = -INFINITY;
        return TW_OK;
    case TAKES_TOO_MUCH:
        return tw_task_scratch(task, SIZE_MAX / 2, 3) || tw_task_scratch(task, SIZE_MAX - 70, 1)
                   ? TW_OK
                   : tw_task_no_memory(task);
    case TAKES_TOO_MANY:
        return scratch(task);
    case TAKES_BEYOND_THE_LIMIT:
        return tw_task_scratch(task, 5 << 20, 2) ? TW_OK : tw_task_no_memory(task);
    case GIVES_BACK:
        return give_back(task);
    case HAS_PARTS:
        return has_parts(task);
    case LISTS:
        return list(task);
    case LISTS_TOO_MUCH:
        return tw_task_list(task, 2, INT32_MAX);
    case STOPS:
        return stop(task);
    case WARNS:
        tw_task_warn(task, "mind the %s", "gap");
        return TW_OK;
    }
    return TW_NODE;
}

static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, 0, "map"},
                                         {"mask", TW_MASK, 0, "mask"},
                                         {"points", TW_POINTS, 0, "list"},
                                         TW_PORT_END};
static const struct tw_node_type type = {
    .name = "test.task", .version = 1, .summary = "behaves", .outputs = outputs, .run = run};
static const struct tw_node_type *const types[] = {&type, NULL};

static void on_warning(void *context, const struct tw_error *warning)
{
    (void)context;
    warnings++;
    warned = *warning;
}

static void on_progress(void *context, const char *node, double done)
{
    (void)context;
    (void)node;
    progressed = done;
    least = done < least ? done : least;
    most = done > most ? done : most;
}

static enum tw_status behave(enum behaviour how, struct tw_result **result, struct tw_error *error)
{
    static const char text[] = "thalweg: 1\nsize: [10, 6]\nnodes: {n: {type: test.task}}\n"
                               "outputs: {out: n, mask: n.mask, points: n.points}\n";
    const struct tw_load_options load = {.types = types};
    const bool limited = how == TAKES_BEYOND_THE_LIMIT || how == GIVES_BACK;
    const struct tw_run_options options = {.threads = 2,
                                           .max_memory = limited ? 7 << 20 : 0,
                                           .cancel = &cancel,
                                           .warning = on_warning,
                                           .progress = on_progress};
    struct tw_recipe *recipe = NULL;
    behaviour = how;
    cancel = 0;
    *result = NULL;
    *error = (struct tw_error){.status = TW_OK};
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t.yaml", &load, &recipe, error), TW_OK);
    enum tw_status status = tw_recipe_run(recipe, &options, result, error);
    tw_recipe_release(recipe);
    assert_true((status == TW_OK) == (*result != NULL));
    return status;
}

static void fails(enum behaviour how, enum tw_status status, const char *message)
{
    struct tw_result *result;
    struct tw_error error;
    assert_int_equal(behave(how, &result, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, message);
}

static void failures_have_words_and_a_place(void **state)
{
    struct tw_result *result;
    struct tw_error error;
    (void)state;
    fails(FAILS, TW_NODE, "1 is not two");
    fails(FAILS_SILENTLY, TW_NODE, "a node failed");
    fails(TAKES_TOO_MUCH, TW_MEMORY, "out of memory");
    fails(TAKES_TOO_MANY, TW_MEMORY, "out of memory");
    fails(
        TAKES_BEYOND_THE_LIMIT, TW_LIMIT,
        "test.task takes 10 MiB of scratch, 0 MiB were forecast: beyond the memory limit of 7 MiB");
    fails(LISTS_NOT, TW_NODE, "output 'points' was not allocated: a list needs tw_task_list()");
    fails(LISTS_TOO_MUCH, TW_LIMIT, "a points of 2147483647 x 1 is beyond the limits");
    assert_int_equal(behave(FAILS, &result, &error), TW_NODE);
    assert_string_equal(error.path, "n");
    assert_string_equal(error.file, "t.yaml");
    assert_int_equal(error.line, 3);
}

static void parts_have_their_own_size_and_scratch(void **state)
{
    struct tw_result *result;
    struct tw_error error;
    (void)state;
    if (behave(HAS_PARTS, &result, &error) != TW_OK)
        fail_msg("%s", error.message);
    tw_result_release(result);
}

static void what_is_given_back_counts_no_more(void **state)
{
    struct tw_result *result;
    struct tw_error error;
    (void)state;
    if (behave(GIVES_BACK, &result, &error) != TW_OK)
        fail_msg("%s", error.message);
    tw_result_release(result);
}

static void maps_must_be_finite(void **state)
{
    (void)state;
    fails(IS_NAN, TW_NODE, "output 'out' is not finite at x 7, y 3");
    fails(IS_INFINITE_MASK, TW_NODE, "output 'mask' is not finite at x 9, y 5");
}

static void lists_have_the_last_length(void **state)
{
    struct tw_result *result;
    struct tw_error error;
    (void)state;
    assert_int_equal(behave(LISTS, &result, &error), TW_OK);
    assert_int_equal(tw_result_output(result, "points")->width, 3);
    tw_result_release(result);
    assert_int_equal(behave(FINE, &result, &error), TW_OK);
    assert_int_equal(tw_result_output(result, "points")->width, 0);
    assert_int_equal(tw_result_output(result, "points")->height, 1);
    tw_result_release(result);
}

static void warnings_and_progress_are_reported(void **state)
{
    struct tw_result *result;
    struct tw_error error;
    (void)state;
    warnings = 0;
    assert_int_equal(behave(FINE, &result, &error), TW_OK);
    tw_result_release(result);
    assert_int_equal(warnings, 0);
    assert_int_equal(behave(WARNS, &result, &error), TW_OK);
    tw_result_release(result);
    assert_int_equal(warnings, 1);
    assert_string_equal(warned.message, "mind the gap");
    assert_string_equal(warned.path, "n");
    assert_string_equal(warned.file, "t.yaml");
    assert_int_equal(warned.line, 3);
    assert_true(progressed == 1 && least >= 0 && most <= 1);
}

static void a_stop_reaches_the_node(void **state)
{
    (void)state;
    fails(STOPS, TW_CANCELLED, "stopped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_have_words_and_a_place),
        cmocka_unit_test(parts_have_their_own_size_and_scratch),
        cmocka_unit_test(what_is_given_back_counts_no_more),
        cmocka_unit_test(maps_must_be_finite),
        cmocka_unit_test(lists_have_the_last_length),
        cmocka_unit_test(warnings_and_progress_are_reported),
        cmocka_unit_test(a_stop_reaches_the_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
