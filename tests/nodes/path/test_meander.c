/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 512, POINTS = 400 };

static struct tw_line_point store[POINTS];
static struct tw_value lines = {TW_LINES, 0, 1, store};

/* Lets the lines in `store` wander. */
static struct tw_result *wander(const char *rest, uint64_t seed)
{
    char nodes[400];
    snprintf(nodes, sizeof nodes,
             "l: {type: test.lines}\ng: {type: test.map, slot: 1}\nh: {type: test.mask, slot: 2}\n"
             "out: {type: path.meander, lines: l, border: closed, %s}\n",
             rest);
    harness_give(0, &lines);
    return harness_run(&(struct harness){.width = SIDE,
                                         .height = SIDE,
                                         .seed = seed,
                                         .nodes = nodes,
                                         .outputs = "oxbows: out.oxbows\nrecord: out.record\n"});
}

static const struct tw_value *out_of(struct tw_result *result)
{
    return tw_result_output(result, "out");
}

static double record_of(struct tw_result *result, const char *name)
{
    return *tw_record_find(tw_result_output(result, "record"), name);
}

static void add(int32_t line, double x, double y, double z, double width)
{
    store[lines.width++] =
        (struct tw_line_point){line, (float)x, (float)y, (float)z, (float)width, 0.01f, 0.5f};
}

static void set_straight(double width)
{
    lines.width = 0;
    add(0, 0.02, 0.5, 0.5, width);
    add(0, 0.98, 0.5, 0.4999, width);
}

/* Half a circle about the middle of the map, from west to east over the north. */
static void set_arc(double radius, double width)
{
    lines.width = 0;
    for (int i = 0; i <= 60; i++)
        add(0, 0.5 - radius * cos(i * 3.14159265 / 60), 0.5 - radius * sin(i * 3.14159265 / 60),
            0.5, width);
}

static float map_cells[SIDE * SIDE], mask_cells[SIDE * SIDE];
static const struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, map_cells};
static const struct tw_value mask = {TW_MASK, SIDE, SIDE, mask_cells};

/* ---- geometry ---- */

static double from_segment(double x, double y, const struct tw_line_point *a,
                           const struct tw_line_point *b)
{
    double ux = (double)b->x - (double)a->x, uy = (double)b->y - (double)a->y;
    double px = x - (double)a->x, py = y - (double)a->y, length = ux * ux + uy * uy;
    double t = length > 0 ? fmin(fmax((px * ux + py * uy) / length, 0), 1) : 0;
    return hypot(px - t * ux, py - t * uy);
}

/* The least distance of a point to the line of that number, in map sides. */
static double from_line(const struct tw_line_point *p, const struct tw_value *list, int32_t line)
{
    const struct tw_line_point *q = tw_line_points(list);
    double least = 9;
    for (int32_t i = 0; i + 1 < list->width; i++)
        if (q[i].line == line && q[i + 1].line == line)
            least = fmin(least, from_segment((double)p->x, (double)p->y, q + i, q + i + 1));
    return least;
}

static double side_of(const struct tw_line_point *a, const struct tw_line_point *b,
                      const struct tw_line_point *p)
{
    return ((double)b->x - (double)a->x) * ((double)p->y - (double)a->y) -
           ((double)b->y - (double)a->y) * ((double)p->x - (double)a->x);
}

static bool cross(const struct tw_line_point *a, const struct tw_line_point *c)
{
    return side_of(a, a + 1, c) * side_of(a, a + 1, c + 1) < 0 &&
           side_of(c, c + 1, a) * side_of(c, c + 1, a + 1) < 0;
}

/* How many pairs of segments cross, apart from the last of each line, which ends on another. */
static int32_t crossings(const struct tw_value *list)
{
    const struct tw_line_point *p = tw_line_points(list);
    int32_t count = 0;
    for (int32_t i = 0; i + 2 < list->width; i++)
        for (int32_t k = i + 2; k + 2 < list->width; k++)
            count +=
                p[i].line == p[i + 2].line && p[k].line == p[k + 2].line && cross(p + i, p + k);
    return count;
}

