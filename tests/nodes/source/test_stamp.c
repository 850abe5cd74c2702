/* SPDX-License-Identifier: MIT */
/* source.stamp against the definition, cell by cell and copy by copy. */
#include "support/everywhere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.141592653589793;

enum blend { ADD, MAX, REPLACE };
static const char *const blends[] = {"add", "max", "replace"};

struct point {
    double x, y, size, turn;
};

struct stamp {
    const struct tw_value *land, *relief;
    const struct point *points;
    int count;
    double height, falloff;
    enum blend blend;
    bool wrap;
};

static double relief_at(const struct tw_value *map, double x, double y)
{
    double sum = 0;
    x = fmin(fmax(x, 0), map->width - 1);
    y = fmin(fmax(y, 0), map->height - 1);
    for (int k = 0; k < 4; k++) {
        int i = (int)fmin(floor(x) + k % 2, map->width - 1);
        int j = (int)fmin(floor(y) + k / 2, map->height - 1);
        double wx = k % 2 ? x - floor(x) : 1 - (x - floor(x));
        double wy = k / 2 ? y - floor(y) : 1 - (y - floor(y));
        sum += wx * wy * (double)tw_floats(map)[j * map->width + i];
    }
    return sum;
}

/* dx and dy in map widths. */
static double stamped(const struct stamp *s, const struct point *p, double dx, double dy,
                      double ground)
{
    double turn = p->turn * pi / 180, aspect = (double)s->land->height / s->land->width;
    double u = 2 * (cos(turn) * dx + sin(turn) * dy) / p->size;
    double v = 2 * (cos(turn) * dy - sin(turn) * dx) / (p->size * aspect), r = sqrt(u * u + v * v);
    double t = s->falloff > 0 ? fmin((1 - r) / s->falloff, 1) : 1, w = t * t * (3 - 2 * t);
    if (r >= 1)
        return ground;
    double z = s->height * relief_at(s->relief, (u + 1) / 2 * s->relief->width - 0.5,
                                     (v + 1) / 2 * s->relief->height - 0.5);
    double blended = s->blend == ADD ? ground + z : s->blend == MAX ? fmax(ground, z) : z;
    return ground + w * (blended - ground);
}

static double expected_at(const struct stamp *s, int x, int y)
{
    int w = s->land->width, h = s->land->height;
    int down = !s->wrap ? 0 : h == 1 ? 14 : 4, aside = !s->wrap ? 0 : w == 1 ? 14 : 4;
    double ground = (double)tw_floats(s->land)[y * w + x];
    for (int i = 0; i < s->count; i++)
        for (int k = -down; k <= down; k++)
            for (int l = -aside; l <= aside; l++)
                ground = stamped(s, &s->points[i], (x + 0.5) / w - s->points[i].x - l,
                                 ((y + 0.5) / h - s->points[i].y - k) * h / w, ground);
    return ground;
}

static struct tw_value things = {TW_PLACEMENTS, 0, 1, NULL};

static struct harness recipe_of(const struct stamp *s, const char *points, char *nodes, size_t size)
{
    harness_give(0, s->land);
    harness_give(1, s->relief);
    harness_give(2, &things);
    snprintf(nodes, size,
             "in: {type: test.map}\n"
             "relief: {type: test.map, slot: 1}\n"
             "things: {type: test.placements, slot: 2}\n"
             "out: {type: source.stamp, in: in, stamp: relief, points: %s, height: %g, "
             "falloff: %g, blend: %s, border: %s, size: 0.3, turn: 50}\n",
             points, s->height, s->falloff, blends[s->blend], s->wrap ? "wrap" : "closed");
    return (struct harness){
        .width = s->land->width, .height = s->land->height, .simd = "base", .nodes = nodes};
}

