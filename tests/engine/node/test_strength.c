/* SPDX-License-Identifier: MIT */
/* The optional input `mask` of every node that has one as its strength: nothing changes where it is
 * 0, all does where it is 1, and between out = in + mask (changed - in). */
#include "support/everywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 61, HEIGHT = 45, CELLS = WIDTH * HEIGHT };

static const char *const nodes[] = {
    "shape.blur, in: a, radius: 0.03",
    "shape.blur, in: a, radius: 0",
    "shape.clamp, in: a, low: 0.4, high: 0.6",
    "shape.curve, in: a, points: [[0, 1], [1, 0]]",
    "shape.fill_depressions, in: a",
    "shape.invert, in: a",
    "shape.normalize, in: a, low: -3, high: 7",
    "shape.offset_clip, in: a",
    "shape.perturb, in: a, seed: 1",
    "shape.power, in: a",
    "shape.remap, in: a, to: [5, 9]",
    "shape.terrace, in: a",
    "shape.transform, in: a, rotate: 30",
};

/* Thirds of the map with 0, 1 and shares between; the bits of -0 have to stay, too. */
static void fill(struct tw_value *map, struct tw_value *mask)
{
    for (int i = 0; i < CELLS; i++)
        if (i % 3 < 2)
            tw_floats(mask)[i] = (float)(i % 3);
    tw_floats(map)[9] = -0.0f;
}

static void check(const char *node, const struct tw_value *map, const struct tw_value *mask)
{
    static float expected[CELLS];
    char text[300];
    snprintf(text, sizeof text, "a: {type: test.map}\nout: {type: %s}\n", node);
    struct tw_result *result =
        harness_run(&(struct harness){.width = WIDTH, .height = HEIGHT, .nodes = text});
    const float *in = tw_floats(map), *m = tw_floats(mask);
    const float *changed = tw_floats(tw_result_output(result, "out"));
    for (int i = 0; i < CELLS; i++)
        expected[i] = m[i] <= 0   ? in[i]
                      : m[i] >= 1 ? changed[i]
                                  : in[i] + m[i] * (changed[i] - in[i]);
    tw_result_release(result);
    for (int shown = 0; shown < 2; shown++) { /* hidden, its block is free for the node */
        snprintf(text, sizeof text,
                 "%s: {type: test.map}\nm: {type: test.mask, slot: 1}\nout: {type: %s, mask: m}\n",
                 shown ? "a" : "\"a\"", node);
        everywhere((struct harness){.width = WIDTH, .height = HEIGHT, .nodes = text}, "out",
                   expected);
    }
}

static void the_change_is_as_strong_as_the_mask(void **state)
{
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 1);
    struct tw_value mask = harness_terrain(WIDTH, HEIGHT, 2);
    (void)state;
    fill(&map, &mask);
    harness_give(0, &map);
    harness_give(1, &mask);
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        check(nodes[i], &map, &mask);
    free(map.data);
    free(mask.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_change_is_as_strong_as_the_mask)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
