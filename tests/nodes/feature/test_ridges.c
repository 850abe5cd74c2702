/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_ridge_joins_its_generator(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 100,
        .height = 80,
        .nodes = "p: {type: feature.points, points: [{x: 0.1, y: 0.5, cost: 4, feature: 7, profile:"
                 " 2}, {x: 0.9, y: 0.5, cost: 1, feature: 8}]}\n"
                 "t: {type: feature.points, points: [[0.4, 0.2, 24]]}\n"
                 "r: {type: feature.ridges, generators: p, targets: t}\n"});
    const struct tw_value *out = tw_result_output(result, "r");
    float last = 30;
    int32_t x = 40, y = 16;
    assert_true(out->width > 2 + 29);
    for (int32_t i = 2; i < out->width; i++) {
        struct tw_point p = tw_points(out)[i];
        int32_t u = (int32_t)(p.x * 100), v = (int32_t)(p.y * 80);
        assert_true(abs(u - x) <= 1 && abs(v - y) <= 1);
        assert_int_equal(p.feature, 7);
        assert_int_equal(p.profile, 2);
        assert_true(p.cost < last && p.cost >= 4);
        last = p.cost;
        x = u;
        y = v;
    }
    assert_true(tw_points(out)[2].cost == 24.0f);
    assert_true(abs(x - 10) <= 1 && abs(y - 40) <= 1);
    tw_result_release(result);
}

static void uniform_paths_are_straight(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 64,
        .height = 64,
        .nodes = "p: {type: feature.points, points: [[0.5, 0.5, 0]]}\n"
                 "t: {type: feature.points, points: [[0.5, 0.1, 8], [0.1, 0.1, 8], [0.5, 0.5, 1]]}"
                 "\nr: {type: feature.ridges, generators: p, targets: t, deviation: 0}\n"});
    const struct tw_value *out = tw_result_output(result, "r");
    assert_int_equal(out->width, 1 + 26 + 26);
    for (int32_t i = 1; i < out->width; i++) {
        int32_t dx = 32 - (int32_t)(tw_points(out)[i].x * 64);
        int32_t dy = 32 - (int32_t)(tw_points(out)[i].y * 64);
        assert_true(dx == 0 || dx == dy);
    }
    tw_result_release(result);
}

/* ---- the least weight, by plain relaxation ---- */

enum { WIDE = 37, HIGH = 29 };

static double edge(const float *g, int32_t a, int32_t b)
{
    bool diagonal = a % WIDE != b % WIDE && a / WIDE != b / WIDE;
    return ((double)g[a] + (double)g[b]) / 2 * (diagonal ? 1.41421356 : 1);
}

/* Weights of the lightest paths to one cell. */
static void lightest(const float *g, int32_t to, double *cost)
{
    for (int32_t i = 0; i < WIDE * HIGH; i++)
        cost[i] = i == to ? 0 : 1e9;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < WIDE * HIGH; i++)
            for (int32_t k = 0; k < 9; k++) {
                int32_t x = i % WIDE + k % 3 - 1, y = i / WIDE + k / 3 - 1, near = y * WIDE + x;
                if (x < 0 || y < 0 || x >= WIDE || y >= HIGH || k == 4)
                    continue;
                if (cost[near] + edge(g, near, i) < cost[i]) {
                    cost[i] = cost[near] + edge(g, near, i);
                    changed = true;
                }
            }
    }
}

static int32_t cell_of(const struct tw_value *points, int32_t i)
{
    const struct tw_point *p = &tw_points(points)[i];
    return (int32_t)(p->y * HIGH) * WIDE + (int32_t)(p->x * WIDE);
}