static void never_rises(const struct tw_value *list)
{
    const struct tw_line_point *p = tw_line_points(list);
    for (int32_t i = 1; i < list->width; i++)
        assert_true(p[i].line != p[i - 1].line || p[i].z <= p[i - 1].z);
}

/* ---- tests ---- */

static void age_0_is_the_smoothed_input(void **state)
{
    (void)state;
    lines.width = 0;
    for (int i = 0; i < 40; i++)
        add(3, 0.1 + 0.02 * i, 0.5 + 0.004 * (i % 2), 0.5 - 0.001 * i, 0.02);
    struct tw_result *a = wander("age: 0", 1), *b = wander("age: 0", 2);
    const struct tw_value *out = out_of(a);
    const struct tw_line_point *p = tw_line_points(out);
    assert_int_equal(out->width, out_of(b)->width);
    assert_memory_equal(p, out_of(b)->data, (size_t)out->width * sizeof *p);
    for (int32_t i = 0; i < out->width; i++)
        assert_true(p[i].line == 3 && from_line(p + i, &lines, 3) < 0.004);
    assert_memory_equal(p, store, sizeof *p);
    assert_true(p[out->width - 1].x == store[39].x && p[out->width - 1].y == store[39].y);
    assert_int_equal(tw_result_output(a, "oxbows")->width, 0);
    assert_true(record_of(a, "length") < 1 && record_of(a, "length") > 0.9);
    tw_result_release(a);
    tw_result_release(b);
}

static void straight_lines_stay_to_the_bit(void **state)
{
    (void)state;
    const double ends[][4] = {
        {0.1, 0.5, 0.9, 0.5}, {0.3, 0.9, 0.3, 0.1}, {0.125, 0.25, 0.875, 0.75}};
    for (int i = 0; i < 3; i++) {
        lines.width = 0;
        add(0, ends[i][0], ends[i][1], 0.5, 0.01);
        add(0, ends[i][2], ends[i][3], 0.5, 0.01);
        struct tw_result *a = wander("age: 0", 1), *b = wander("age: 300, noise: 0", 1);
        assert_int_equal(out_of(a)->width, out_of(b)->width);
        assert_memory_equal(out_of(a)->data, out_of(b)->data,
                            (size_t)out_of(a)->width * sizeof(struct tw_line_point));
        tw_result_release(a);
        tw_result_release(b);
    }
}

static double radius_of(const struct tw_line_point *p)
{
    return hypot((double)p->x - 0.5, (double)p->y - 0.5);
}

static void arcs_move_outward(void **state)
{
    (void)state;
    set_arc(0.2, 0.02);
    struct tw_result *result = wander("age: 20, noise: 0", 1);
    const struct tw_value *out = out_of(result);
    const struct tw_line_point *p = tw_line_points(out);
    for (int32_t i = 0; i < out->width; i++) /* beyond the ends, which are held */
        if (p[i].y < 0.35f)
            assert_true(radius_of(p + i) > 0.205);
    assert_true(fabs(radius_of(p) - 0.2) < 1e-6);
    tw_result_release(result);
}

/* Mirrors the lines in `store`: 1 in x, 2 in y, 4 about the diagonal. */
static struct tw_line_point mirrored(struct tw_line_point p, int how)
{
    if (how & 1)
        p.x = 1 - p.x;
    if (how & 2)
        p.y = 1 - p.y;
    if (how & 4) {
        float x = p.x;
        p.x = p.y;
        p.y = x;
    }
    return p;
}

