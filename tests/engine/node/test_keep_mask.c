/* SPDX-License-Identifier: MIT */
/* Masks through nodes that keep their type stay within 0..1; the same values as heights do not. */
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 71, HEIGHT = 40, CELLS = WIDTH * HEIGHT };

static const struct row {
    const char *node;
    bool leaves; /* heights of these values leave 0..1 */
} rows[] = {
    {"combine.add, a: a, b: b", true},
    {"combine.subtract, a: a, b: b", true},
    {"combine.multiply, a: a, b: b", false},
    {"combine.minimum, a: a, b: b", false},
    {"combine.maximum, a: a, b: b", false},
    {"combine.mix, a: a, b: b, weight: 0.3", false},
    {"combine.blend, a: a, b: b, mask: m", false},
    {"shape.invert, in: a, low: 1", true},
    {"shape.invert, in: a", false},
    {"shape.blur, in: a, radius: 0.03", false},
    {"shape.power, in: a, exponent: 2", false},
    {"shape.curve, in: a, points: [[0, -1], [1, 2]]", true},
    {"shape.clamp, in: a, low: 0.5, high: 3", false},
    {"shape.clamp, in: a, low: 2, high: 3", true},
    {"shape.perturb, in: a, seed: 1", false},
    {"shape.transform, in: a, rotate: 20", false},
    {"shape.normalize, in: a, low: -1, high: 2", true},
};

static void check(const struct row *row)
{
    static float expected[CELLS];
    char heights[400], masks[400];
    snprintf(heights, sizeof heights,
             "a: {type: test.map}\nb: {type: test.map, slot: 1}\nm: {type: test.mask, slot: 2}\n"
             "out: {type: %s}\n",
             row->node);
    snprintf(masks, sizeof masks,
             "\"a\": {type: test.mask}\nb: {type: test.mask, slot: 1}\n"
             "m: {type: test.mask, slot: 2}\nout: {type: %s}\n",
             row->node);
    struct tw_result *result =
        harness_run(&(struct harness){.width = WIDTH, .height = HEIGHT, .nodes = heights});
    const struct tw_value *out = tw_result_output(result, "out");
    bool leaves = false;
    assert_int_equal(out->type, TW_HEIGHTMAP);
    for (int i = 0; i < CELLS; i++) {
        float v = tw_floats(out)[i];
        leaves |= v < -1e-5f || v > 1 + 1e-5f;
        expected[i] = v > 0 ? v < 1 ? v : 1 : 0;
    }
    if (leaves != row->leaves)
        fail_msg("%s", row->node);
    tw_result_release(result);
    everywhere((struct harness){.width = WIDTH, .height = HEIGHT, .nodes = masks}, "out", expected);
}

static void masks_are_the_heights_cut(void **state)
{
    struct tw_value maps[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        maps[i] = harness_terrain(WIDTH, HEIGHT, (uint64_t)i + 1);
        harness_give(i, &maps[i]);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
    for (int i = 0; i < 3; i++)
        free(maps[i].data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(masks_are_the_heights_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
