/* SPDX-License-Identifier: MIT */
/* Kinds that select a band have one rule for its ends: an end that is not given is open where the
 * other one is, and where neither is, the band is the kind's own. */
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 48, CELLS = SIDE * SIDE };

static const struct kind {
    const char *type;
    double own[2], limits[2]; /* its own band; beyond all values of the map */
    double low, high;         /* ends amid the values */
} kinds[] = {
    {"mask.slope", {2, 1e9}, {0, 1e9}, 5, 5},
    {"mask.height", {0.5, 1}, {-1e9, 1e9}, 0.9, 0.3},
    {"mask.curvature", {0.5, 1e9}, {-1e9, 1e9}, 1, -1},
    {"mask.prominence", {0.05, 1e9}, {-1e9, 1e9}, 0.1, -0.1},
    {"mask.wetness", {-2, 100}, {-100, 100}, -1, -4},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void expect(const struct tw_result *result, const struct kind *kind, const char *a,
                   const char *b, bool same)
{
    const float *first = tw_floats(tw_result_output(result, a));
    const float *second = tw_floats(tw_result_output(result, b));
    if ((memcmp(first, second, CELLS * sizeof *first) == 0) != same)
        fail_msg("%s: %s %s %s", kind->type, a, same ? "differs from" : "is", b);
}

/* Heights from -0.5 to 2, so that there are some beyond either end of every band. */
static struct tw_result *run(const struct kind *k)
{
    char nodes[2000];
    struct tw_value map = harness_terrain(SIDE, SIDE, 3);
    for (int i = 0; i < CELLS; i++)
        tw_floats(&map)[i] = 2.5f * tw_floats(&map)[i] - 0.5f;
    harness_give(0, &map);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "neither: {type: %s, in: in}\n"
             "written: {type: %s, in: in, low: auto, high: auto}\n"
             "own: {type: %s, in: in, low: %g, high: %g}\n"
             "above: {type: %s, in: in, low: %g}\n"
             "up: {type: %s, in: in, low: %g, high: %g}\n"
             "below: {type: %s, in: in, high: %g}\n"
             "down: {type: %s, in: in, low: %g, high: %g}\n",
             k->type, k->type, k->type, k->own[0], k->own[1], k->type, k->low, k->type, k->low,
             k->limits[1], k->type, k->high, k->type, k->limits[0], k->high);
    struct tw_result *result =
        harness_run(&(struct harness){.width = SIDE, .height = SIDE, .nodes = nodes});
    free(map.data);
    return result;
}

static void an_end_that_is_not_given_is_open(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        struct tw_result *result = run(&kinds[i]);
        expect(result, &kinds[i], "neither", "own", true);
        expect(result, &kinds[i], "neither", "written", true);
        expect(result, &kinds[i], "above", "up", true);
        expect(result, &kinds[i], "below", "down", true);
        expect(result, &kinds[i], "above", "own", false);
        expect(result, &kinds[i], "below", "own", false);
        tw_result_release(result);
    }
}

static void level_ground_is_gentle(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.nodes = "in: {type: source.constant, value: 0.5}\n"
                                   "out: {type: mask.slope, in: in, high: 3.6, softness: 1.6}"});
    for (int i = 0; i < 64 * 64; i++)
        assert_true(tw_floats(tw_result_output(result, "out"))[i] == 1);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_end_that_is_not_given_is_open),
                                       cmocka_unit_test(level_ground_is_gentle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