static void a_ridge_is_a_path_of_least_weight(void **state)
{
    static float g[WIDE * HIGH];
    static double cost[WIDE * HIGH];
    (void)state;
    for (uint32_t run = 0; run < 12; run++) {
        char nodes[400];
        struct tw_random4 u = tw_random(8, run, 0, 0, 0);
        for (uint32_t i = 0; i < WIDE * HIGH; i++)
            g[i] = 0.03f + 0.97f * tw_uniform(tw_random(9, run, i, 0, 0).at[0]);
        harness_give(0, &(struct tw_value){TW_MASK, WIDE, HIGH, g});
        snprintf(nodes, sizeof nodes,
                 "w: {type: test.mask}\n"
                 "p: {type: feature.points, points: [[%.3f, %.3f, 0]]}\n"
                 "t: {type: feature.points, points: [[%.3f, %.3f, 8]]}\n"
                 "r: {type: feature.ridges, generators: p, targets: t, weights: w}\n",
                 (double)tw_uniform(u.at[0]), (double)tw_uniform(u.at[1]),
                 (double)tw_uniform(u.at[2]), (double)tw_uniform(u.at[3]));
        struct tw_result *result =
            harness_run(&(struct harness){.width = WIDE, .height = HIGH, .nodes = nodes});
        const struct tw_value *out = tw_result_output(result, "r");
        double weight = 0;
        lightest(g, cell_of(out, 0), cost);
        for (int32_t i = 1; i < out->width;
             i++) /* from the target to the generator, which is first */
            weight += edge(g, cell_of(out, i), cell_of(out, i + 1 < out->width ? i + 1 : 0));
        double least = out->width > 1 ? cost[cell_of(out, 1)] : 0;
        if (fabs(weight - least) > 1e-5 * least)
            fail_msg("run %u: a path of %g, the least is %g", run, weight, least);
        tw_result_release(result);
    }
}

/* The greatest distance of a point of one list to the nearest of the other, in map sides. */
static double farthest(const struct tw_value *from, const struct tw_value *to)
{
    double most = 0;
    for (int32_t i = 0; i < from->width; i++) {
        const struct tw_point *p = &tw_points(from)[i];
        double least = 2;
        for (int32_t k = 0; k < to->width; k++) {
            const struct tw_point *q = &tw_points(to)[k];
            least = fmin(least, hypot((double)(p->x - q->x), (double)(p->y - q->y)));
        }
        most = fmax(most, least);
    }
    return most;
}

/* Random weights decide where a ridge goes, so with a side they belong to its grid: at sizes below,
 * above and other than that the ridges go the same ways, without gaps. */
static void ridges_go_the_same_ways_at_any_size(void **state)
{
    const int32_t sizes[] = {32, 100, 256};
    const struct harness harness = {
        .width = 64,
        .height = 64,
        .nodes = "p: {type: feature.points, count: 3}\n"
                 "t: {type: feature.points, count: 20, cost: [20, 40]}\n"
                 "r: {type: feature.ridges, generators: p, targets: t, side: 64}\n"};
    struct tw_result *meant = harness_run(&harness);
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct harness other = harness;
        other.width = other.height = sizes[i];
        struct tw_result *result = harness_run(&other);
        const struct tw_value *a = tw_result_output(meant, "r");
        const struct tw_value *b = tw_result_output(result, "r");
        double cells = 1.0 / 64 + 1.0 / sizes[i];
        assert_true(farthest(a, b) < cells && farthest(b, a) < cells);
        assert_true(sizes[i] < 64 || b->width > a->width);
        tw_result_release(result);
    }
    tw_result_release(meant);
}

/* Weights from a picture lead ridges along its dark valley, at another side, too. */
static void weights_are_read_at_any_side(void **state)
{
    static float weights[96 * 48];
    const struct tw_value mask = {TW_MASK, 96, 48, weights};
    (void)state;
    for (int32_t i = 0; i < 96 * 48; i++)
        weights[i] = i / 96 >= 30 && i / 96 < 36 ? 0.1f : 1;
    harness_give(0, &mask);
    struct tw_result *result = harness_run(&(struct harness){
        .width = 96,
        .height = 48,
        .nodes = "w: {type: test.mask}\n"
                 "p: {type: feature.points, points: [[0.02, 0.7, 0]]}\n"
                 "t: {type: feature.points, points: [[0.98, 0.7, 30]]}\n"
                 "r: {type: feature.ridges, generators: p, targets: t, weights: w, side: 33}\n"});
    const struct tw_value *out = tw_result_output(result, "r");
    assert_true(out->width >= 90);
    for (int32_t i = 0; i < out->width; i++)
        assert_true(tw_points(out)[i].y > 29.0f / 48 && tw_points(out)[i].y < 37.0f / 48);
    tw_result_release(result);
}

/* However long the map: the grid has a row at least, and paths run along its middle. */
static void a_strip_has_a_row(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 64,
        .height = 8,
        .nodes = "p: {type: feature.points, points: [[0.1, 0.5, 1]]}\n"
                 "t: {type: feature.points, points: [[0.9, 0.1, 5]]}\n"
                 "r: {type: feature.ridges, generators: p, targets: t, side: 2}\n"});
    const struct tw_value *out = tw_result_output(result, "r");
    assert_true(out->width > 30);
    for (int32_t i = 1; i < out->width; i++)
        assert_int_equal((int32_t)(tw_points(out)[i].y * 8), 4);
    tw_result_release(result);
}

