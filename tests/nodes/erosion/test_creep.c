/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_result *creep(const struct tw_value *map, const char *settings, int32_t threads,
                               const char *simd)
{
    char nodes[400];
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\nout: {type: erosion.creep, in: in, %s}\n",
             settings);
    harness_give(0, map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .nodes = nodes,
                                         .threads = threads,
                                         .simd = simd});
}

static double sum(const struct tw_value *map)
{
    double total = 0;
    for (size_t i = 0; i < tw_value_count(map); i++)
        total += (double)tw_floats(map)[i];
    return total;
}

/* A wave of k crests loses 4 D dt / cell^2 sin^2(pi k / N) of its height each step. */
static void a_wave_decays_as_the_scheme_says(void **state)
{
    float cells[64 * 8];
    struct tw_value map = {TW_HEIGHTMAP, 64, 8, cells};
    (void)state;
    for (int i = 0; i < 64 * 8; i++)
        cells[i] = (float)cos(2 * 3.14159265358979 * 3 * (i % 64) / 64);
    struct tw_result *result =
        creep(&map, "diffusivity: 0.001, dt: 0.05, steps: 20, substeps: one", 2, NULL);
    double rate = 0.001 * 0.05 * 64 * 64, s = sin(3.14159265358979 * 3 / 64);
    double left = pow(1 - 4 * rate * s * s, 20);
    for (int i = 0; i < 64 * 8; i++)
        assert_true(fabs((double)tw_floats(tw_result_output(result, "out"))[i] -
                         left * (double)cells[i]) < 1e-5);
    tw_result_release(result);
}

static void keeps_the_sum_of_heights(void **state)
{
    static const char *const kinds[] = {"border: wrap", "border: closed",
                                        "nonlinear: true, border: wrap",
                                        "nonlinear: true, border: closed"};
    static const int32_t sizes[][2] = {{61, 47}, {1, 9}, {9, 1}, {1, 1}, {2, 2}};
    (void)state;
    for (size_t i = 0; i < 20; i++) {
        struct tw_value map = harness_terrain(sizes[i / 4][0], sizes[i / 4][1], 7);
        struct tw_result *result = creep(&map, kinds[i % 4], 2, NULL);
        double before = sum(&map);
        assert_true(fabs(sum(tw_result_output(result, "out")) - before) < 2e-7 * before + 1e-6);
        tw_result_release(result);
        free(map.data);
    }
}

/* On straight ground only the ends move: steep ground faster by 1 / (1 - (S / S_c)^2). */
static void steep_ground_moves_faster(void **state)
{
    static const double slopes[] = {0.1, 0.5, 0.8, 0.9, 3};
    (void)state;
    for (int k = 0; k < 5; k++) {
        float cells[5 * 32];
        struct tw_value map = {TW_HEIGHTMAP, 32, 5, cells};
        for (int i = 0; i < 5 * 32; i++)
            cells[i] = (float)(slopes[k] * 4 * (i % 32) / 32);
        struct tw_result *result = creep(&map,
                                         "nonlinear: true, critical: 4, border: closed, "
                                         "diffusivity: 0.00001, dt: 0.1, steps: 1",
                                         1, NULL);
        double ratio = slopes[k] * slopes[k], factor = ratio < 0.75 ? 1 / (1 - ratio) : 4;
        double moved = 0.00001 * 0.1 * 32 * 32 * slopes[k] * 4 / 32 * factor;
        const float *out = tw_floats(tw_result_output(result, "out"));
        assert_true(fabs((double)(out[0] - cells[0]) - moved) < 1e-3 * moved + 1e-7);
        assert_true(fabs((double)(cells[31] - out[31]) - moved) < 1e-3 * moved + 1e-6);
        assert_true(fabs((double)(cells[16] - out[16])) < 1e-6);
        tw_result_release(result);
    }
}

static float at(const float *map, int32_t w, int32_t h, int32_t x, int32_t y)
{
    return map[tw_wrap(y, h) * w + tw_wrap(x, w)];
}

static float flux(const float *map, int32_t w, int32_t h, int32_t x, int32_t y, int32_t i,
                  int32_t j, float steep)
{
    float drop = at(map, w, h, x + i, y + j) - at(map, w, h, x, y), side;
    if (i)
        side = (at(map, w, h, x + i, y + 1) + at(map, w, h, x, y + 1)) -
               (at(map, w, h, x + i, y - 1) + at(map, w, h, x, y - 1));
    else
        side = (at(map, w, h, x + 1, y + j) + at(map, w, h, x + 1, y)) -
               (at(map, w, h, x - 1, y + j) + at(map, w, h, x - 1, y));
    side *= 0.25f;
    float ratio = 1.0f - steep * (drop * drop + side * side);
    return drop * (1.0f / (ratio > 0.25f ? ratio : 0.25f));
}

