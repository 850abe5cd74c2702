/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <thalweg/sample.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_value heights(int32_t width, int32_t height)
{
    return (struct tw_value){TW_HEIGHTMAP, width, height,
                             calloc((size_t)width * (size_t)height, sizeof(float))};
}

static struct harness road_of(const struct tw_value *in, const struct tw_value *via,
                              const struct tw_value *mask, const char *more, char nodes[600])
{
    static struct tw_value none;
    harness_give(0, in);
    harness_give(1, via);
    none = *in;
    none.type = TW_MASK;
    harness_give(2, mask ? mask : &none);
    snprintf(nodes, 600,
             "in: {type: test.map}\nvia: {type: test.points, slot: 1}\n"
             "mask: {type: test.mask, slot: 2}\n"
             "road: {type: path.road, in: in, via: via%s}\n",
             more);
    return (struct harness){
        .width = in->width,
        .height = in->height,
        .nodes = nodes,
        .head = strstr(more, "grade: 0.08") ? "world: {side_m: 1000, height_m: 100}\n" : NULL,
        .outputs = "record: road.record\n"};
}

static struct tw_result *run_road(const struct tw_value *in, const struct tw_value *via,
                                  const struct tw_value *mask, const char *more, int32_t threads)
{
    char nodes[600];
    struct harness harness = road_of(in, via, mask, more, nodes);
    harness.threads = threads;
    return harness_run(&harness);
}

static const char *fail_road(const struct tw_value *in, const struct tw_value *via,
                             const struct tw_value *mask, const char *more)
{
    static struct tw_error error;
    char nodes[600];
    struct harness harness = road_of(in, via, mask, more, nodes);
    error = harness_fail(&harness);
    return error.message;
}

static double entry(const struct tw_result *result, const char *name)
{
    const double *number = tw_record_find(tw_result_output(result, "record"), name);
    assert_non_null(number);
    return *number;
}

static double step_of(const struct tw_value *in, const struct tw_line_point *p)
{
    double dx = (double)p[1].x - (double)p[0].x;
    double dy = ((double)p[1].y - (double)p[0].y) * in->height / in->width;
    return sqrt(dx * dx + dy * dy);
}

static double ground_at(const struct tw_value *in, const struct tw_line_point *p)
{
    return (double)tw_sample(tw_floats(in), in->width, in->height, p->x * (float)in->width - 0.5f,
                             p->y * (float)in->height - 0.5f, false);
}

/* Returns the length; checks grade, record and ends. `scale` is height 1 in sides. */
static double check_road(const struct tw_value *in, const struct tw_result *result, double scale,
                         double grade)
{
    const struct tw_value *lines = tw_result_output(result, "road");
    const struct tw_line_point *p = tw_line_points(lines);
    double steepest = 0, length = 0, cut = 0, fill = 0;
    for (int32_t i = 0; i < lines->width; i++) {
        double above = (double)p[i].z - ground_at(in, p + i);
        cut = -above > cut ? -above : cut;
        fill = above > fill ? above : fill;
        assert_true(p[i].line == 0 && p[i].width == 0.002f && p[i].depth == 0 && p[i].flow == 0);
        if (i + 1 == lines->width)
            break;
        double step = step_of(in, p + i), g = fabs((double)p[i + 1].z - (double)p[i].z) * scale;
        assert_true(step <= 0.5001 / in->width);
        steepest = g / step > steepest ? g / step : steepest;
        length += step;
    }
    assert_true(steepest <= grade * (1 + 1e-7));
    assert_true(fabs(entry(result, "grade") - steepest) < 1e-9);
    assert_true(fabs(entry(result, "length") / length - 1) < 0.01);
    assert_true(fabs(entry(result, "cut") - cut) < 1e-6);
    assert_true(fabs(entry(result, "fill") - fill) < 1e-6);
    const struct tw_line_point *ends[] = {p, p + lines->width - 1};
    for (int i = 0; i < 2; i++)
        assert_true(fabs((double)ends[i]->z - ground_at(in, ends[i])) < 1e-6);
    return length;
}

static struct tw_point two[2] = {{.x = 0.2f, .y = 0.25f}, {.x = 0.8f, .y = 0.7f}};
static const struct tw_value via_two = {TW_POINTS, 2, 1, two};