/* Weights must be above 0; the message names the first that is not. */
static void weights_of_nothing_are_refused(void **state)
{
    static const struct {
        int32_t x, y;
        float weight;
        const char *message;
    } rows[] = {{0, 2, 0, "the edge weight at x 0, y 2 is 0 and"},
                {7, 0, -0.5f, "the edge weight at x 7, y 0 is -0.5 and"},
                {5, 5, 0, "the edge weight at x 5, y 5 is 0 and"}};
    float weights[8 * 6];
    const struct tw_value mask = {TW_MASK, 8, 6, weights};
    (void)state;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 8 * 6; k++)
            weights[k] = k == rows[i].y * 8 + rows[i].x ? rows[i].weight : 0.25f;
        harness_give(0, &mask);
        struct tw_error error = harness_fail(&(struct harness){
            .width = 8,
            .height = 6,
            .nodes = "w: {type: test.mask}\np: {type: feature.points, count: 2}\n"
                     "r: {type: feature.ridges, generators: p, targets: p, weights: w}\n"});
        if (!strstr(error.message, rows[i].message))
            fail_msg("%s", error.message);
    }
}

/* The ridges in the order of costs, which is one cell after the other, and as tiles side by side:
 * the same to the last bit, also where most ways are equally long and where generators share a
 * cell. */
static void assert_same_ridges(const struct harness *plain, const struct harness *tiles)
{
    struct tw_result *expected = harness_run(plain), *result = harness_run(tiles);
    const struct tw_value *a = tw_result_output(expected, "r"), *b = tw_result_output(result, "r");
    assert_int_equal(a->width, b->width);
    assert_memory_equal(a->data, b->data, (size_t)a->width * sizeof(struct tw_point));
    tw_result_release(expected);
    tw_result_release(result);
}

static void tiles_find_the_same_ridges(void **state)
{
    static const struct {
        int32_t width, height;
    } sizes[] = {{1, 1}, {7, 1}, {1, 70}, {64, 64}, {65, 63}, {200, 131}};
    static const char *const weights[] = {"", ", deviation: 0", ", deviation: 0, diagonal: 1",
                                          ", diagonal: 2, weights: w",
                                          ", deviation: 0.3, side: 50"};
    static const int32_t threads[] = {1, 2, 3, 8};
    static float levels[200 * 131];
    char nodes[1000];
    (void)state;
    for (int32_t i = 0; i < 200 * 131; i++)
        levels[i] = (float)(1 + (i % 200 / 9 + i / 200 / 7) % 3) / 3;
    for (int i = 0; i < 6 * 5; i++) {
        const struct tw_value mask = {TW_MASK, sizes[i / 5].width, sizes[i / 5].height, levels};
        harness_give(0, &mask);
        snprintf(
            nodes, sizeof nodes,
            "w: {type: test.mask}\n"
            "a: {type: feature.points, count: 5}\n"
            "b: {type: feature.points, points: [[0.5, 0.5, 1], [0.5, 0.5, 2], [0.2, 0.9, 3]]}\n"
            "p: {type: feature.merge, generators: [b, a]}\n"
            "t: {type: feature.points, count: 40, cost: [20, 40]}\n"
            "r: {type: feature.ridges, generators: p, targets: t%s}\n",
            weights[i % 5]);
        struct harness plain = {
            .width = mask.width, .height = mask.height, .simd = "base", .nodes = nodes};
        struct harness tiles = plain;
        tiles.simd = i % 2 ? "avx2" : NULL;
        tiles.threads = threads[i % 4];
        assert_same_ridges(&plain, &tiles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ridge_joins_its_generator),
        cmocka_unit_test(uniform_paths_are_straight),
        cmocka_unit_test(a_ridge_is_a_path_of_least_weight),
        cmocka_unit_test(ridges_go_the_same_ways_at_any_size),
        cmocka_unit_test(weights_are_read_at_any_side),
        cmocka_unit_test(a_strip_has_a_row),
        cmocka_unit_test(weights_of_nothing_are_refused),
        cmocka_unit_test(tiles_find_the_same_ridges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
