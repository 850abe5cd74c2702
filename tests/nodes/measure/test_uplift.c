/* SPDX-License-Identifier: MIT */
/* measure.uplift against its formula on lands where A, S and the curvature are known, and around
 * erosion.stream_power. */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64 };

static double entry(const struct tw_value *record, const char *name)
{
    for (int32_t i = 0; i < record->width; i++)
        if (strcmp(tw_entries(record)[i].name, name) == 0)
            return tw_entries(record)[i].number;
    fail_msg("no entry %s", name);
    return 0;
}

static struct tw_result *run(int32_t side, const char *nodes, const char *outputs)
{
    return harness_run(
        &(struct harness){.width = side, .height = side, .nodes = nodes, .outputs = outputs});
}

/* A plane that falls to the west edge, its outlet: all water of a row runs along it, so that A is
 * the cells to the east in a strip 8/3 cells wide. */
static void is_the_stream_power_law_on_a_plane(void **state)
{
    static const struct {
        double m, n;
    } laws[] = {{0.5, 1}, {0.4, 2}, {0.6, 0.7}};
    (void)state;
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        char nodes[700];
        snprintf(nodes, sizeof nodes,
                 "land: {type: combine.formula, formula: \"0.8 * x\"}\n"
                 "west: {type: combine.formula, formula: \"x < 1 / 64\"}\n"
                 "outlets: {type: mask.from, in: west, range: [0, 1]}\n"
                 "u: {type: measure.uplift, in: land, outlets: outlets, K: 3, m: %g, n: %g, "
                 "diffusion: 0, border: free}\n",
                 laws[k].m, laws[k].n);
        struct tw_result *result = run(SIDE, nodes, "rate: u.rate\n");
        const float *rate = tw_floats(tw_result_output(result, "rate"));
        for (int32_t y = 3; y < SIDE - 3; y++)
            for (int32_t x = 3; x < SIDE - 3; x++) {
                double area = 8.0 / 3 * (SIDE - x) / (SIDE * SIDE);
                double expected = 3 * pow(area, laws[k].m) * pow(0.8, laws[k].n);
                assert_true(fabs((double)rate[y * SIDE + x] - expected) < 2e-4 * expected);
            }
        assert_true(rate[SIDE * 5] == 0);
        tw_result_release(result);
    }
}

/* Without rivers a ridge -x^2 needs 2 D everywhere but at its border. */
static void makes_up_for_creep(void **state)
{
    (void)state;
    struct tw_result *result =
        run(SIDE,
            "land: {type: combine.formula, formula: \"-(x - 0.5)^2 - 2 * (y - 0.5)^2\"}\n"
            "u: {type: measure.uplift, in: land, K: 0, diffusion: 0.003, channel: 1}\n",
            "rate: u.rate\n");
    const float *rate = tw_floats(tw_result_output(result, "rate"));
    for (int32_t y = SIDE / 4; y < SIDE * 3 / 4; y++)
        for (int32_t x = SIDE / 4; x < SIDE * 3 / 4; x++)
            assert_true(fabs((double)rate[y * SIDE + x] - 6 * 0.003) < 1e-5);
    tw_result_release(result);
}

/* A bowl in a plane fills level: no slope, no uplift. */
static void lakes_do_not_rise(void **state)
{
    (void)state;
    struct tw_result *result =
        run(SIDE,
            "land: {type: combine.formula, "
            "formula: \"x - clamp(1 - 8 * ((x - 0.5)^2 + (y - 0.5)^2), 0, 1)\"}\n"
            "filled: {type: shape.fill_depressions, in: land, border: closed}\n"
            "u: {type: measure.uplift, in: land, border: fixed, diffusion: 0}\n"
            "v: {type: measure.uplift, in: filled, border: fixed, diffusion: 0}\n"
            "depth: {type: combine.subtract, a: filled, b: land}\n",
            "rate: u.rate\nsame: v.rate\n");
    const float *rate = tw_floats(tw_result_output(result, "rate"));
    const float *same = tw_floats(tw_result_output(result, "same"));
    const float *depth = tw_floats(tw_result_output(result, "depth"));
    int lake = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        if (depth[i] > 0.01f) {
            assert_true(rate[i] == 0);
            lake++;
        }
        if (i % SIDE > SIDE * 7 / 8) /* upstream */
            assert_true(rate[i] == same[i] && (rate[i] > 0 || i % SIDE == SIDE - 1 || i < SIDE ||
                                               i >= SIDE * (SIDE - 1)));
    }
    assert_true(lake > 100);
    tw_result_release(result);
}

