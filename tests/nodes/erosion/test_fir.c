/* SPDX-License-Identifier: MIT */
/* erosion.fir against its recurrence written out cell by cell, and the facts of the formula. */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const orders[] = {"we ew ns sn", "ew we ns sn", "we ew sn ns", "ew we sn ns",
                                     "ns sn we ew", "ns sn ew we", "sn ns we ew", "sn ns ew we",
                                     "we ns ew sn", "sn we ns ew", "ns we ew sn", "[ew,ns,sn,we]"};
enum { ORDERS = sizeof orders / sizeof *orders };

struct setting {
    float strength;
    int passes;
    bool downhill;
    const char *order;
    bool closed;
};

/* What comes to the first cell of a line that goes on mirrored through it. */
static float state_before(const float *first, ptrdiff_t step, int32_t count, float keep)
{
    float state = *first;
    for (int32_t j = count - 1 < 64 ? count - 1 : 64; j > 0; j--)
        state = keep * state + (1.0f - keep) * first[j * step];
    return 2.0f * *first - state;
}

static void smear_line(float *first, ptrdiff_t step, int32_t count, const struct setting *s)
{
    float outside = state_before(first, step, count, s->strength);
    for (int32_t i = s->closed ? 0 : 1; i < count; i++) {
        float before = i > 0 ? first[(i - 1) * step] : outside, here = first[i * step];
        if (!s->downhill || before > here)
            first[i * step] = s->strength * before + (1.0f - s->strength) * here;
    }
}

static void smear_map(float *cells, int32_t w, int32_t h, const struct setting *s)
{
    for (int pass = 0; pass < s->passes; pass++)
        for (int d = 0; d < 4; d++) {
            char from = s->order[3 * d + (s->order[0] == '[')];
            ptrdiff_t last_row = (ptrdiff_t)(h - 1) * w;
            for (int32_t y = 0; y < h && from == 'w'; y++)
                smear_line(cells + (ptrdiff_t)y * w, 1, w, s);
            for (int32_t y = 0; y < h && from == 'e'; y++)
                smear_line(cells + (ptrdiff_t)y * w + w - 1, -1, w, s);
            for (int32_t x = 0; x < w && from == 'n'; x++)
                smear_line(cells + x, w, h, s);
            for (int32_t x = 0; x < w && from == 's'; x++)
                smear_line(cells + last_row + x, -w, h, s);
        }
}

static struct tw_result *run(const struct tw_value *terrain, const struct setting *s, int threads,
                             const char *simd)
{
    char nodes[256];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "out: {type: erosion.fir, in: in, strength: %.9g, passes: %d, downhill_only: %s, "
             "order: %s, border: %s}\n",
             (double)s->strength, s->passes, s->downhill ? "true" : "false", s->order,
             s->closed ? "closed" : "kept");
    harness_give(0, terrain);
    return harness_run(&(struct harness){.width = terrain->width,
                                         .height = terrain->height,
                                         .threads = threads,
                                         .simd = simd,
                                         .nodes = nodes});
}

static void expect_reference(int32_t w, int32_t h, const struct setting *s)
{
    static const char *const levels[] = {"base", "avx2", NULL};
    static const int threads[] = {1, 2, 8};
    struct tw_value terrain = harness_terrain(w, h, 7);
    float *expected = malloc(tw_value_count(&terrain) * sizeof *expected);
    assert_non_null(expected);
    memcpy(expected, terrain.data, tw_value_count(&terrain) * sizeof *expected);
    smear_map(expected, w, h, s);
    for (int i = 0; i < 9; i++) {
        struct tw_result *result = run(&terrain, s, threads[i % 3], levels[i / 3]);
        harness_same(tw_result_output(result, "out"), expected);
        tw_result_release(result);
    }
    free(expected);
    free(terrain.data);
}

static void gives_the_bytes_of_the_plain_loop(void **state)
{
    static const int32_t sides[][2] = {{1, 1},   {1, 40},  {40, 1},    {2, 17},  {3, 16},
                                       {64, 64}, {61, 47}, {257, 129}, {131, 35}};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (int k = 0; k < 4; k++)
            expect_reference(sides[i][0], sides[i][1],
                             &(struct setting){0.45f, 2, k % 2 == 1, orders[i % ORDERS], k > 1});
}

/* Each pass shifts a straight line by k / (1 - k) cells and the one back shifts it back. */
static void closed_borders_leave_slopes(void **state)
{
    struct tw_value plane = harness_terrain(80, 70, 1);
    (void)state;
    for (int i = 0; i < 80 * 70; i++)
        tw_floats(&plane)[i] = (float)(i % 80) / 64 + (float)(i / 80) / 256;
    struct tw_result *result =
        run(&plane, &(struct setting){0.5f, 1, false, orders[0], true}, 1, NULL);
    for (int i = 0; i < 80 * 70; i++)
        assert_true(fabsf(tw_floats(tw_result_output(result, "out"))[i] - tw_floats(&plane)[i]) <
                    1e-5f);
    tw_result_release(result);
    free(plane.data);
}

