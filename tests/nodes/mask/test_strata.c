/* SPDX-License-Identifier: MIT */
/* Layers of rock against their definition in plain C. */
#include "support/everywhere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAYERS "layers: [[1, 0.9], [2, 0.1], [5, 0.5]]"

/* Thicknesses and hardnesses of LAYERS, from below up. */
static const double tops[] = {0, 0.125, 0.375, 1}, hardnesses[] = {0.9, 0.1, 0.5};

struct setting {
    float period, fold, dip, azimuth, blend;
    bool bend;
};

static double share_at(const struct setting *s, double z, double bend, double x, double y)
{
    double turn = (double)s->azimuth * 3.14159265358979323846 / 180;
    double lift = (double)s->fold * (bend - 0.5);
    double rise = (double)s->dip * (sin(turn) * x - cos(turn) * y);
    double q = (z - lift - rise) / (double)s->period;
    return q - floor(q);
}

static double hardness_at(double q, double blend)
{
    int i = q < tops[1] ? 0 : q < tops[2] ? 1 : 2;
    double half = (tops[i + 1] - tops[i]) * blend / 2, own = hardnesses[i];
    double down = q - tops[i], up = tops[i + 1] - q;
    double t = down < half ? (1 - down / half) / 2 : up < half ? (1 - up / half) / 2 : 0;
    double other = hardnesses[(i + (down < half ? 2 : 1)) % 3];
    return own + (other - own) * (3 * t * t - 2 * t * t * t);
}

static struct tw_result *strata(const struct tw_value *map, const struct tw_value *bend,
                                const char *options)
{
    char nodes[500];
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nb: {type: test.map, slot: 1}\n"
             "out: {type: mask.strata, in: a, %s%s}\n",
             bend ? "bend: b, " : "", options);
    harness_give(0, map);
    harness_give(1, bend ? bend : map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .nodes = nodes,
                                         .outputs = "layer: out.layer\nvalue: out.value\n"});
}

static void check_cells(const struct setting *s, const struct tw_value *map,
                        const struct tw_value *bend, const struct tw_result *result)
{
    const float *out = tw_floats(tw_result_output(result, "out"));
    const float *value = tw_floats(tw_result_output(result, "value"));
    const int32_t *layer = tw_labels(tw_result_output(result, "layer"));
    for (int i = 0; i < map->width * map->height; i++) {
        double b = s->bend ? (double)tw_floats(bend)[i] : 0.5;
        double q = share_at(s, (double)tw_floats(map)[i], b, (i % map->width + 0.5) / map->width,
                            (i / map->width + 0.5) / map->width);
        double gap = fabs((double)value[i] - q);
        assert_true(value[i] >= 0 && value[i] < 1);
        assert_true(fmin(gap, 1 - gap) < 1e-6);
        assert_true(layer[i] == (q < tops[1]   ? 1
                                 : q < tops[2] ? 2
                                               : 3) ||
                    gap > 0.5 || fabs(q - tops[1]) < 1e-9 || fabs(q - tops[2]) < 1e-9);
        assert_true(gap > 0.5 || fabs((double)out[i] - hardness_at(q, (double)s->blend)) < 1e-5);
    }
}

static void equals_its_definition(void **state)
{
    static const struct setting settings[] = {{0.5f, 0.06f, 0, 0, 0.06f, true},
                                              {0.2f, 0.3f, 1.5f, 90, 0.5f, true},
                                              {0.07f, -0.2f, -0.4f, 215, 1, true},
                                              {0.3f, 0.06f, 2, 0, 0.2f, false}};
    static const int32_t sizes[][2] = {{1, 1}, {1, 40}, {65, 1}, {80, 60}};
    (void)state;
    for (int k = 0; k < 16; k++) {
        const struct setting *s = &settings[k % 4];
        int32_t width = sizes[k / 4][0], height = sizes[k / 4][1];
        struct tw_value map = harness_terrain(width, height, 1);
        struct tw_value bend = harness_terrain(width, height, 2);
        char options[200];
        snprintf(options, sizeof options,
                 "period: %g, fold: %g, dip: %g, azimuth: %g, blend: %g, " LAYERS,
                 (double)s->period, (double)s->fold, (double)s->dip, (double)s->azimuth,
                 (double)s->blend);
        struct tw_result *result = strata(&map, s->bend ? &bend : NULL, options);
        check_cells(s, &map, &bend, result);
        tw_result_release(result);
        free(map.data);
        free(bend.data);
    }
}

enum { LINE = 4000 };

/* The hardness up a cliff of heights `from` to `to`. */
static void climb(const char *options, double from, double to, float *hardness)
{
    static float cells[LINE];
    const struct tw_value map = {TW_HEIGHTMAP, LINE, 1, cells};
    for (int i = 0; i < LINE; i++)
        cells[i] = (float)(from + (to - from) * i / LINE);
    struct tw_result *result = strata(&map, NULL, options);
    memcpy(hardness, tw_floats(tw_result_output(result, "out")), sizeof cells);
    tw_result_release(result);
}

