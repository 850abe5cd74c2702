/* SPDX-License-Identifier: MIT */
/* Running recipes through the library: same bytes on any number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "field/field.h"

#include <string.h>
#include <thalweg/thalweg.h>

static struct tw_digest run(const char *file, int32_t threads)
{
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_run_options options = {.threads = threads};
    assert_int_equal(tw_recipe_load(file, NULL, &recipe, &error), TW_OK);
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
    static const char *const files[] = {TW_GRAPHS "/olsen-hills.yaml", TW_GRAPHS "/jacksboro.yaml"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tw_digest one = run(files[i], 1), two = run(files[i], 2), eight = run(files[i], 8);
        assert_memory_equal(&one, &two, sizeof one);
        assert_memory_equal(&one, &eight, sizeof one);
    }
}

static void outputs_outlive_the_recipe(void **state)
{
    static const char text[] = "thalweg: 1\nsize: [3, 2]\n"
                               "nodes: {flat: {type: source.constant, value: 0.25}}\n"
                               "outputs: {height: flat}\n";
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "flat.yaml", NULL, &recipe, &error),
                     TW_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_on_any_thread_count),
        cmocka_unit_test(outputs_outlive_the_recipe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
