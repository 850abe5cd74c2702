/* SPDX-License-Identifier: MIT */
#include "support/pointwise.h"

#include <math.h>
#include <stdio.h>

/* y = x / 2 up to 1/2, then 3 x / 2 - 1/2, flat outside 0..1 */
static float bent(float a, float b, float c)
{
    (void)b;
    (void)c;
    float v = a < 0 ? 0 : a > 1 ? 1 : a;
    return v < 0.5f ? v * 0.5f : 0.25f + (v - 0.5f) * 1.5f;
}

static void linear_equals_the_equation_everywhere(void **state)
{
    (void)state;
    pointwise_check("\"a\": {type: test.map}\n"
                    "out: {type: shape.curve, in: a, interpolation: linear, "
                    "points: [[0, 0], [0.5, 0.25], {x: 1, y: 1}]}",
                    bent);
}

#define POINTS "[[-1, 0.5], [-0.5, 0.5], [0, 0.25], [0.1, 0.8], [1, 1], [2, 0]]"
static const float x_of[] = {-1, -0.5f, 0, 0.1f, 1, 2}, y_of[] = {0.5f, 0.5f, 0.25f, 0.8f, 1, 0};

enum { CELLS = 4001 };

/* Cells rising from -1.5 to 2.5 in steps of 1/1000. */
static struct tw_result *draw(float *cells)
{
    static struct tw_value ramp = {TW_HEIGHTMAP, CELLS, 1, NULL};
    ramp.data = cells;
    for (int i = 0; i < CELLS; i++)
        cells[i] = (float)(i - 1500) / 1000;
    harness_give(0, &ramp);
    return harness_run(&(struct harness){.width = CELLS,
                                         .height = 1,
                                         .nodes = "a: {type: test.map}\n"
                                                  "out: {type: shape.curve, in: a, points: " POINTS
                                                  "}"});
}

static void cubic_passes_through_every_point(void **state)
{
    static float cells[CELLS];
    (void)state;
    struct tw_result *result = draw(cells);
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int k = 0; k < 6; k++)
        assert_true(fabsf(out[(int)(x_of[k] * 1000 + 1500.5f)] - y_of[k]) < 1e-6f);
    assert_true(out[0] == 0.5f && fabsf(out[CELLS - 1]) < 1e-6f);
    tw_result_release(result);
}

static void cubic_is_monotone_between_points_and_smooth(void **state)
{
    static float cells[CELLS];
    (void)state;
    struct tw_result *result = draw(cells);
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int i = 1; i < CELLS; i++)
        for (int k = 0; k < 5; k++)
            if (cells[i - 1] >= x_of[k] && cells[i] <= x_of[k + 1])
                assert_true((out[i] - out[i - 1]) * (y_of[k + 1] - y_of[k]) >= -1e-6f);
    for (int i = 501; i < 3499; i++) /* no kinks inside: slopes of neighbours agree */
        assert_true(fabsf(out[i + 1] - 2 * out[i] + out[i - 1]) < 5e-4f);
    tw_result_release(result);
}

static void refuse(const char *points, const char *message)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes, "a: {type: source.constant}\nout: {type: shape.curve, in: a%s}",
             points);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    assert_non_null(strstr(error.message, message));
}

static void refuses_curves_that_are_none(void **state)
{
    (void)state;
    refuse("", "at least two rows");
    refuse(", points: [[0, 1]]", "at least two rows");
    refuse(", points: [[0, 1], [1, 2], [1, 3]]", "expected more than in the row before");
    refuse(", points: [[1, 1], [1, 2], [2, 3]]", "expected more than in the row before");
    refuse(", points: [[1, 1], [0.5, 2]]", "expected more than in the row before");
}

static void cubic_gives_the_same_bytes_everywhere(void **state)
{
    static float cells[CELLS];
    (void)state;
    struct tw_result *result = draw(cells);
    everywhere((struct harness){.width = CELLS,
                                .height = 1,
                                .nodes = "\"a\": {type: test.map}\n"
                                         "out: {type: shape.curve, in: a, points: " POINTS "}"},
               "out", tw_floats(tw_result_output(result, "out")));
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_equals_the_equation_everywhere),
        cmocka_unit_test(cubic_passes_through_every_point),
        cmocka_unit_test(cubic_is_monotone_between_points_and_smooth),
        cmocka_unit_test(refuses_curves_that_are_none),
        cmocka_unit_test(cubic_gives_the_same_bytes_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
