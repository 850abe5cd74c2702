/* SPDX-License-Identifier: MIT */
/* thalweg/fjords: valleys become troughs, level across and steep at their sides, and ridges stay.
 */
#include "support/harness.h"
#include "support/record.h"

#include "value/field.h"

enum { SIDE = 256, CELLS = SIDE * SIDE };

static const char nodes[] =
    "noise: {type: noise.perlin, frequency: 3, octaves: 6, tile: false}\n"
    "coast: {type: mask.shape, kind: gradient, y: 0.5, x: 0, rotate: 270, falloff: 0.9}\n"
    "raw: {type: combine.formula, a: noise, b: coast,\n"
    "  formula: \"0.65 - 0.55 * b + 0.2 * (a - 0.5)\"}\n"
    "range: {type: erosion.stream_power, in: raw, K: 8, steps: 10}\n"
    "it: {type: thalweg/fjords, land: range}\n"
    "deep: {type: thalweg/fjords, land: range, depth: 0.2}\n"
    "flow: {type: mask.flow, in: range, low: 0.0012, high: 0.0204}\n"
    "main: {type: mask.threshold, in: flow, level: 0.02}\n"
    "far: {type: mask.distance, in: main, reach: 0.03}\n"
    "sea: {type: water.sea, in: range}\n"
    "flooded: {type: water.sea, in: it}\n"
    "before: {type: mask.slope, in: range}\n"
    "after: {type: mask.slope, in: it}\n";

static struct tw_result *result;

static const float *cells(const char *name) { return tw_floats(tw_result_output(result, name)); }

static int set_up(void **state)
{
    (void)state;
    result =
        harness_run(&(struct harness){.width = SIDE,
                                      .height = SIDE,
                                      .head = "borders: closed\n",
                                      .nodes = nodes,
                                      .outputs = "slope: before.value\nslope_after: after.value\n"
                                                 "coasts: sea.record\nfjords: flooded.record\n"});
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tw_result_release(result);
    return 0;
}

/* The mean of a map over cells from so far to so far off a main valley. */
static double mean(const char *name, float from, float to)
{
    const float *map = cells(name), *far = cells("far");
    double sum = 0;
    int count = 0;
    for (int32_t i = 0; i < CELLS; i++)
        if (far[i] >= from && far[i] <= to) {
            sum += (double)map[i];
            count++;
        }
    assert_true(count > 500);
    return sum / count;
}

static void ice_digs_along_valleys(void **state)
{
    (void)state;
    assert_true(mean("it", 0, 0.3f) < mean("range", 0, 0.3f) - 0.04);
    assert_true(mean("deep", 0, 0.3f) < mean("it", 0, 0.3f) - 0.04);
    assert_true(mean("it", 1, 1) > mean("range", 1, 1) - 0.02);
}

static void floors_are_gentler_than_walls(void **state)
{
    (void)state;
    double floor = mean("slope_after", 0, 0.4f), wall = mean("slope_after", 0.6f, 0.9f);
    double before = mean("slope", 0, 0.4f) / mean("slope", 0.6f, 0.9f);
    assert_true(floor < 0.6 * wall && before > 0.8);
}

static void the_sea_comes_in(void **state)
{
    (void)state;
    const struct tw_value *before = tw_result_output(result, "coasts"),
                          *after = tw_result_output(result, "fjords");
    assert_true(record_number(after, "share") > 1.1 * record_number(before, "share"));
    assert_true(record_number(after, "dimension") > 1.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ice_digs_along_valleys),
        cmocka_unit_test(floors_are_gentler_than_walls),
        cmocka_unit_test(the_sea_comes_in),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
