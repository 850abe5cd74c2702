/* SPDX-License-Identifier: MIT */
/* The parameter `levels` of erosions: near what they do without it, the same bytes everywhere, and
 * nothing at all on maps that are too small. test_ledger.c balances what it moves and test_hardness
 * holds what is hard. */
#include "support/harness.h"
#include "support/sanitized.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *settings;
    double least; /* correlation of what one and two levels change with what none changes */
    bool rests;   /* level ground stays as it is */
} rows[] = {
    {"pipes, steps: 100, capacity: 0.02", 0.8, false},
    {"thermal, talus: 1, iterations: 80", 0.8, true},
    {"thermal, talus: 1, iterations: 20, border: closed, slope: distance, side: 64", 0.8, true},
    {"droplets, density: 4, radius: 4", 0.6, false},
    {"stream_power, uplift_rate: 0.2, border: free", 0.8, false},
    {"stream_power, uplift_rate: 0.2, steps: 20, border: low", 0.8, false},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Hills of 4 octaves: 65 x 50 cells hold most of what 129 x 99 show. */
static struct tw_result *erode(const struct row *row, int32_t width, int32_t height, int levels,
                               struct harness how)
{
    char nodes[400];
    snprintf(nodes, sizeof nodes,
             "noise: {type: noise.perlin, octaves: 4, frequency: 3}\n"
             "in: {type: shape.remap, in: noise, from: [0.25, 0.75]}\n"
             "out: {in: in, type: erosion.%s, levels: %d}\n",
             row->settings, levels);
    how.width = width;
    how.height = height;
    how.nodes = nodes;
    return harness_run(&how);
}

struct sums {
    double ab, aa, bb;
};

/* Of changes, cell by cell. */
static struct sums sums_of(const struct tw_result *a, const struct tw_result *b)
{
    const struct tw_value *in = tw_result_output(a, "in");
    struct sums s = {0};
    for (size_t i = 0; i < tw_value_count(in); i++) {
        double before = (double)tw_floats(in)[i];
        double x = (double)tw_floats(tw_result_output(a, "out"))[i] - before;
        double y = (double)tw_floats(tw_result_output(b, "out"))[i] - before;
        s.ab += x * y;
        s.aa += x * x;
        s.bb += y * y;
    }
    return s;
}

static void changes_are_alike(void **state)
{
    (void)state;
    if (SANITIZED)
        skip(); /* statistics: the same places as for the bytes */
    for (int i = 0; i < ROWS; i++) {
        struct tw_result *plain = erode(&rows[i], 129, 99, 0, (struct harness){.threads = 2});
        for (int levels = 1; levels <= 2; levels++) {
            struct tw_result *coarse =
                erode(&rows[i], 129, 99, levels, (struct harness){.threads = 2});
            struct sums s = sums_of(plain, coarse);
            double correlation = s.ab / sqrt(s.aa * s.bb), size = sqrt(s.bb / s.aa);
            if (correlation < rows[i].least || size < 0.8 || size > 1.35 || correlation == 1)
                fail_msg("erosion.%s, levels: %d: correlation %.3f, %.3f times as much",
                         rows[i].settings, levels, correlation, size);
            tw_result_release(coarse);
        }
        tw_result_release(plain);
    }
}

/* Level ground has no detail, and nothing to bury it: no quotient of two zeros. */
static void level_ground_stays_finite(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        char nodes[300];
        snprintf(nodes, sizeof nodes,
                 "in: {type: source.constant, value: 0.5}\n"
                 "out: {in: in, type: erosion.%s, levels: 2}\n",
                 rows[i].settings);
        struct tw_result *result =
            harness_run(&(struct harness){.width = 70, .height = 66, .nodes = nodes});
        if (rows[i].rests)
            harness_same(tw_result_output(result, "out"),
                         tw_floats(tw_result_output(result, "in")));
        tw_result_release(result);
    }
}

