/* SPDX-License-Identifier: MIT */
/* Running recipes through the library: same bytes on any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/sanitized.h"

#include "value/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thalweg/kernel.h>
#include <thalweg/node.h>
#include <thalweg/thalweg.h>

static struct tw_digest run(const char *file, int32_t threads)
{
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_run_options options = {.threads = threads};
    const struct tw_load_options small = {.width = SANITIZED ? 96 : 160,
                                          .height = SANITIZED ? 96 : 160};
    assert_int_equal(tw_recipe_load(file, &small, &recipe, &error), TW_OK);
    assert_int_equal(tw_recipe_run(recipe, &options, &result, &error), TW_OK);
    const struct tw_value *height = tw_result_output(result, "height");
    assert_non_null(height);
    struct tw_digest digest = tw_field_digest(height);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return digest;
}

static void same_bytes_on_any_thread_count(void **state)
{
    static const char *const files[] = {TW_GRAPHS "/olsen-hills.yaml", TW_GRAPHS "/rivers.yaml"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tw_digest eight = run(files[i], 8);
        if (SANITIZED)
            continue;
        struct tw_digest one = run(files[i], 1), two = run(files[i], 2);
        assert_memory_equal(&one, &two, sizeof one);
        assert_memory_equal(&one, &eight, sizeof one);
    }
}

static struct tw_recipe *parse_flat(void)
{
    static const char text[] = "thalweg: 1\nsize: [3, 2]\n"
                               "nodes: {flat: {type: source.constant, value: 0.25}}\n"
                               "outputs: {height: flat}\n";
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "flat.yaml", NULL, &recipe, &error),
                     TW_OK);
    return recipe;
}

static void outputs_outlive_the_recipe(void **state)
{
    struct tw_recipe *recipe = parse_flat();
    struct tw_result *result = NULL;
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_recipe_run(recipe, NULL, &result, &error), TW_OK);
    tw_recipe_release(recipe);
    const struct tw_value *height = tw_result_output(result, "height");
    assert_int_equal(height->width, 3);
    assert_int_equal(height->height, 2);
    for (int i = 0; i < 6; i++)
        assert_true(tw_floats(height)[i] == 0.25f);
    assert_null(tw_result_output(result, "none"));
    tw_result_release(result);
}

/* A bound that no clock holds is none, and an empty name of a folder is not the root folder. */
static void odd_options_do_what_they_say(void **state)
{
    static const double seconds[] = {-1, 1e9, 1e300, INFINITY, NAN};
    struct tw_recipe *recipe = parse_flat();
    struct tw_result *result = NULL;
    struct tw_error error;
    (void)state;
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
        const struct tw_run_options options = {.max_seconds = seconds[i]};
        if (tw_recipe_run(recipe, &options, &result, &error) != TW_OK)
            fail_msg("%s", error.message);
        tw_result_release(result);
    }
    const struct tw_run_options nowhere = {.cache_dir = ""};
    assert_int_equal(tw_recipe_run(recipe, &nowhere, &result, &error), TW_USAGE);
    assert_string_equal(error.message, "cache_dir is empty; expected a folder, or NULL");
    tw_recipe_release(recipe);
}

/* ---- a node that breaks what nodes promise ---- */

struct params {
    int32_t wrong;
};

static const struct tw_param rows[] = {
    TW_PARAM_I32(struct params, wrong, 0, 0, 9, "", "which output"),
    TW_PARAM_END,
};
static const struct tw_port outputs[] = {
    {"map", TW_HEIGHTMAP, 0, ""}, {"vectors", TW_VECTORS, 0, ""}, {"points", TW_POINTS, 0, ""},
    {"curves", TW_CURVES, 0, ""}, {"record", TW_RECORD, 0, ""},   TW_PORT_END};

static enum tw_status run_careless(struct tw_task *task)
{
    const struct params *p = tw_task_params(task);
    const uint32_t nan_bits = 0xFFC00000u;
    const double infinity = tw_exp2(1000) * tw_exp2(1000);
    unsigned char *at;
    for (int i = 2; i < 5 - (p->wrong == 6); i++)
        if (tw_task_list(task, i, 4) != TW_OK)
            return TW_MEMORY;
    memset(tw_task_output(task, 0)->data, 0, 6 * sizeof(float));
    memset(tw_task_output(task, 1)->data, 0, 12 * sizeof(float));
    tw_points(tw_task_output(task, 2))[1].feature = -1; /* all bits, and no float */
    if (p->wrong >= 1 && p->wrong <= 4) {
        at = tw_task_output(task, p->wrong - 1)->data;
        size_t size = p->wrong == 1 ? 4 : p->wrong == 2 ? 8 : p->wrong == 3 ? 20 : 44;
        memcpy(at + 2 * size + (p->wrong == 4 ? 36 : 0), &nan_bits, sizeof nan_bits);
    }
    if (p->wrong == 5)
        tw_entries(tw_task_output(task, 4))[3].number = infinity;
    return TW_OK;
}

static const struct tw_node_type careless = {.name = "test.careless",
                                             .version = 1,
                                             .summary = "careless",
                                             .outputs = outputs,
                                             .params = rows,
                                             .params_size = sizeof(struct params),
                                             .run = run_careless};
static const struct tw_node_type *const types[] = {&careless, NULL};

static void outputs_are_finite_and_there(void **state)
{
    static const char *const messages[] = {"",
                                           "output 'map' is not finite at x 2, y 0",
                                           "output 'vectors' is not finite at x 2, y 0",
                                           "output 'points' is not finite in element 2",
                                           "output 'curves' is not finite in element 2",
                                           "output 'record' is not finite in element 3",
                                           "output 'record' was not allocated"};
    const struct tw_load_options options = {.types = types};
    (void)state;
    for (int wrong = 0; wrong < 7; wrong++) {
        char text[300];
        struct tw_recipe *recipe = NULL;
        struct tw_result *result = NULL;
        struct tw_error error = {.status = TW_OK};
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: [3, 2]\nnodes: {a: {type: test.careless, wrong: %d}}\n"
                 "outputs: {m: a, v: a.vectors, p: a.points, c: a.curves, r: a.record}\n",
                 wrong);
        assert_int_equal(tw_recipe_parse(text, strlen(text), "a.yaml", &options, &recipe, NULL),
                         TW_OK);
        assert_int_equal(tw_recipe_run(recipe, NULL, &result, &error), wrong ? TW_NODE : TW_OK);
        if (!strstr(error.message, messages[wrong]))
            fail_msg("%d: %s", wrong, error.message);
        tw_result_release(result);
        tw_recipe_release(recipe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_on_any_thread_count),
        cmocka_unit_test(outputs_outlive_the_recipe),
        cmocka_unit_test(odd_options_do_what_they_say),
        cmocka_unit_test(outputs_are_finite_and_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