static void mirrored_rivers_wind_mirrored(void **state)
{
    (void)state;
    set_arc(0.25, 0.01);
    for (int32_t i = 0; i < lines.width; i++)
        store[i].y += 0.01f * (float)(i % 7);
    struct tw_result *plain = wander("age: 90, noise: 0", 1);
    const struct tw_value *a = out_of(plain);
    for (int how = 1; how < 8; how++) {
        for (int32_t i = 0; i < lines.width; i++)
            store[i] = mirrored(store[i], how);
        struct tw_result *result = wander("age: 90, noise: 0", 1);
        const struct tw_value *b = out_of(result);
        assert_int_equal(a->width, b->width);
        for (int32_t i = 0; i < a->width; i++) {
            struct tw_line_point p = mirrored(tw_line_points(a)[i], how);
            assert_true(fabsf(p.x - tw_line_points(b)[i].x) < 1e-4f);
            assert_true(fabsf(p.y - tw_line_points(b)[i].y) < 1e-4f);
        }
        tw_result_release(result);
        for (int32_t i = 0; i < lines.width; i++) { /* back again: the diagonal goes first */
            store[i] = mirrored(store[i], how & 4);
            store[i] = mirrored(store[i], how & 3);
        }
    }
    tw_result_release(plain);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Twice the median distance between places where the river bends the other way, in widths. */
static double wavelength(const struct tw_value *list, double width)
{
    static double apart[4000];
    const struct tw_line_point *p = tw_line_points(list), *last = NULL;
    size_t count = 0;
    double before = 0;
    for (int32_t i = 2; i + 2 < list->width; i++) {
        double ax = (double)p[i].x - (double)p[i - 2].x, ay = (double)p[i].y - (double)p[i - 2].y;
        double bx = (double)p[i + 2].x - (double)p[i].x, by = (double)p[i + 2].y - (double)p[i].y;
        double bend = (ax * by - ay * bx) / (hypot(ax, ay) * hypot(bx, by));
        if (fabs(bend) < 0.01)
            continue; /* as good as straight */
        if (bend * before < 0) {
            if (last && count < 4000)
                apart[count++] =
                    2 * hypot((double)p[i].x - (double)last->x, (double)p[i].y - (double)last->y) /
                    width;
            last = p + i;
        }
        before = bend;
    }
    assert_true(count > 2);
    qsort(apart, count, sizeof *apart, by_size);
    return apart[count / 2];
}

static double mean_length(const char *rest, double least, double most, bool waves)
{
    const double widths[] = {0.005, 0.008, 0.012};
    double sum = 0;
    for (int w = 0; w < 3; w++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            set_straight(widths[w]);
            struct tw_result *result = wander(rest, seed);
            double length = record_of(result, "length");
            if (length < least || length > most)
                fail_msg("%s, width %g, seed %d: length %g", rest, widths[w], (int)seed, length);
            double wave = waves ? wavelength(out_of(result), widths[w]) : 12;
            if (wave < 10 || wave > 15)
                fail_msg("%s, width %g, seed %d: waves of %g", rest, widths[w], (int)seed, wave);
            assert_int_equal(crossings(out_of(result)), 0);
            never_rises(out_of(result));
            sum += length / 9;
            tw_result_release(result);
        }
    return sum;
}

static void rivers_on_a_plane_wind_as_they_should(void **state)
{
    (void)state;
    double young = mean_length("age: 80", 1, 1.1, false);
    double grown = mean_length("age: 160", 1.03, 2, true);
    double old = mean_length("age: 260", 1.6, 3.5, false);
    assert_true(young < 1.03);
    assert_true(grown > 1.2 && grown < 1.6);
    assert_true(old > 2.1 && old < 3);
}

static void loops_become_oxbows(void **state)
{
    (void)state;
    set_straight(0.005);
    struct tw_result *result = wander("age: 400", 1);
    const struct tw_value *oxbows = tw_result_output(result, "oxbows");
    const struct tw_line_point *p = tw_line_points(oxbows);
    double loops = record_of(result, "loops");
    assert_true(loops > 2);
    assert_true(p[oxbows->width - 1].line == (int32_t)loops - 1);
    for (int32_t i = 0, first = 0; i < oxbows->width; i++)
        if (i + 1 == oxbows->width || p[i + 1].line != p[i].line) { /* its ends are a neck */
            assert_true(hypot((double)p[i].x - (double)p[first].x,
                              (double)p[i].y - (double)p[first].y) < 1.2 * 0.0051);
            first = i + 1;
        }
    assert_int_equal(crossings(out_of(result)), 0);
    tw_result_release(result);
}

/* Tributaries from both sides, one of which joins the other. */
static void set_network(void)
{
    set_straight(0.008);
    for (int i = 0; i < 2; i++)
        store[i].z -= 0.1f;
    for (int i = 0; i <= 10; i++)
        add(1, 0.2 + 0.03 * i, 0.1 + 0.04 * i, 0.6 - 0.01 * i, 0.005);
    for (int i = 0; i <= 10; i++)
        add(2, 0.3 + 0.05 * i, 0.9 - 0.04 * i, 0.4, 0.005);
    for (int i = 0; i <= 10; i++)
        add(3, 0.5 - 0.015 * i, 0.05 + 0.025 * i, 0.62 - 0.004 * i, 0.003);
    for (int i = 0; i <= 10; i++)
        add(9, 0.05 + 0.01 * i, 0.9, 0.5, 0.003); /* joins none */
}

static void tributaries_end_on_stems(void **state)
{
    (void)state;
    const char *const ages[] = {"age: 0", "age: 120", "age: 200", "age: 260"};
    for (int a = 0; a < 4; a++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            set_network();
            struct tw_result *result = wander(ages[a], seed);
            const struct tw_value *out = out_of(result);
            const struct tw_line_point *p = tw_line_points(out);
            for (int32_t i = 0; i < out->width; i++) {
                if (i + 1 < out->width && p[i + 1].line == p[i].line)
                    continue;
                double least = fmin(from_line(p + i, out, 0), from_line(p + i, out, 1));
                least = p[i].line > 2 ? fmin(least, from_line(p + i, out, 2)) : least;
                if (p[i].line > 0 && p[i].line < 9)
                    assert_true(least < 1e-6);
                if (p[i].line == 2) /* lower than the stem at first */
                    assert_true(p[i].z >= 0.39f);
            }
            assert_true(p[out->width - 1].x == store[lines.width - 1].x);
            assert_true(record_of(result, "lines") == 5);
            assert_int_equal(crossings(out), 0);
            never_rises(out);
            tw_result_release(result);
        }
}

/* A slot as wide as the river between plateaus, a slope of more than steep, and a mask. */
static void what_holds_a_river(void **state)
{
    (void)state;
    harness_give(1, &map);
    harness_give(2, &mask);
    set_straight(0.008);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        map_cells[i] = abs(i / SIDE - SIDE / 2) < 5 ? 0.5f : 0.6f;
        mask_cells[i] = i % SIDE < SIDE / 2 ? 1 : 0;
    }
    struct tw_result *slot = wander("age: 260, ground: g", 1);
    assert_true(record_of(slot, "length") < 1.2);
    for (int32_t i = 0; i < out_of(slot)->width; i++)
        assert_true(fabsf(tw_line_points(out_of(slot))[i].y - 0.5f) < 0.03f);
    struct tw_result *held = wander("age: 260, hold: h", 1);
    double farthest = 0, east = 0;
    for (int32_t i = 0; i < out_of(held)->width; i++) {
        const struct tw_line_point *p = tw_line_points(out_of(held)) + i;
        double off = fabs((double)p->y - 0.5);
        farthest = p->x < 0.49f ? fmax(farthest, off) : farthest;
        east = fmax(east, off);
    }
    assert_true(farthest < 1e-4 && east > 0.01);
    store[1].z = 0.3f; /* .2 of .15 sides over .96 sides: .03 */
    struct tw_result *steep = wander("age: 260", 1);
    assert_true(record_of(steep, "length") < 1.01);
    tw_result_release(slot);
    tw_result_release(held);
    tw_result_release(steep);
}

