/* SPDX-License-Identifier: MIT */
/* thalweg/strata: hard layers of rock stand as cliffs above slopes of soft ones, the ledges run
 * along whole walls, and land without relief stays whole. */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 512 };

/* Rise per cell of a slope of 45 degrees where a side is 6000 m and height 1 is 900 m. */
static const double steep_rise = 6000.0 / 900.0 / SIDE;

static struct tw_result *carve(const char *land, int seed)
{
    static char text[2048];
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: %d\nseed: %d\nborders: closed\n"
             "world: {side_m: 6000, height_m: 900}\n"
             "nodes:\n%s"
             "  fold: {type: noise.perlin, frequency: 3, octaves: 3}\n"
             "  it: {type: thalweg/strata, land: land, bend: fold}\n"
             "outputs: {land: it.land, hard: it.hard, layer: it.layer}\n",
             SIDE, seed, land);
    if (tw_recipe_parse(text, strlen(text), "strata.yaml", NULL, &recipe, &error) ||
        tw_recipe_run(recipe, NULL, &result, &error))
        fail_msg("%s\n%s", error.message, text);
    tw_recipe_release(recipe);
    return result;
}

static double rise_at(const float *z, int32_t x, int32_t y)
{
    const float *at = z + (size_t)y * SIDE + x;
    double east = ((double)at[1] - (double)at[-1]) / 2;
    double south = ((double)at[SIDE] - (double)at[-SIDE]) / 2;
    return sqrt(east * east + south * south);
}

/* Returns the share above 45 degrees of hillsides whose hardness is within low..high: not of the
 * tops and floors, on which hard layers lie bare where soft ones above them are gone. */
static double steep_share(const struct tw_result *result, float low, float high)
{
    const float *z = tw_floats(tw_result_output(result, "land"));
    const float *hard = tw_floats(tw_result_output(result, "hard"));
    int32_t cells = 0, steep = 0;
    for (int32_t y = 1; y < SIDE - 1; y++)
        for (int32_t x = 1; x < SIDE - 1; x++) {
            double rise = rise_at(z, x, y);
            if (rise < 0.36 * steep_rise || hard[y * SIDE + x] < low || hard[y * SIDE + x] > high)
                continue; /* 0.36: 20 degrees */
            cells++;
            steep += rise > steep_rise;
        }
    assert_true(cells > SIDE);
    return (double)steep / (double)cells;
}

static void check_cliffs(const char *land, int seed)
{
    struct tw_result *result = carve(land, seed);
    double soft = steep_share(result, 0, 0.4F), hard = steep_share(result, 0.75F, 1);
    print_message("seed %d: steep where soft %.3f, where hard %.3f\n", seed, soft, hard);
    if (hard < 1.4 * soft)
        fail_msg("steep: %.3f of soft ground, %.3f of hard", soft, hard);
    tw_result_release(result);
}

static void hard_layers_form_cliffs(void **state)
{
    (void)state;
    check_cliffs("  rolling: {type: noise.perlin, frequency: 3, octaves: 8}\n"
                 "  way: {type: mask.shape, kind: line, falloff: 0.2, "
                 "points: [[-0.1, 0.3], [0.42, 0.4], [1.1, 0.7]]}\n"
                 "  land: {type: combine.formula, a: rolling, b: way, "
                 "formula: \"0.65 + 0.2 * a - 0.5 * smooth(0.1, 0.9, b)\"}\n",
                 3);
    check_cliffs("  hills: {type: noise.perlin, frequency: 2, octaves: 8}\n"
                 "  land: {type: shape.remap, in: hills, from: [0, 1], to: [0, 3]}\n",
                 8);
}

static void flat_land_stays_level_inside(void **state)
{
    (void)state;
    struct tw_result *result = carve("  land: {type: source.constant, value: 0.4}\n", 1);
    const float *z = tw_floats(tw_result_output(result, "land"));
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        assert_true(z[i] == 0.4F);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hard_layers_form_cliffs),
        cmocka_unit_test(flat_land_stays_level_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
