/* SPDX-License-Identifier: MIT */
/* Layers of rock on the sides of a block: where each lies, and that the sides show it. */
#include "render/kernels/tone.h"
#include "render/kernels/wall_strata.h"
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1, 2 and 1 of 4. */
static const float rows[] = {1, 0.5f, 255, 0, 0, 2, 0.25f, 0, 255, 0, 1, 0.5f, 0, 0, 255};
static const struct tw_table table = {3, 5, rows};
static const float bend[] = {0, 1, 0, 1}; /* 2 x 2, rises to the east */

static struct tw_wall_strata strata_of(float fold)
{
    struct tw_wall_strata s = {.course = tw_strata_course(0.5, (double)fold, 0, 0),
                               .bend = bend,
                               .width = 2,
                               .height = 2,
                               .factor = 2,
                               .scale = 100,
                               .datum = 3};
    tw_wall_strata_read(&table, &s);
    return s;
}

/* At a height above the datum. */
static struct tw_rgb seen(float fold, double x, double height, float shift)
{
    struct tw_wall_strata s = strata_of(fold);
    const double at[] = {x, 0, 100 * height};
    return tw_wall_strata_colour(&s, at, shift);
}

static void expect(struct tw_rgb c, float r, float g, float b)
{
    if (fabsf(c.r - r) > 1e-3f || fabsf(c.g - g) > 1e-3f || fabsf(c.b - b) > 1e-3f)
        fail_msg("%g %g %g, expected %g %g %g", (double)c.r, (double)c.g, (double)c.b, (double)r,
                 (double)g, (double)b);
}

static void layers_lie_from_the_lowest_up_and_come_again(void **state)
{
    (void)state;
    for (int period = -2; period < 3; period++) {
        double foot = 0.5 * period;
        expect(seen(0, 1, foot + 0.05, 0), 1, 0, 0);
        expect(seen(0, 1, foot + 0.15, 0), 0, 1, 0);
        expect(seen(0, 1, foot + 0.35, 0), 0, 1, 0);
        expect(seen(0, 1, foot + 0.40, 0), 0, 0, 1);
    }
    expect(seen(0, 1, 0.05, 0.5f), 0, 1, 0); /* half a period further up */
}

/* Where z = fold (bend - 1/2) + a constant, the layer is the same. */
static void bend_lifts_them(void **state)
{
    (void)state;
    for (int i = 0; i <= 30; i++) {
        double x = i / 10.0, lift = fmin(fmax((x + 0.5) / 2 - 0.5, 0), 1) - 0.5;
        expect(seen(0.3f, x, 0.3 * lift + 0.05, 0), 1, 0, 0);
        expect(seen(0.3f, x, 0.3 * lift + 0.4, 0), 0, 0, 1);
    }
}

static void borders_are_continuous(void **state)
{
    struct tw_rgb last = seen(0, 0, 0, 0);
    (void)state;
    for (int i = 1; i <= 4000; i++) {
        struct tw_rgb next = seen(0, 0, i / 4000.0, 0);
        assert_true(fabsf(next.r - last.r) + fabsf(next.b - last.b) < 0.2f);
        last = next;
    }
}

static struct tw_result *views(void)
{
    return harness_run(
        &(struct harness){.nodes = "n: {type: noise.perlin}\nc: {type: source.constant, value: 1}\n"
                                   "a: {type: render.perspective, in: n, size: [320, 180]}\n"
                                   "b: {type: render.perspective, in: n, size: [320, 180], "
                                   "bend: c, period: 0.2, fold: 3, strata: []}\n"
                                   "r: {type: render.perspective, in: n, size: [320, 180], "
                                   "strata: [{red: 255, green: 0, blue: 0}]}\n"});
}

static void only_sides_show_them(void **state)
{
    (void)state;
    struct tw_result *result = views();
    const unsigned char *a = tw_result_output(result, "a")->data;
    const unsigned char *b = tw_result_output(result, "b")->data;
    const unsigned char *r = tw_result_output(result, "r")->data;
    int redder = 0, other = 0;
    assert_memory_equal(a, b, 3 * 320 * 180);
    for (int i = 0; i < 320 * 180; i++) {
        bool same = memcmp(a + 3 * i, r + 3 * i, 3) == 0;
        redder += !same && r[3 * i] - r[3 * i + 1] > a[3 * i] - a[3 * i + 1] + 20;
        other += !same;
    }
    assert_true(redder > 1000);
    assert_true(other < 2 * redder);
    tw_result_release(result);
}

static void fails(const char *strata, const char *words)
{
    char nodes[400];
    snprintf(nodes, sizeof nodes,
             "n: {type: noise.perlin}\nv: {type: render.perspective, in: n, strata: %s}\n", strata);
    struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
    if (!strstr(error.message, words))
        fail_msg("'%s' does not say '%s'", error.message, words);
}

static void faults_say_what_is_expected(void **state)
{
    char many[800] = "[[1]";
    (void)state;
    fails("[{thickness: 0}]", "strata.thickness is 0; allowed 0.001 to 1000000");
    fails("[{thicknes: 1}]", "strata has no column 'thicknes'");
    for (int i = 1; i < 65; i++)
        strcat(many, ", [1]");
    strcat(many, "]");
    fails(many, "strata has 65 rows; expected at most 64 rows");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_lie_from_the_lowest_up_and_come_again),
        cmocka_unit_test(bend_lifts_them),
        cmocka_unit_test(borders_are_continuous),
        cmocka_unit_test(only_sides_show_them),
        cmocka_unit_test(faults_say_what_is_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