/* A river over the border of a torus is one that lies within it, moved. */
static void tori_have_no_border(void **state)
{
    struct tw_value copy[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        lines.width = 0;
        for (int k = 0; k <= 20; k++)
            add(0, 0.125 + 0.5 * i + 0.0375 * k, 0.5 + 0.5 * i, 0.5, 0.01);
        struct tw_result *result = harness_run(&(struct harness){
            .width = SIDE,
            .height = SIDE,
            .nodes = "l: {type: test.lines}\n"
                     "out: {type: path.meander, lines: l, border: wrap, age: 100}\n"});
        copy[i] = *out_of(result);
        copy[i].data = malloc((size_t)copy[i].width * sizeof(struct tw_line_point));
        memcpy(copy[i].data, out_of(result)->data,
               (size_t)copy[i].width * sizeof(struct tw_line_point));
        tw_result_release(result);
    }
    assert_int_equal(copy[0].width, copy[1].width);
    for (int32_t i = 0; i < copy[0].width; i++) {
        const struct tw_line_point *a = tw_line_points(&copy[0]) + i;
        const struct tw_line_point *b = tw_line_points(&copy[1]) + i;
        assert_true(fabsf(a->x + 0.5f - b->x) < 1e-4f && fabsf(a->y + 0.5f - b->y) < 1e-4f);
    }
    free(copy[0].data);
    free(copy[1].data);
}