static void follows_every_order(void **state)
{
    (void)state;
    for (int i = 0; i < ORDERS; i++)
        expect_reference(37, 50, &(struct setting){0.6f, 1, false, orders[i], false});
}

static void limits_of_the_strength(void **state)
{
    struct tw_value terrain = harness_terrain(61, 47, 3);
    (void)state;
    struct tw_result *same =
        run(&terrain, &(struct setting){0, 3, false, orders[0], false}, 2, NULL);
    harness_same(tw_result_output(same, "out"), tw_floats(&terrain));
    tw_result_release(same);
    struct tw_result *flat =
        run(&terrain, &(struct setting){1, 1, false, orders[0], false}, 2, NULL);
    for (size_t i = 0; i < tw_value_count(&terrain); i++)
        assert_true(tw_floats(tw_result_output(flat, "out"))[i] == tw_floats(&terrain)[0]);
    tw_result_release(flat);
    free(terrain.data);
}

/* An impulse becomes (1 - k) k^n to the east, and after ew a two-sided kernel; here k = 1/2. */
static void answers_an_impulse(void **state)
{
    float cells[64] = {0};
    struct tw_value line = {TW_HEIGHTMAP, 1, 64, cells};
    (void)state;
    cells[20] = 1;
    struct tw_result *result =
        run(&line, &(struct setting){0.5f, 1, false, "ns sn we ew", false}, 1, NULL);
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int i = 0; i < 20; i++) /* sum over m of 1/4 (1/2)^m (1/2)^(m + d) = 1/3 (1/2)^d */
        assert_true(fabsf(out[20 + i] - ldexpf(1.0f / 3, -i)) < 1e-6f);
    tw_result_release(result);
}

static void downhill_only_raises_and_averages_stay_inside(void **state)
{
    struct tw_value terrain = harness_terrain(93, 71, 5);
    float low = 1e9f, high = -1e9f;
    (void)state;
    for (size_t i = 0; i < tw_value_count(&terrain); i++) {
        low = fminf(low, tw_floats(&terrain)[i]);
        high = fmaxf(high, tw_floats(&terrain)[i]);
    }
    struct tw_result *down =
        run(&terrain, &(struct setting){0.5f, 2, true, orders[0], false}, 2, NULL);
    struct tw_result *all =
        run(&terrain, &(struct setting){0.5f, 2, false, orders[0], false}, 2, NULL);
    for (size_t i = 0; i < tw_value_count(&terrain); i++) {
        assert_true(tw_floats(tw_result_output(down, "out"))[i] >= tw_floats(&terrain)[i] - 1e-6f);
        assert_true(tw_floats(tw_result_output(all, "out"))[i] >= low - 1e-6f);
        assert_true(tw_floats(tw_result_output(all, "out"))[i] <= high + 1e-6f);
    }
    tw_result_release(down);
    tw_result_release(all);
    free(terrain.data);
}

static double mean_slope(const struct tw_value *map)
{
    double sum = 0;
    for (int32_t y = 0; y < map->height; y++)
        for (int32_t x = 1; x < map->width; x++) {
            size_t i = (size_t)y * (size_t)map->width + (size_t)x;
            sum += fabs((double)(tw_floats(map)[i] - tw_floats(map)[i - 1]));
        }
    return sum;
}

static void stronger_is_smoother(void **state)
{
    struct tw_value terrain = harness_terrain(96, 64, 9);
    double before = mean_slope(&terrain);
    (void)state;
    for (int i = 1; i < 10; i++) {
        struct setting s = {0.1f * (float)i, 1, false, orders[0], false};
        struct tw_result *result = run(&terrain, &s, 1, NULL);
        double slope = mean_slope(tw_result_output(result, "out"));
        assert_true(slope < before);
        before = slope;
        tw_result_release(result);
    }
    free(terrain.data);
}

static void refuses_a_strength_above_one(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "in: {type: source.constant}\n"
                                   "out: {type: erosion.fir, in: in, strength: 1.5}\n"});
    assert_non_null(strstr(error.message, "strength is 1.5; allowed 0 to 1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_bytes_of_the_plain_loop),
        cmocka_unit_test(closed_borders_leave_slopes),
        cmocka_unit_test(follows_every_order),
        cmocka_unit_test(limits_of_the_strength),
        cmocka_unit_test(answers_an_impulse),
        cmocka_unit_test(downhill_only_raises_and_averages_stay_inside),
        cmocka_unit_test(stronger_is_smoother),
        cmocka_unit_test(refuses_a_strength_above_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
