/* SPDX-License-Identifier: MIT */
/* Node kinds that read other cells follow the recipe's `borders`, unless their own `border`
 * overrides it; on a torus no place is special. */
#include "support/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 48, HEIGHT = 40 };

static const struct kind {
    const char *settings, *closed; /* `closed` names its closed border */
    bool mask;                     /* takes a mask */
} kinds[] = {
    {"type: shape.blur, radius: 0.05", "clamp", false},
    {"type: shape.transform, rotate: 30, shift_x: 0.2", "clamp", false},
    {"type: shape.perturb", "mirror", false},
    {"type: measure.flow", "closed", false},
    {"type: measure.flow, method: mfd", "closed", false},
    {"type: measure.pits", "closed", false},
    {"type: mask.flow", "closed", false},
    {"type: mask.wetness", "closed", false},
    {"type: shape.fill_depressions", "closed", false},
    {"type: shape.fill_depressions, epsilon: 0.01", "closed", false},
    {"type: measure.slope", "closed", false},
    {"type: mask.slope", "closed", false},
    {"type: mask.slope, radius: 0.2", "closed", false},
    {"type: mask.aspect", "closed", false},
    {"type: mask.light, kind: sun, altitude: 60, exaggeration: 0.01", "closed", false},
    {"type: mask.curvature", "closed", false},
    {"type: mask.openness", "closed", false},
    {"type: mask.prominence", "closed", false},
    {"type: mask.distance", "closed", true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Returns a kind's output in a world with these borders; `own` is its parameter, or NULL. free().
 */
static float *run(const struct kind *kind, const struct tw_value *map, const char *world,
                  const char *own)
{
    char nodes[300], head[40];
    snprintf(head, sizeof head, "borders: %s\n", world);
    snprintf(nodes, sizeof nodes, "in: {type: test.%s}\nout: {in: in, %s%s%s}\n",
             kind->mask ? "mask" : "map", kind->settings, own ? ", border: " : "", own ? own : "");
    harness_give(0, map);
    struct tw_result *result = harness_run(&(struct harness){.width = WIDTH,
                                                             .height = HEIGHT,
                                                             .nodes = nodes,
                                                             .outputs = "chosen: out.out\n",
                                                             .head = head});
    float *out = malloc(sizeof *out * WIDTH * HEIGHT);
    assert_non_null(out);
    memcpy(out, tw_floats(tw_result_output(result, "chosen")), sizeof *out * WIDTH * HEIGHT);
    tw_result_release(result);
    return out;
}

/* Creates terrain, or a mask with one cell set in a corner. */
static struct tw_value input_of(const struct kind *kind)
{
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 5);
    for (int i = 0; kind->mask && i < WIDTH * HEIGHT; i++)
        tw_floats(&map)[i] = i == 0 ? 1.0f : 0.0f;
    map.type = kind->mask ? TW_MASK : TW_HEIGHTMAP;
    return map;
}

static void expect(const struct kind *kind, const float *a, const float *b, bool same,
                   const char *what)
{
    if ((memcmp(a, b, sizeof *a * WIDTH * HEIGHT) == 0) != same)
        fail_msg("%s: %s", kind->settings, what);
}

static void kinds_follow_the_recipe(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        const struct kind *kind = &kinds[i];
        struct tw_value map = input_of(kind);
        float *torus = run(kind, &map, "wrap", NULL), *ends = run(kind, &map, "closed", NULL);
        float *own_torus = run(kind, &map, "closed", "wrap");
        float *own_ends = run(kind, &map, "wrap", kind->closed);
        expect(kind, torus, ends, false, "borders make no difference");
        expect(kind, torus, own_torus, true, "border: wrap is not that of the recipe");
        expect(kind, ends, own_ends, true, "a closed border is not that of the recipe");
        free(torus);
        free(ends);
        free(own_torus);
        free(own_ends);
        free(map.data);
    }
}

/* A shifted torus is the same torus, so kinds that ignore positions must shift with it. */
static void a_torus_has_no_special_place(void **state)
{
    (void)state;
    for (int i = 3; i < KINDS; i++) {
        struct tw_value map = input_of(&kinds[i]), moved = input_of(&kinds[i]);
        for (int c = 0; c < WIDTH * HEIGHT; c++)
            tw_floats(&moved)[(c / WIDTH + 7) % HEIGHT * WIDTH + (c % WIDTH + 31) % WIDTH] =
                tw_floats(&map)[c];
        float *out = run(&kinds[i], &map, "wrap", NULL);
        float *expected = malloc(sizeof *expected * WIDTH * HEIGHT);
        assert_non_null(expected);
        for (int c = 0; c < WIDTH * HEIGHT; c++)
            expected[(c / WIDTH + 7) % HEIGHT * WIDTH + (c % WIDTH + 31) % WIDTH] = out[c];
        float *out_moved = run(&kinds[i], &moved, "wrap", NULL);
        expect(&kinds[i], out_moved, expected, true, "a moved torus gives other ground");
        free(out);
        free(expected);
        free(out_moved);
        free(map.data);
        free(moved.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_follow_the_recipe),
        cmocka_unit_test(a_torus_has_no_special_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