static void the_mask_is_the_rate_over_uplift_rate(void **state)
{
    static const char *const rates[] = {"auto", "0.5", "2"};
    (void)state;
    for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
        char nodes[500];
        snprintf(nodes, sizeof nodes,
                 "noise: {type: noise.perlin}\n"
                 "u: {type: measure.uplift, in: noise, uplift_rate: %s, border: free}\n",
                 rates[k]);
        struct tw_result *result = run(SIDE, nodes, "rate: u.rate\nrecord: u.record\n");
        const struct tw_value *record = tw_result_output(result, "record");
        const float *mask = tw_floats(tw_result_output(result, "u"));
        const float *rate = tw_floats(tw_result_output(result, "rate"));
        float one = (float)entry(record, "uplift_rate"), greatest = 0;
        int above = 0, sinking = 0;
        for (int32_t i = 0; i < SIDE * SIDE; i++) {
            float share = rate[i] / one;
            assert_true(mask[i] == (share < 0 ? 0 : share > 1 ? 1 : share));
            greatest = rate[i] > greatest ? rate[i] : greatest;
            above += rate[i] > one;
            sinking += rate[i] < 0;
        }
        assert_true((float)entry(record, "greatest") == greatest);
        assert_true(one == (k == 0 ? greatest : k == 1 ? 0.5f : 2));
        assert_true(entry(record, "above") == above / (double)(SIDE * SIDE));
        assert_true(entry(record, "sinking") == sinking / (double)(SIDE * SIDE));
        tw_result_release(result);
    }
}

/* Land in balance: the measured uplift holds it within 2 % of its relief, and better than none. */
static void holds_land_in_balance(void **state)
{
    (void)state;
    for (int wrap = 0; wrap < 2; wrap++) {
        char nodes[1200];
        const char *border = wrap ? "wrap" : "free";
        snprintf(nodes, sizeof nodes,
                 "noise: {type: noise.midpoint, frequency: 4}\n"
                 "ground: {type: shape.remap, in: noise, from: [0, 1], to: [0, 0.1]}\n"
                 "land: {type: erosion.stream_power, in: ground, border: %s, steps: 100}\n"
                 "u: {type: measure.uplift, in: land, border: %s}\n"
                 "again: {type: erosion.stream_power, in: land, uplift: u, outlets: u.outlets, "
                 "uplift_rate: 1, border: %s}\n"
                 "worn: {type: erosion.stream_power, in: land, uplift_rate: 0, border: %s}\n"
                 "d: {type: measure.difference, a: land, b: again}\n"
                 "w: {type: measure.difference, a: land, b: worn}\n"
                 "s: {type: measure.statistics, in: land}\n",
                 border, border, border, border);
        struct tw_result *result = run(128, nodes, NULL);
        const struct tw_value *s = tw_result_output(result, "s");
        double relief = entry(s, "max") - entry(s, "min");
        double moved = entry(tw_result_output(result, "d"), "mean");
        double worn = entry(tw_result_output(result, "w"), "mean");
        printf("moved %.4f of the relief, worn %.4f\n", moved / relief, worn / relief);
        assert_true(moved < 0.02 * relief);
        assert_true(worn > 0.2 * relief);
        tw_result_release(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_stream_power_law_on_a_plane),
        cmocka_unit_test(makes_up_for_creep),
        cmocka_unit_test(lakes_do_not_rise),
        cmocka_unit_test(the_mask_is_the_rate_over_uplift_rate),
        cmocka_unit_test(holds_land_in_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
