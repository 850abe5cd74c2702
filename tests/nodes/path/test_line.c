/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float flat[64 * 32];
static const struct tw_value flat_map = {TW_HEIGHTMAP, 64, 32, flat};

static struct tw_result *draw(const char *rest)
{
    char nodes[600];
    snprintf(nodes, sizeof nodes, "g: {type: test.map}\nout: {type: path.line, %s}\n", rest);
    return harness_run(&(struct harness){.width = 64, .height = 32, .nodes = nodes});
}

static void straight_lines_are_the_rows(void **state)
{
    (void)state;
    struct tw_result *result =
        draw("points: [[2, 0.1, 0.2, 3, 0.04, 0.5, 0.25], [2, -1.5, 1.75], {line: 5, x: 0, y: 1}]");
    const struct tw_value *out = tw_result_output(result, "out");
    const struct tw_line_point *p = tw_line_points(out);
    assert_int_equal(out->type, TW_LINES);
    assert_int_equal(out->width, 3);
    assert_true(p[0].line == 2 && p[0].x == 0.1f && p[0].y == 0.2f && p[0].z == 3);
    assert_true(p[0].width == 0.04f && p[0].depth == 0.5f && p[0].flow == 0.25f);
    assert_true(p[1].line == 2 && p[1].x == -1.5f && p[1].width == 0.01f && p[1].flow == 0);
    assert_true(p[2].line == 5 && p[2].y == 1);
    tw_result_release(result);
}

/* How far point i is from the line through a and b; the map is 64 x 32. */
static double distance_to(const struct tw_line_point *at, const struct tw_line_point *a,
                          const struct tw_line_point *b)
{
    double ux = ((double)b->x - (double)a->x) * 64, uy = ((double)b->y - (double)a->y) * 32;
    double x = ((double)at->x - (double)a->x) * 64, y = ((double)at->y - (double)a->y) * 32;
    return fabs(x * uy - y * ux) / sqrt(ux * ux + uy * uy);
}

static bool is_at(const struct tw_line_point *p, float x, float y)
{
    return p->x == x && p->y == y;
}

static void splines_pass_their_points_and_fall(void **state)
{
    (void)state;
    const float knots[] = {0.1f, 0.1f, 0.4f, 0.9f, 0.45f, 0.2f, 0.9f, 0.8f};
    struct tw_result *result =
        draw("interpolation: smooth, points: [[0, 0.1, 0.1, 1, 0.01], [0, 0.4, 0.9, 0.9, 0.02], "
             "[0, 0.45, 0.2, 0.9, 0.02], [0, 0.9, 0.8, 0, 0.04]]");
    const struct tw_value *out = tw_result_output(result, "out");
    const struct tw_line_point *p = tw_line_points(out);
    int found = 0;
    assert_true(out->width > 3 * 8);
    for (int32_t i = 0; i < out->width; i++) {
        found += found < 4 && is_at(p + i, knots[2 * found], knots[2 * found + 1]);
        assert_true(!i || (p[i].z <= p[i - 1].z && p[i].width >= p[i - 1].width));
        if (i > 1) /* no chord cuts a corner by more than a few hundredths of a cell */
            assert_true(distance_to(p + i - 1, p + i - 2, p + i) < 0.25);
    }
    assert_int_equal(found, 4);
    tw_result_release(result);
}

/* The point beyond an end can be the end itself: 1 + 2^-24 is 1 as a float. */
static void a_short_last_span_has_places(void **state)
{
    (void)state;
    struct tw_result *result =
        draw("interpolation: smooth, points: [[0, 0.99999994, 0.5], [0, 1, 0.5]]");
    const struct tw_value *out = tw_result_output(result, "out");
    assert_int_equal(out->width, 1 + 8);
    for (int32_t i = 1; i < out->width; i++) {
        assert_true(tw_line_points(out)[i].x >= tw_line_points(out)[i - 1].x);
        assert_true(tw_line_points(out)[i].y == 0.5f);
    }
    tw_result_release(result);
}

/* On a straight line the spline stays on it, and never runs back. */
static void a_spline_through_a_straight_line_is_straight(void **state)
{
    (void)state;
    struct tw_result *result =
        draw("interpolation: smooth, points: [[0, 0.1, 0.5], [0, 0.11, 0.5], "
             "[0, 0.8, 0.5], [0, 0.9, 0.5]]");
    const struct tw_value *out = tw_result_output(result, "out");
    for (int32_t i = 1; i < out->width; i++) {
        assert_true(tw_line_points(out)[i].y == 0.5f);
        assert_true(tw_line_points(out)[i].x > tw_line_points(out)[i - 1].x);
    }
    tw_result_release(result);
}

