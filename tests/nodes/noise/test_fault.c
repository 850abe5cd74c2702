/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"
#include "support/seed.h"

#include <thalweg/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    int32_t width, height, faults;
    double d_max, d_min, band;
    const char *profile;
};

/* What line i adds at a cell, in double and without the node's polynomial. */
static double rise_at(const struct setting *s, int32_t i, int32_t x, int32_t y, double *distance)
{
    struct tw_random4 words = tw_random(seed_of(7), (uint32_t)i, 0, 0, 0);
    double px = (double)tw_uniform(words.at[0]) * s->width;
    double py = (double)tw_uniform(words.at[1]) * s->height;
    double dx = (double)tw_uniform(words.at[2]) * s->width - px;
    double dy = (double)tw_uniform(words.at[3]) * s->height - py;
    double side = s->width > s->height ? s->width : s->height;
    double d = s->d_max + (s->d_min - s->d_max) * i / s->faults;
    double across = dx * (y + 0.5 - py) - dy * (x + 0.5 - px);
    double t = across / sqrt(dx * dx + dy * dy) / side / s->band;
    *distance = fabs(t);
    if (s->profile[1] == 't')
        return t > 0 ? d : 0;
    if (s->profile[0] == 'c')
        return fabs(t) < 0.5 ? d * (0.5 + 0.5 * tw_cos_degrees(360 * t)) : 0;
    return d * (0.5 + 0.5 * tw_sin_degrees(180 * (t < -0.5 ? -0.5 : t > 0.5 ? 0.5 : t)));
}

static void check_setting(struct setting s)
{
    char nodes[256];
    size_t count = (size_t)s.width * (size_t)s.height;
    snprintf(nodes, sizeof nodes,
             "n: {type: noise.fault, seed: 7, faults: %d, d_max: %g, d_min: %g, width: %g, "
             "profile: %s}",
             s.faults, s.d_max, s.d_min, s.band, s.profile);
    struct harness harness = {.width = s.width, .height = s.height, .nodes = nodes};
    struct tw_result *result = harness_run(&harness);
    const float *n = tw_floats(tw_result_output(result, "n"));
    for (size_t k = 0; k < count; k++) {
        double sum = 0, distance, nearest = 1;
        for (int32_t i = 0; i < s.faults; i++) {
            sum += rise_at(&s, i, (int32_t)(k % (size_t)s.width), (int32_t)(k / (size_t)s.width),
                           &distance);
            nearest = distance < nearest ? distance : nearest;
        }
        if (s.profile[1] != 't' || nearest > 1e-5)
            assert_true(fabs((double)n[k] - sum) < 1e-5 * s.d_max * s.faults);
    }
    everywhere(harness, "n", n);
    tw_result_release(result);
}

static void is_the_sum_of_lines(void **state)
{
    const char *const profiles[] = {"step", "cosine", "sine"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        check_setting((struct setting){64, 64, 20, 1, 0.1, 0.2, profiles[i]});
        check_setting((struct setting){700, 33, 9, 2, 2, 0.03, profiles[i]});
        check_setting((struct setting){1, 1, 5, 1, 0, 0.5, profiles[i]});
        check_setting((struct setting){1, 37, 5, 1, 0.1, 0.1, profiles[i]});
        check_setting((struct setting){257, 129, 5, 1, 0.1, 0.1, profiles[i]});
    }
}

static void one_line_gives_two_levels(void **state)
{
    (void)state;
    struct tw_result *result =
        harness_run(&(struct harness){.nodes = "n: {type: noise.fault, faults: 1, seed: 4}"});
    const float *n = tw_floats(tw_result_output(result, "n"));
    int raised = 0;
    for (int i = 0; i < 64 * 64; i++) {
        assert_true(n[i] == 0 || n[i] == 1);
        raised += n[i] == 1;
    }
    assert_true(raised > 0 && raised < 64 * 64);
    tw_result_release(result);
}

/* A row crosses every line once at most. */
static void rows_have_one_level_more_than_lines(void **state)
{
    (void)state;
    struct tw_result *result =
        harness_run(&(struct harness){.nodes = "n: {type: noise.fault, faults: 12}"});
    const float *n = tw_floats(tw_result_output(result, "n"));
    for (int y = 0; y < 64; y++) {
        int levels = 1;
        for (int x = 1; x < 64; x++)
            levels += n[y * 64 + x] != n[y * 64 + x - 1];
        assert_true(levels <= 13);
    }
    tw_result_release(result);
}

static void rescales_on_request(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "n: {type: noise.fault, profile: sine, rescale: true}"});
    const float *n = tw_floats(tw_result_output(result, "n"));
    float low = 9, high = -9;
    for (int i = 0; i < 64 * 64; i++) {
        low = tw_min(low, n[i]);
        high = tw_max(high, n[i]);
    }
    assert_true(low == 0 && high == 1);
    tw_result_release(result);
}

static void refuses_a_rise_that_grows(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.nodes = "n: {type: noise.fault, d_max: 1, d_min: 2}\n"});
    assert_non_null(strstr(error.message, "d_min"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_sum_of_lines),
        cmocka_unit_test(one_line_gives_two_levels),
        cmocka_unit_test(rows_have_one_level_more_than_lines),
        cmocka_unit_test(rescales_on_request),
        cmocka_unit_test(refuses_a_rise_that_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