static void equals_the_plain_loop_everywhere(void **state)
{
    enum { W = 77, H = 35 };
    static const char *const levels[] = {"base", "avx2", NULL};
    struct tw_value map = harness_terrain(W, H, 3);
    float *now = malloc(W * H * sizeof *now), *next = malloc(W * H * sizeof *next);
    double cell = 1.0 / W;
    float steep = (float)(1 / (9.0 * cell * cell));
    float rate = (float)((double)1e-5f * (double)0.05f / (cell * cell) / 1);
    (void)state;
    memcpy(now, map.data, W * H * sizeof *now);
    for (int step = 0; step < 4; step++) {
        for (int32_t i = 0; i < W * H; i++) {
            int32_t x = i % W, y = i / W;
            float north = flux(now, W, H, x, y, 0, -1, steep);
            float south = flux(now, W, H, x, y, 0, 1, steep);
            float west = flux(now, W, H, x, y, -1, 0, steep);
            float east = flux(now, W, H, x, y, 1, 0, steep);
            next[i] = now[i] + rate * ((north + south) + (west + east));
        }
        memcpy(now, next, W * H * sizeof *now);
    }
    for (int k = 0; k < 9; k++) {
        struct tw_result *result = creep(
            &map,
            "nonlinear: true, critical: 3, diffusivity: 1e-5, dt: 0.05, steps: 4, substeps: one",
            (int32_t[]){1, 2, 8}[k / 3], levels[k % 3]);
        harness_same(tw_result_output(result, "out"), now);
        tw_result_release(result);
    }
    free(now);
    free(next);
    free(map.data);
}

static void names_the_largest_stable_step(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(&(struct harness){
        .width = 100,
        .height = 100,
        .nodes = "in: {type: noise.midpoint}\n"
                 "out: {type: erosion.creep, in: in, substeps: one, diffusivity: 0.01, dt: 1}\n"});
    assert_non_null(strstr(error.message, "largest stable one is 0.0025"));
}

/* What the message names is taken, and one per cent more is not. */
static void takes_the_step_that_it_names(void **state)
{
    static const char wording[] = "largest stable one is ";
    double dt = 1;
    (void)state;
    for (int i = 0; i < 3; i++) {
        char nodes[300];
        snprintf(nodes, sizeof nodes,
                 "in: {type: noise.midpoint}\n"
                 "out: {type: erosion.creep, in: in, diffusivity: 0.003, nonlinear: true, "
                 "critical: 3, substeps: one, "
                 "steps: 20, dt: %.9g}\n",
                 dt);
        const struct harness harness = {.width = 77, .height = 50, .nodes = nodes};
        if (i == 1) {
            struct tw_result *result = harness_run(&harness);
            const float *out = tw_floats(tw_result_output(result, "out"));
            for (int c = 0; c < 77 * 50; c++)
                assert_true(out[c] >= -1e-6f && out[c] <= 1 + 1e-6f);
            tw_result_release(result);
            dt *= 1.01;
            continue;
        }
        struct tw_error error = harness_fail(&harness);
        const char *at = strstr(error.message, wording);
        assert_non_null(at);
        dt = strtod(at + strlen(wording), NULL);
    }
}

/* At the limit a peak goes to its four neighbours; two halves of that step would keep 5/16 of it.
 * This dt is the first float above the limit of 1/1024, which is taken as the limit. */
static void one_step_is_not_divided(void **state)
{
    float cells[32 * 8] = {0};
    struct tw_value map = {TW_HEIGHTMAP, 32, 8, cells};
    (void)state;
    cells[4 * 32 + 16] = 1;
    struct tw_result *result =
        creep(&map, "diffusivity: 0.25, dt: 0.000976562616, steps: 1, substeps: one", 1, NULL);
    const float *out = tw_floats(tw_result_output(result, "out"));
    assert_true(fabs((double)out[4 * 32 + 16]) < 1e-5);
    assert_true(fabs((double)out[4 * 32 + 17] - 0.25) < 1e-5);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wave_decays_as_the_scheme_says),
        cmocka_unit_test(keeps_the_sum_of_heights),
        cmocka_unit_test(steep_ground_moves_faster),
        cmocka_unit_test(equals_the_plain_loop_everywhere),
        cmocka_unit_test(names_the_largest_stable_step),
        cmocka_unit_test(takes_the_step_that_it_names),
        cmocka_unit_test(one_step_is_not_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
