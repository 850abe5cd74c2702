/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void is_the_log_of_the_area_between_thresholds(void **state)
{
    struct tw_value map = harness_terrain(60, 50, 6);
    (void)state;
    harness_give(0, &map);
    struct tw_result *result = harness_run(
        &(struct harness){.width = 60,
                          .height = 50,
                          .nodes = "in: {type: test.map}\n"
                                   "area: {type: measure.flow, in: in}\n"
                                   "out: {type: mask.flow, in: in, low: 0.001, high: 0.1}\n"
                                   "hard: {type: mask.flow, in: in, low: 0.01, high: 0.01}\n"});
    const float *area = tw_floats(tw_result_output(result, "area"));
    const float *out = tw_floats(tw_result_output(result, "out"));
    const float *hard = tw_floats(tw_result_output(result, "hard"));
    bool zero = false, one = false;
    for (int i = 0; i < 60 * 50; i++) {
        double expected = log((double)area[i] / 0.001) / log(100);
        expected = expected < 0 ? 0 : expected > 1 ? 1 : expected;
        assert_true(fabs((double)out[i] - expected) < 1e-5);
        zero |= out[i] == 0;
        one |= out[i] == 1;
        if (fabs((double)area[i] - 0.01) > 1e-6)
            assert_true(hard[i] == (area[i] > 0.01f ? 1.0f : 0.0f));
    }
    assert_true(zero && one);
    tw_result_release(result);
    free(map.data);
}

static void refuses_thresholds_the_wrong_way_round(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "in: {type: noise.midpoint}\n"
                                   "out: {type: mask.flow, in: in, low: 0.5, high: 0.1}\n"});
    assert_non_null(strstr(error.message, "expected at most high"));
}

/* The greatest cell of an output, and the share of the map that is at least 1/2. */
static float greatest(const struct tw_value *map, double *share)
{
    float most = 0;
    double count = 0;
    for (size_t i = 0; i < tw_value_count(map); i++) {
        most = tw_floats(map)[i] > most ? tw_floats(map)[i] : most;
        count += tw_floats(map)[i] >= 0.5f;
    }
    *share = count / (double)tw_value_count(map);
    return most;
}

/* As the page says: the distance gives rivers a width that grows with `reach` and is in map sides,
 * and their middle stays 1; a blur of that width leaves little of them. */
static void distance_widens_rivers_and_a_blur_does_not(void **state)
{
    double line[2], wide[2], wider[2], thin[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tw_result *result = harness_run(&(struct harness){
            .width = 256 << i,
            .height = 256 << i,
            .nodes = "noise: {type: noise.midpoint}\n"
                     "rivers: {type: mask.flow, in: noise, low: 0.01, high: 0.01}\n"
                     "far: {type: mask.distance, in: rivers, reach: 0.02}\n"
                     "wide: {type: shape.invert, in: far}\n"
                     "further: {type: mask.distance, in: rivers, reach: 0.04}\n"
                     "wider: {type: shape.invert, in: further}\n"
                     "blurred: {type: shape.blur, in: rivers, radius: 0.02}\n"});
        assert_true(greatest(tw_result_output(result, "rivers"), &line[i]) == 1);
        assert_true(greatest(tw_result_output(result, "wide"), &wide[i]) == 1);
        assert_true(greatest(tw_result_output(result, "wider"), &wider[i]) == 1);
        assert_true(greatest(tw_result_output(result, "blurred"), &thin[i]) < 0.7f);
        assert_true(wide[i] > 2 * line[i] && wider[i] > 1.5 * wide[i] && thin[i] < line[i]);
        tw_result_release(result);
    }
    assert_true(line[1] < 0.7 * line[0] && fabs(wide[1] / wide[0] - 1) < 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_log_of_the_area_between_thresholds),
        cmocka_unit_test(distance_widens_rivers_and_a_blur_does_not),
        cmocka_unit_test(refuses_thresholds_the_wrong_way_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