/* Both given and drawn layers, over several periods: none is thinner than forty steps of the
 * cliff, and no step changes the hardness by much. */
static void hardness_is_continuous(void **state)
{
    static const char *const options[] = {"blend: 1, " LAYERS, "blend: 0.5, " LAYERS,
                                          "blend: 1, count: 4, seed: 3"};
    static float hardness[LINE];
    (void)state;
    for (int k = 0; k < 3; k++) {
        double most = 0, low = 1, high = 0;
        climb(options[k], -0.3, 0.7, hardness);
        for (int i = 1; i < LINE; i++) {
            most = fmax(most, fabs((double)hardness[i] - (double)hardness[i - 1]));
            low = fmin(low, (double)hardness[i]);
            high = fmax(high, (double)hardness[i]);
        }
        assert_true(most < 0.05 && high - low > 0.2);
    }
}

static void layers_come_again_after_a_period(void **state)
{
    static float first[LINE], second[LINE];
    (void)state;
    climb("period: 0.25, seed: 9", 0, 0.5, first);
    climb("period: 0.25, seed: 9", -8, -7.5, second);
    for (int i = 0; i < LINE; i++)
        assert_true(first[i] == second[i] || fabs((double)first[i] - (double)second[i]) < 1e-3);
}

/* On ground that follows the fold, z = fold bend, one layer covers the map. */
static void ground_along_the_fold_is_one_layer(void **state)
{
    struct tw_value bend = harness_terrain(50, 40, 3), map = harness_terrain(50, 40, 3);
    (void)state;
    for (int i = 0; i < 50 * 40; i++)
        tw_floats(&map)[i] = 0.25f * tw_floats(&bend)[i];
    struct tw_result *result = strata(&map, &bend, "fold: 0.25, seed: 2");
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int i = 1; i < 50 * 40; i++)
        assert_true(fabs((double)out[i] - (double)out[0]) < 1e-6);
    tw_result_release(result);
    free(map.data);
    free(bend.data);
}

/* Hard layers at 0.6 or more and soft ones at 0.45 or less, in turn; uneven, of the seed. */
static void drawn_layers_are_hard_and_soft_in_turn(void **state)
{
    static float cells[LINE];
    const struct tw_value map = {TW_HEIGHTMAP, LINE, 1, cells};
    (void)state;
    for (int i = 0; i < LINE; i++)
        cells[i] = (float)(0.5 * i / LINE);
    for (int seed = 0; seed < 5; seed++) {
        char options[60];
        int counts[7] = {0}, least = LINE, most = 0;
        snprintf(options, sizeof options, "seed: %d, count: 6, blend: 0", seed);
        struct tw_result *result = strata(&map, NULL, options);
        const float *out = tw_floats(tw_result_output(result, "out"));
        const int32_t *layer = tw_labels(tw_result_output(result, "layer"));
        for (int i = 0; i < LINE; i++) {
            assert_true(layer[i] >= 1 && layer[i] <= 6 && (i == 0 || layer[i] >= layer[i - 1]));
            assert_true(layer[i] % 2 == 1 ? out[i] >= 0.6f && out[i] <= 1
                                          : out[i] >= 0.15f && out[i] <= 0.4501f);
            counts[layer[i]]++;
        }
        for (int k = 1; k <= 6; k++) {
            least = counts[k] < least ? counts[k] : least;
            most = counts[k] > most ? counts[k] : most;
        }
        assert_true(least > 0 && most > 2 * least);
        tw_result_release(result);
    }
}

/* The widest numbers: no share is beyond 0..1, no hardness beyond its layers'. */
static void takes_the_largest_heights(void **state)
{
    static float cells[4] = {3e38f, -3e38f, 0, 1e20f};
    const struct tw_value map = {TW_HEIGHTMAP, 4, 1, cells};
    (void)state;
    struct tw_result *result =
        strata(&map, &map, "period: 1e-6, fold: 1e9, dip: 1e9, azimuth: 33, seed: 1");
    for (int i = 0; i < 4; i++) {
        float value = tw_floats(tw_result_output(result, "value"))[i];
        float hardness = tw_floats(tw_result_output(result, "out"))[i];
        assert_true(value >= 0 && value < 1 && hardness >= 0 && hardness <= 1);
    }
    tw_result_release(result);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    struct harness harness = {.width = 257,
                              .height = 129,
                              .nodes = "a: {type: noise.perlin, seed: 1}\n"
                                       "out: {type: mask.strata, in: a, bend: a, dip: 0.3, "
                                       "azimuth: 70, seed: 4}\n"};
    (void)state;
    struct tw_result *result = harness_run(&harness);
    everywhere(harness, "out", tw_floats(tw_result_output(result, "out")));
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_its_definition),
        cmocka_unit_test(hardness_is_continuous),
        cmocka_unit_test(layers_come_again_after_a_period),
        cmocka_unit_test(ground_along_the_fold_is_one_layer),
        cmocka_unit_test(drawn_layers_are_hard_and_soft_in_turn),
        cmocka_unit_test(takes_the_largest_heights),
        cmocka_unit_test(gives_the_same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