static void compare(const struct stamp *s, const char *points)
{
    char nodes[900];
    struct harness h = recipe_of(s, points, nodes, sizeof nodes);
    struct tw_result *result = harness_run(&h);
    const float *out = tw_floats(tw_result_output(result, "out"));
    int w = s->land->width;
    for (int i = 0; i < w * s->land->height; i++) {
        double expected = expected_at(s, i % w, i / w);
        if (!(fabs((double)out[i] - expected) < 2e-6 * (1 + fabs(expected))))
            fail_msg("%s, %d x %d, cell %d: %.9g, not %.9g", blends[s->blend], w,
                     (int)s->land->height, i, (double)out[i], expected);
    }
    everywhere(h, "out", out);
    tw_result_release(result);
}

static const int32_t sizes[][2] = {{1, 1}, {1, 23}, {23, 1}, {2, 2}, {41, 41}, {50, 27}, {27, 50}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* A point's own size and turn go first; those of the node fill in. */
static void rows_equal_the_definition(void **state)
{
    static const struct point points[] = {
        {0.3, 0.4, 0.3, 50}, {0.9, 0.1, 0.625, -30}, {0.5, 0.5, 0.3, 0}, {-0.125, 1.25, 1.5, 50}};
    (void)state;
    for (int i = 0; i < 6 * SIZES; i++) {
        struct tw_value land = harness_terrain(sizes[i % SIZES][0], sizes[i % SIZES][1], 1);
        struct tw_value relief = harness_terrain(land.width, land.height, 2);
        compare(&(struct stamp){&land, &relief, points, 4, 0.75, 0.25, (enum blend)(i / SIZES % 3),
                                i / SIZES / 3},
                "[[0.3, 0.4], {x: 0.9, y: 0.1, size: 0.625, turn: -30}, {x: 0.5, y: 0.5, turn: 0}, "
                "[-0.125, 1.25, 1.5]]");
        free(land.data);
        free(relief.data);
    }
}

static void placements_equal_the_definition(void **state)
{
    static struct tw_placement list[] = {
        {0.25f, 0.75f, 0.5f, 90, 3}, {0.0625f, 0.5f, 0, 359, 0}, {0.5f, 0.5f, 9, 11, 1}};
    const struct point points[] = {
        {0.25, 0.75, 0.5, 90}, {0.0625, 0.5, 0.3, 359}, {0.5, 0.5, 4, 11}};
    (void)state;
    things.data = list;
    things.width = 3;
    for (int i = 0; i < 6 * SIZES; i++) {
        struct tw_value land = harness_terrain(sizes[i % SIZES][0], sizes[i % SIZES][1], 3);
        struct tw_value relief = harness_terrain(land.width, land.height, 4);
        compare(&(struct stamp){&land, &relief, points, 3, -2, 1, (enum blend)(i / SIZES % 3),
                                i / SIZES / 3},
                "things");
        free(land.data);
        free(relief.data);
    }
}

/* A stamp as large as the map, without falloff: inside the circle its own heights to the bit. */
static void a_whole_stamp_keeps_its_bytes(void **state)
{
    struct tw_value land = harness_terrain(40, 40, 5), relief = harness_terrain(40, 40, 6);
    (void)state;
    for (int quarter = 0; quarter < 4; quarter++) {
        char nodes[900], points[60];
        snprintf(points, sizeof points, "[[0.5, 0.5, 1, %d]]", 90 * quarter);
        struct stamp s = {&land, &relief, NULL, 0, 1, 0, REPLACE, false};
        struct harness h = recipe_of(&s, points, nodes, sizeof nodes);
        struct tw_result *result = harness_run(&h);
        for (int i = 0; i < 1600; i++) {
            int x = i % 40, y = i / 40;
            const int from[] = {i, (39 - x) * 40 + y, 1599 - i, x * 40 + 39 - y};
            bool inside = hypot(x - 19.5, y - 19.5) < 20;
            float out = tw_floats(tw_result_output(result, "out"))[i];
            assert_true(out == (inside ? tw_floats(&relief)[from[quarter]] : tw_floats(&land)[i]));
        }
        tw_result_release(result);
    }
    free(land.data);
    free(relief.data);
}

static void points_follow_one_another(void **state)
{
    struct tw_result *result = harness_run(&(struct harness){
        .head = "borders: closed\n",
        .nodes = "flat: {type: source.constant, value: 5}\n"
                 "one: {type: source.constant, value: 1}\n"
                 "more: {type: source.stamp, in: flat, stamp: one, size: 0.5, falloff: 0, "
                 "points: [[0.5, 0.5], [0.5, 0.5]]}\n"
                 "out: {type: source.stamp, in: more, stamp: one, size: 0.25, falloff: 0, "
                 "height: 2, blend: replace, points: [[0.5, 0.5], [0.5, 0.5]]}\n"});
    (void)state;
    const float *out = tw_floats(tw_result_output(result, "out"));
    assert_true(out[32 * 64 + 32] == 2);
    assert_true(out[32 * 64 + 44] == 7);
    assert_true(out[0] == 5);
    tw_result_release(result);
}

static void what_is_outside_stays(void **state)
{
    static float half[64 * 64];
    struct tw_value land = harness_terrain(64, 64, 7), relief = harness_terrain(64, 64, 8);
    struct tw_value none = {TW_PLACEMENTS, 0, 1, NULL}, mask = {TW_MASK, 64, 64, half};
    (void)state;
    for (int i = 0; i < 64 * 64; i++)
        half[i] = i % 64 < 32 ? 1.0f : 0.0f;
    harness_give(0, &land);
    harness_give(1, &relief);
    harness_give(2, &none);
    harness_give(3, &mask);
    struct tw_result *result = harness_run(&(struct harness){
        .head = "borders: closed\n",
        .nodes = "in: {type: test.map}\n"
                 "relief: {type: test.map, slot: 1}\n"
                 "none: {type: test.placements, slot: 2}\n"
                 "left: {type: test.mask, slot: 3}\n"
                 "empty: {type: source.stamp, in: in, stamp: relief, points: none}\n"
                 "small: {type: source.stamp, in: in, stamp: relief, size: 0, points: [[0.5, "
                 "0.5]]}\n"
                 "away: {type: source.stamp, in: in, stamp: relief, points: [[3, 0.5]]}\n"
                 "whole: {type: source.stamp, in: in, stamp: relief, size: 2, points: [[0.5, "
                 "0.5]]}\n"
                 "some: {type: source.stamp, in: in, stamp: relief, size: 2, points: [[0.5, 0.5]], "
                 "mask: left}\n"});
    harness_same(tw_result_output(result, "empty"), tw_floats(&land));
    harness_same(tw_result_output(result, "small"), tw_floats(&land));
    harness_same(tw_result_output(result, "away"), tw_floats(&land));
    for (int i = 0; i < 64 * 64; i++) {
        float whole = tw_floats(tw_result_output(result, "whole"))[i];
        assert_true(whole != tw_floats(&land)[i]);
        assert_true(tw_floats(tw_result_output(result, "some"))[i] ==
                    (i % 64 < 32 ? whole : tw_floats(&land)[i]));
    }
    tw_result_release(result);
    free(land.data);
    free(relief.data);
}

static void expect_error(const char *points, const char *word)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes,
             "in: {type: source.constant}\nout: {type: source.stamp, in: in, stamp: in%s}\n",
             points);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    if (!strstr(error.message, word))
        fail_msg("'%s' does not name '%s'", error.message, word);
}

static void points_are_rows_or_placements(void **state)
{
    (void)state;
    expect_error("", "there are no points");
    expect_error(", points: []", "there are no points");
    expect_error(", points: in", "in.out gives heightmap, but out.points expects placements");
    expect_error(", points: {x: 1}", "reference");
    expect_error(", points: [0.5, 0.5]", "a row of points is 0.5; expected a mapping or a list");
    expect_error(", points: [[0.5]]", "a row of points needs 'y'");
    expect_error(", points: [[0.5, 0.5, 5]]", "size");
    expect_error(", points: [{x: 0.5, y: 0.5, angle: 3}]", "angle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_equal_the_definition),
        cmocka_unit_test(placements_equal_the_definition),
        cmocka_unit_test(a_whole_stamp_keeps_its_bytes),
        cmocka_unit_test(points_follow_one_another),
        cmocka_unit_test(what_is_outside_stays),
        cmocka_unit_test(points_are_rows_or_placements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