/* A ring has no kink where it closes: its steps there turn as little as elsewhere. */
static void closed_lines_close_smoothly(void **state)
{
    (void)state;
    struct tw_result *result =
        draw("interpolation: smooth, points: [[0, 0.5, 0.2], [0, 0.65, 0.5], [0, 0.5, 0.8], "
             "[0, 0.35, 0.5], [0, 0.5, 0.2]]");
    const struct tw_value *out = tw_result_output(result, "out");
    const struct tw_line_point *p = tw_line_points(out);
    int32_t last = out->width - 1;
    assert_true(is_at(p + last, p[0].x, p[0].y));
    assert_true(distance_to(p, p + last - 1, p + 1) < 0.25);
    tw_result_release(result);
}

static void ground_gives_every_height(void **state)
{
    (void)state;
    struct tw_value ground = harness_terrain(64, 32, 7);
    float *cells = ground.data;
    for (int i = 0; i < 64 * 32; i++)
        cells[i] = (float)(i % 64) * 0.25f + (float)(i / 64);
    harness_give(0, &ground);
    struct tw_result *result = draw("ground: g, border: closed, points: [[0, 0.1, 0.25, 99], "
                                    "[0, 0.9, 0.75, 99], [1, 2, 2, 5]]");
    const struct tw_value *out = tw_result_output(result, "out");
    const struct tw_line_point *p = tw_line_points(out);
    int32_t last = out->width - 1;
    assert_true(out->width >= 52 + 1);
    for (int32_t i = 0; i < last; i++) {
        double plane = ((double)p[i].x * 64 - 0.5) * 0.25 + (double)p[i].y * 32 - 0.5;
        assert_true(fabs((double)p[i].z - plane) < 1e-4);
        assert_true(!i || fabs((double)p[i].x - (double)p[i - 1].x) * 64 <= 1.0001);
    }
    assert_true(p[last].z == cells[64 * 32 - 1]); /* beyond the border */
    harness_give(0, &flat_map);
    free(ground.data);
    tw_result_release(result);
}

static int32_t count(const char *rest)
{
    struct tw_result *result = draw(rest);
    int32_t points = tw_result_output(result, "out")->width;
    tw_result_release(result);
    return points;
}

static void degenerate_lines_are_lines(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[200];
        const char *const points[] = {"[]", "[[0, 0.5, 0.5]]", "[[0, 0.5, 0.5], [0, 0.5, 0.5, 1]]",
                                      "[[0, 0, 0], [1, 0, 0], [1, 0, 0], [2, 1, 1]]"};
        const int32_t expected[] = {0, 1, 1, 3};
        for (int k = 0; k < 4; k++) {
            snprintf(text, sizeof text, "interpolation: %s, points: %s", i ? "smooth" : "straight",
                     points[k]);
            assert_int_equal(count(text), expected[k]);
        }
    }
}

static void refuses(const char *points, const char *message)
{
    char nodes[200];
    snprintf(nodes, sizeof nodes, "out: {type: path.line, points: %s}\n", points);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    if (!strstr(error.message, message))
        fail_msg("'%s' does not say '%s'", error.message, message);
}

static void refuses_rows_out_of_order(void **state)
{
    (void)state;
    refuses("[[1, 0, 0], [0, 1, 1]]", "expected at least the number in the row before");
    refuses("[[0.5, 0, 0]]", "whole number");
    refuses("[{x: 0}]", "needs 'y'");
    refuses("[{x: 17, y: 0}]", "16");
}

int main(void)
{
    harness_give(0, &flat_map);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_lines_are_the_rows),
        cmocka_unit_test(splines_pass_their_points_and_fall),
        cmocka_unit_test(a_spline_through_a_straight_line_is_straight),
        cmocka_unit_test(a_short_last_span_has_places),
        cmocka_unit_test(closed_lines_close_smoothly),
        cmocka_unit_test(ground_gives_every_height),
        cmocka_unit_test(degenerate_lines_are_lines),
        cmocka_unit_test(refuses_rows_out_of_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