/* Sides below 32 are not halved, so further levels are as none. */
static void small_maps_stay_whole(void **state)
{
    static const int32_t sizes[][2] = {{31, 70}, {70, 31}, {1, 80}, {63, 33}};
    (void)state;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 4; k++) {
            int32_t width = sizes[k][0], height = sizes[k][1];
            int once = k == 3; /* that is halved once */
            struct tw_result *a = erode(&rows[i], width, height, once, (struct harness){0});
            struct tw_result *b = erode(&rows[i], width, height, 8, (struct harness){0});
            harness_same(tw_result_output(a, "out"), tw_floats(tw_result_output(b, "out")));
            tw_result_release(a);
            tw_result_release(b);
        }
}

static void bytes_are_the_same_everywhere(void **state)
{
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        struct tw_result *one = erode(&rows[i], 131, 67, 2, (struct harness){.simd = "base"});
        struct tw_result *many = erode(&rows[i], 131, 67, 2, (struct harness){.threads = 3});
        harness_same(tw_result_output(one, "out"), tw_floats(tw_result_output(many, "out")));
        tw_result_release(one);
        tw_result_release(many);
    }
}

/* Rivers go down to the same heights: outlets are those of the finest map. */
static void outlets_keep_their_heights(void **state)
{
    static const char *const settings[] = {"border: wrap", "border: free", "border: fixed",
                                           "outlets: some, border: free"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        char nodes[300];
        snprintf(nodes, sizeof nodes,
                 "in: {type: noise.perlin, octaves: 4, frequency: 3}\n"
                 "some: {type: mask.height, in: in, low: 0, high: 0.3}\n"
                 "out: {in: in, type: erosion.stream_power, steps: 9, levels: 2, %s}\n",
                 settings[i]);
        struct tw_result *result = harness_run(&(struct harness){
            .width = 99, .height = 70, .nodes = nodes, .outputs = "raised: out.eroded\n"});
        const float *in = tw_floats(tw_result_output(result, "in"));
        const float *out = tw_floats(tw_result_output(result, "out"));
        const float *some = tw_floats(tw_result_output(result, "some"));
        int lowest = 0, kept = 0;
        for (int c = 0; c < 99 * 70; c++) {
            bool border = c % 99 == 0 || c % 99 == 98 || c / 99 == 0 || c / 99 == 69;
            lowest = in[c] < in[lowest] ? c : lowest;
            kept += border && out[c] == in[c];
            if ((i == 2 && border) || (i == 3 && some[c] >= 0.5f))
                assert_float_equal(out[c], in[c], 0);
        }
        assert_true(i == 1 ? kept >= 4 && kept < 40 : i > 0 || out[lowest] == in[lowest]);
        tw_result_release(result);
    }
}

/* A plateau that rises has the same sharp edge from coarse maps; only at the outlet, the lowest
 * cell, they are felt, as far as the splines of its coarse cell go. */
static void uplift_is_not_blurred(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .width = 96,
        .height = 96,
        .nodes = "in: {type: noise.perlin, octaves: 2, frequency: 2}\n"
                 "where: {type: mask.height, in: in, low: 0.5}\n"
                 "out: {in: in, type: erosion.stream_power, uplift: where, K: 0, diffusion: 0, "
                 "talus: 1000000, steps: 10, border: wrap, levels: 2}\n"});
    const float *in = tw_floats(tw_result_output(result, "in"));
    const float *out = tw_floats(tw_result_output(result, "out"));
    const float *where = tw_floats(tw_result_output(result, "where"));
    int others = 0;
    for (int c = 0; c < 96 * 96; c++)
        others += fabsf(out[c] - in[c] - 0.1f * where[c]) > 1e-3f;
    if (others > 450)
        fail_msg("%d cells rose by something else", others);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_alike),
                                       cmocka_unit_test(small_maps_stay_whole),
                                       cmocka_unit_test(level_ground_stays_finite),
                                       cmocka_unit_test(bytes_are_the_same_everywhere),
                                       cmocka_unit_test(outlets_keep_their_heights),
                                       cmocka_unit_test(uplift_is_not_blurred)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
