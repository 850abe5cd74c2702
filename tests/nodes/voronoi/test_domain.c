/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40 }; /* the map holds every label 0..n-1 at least once */

static struct tw_value make_labels(int32_t count)
{
    struct tw_value labels = {TW_LABELS, SIDE, SIDE, malloc(SIDE * SIDE * sizeof(int32_t))};
    assert_non_null(labels.data);
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        tw_labels(&labels)[i] = i % count;
    return labels;
}

static struct tw_result *fill(const struct tw_value *labels, const char *options, uint64_t seed)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes,
             "l: {type: test.labels}\nd: {type: voronoi.domain, domain: l, %s}", options);
    harness_give(0, labels);
    return harness_run(
        &(struct harness){.width = SIDE, .height = SIDE, .seed = seed, .nodes = nodes});
}

static int32_t count_ones(int32_t labels, const char *options, uint64_t seed)
{
    struct tw_value map = make_labels(labels);
    struct tw_result *result = fill(&map, options, seed);
    const float *out = tw_floats(tw_result_output(result, "d"));
    int32_t ones = 0;
    for (int32_t i = 0; i < labels; i++) {
        assert_true(out[i] == 0 || out[i] == 1);
        ones += out[i] == 1;
    }
    for (int32_t i = labels; i < SIDE * SIDE; i++)
        assert_true(out[i] == out[i % labels]);
    tw_result_release(result);
    free(map.data);
    return ones;
}

static void binary_gives_exactly_the_coverage(void **state)
{
    const struct {
        const char *options;
        int32_t labels, ones;
    } cases[] = {
        {"values: binary, coverage: 0.7", 16, 11},  {"values: binary, coverage: 0.3", 16, 5},
        {"values: binary, coverage: 0.5", 1, 1},    {"values: binary, coverage: 0.7", 5, 4},
        {"values: binary, coverage: 0", 16, 0},     {"values: binary, coverage: 1", 16, 16},
        {"values: binary, coverage: 0.4", 1, 0},    {"values: binary, coverage: 0.25", 1000, 250},
        {"values: binary, coverage: 0.1", 777, 78},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint64_t seed = 0; seed < 5; seed++)
            assert_int_equal(count_ones(cases[i].labels, cases[i].options, seed), cases[i].ones);
}

/* The highest label, and one that is refused, in any one cell of the map's first rows. */
static void labels_count_wherever_they_are(void **state)
{
    struct tw_value map = make_labels(1);
    (void)state;
    for (int32_t i = 0; i < 3 * SIDE; i++) {
        tw_labels(&map)[i] = 9;
        struct tw_result *result = fill(&map, "values: binary, coverage: 1", 1);
        for (int32_t k = 0; k < SIDE * SIDE; k++)
            assert_true(tw_floats(tw_result_output(result, "d"))[k] == 1);
        tw_result_release(result);
        tw_labels(&map)[i] = -1;
        harness_give(0, &map);
        (void)harness_fail(&(struct harness){
            .width = SIDE,
            .height = SIDE,
            .nodes = "l: {type: test.labels}\nd: {type: voronoi.domain, domain: l}"});
        tw_labels(&map)[i] = 0;
    }
    free(map.data);
}

/* Over many seeds every domain is chosen about as often. */
static void binary_prefers_no_domain(void **state)
{
    struct tw_value map = make_labels(10);
    int chosen[10] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct tw_result *result = fill(&map, "values: binary, coverage: 0.3", seed);
        for (int i = 0; i < 10; i++)
            chosen[i] += tw_floats(tw_result_output(result, "d"))[i] == 1;
        tw_result_release(result);
    }
    for (int i = 0; i < 10; i++)
        assert_in_range(chosen[i], 120 - 46, 120 + 46); /* five deviations */
    free(map.data);
}

static void uniform_fills_the_range(void **state)
{
    struct tw_value map = make_labels(1000);
    double sum = 0, squares = 0;
    (void)state;
    struct tw_result *result = fill(&map, "values: uniform, min: 0.2, max: 0.6", 1);
    const float *out = tw_floats(tw_result_output(result, "d"));
    for (int i = 0; i < 1000; i++) {
        assert_true(out[i] >= 0.2f && out[i] < 0.6f);
        sum += (double)out[i];
        squares += pow((double)out[i] - 0.4, 2);
    }
    assert_true(fabs(sum / 1000 - 0.4) < 0.02);
    assert_true(fabs(sqrt(squares / 1000) - 0.4 / sqrt(12)) < 0.01);
    tw_result_release(result);
    free(map.data);
}

static void refuses_labels_below_zero(void **state)
{
    struct tw_value map = make_labels(3);
    (void)state;
    tw_labels(&map)[77] = -2;
    harness_give(0, &map);
    struct tw_error error =
        harness_fail(&(struct harness){.width = SIDE,
                                       .height = SIDE,
                                       .nodes = "l: {type: test.labels}\n"
                                                "d: {type: voronoi.domain, domain: l}"});
    assert_non_null(strstr(error.message, "from -2 to 2; allowed 0 to"));
    free(map.data);
}

static void same_bytes_on_any_machine(void **state)
{
    struct tw_value map = make_labels(100);
    (void)state;
    struct tw_result *result = fill(&map, "values: binary, coverage: 0.37", 8);
    everywhere((struct harness){.width = SIDE,
                                .height = SIDE,
                                .seed = 8,
                                .nodes = "l: {type: test.labels}\n"
                                         "d: {type: voronoi.domain, domain: l, values: binary, "
                                         "coverage: 0.37}"},
               "d", tw_floats(tw_result_output(result, "d")));
    tw_result_release(result);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(binary_gives_exactly_the_coverage),
                                       cmocka_unit_test(labels_count_wherever_they_are),
                                       cmocka_unit_test(binary_prefers_no_domain),
                                       cmocka_unit_test(uniform_fills_the_range),
                                       cmocka_unit_test(refuses_labels_below_zero),
                                       cmocka_unit_test(same_bytes_on_any_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