static void keeps_the_grade_exactly(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct tw_value in = harness_terrain(seed == 3 ? 300 : 96, 96, seed);
        for (size_t i = 0; i < tw_value_count(&in); i++)
            tw_floats(&in)[i] *= 1.2f;
        struct tw_result *result = run_road(&in, &via_two, NULL, "", 1 + (int32_t)seed);
        check_road(&in, result, 0.15, 0.12);
        assert_true(entry(result, "cut") > 0 && entry(result, "fill") > 0);
        tw_result_release(result);
        result = run_road(&in, &via_two, NULL, ", grade: 0.08", 1); /* with `world:` */
        check_road(&in, result, 0.1, 0.08);
        tw_result_release(result);
        free(in.data);
    }
}

static void is_straight_on_a_plain(void **state)
{
    struct tw_value in = heights(64, 64);
    struct tw_point at[2] = {{.x = 10.5f / 64, .y = 20.5f / 64},
                             {.x = 50.5f / 64, .y = 20.5f / 64}};
    struct tw_value via = {TW_POINTS, 2, 1, at};
    (void)state;
    struct tw_result *result = run_road(&in, &via, NULL, "", 1);
    assert_true(fabs(check_road(&in, result, 0.15, 0.12) - 40.0 / 64) < 1e-6);
    assert_true(entry(result, "grade") == 0 && entry(result, "cut") == 0);
    tw_result_release(result);
    free(in.data);
}

/* A cone whose sides are 2.5 times as steep as the road. */
static void winds_up_a_cone(void **state)
{
    enum { SIDE = 96 };
    struct tw_value in = heights(SIDE, SIDE);
    struct tw_point at[2] = {{.x = 0.1f, .y = 0.5f}, {.x = 0.5f, .y = 0.5f}};
    struct tw_value via = {TW_POINTS, 2, 1, at};
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        double x = (i % SIDE + 0.5) / SIDE - 0.5, y = ((double)(i / SIDE) + 0.5) / SIDE - 0.5;
        double z = 0.8 - 2 * sqrt(x * x + y * y);
        tw_floats(&in)[i] = z > 0 ? (float)z : 0;
    }
    struct tw_result *result = run_road(&in, &via, NULL, "", 1);
    const struct tw_value *lines = tw_result_output(result, "road");
    const struct tw_line_point *p = tw_line_points(lines);
    double length = check_road(&in, result, 0.15, 0.12);
    assert_true(length > (double)p[lines->width - 1].z * 0.15 / 0.12 && length < 4);
    double around = 0;
    for (int32_t i = 0; i + 1 < lines->width; i++) {
        double x = (double)p[i].x - 0.5, y = (double)p[i].y - 0.5, r = x * x + y * y;
        double across =
            x * ((double)p[i + 1].y - (double)p[i].y) - y * ((double)p[i + 1].x - (double)p[i].x);
        around += r > 0.0025 ? fabs(across) / r : 0;
    }
    assert_true(around > 1.5);
    tw_result_release(result);
    free(in.data);
}

/* A slope 2.5 times as steep as the road, on which only a strip is free. */
static void climbs_by_hairpins(void **state)
{
    enum { SIDE = 96 };
    struct tw_value in = heights(SIDE, SIDE), sides = heights(SIDE, SIDE);
    struct tw_point at[2] = {{.x = 0.5f, .y = 0.1f}, {.x = 0.5f, .y = 0.8f}};
    struct tw_value via = {TW_POINTS, 2, 1, at};
    (void)state;
    sides.type = TW_MASK;
    for (int i = 0; i < SIDE * SIDE; i++) {
        tw_floats(&in)[i] = 2 * ((float)(i / SIDE) + 0.5f) / SIDE;
        tw_floats(&sides)[i] = i % SIDE < 34 || i % SIDE >= 62 ? 1 : 0;
    }
    struct tw_result *result = run_road(&in, &via, &sides, ", forbid: mask", 1);
    const struct tw_value *lines = tw_result_output(result, "road");
    const struct tw_line_point *p = tw_line_points(lines);
    assert_true(check_road(&in, result, 0.15, 0.12) > 1.4 * 0.15 / 0.12);
    int hairpins = 0;
    float east = 0;
    for (int32_t i = 0; i + 8 < lines->width; i += 8) {
        float step = p[i + 8].x - p[i].x;
        hairpins += step * east < 0;
        east = step != 0 ? step : east;
        assert_true(p[i].x > 34.0f / SIDE && p[i].x < 62.0f / SIDE);
    }
    assert_true(hairpins >= 4);
    tw_result_release(result);
    free(in.data);
    free(sides.data);
}

