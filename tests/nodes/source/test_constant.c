/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(const char *param, float value, int32_t width, int32_t height)
{
    size_t count = (size_t)width * (size_t)height;
    float *expected = malloc(count * sizeof *expected);
    char nodes[100];
    assert_non_null(expected);
    for (size_t i = 0; i < count; i++)
        expected[i] = value;
    snprintf(nodes, sizeof nodes, "out: {type: source.constant%s}\n", param);
    struct harness harness = {.width = width, .height = height, .nodes = nodes};
    everywhere(harness, "out", expected);
    struct tw_result *result = harness_run(&harness);
    const struct tw_value *out = tw_result_output(result, "out");
    assert_int_equal(out->type, TW_HEIGHTMAP);
    assert_int_equal(out->width, width);
    assert_int_equal(out->height, height);
    tw_result_release(result);
    free(expected);
}

static void every_cell_has_the_value_at_every_size(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 37}, {41, 1}, {2, 2}, {257, 129}, {64, 300}};
    (void)state;
    for (int i = 0; i < 6; i++) {
        check("", 0.0f, sizes[i][0], sizes[i][1]);
        check(", value: 0.1", 0.1f, sizes[i][0], sizes[i][1]);
        check(", value: -1e9", -1e9f, sizes[i][0], sizes[i][1]);
        check(", value: 1e9", 1e9f, sizes[i][0], sizes[i][1]);
        check(", value: 1e-40", 1e-40f, sizes[i][0], sizes[i][1]);
    }
}

/* In one block of rows with the nodes after it, as for a map of its own. */
static void a_chain_reads_the_value(void **state)
{
    (void)state;
    struct tw_result *result =
        harness_run(&(struct harness){.width = 257,
                                      .height = 129,
                                      .threads = 2,
                                      .nodes = "\"a\": {type: source.constant, value: 0.75}\n"
                                               "\"b\": {type: source.constant, value: -2.5}\n"
                                               "out: {type: combine.add, a: a, b: b}\n"});
    const struct tw_value *out = tw_result_output(result, "out");
    for (size_t i = 0; i < tw_value_count(out); i++)
        assert_true(tw_floats(out)[i] == -1.75f);
    tw_result_release(result);
}

static void only_finite_values_in_range_load(void **state)
{
    static const char *const values[] = {".nan", ".inf", "-.inf", "1.1e9", "-1.1e9"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        char nodes[100];
        snprintf(nodes, sizeof nodes, "out: {type: source.constant, value: %s}\n", values[i]);
        struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
        assert_non_null(strstr(error.message, "source.constant.value"));
        assert_int_equal(error.line, 5);
        assert_int_equal(error.column, 39);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_has_the_value_at_every_size),
        cmocka_unit_test(a_chain_reads_the_value),
        cmocka_unit_test(only_finite_values_in_range_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