static void expect_points(int32_t count)
{
    struct tw_result *result = wander("age: 20", 1);
    assert_int_equal(out_of(result)->width, count);
    for (int32_t i = 0; i < count; i++)
        assert_true(isfinite(tw_line_points(out_of(result))[i].x));
    tw_result_release(result);
}

static void degenerate_lines_pass(void **state)
{
    (void)state;
    lines.width = 0;
    expect_points(0);
    add(4, 0.5, 0.5, 1, 0.01);
    expect_points(1);
    add(4, 0.5, 0.5, 0, 0.01);
    expect_points(1);
    lines.width = 0;
    add(0, 0.5, 0.5, 1, 0);
    add(0, 0.5 + 1e-5, 0.5, 1, 0);
    expect_points(3);
    lines.width = 0;
    for (int i = 0; i < 9; i++) /* of no width: none of its rates is 0 / 0 */
        add(0, 0.1 + 0.1 * i, i % 2 ? 0.4 : 0.6, 1, 0);
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "l: {type: test.lines}\n"
                                   "out: {type: path.meander, lines: l, age: 20, border: wrap}\n"});
    assert_true(tw_result_output(result, "out")->width > 9);
    tw_result_release(result);
    lines.width = 0;
    add(0, -3, 7, 1, 0.1); /* beyond the map, and wider than it is long */
    add(0, -3.01, 7, 0.5, 0.1);
    expect_points(3);
    lines.width = 0;
    add(0, 1e9, 0, 0, 0.01);
    harness_give(0, &lines);
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "l: {type: test.lines}\nout: {type: path.meander, lines: l}\n"});
    assert_non_null(strstr(error.message, "line 0 has a point at 1e+09"));
    error = harness_fail(
        &(struct harness){.nodes = "l: {type: path.line, points: [[0, 0, 0]]}\n"
                                   "out: {type: path.meander, lines: l, steep: [0.2, 0.1]}\n"});
    assert_non_null(strstr(error.message, "the second larger"));
}

int main(void)
{
    harness_give(1, &map);
    harness_give(2, &mask);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(age_0_is_the_smoothed_input),
        cmocka_unit_test(straight_lines_stay_to_the_bit),
        cmocka_unit_test(arcs_move_outward),
        cmocka_unit_test(mirrored_rivers_wind_mirrored),
        cmocka_unit_test(rivers_on_a_plane_wind_as_they_should),
        cmocka_unit_test(loops_become_oxbows),
        cmocka_unit_test(tributaries_end_on_stems),
        cmocka_unit_test(what_holds_a_river),
        cmocka_unit_test(tori_have_no_border),
        cmocka_unit_test(degenerate_lines_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