/* A wall with a gap that is two cells wide, far from the straight line. */
static void keeps_out_of_forbidden_cells(void **state)
{
    enum { SIDE = 80 };
    (void)state;
    for (int factor = 1; factor <= 5; factor += 4) {
        const int32_t side = SIDE * factor;
        struct tw_value in = harness_terrain(side, side, 3), wall = heights(side, side);
        wall.type = TW_MASK;
        for (int32_t i = 0; i < side * side; i++) {
            int32_t x = i % side / factor, y = i / side / factor;
            tw_floats(&wall)[i] = x >= 38 && x < 41 && y != 60 && y != 61 ? 0.5f : 0.49f;
        }
        struct tw_result *result = run_road(&in, &via_two, &wall, ", grade: 1, forbid: mask", 1);
        const struct tw_value *lines = tw_result_output(result, "road");
        for (int32_t i = 0; i < lines->width; i++) {
            const struct tw_line_point *p = tw_line_points(lines) + i;
            int32_t x = (int32_t)(p->x * (float)side), y = (int32_t)(p->y * (float)side);
            assert_true(tw_floats(&wall)[y * side + x] < 0.5f);
        }
        check_road(&in, result, 0.15, 1);
        tw_result_release(result);
        for (int32_t i = 0; i < side * side; i++)
            tw_floats(&wall)[i] = i % side / factor == 40 ? 1 : 0;
        assert_non_null(strstr(fail_road(&in, &via_two, &wall, ", forbid: mask"), "however steep"));
        free(in.data);
        free(wall.data);
    }
}

static void avoids_costly_ground(void **state)
{
    enum { SIDE = 64 };
    struct tw_value in = heights(SIDE, SIDE), cost = heights(SIDE, SIDE);
    (void)state;
    cost.type = TW_MASK;
    for (int i = 0; i < SIDE * SIDE; i++)
        tw_floats(&cost)[i] = i % SIDE >= 28 && i % SIDE < 36 && i / SIDE < 50 ? 1 : 0;
    struct tw_result *result = run_road(&in, &via_two, &cost, ", cost: mask", 1);
    const struct tw_value *lines = tw_result_output(result, "road");
    for (int32_t i = 0; i < lines->width; i++) {
        const struct tw_line_point *p = tw_line_points(lines) + i;
        assert_true(p->x < 29.0f / SIDE || p->x > 35.0f / SIDE || p->y > 48.0f / SIDE);
    }
    tw_result_release(result);
    free(in.data);
    free(cost.data);
}

/* The error names a grade that has a way; a little less has none. */
static void names_the_least_grade(void **state)
{
    struct tw_value in = harness_terrain(64, 64, 9);
    char more[60];
    (void)state;
    for (size_t i = 0; i < tw_value_count(&in); i++)
        tw_floats(&in)[i] = tw_floats(&in)[i] * 2 + 8 * ((float)(i / 64) / 64);
    const char *message = fail_road(&in, &via_two, NULL, ", grade: 0.02");
    const char *at = strstr(message, "least grade that has one is ");
    assert_non_null(at);
    double least = strtod(at + strlen("least grade that has one is "), NULL);
    assert_true(least > 0.02 && least < 1.2);
    snprintf(more, sizeof more, ", grade: %.6g", least * 1.001);
    struct tw_result *result = run_road(&in, &via_two, NULL, more, 1);
    check_road(&in, result, 0.15, least * 1.001);
    tw_result_release(result);
    snprintf(more, sizeof more, ", grade: %.6g", least * 0.98);
    assert_non_null(strstr(fail_road(&in, &via_two, NULL, more), "least grade"));
    free(in.data);
}

static void leads_through_all_points(void **state)
{
    struct tw_value in = harness_terrain(96, 64, 4);
    struct tw_point at[4] = {{.x = 0.1f, .y = 0.2f},
                             {.x = 0.52f, .y = 0.81f},
                             {.x = 0.61f, .y = 0.33f},
                             {.x = 0.9f, .y = 0.8f}};
    struct tw_value via = {TW_POINTS, 4, 1, at};
    (void)state;
    struct tw_result *result = run_road(&in, &via, NULL, ", grade: 0.5", 1);
    const struct tw_value *lines = tw_result_output(result, "road");
    int32_t last = -1;
    for (int k = 0; k < 4; k++) {
        double least = 9;
        int32_t nearest = 0;
        for (int32_t i = 0; i < lines->width; i++) {
            const struct tw_line_point *p = tw_line_points(lines) + i;
            double off = hypot((double)(p->x - at[k].x), (double)(p->y - at[k].y) * 64 / 96);
            nearest = off < least ? i : nearest;
            least = off < least ? off : least;
        }
        assert_true(least < 0.26 / 96 && nearest > last);
        last = nearest;
    }
    check_road(&in, result, 0.15, 0.5);
    tw_result_release(result);
    free(in.data);
}

/* Compares a road with the one on the mirrored map, and with the one from end to start. */
static void is_mirrored_and_reversed(void **state)
{
    enum { SIDE = 72 };
    struct tw_value in = harness_terrain(SIDE, SIDE, 12), mirror = heights(SIDE, SIDE);
    struct tw_point back[2] = {two[1], two[0]}, other[2] = {two[0], two[1]};
    struct tw_value reversed = {TW_POINTS, 2, 1, back}, mirrored = {TW_POINTS, 2, 1, other};
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        tw_floats(&mirror)[i] = tw_floats(&in)[i / SIDE * SIDE + SIDE - 1 - i % SIDE];
    for (int i = 0; i < 2; i++)
        other[i].x = 1 - other[i].x;
    struct tw_result *result[3] = {run_road(&in, &via_two, NULL, "", 1),
                                   run_road(&mirror, &mirrored, NULL, "", 1),
                                   run_road(&in, &reversed, NULL, "", 1)};
    const struct tw_value *lines = tw_result_output(result[0], "road");
    const struct tw_line_point *p = tw_line_points(lines);
    for (int k = 1; k < 3; k++) {
        const struct tw_value *twin = tw_result_output(result[k], "road");
        assert_int_equal(twin->width, lines->width);
        for (int32_t i = 0; i < lines->width; i++) {
            struct tw_line_point q = tw_line_points(twin)[k == 1 ? i : lines->width - 1 - i];
            float x = k == 1 ? 1 - q.x : q.x;
            assert_true(fabsf(x - p[i].x) < 1e-5f && fabsf(q.y - p[i].y) < 1e-5f);
            assert_true(fabsf(q.z - p[i].z) < 1e-4f);
        }
    }
    for (int k = 0; k < 3; k++)
        tw_result_release(result[k]);
    free(in.data);
    free(mirror.data);
}

static void reports_points_that_make_no_road(void **state)
{
    struct tw_value in = heights(32, 32), wall = heights(32, 32), via = via_two;
    struct tw_point twice[2] = {two[0], two[0]};
    (void)state;
    wall.type = TW_MASK;
    via.width = 1;
    assert_non_null(strstr(fail_road(&in, &via, NULL, ""), "1 points; expected 2 to 64"));
    via = (struct tw_value){TW_POINTS, 2, 1, twice};
    assert_non_null(strstr(fail_road(&in, &via, NULL, ""), "0 cells apart"));
    for (int i = 0; i < 32 * 32; i++)
        tw_floats(&wall)[i] = 1;
    assert_non_null(strstr(fail_road(&in, &via_two, &wall, ", forbid: mask"), "forbidden cell"));
    free(in.data);
    free(wall.data);
}

static void leads_along_a_single_row(void **state)
{
    struct tw_value in = heights(40, 1);
    (void)state;
    struct tw_result *result = run_road(&in, &via_two, NULL, "", 1);
    check_road(&in, result, 0.15, 0.12);
    tw_result_release(result);
    free(in.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_the_grade_exactly),
                                       cmocka_unit_test(is_straight_on_a_plain),
                                       cmocka_unit_test(winds_up_a_cone),
                                       cmocka_unit_test(climbs_by_hairpins),
                                       cmocka_unit_test(keeps_out_of_forbidden_cells),
                                       cmocka_unit_test(avoids_costly_ground),
                                       cmocka_unit_test(names_the_least_grade),
                                       cmocka_unit_test(leads_through_all_points),
                                       cmocka_unit_test(is_mirrored_and_reversed),
                                       cmocka_unit_test(reports_points_that_make_no_road),
                                       cmocka_unit_test(leads_along_a_single_row)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
