/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 120, H = 90, CELLS = W * H };

static struct tw_result *smooth(const struct tw_value *map, const float *keep, const char *step,
                                bool wrap)
{
    static char nodes[300];
    static struct tw_value mask;
    mask = (struct tw_value){TW_MASK, map->width, map->height, (void *)(uintptr_t)keep};
    harness_give(0, map);
    harness_give(1, &mask);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n%s"
             "out: {type: shape.dequantise, in: in, step: %s, border: %s%s}\n",
             keep ? "keep: {type: test.mask, slot: 1}\n" : "", step, wrap ? "wrap" : "closed",
             keep ? ", keep: keep" : "");
    return harness_run(&(struct harness){
        .width = map->width, .height = map->height, .nodes = nodes, .threads = 2});
}

/* Hills, a wide plain and a basin, in `levels` steps. */
static void draw(float *z, int32_t levels, uint64_t seed)
{
    struct tw_value rough = harness_terrain(W, H, seed);
    for (int32_t i = 0; i < CELLS; i++) {
        float x = (float)(i % W) / W, y = (float)(i / W) / H;
        float height = 0.5f + 0.35f * sinf(6 * x) * cosf(5 * y) + 0.1f * tw_floats(&rough)[i];
        height = seed % 2 ? height : 0.9f * x + 0.1f * tw_floats(&rough)[i];
        z[i] = floorf(height * (float)levels + 0.5f) / (float)levels;
    }
    free(rough.data);
}

static int32_t beside(int32_t cell, int k, bool wrap)
{
    int32_t x = cell % W + (k == 1) - (k == 0), y = cell / W + (k == 3) - (k == 2);
    if (wrap)
        return (y + H) % H * W + (x + W) % W;
    return x < 0 || y < 0 || x >= W || y >= H ? -1 : y * W + x;
}

/* Whether all of the four neighbours are as high. */
static bool is_flat(const float *z, int32_t cell, bool wrap)
{
    for (int k = 0; k < 4; k++) {
        int32_t next = beside(cell, k, wrap);
        if (next >= 0 && z[next] != z[cell])
            return false;
    }
    return true;
}

static void leaves_no_flat_and_stays_within_half_a_step(void **state)
{
    static const int32_t levels[] = {3, 8, 32, 255};
    static float z[CELLS];
    (void)state;
    for (int i = 0; i < 16; i++) {
        bool wrap = i & 1;
        int32_t count = levels[i / 4];
        struct tw_value map = {TW_HEIGHTMAP, W, H, z};
        draw(z, count, (uint64_t)i / 2);
        struct tw_result *result = smooth(&map, NULL, "auto", wrap);
        const float *out = tw_floats(tw_result_output(result, "out"));
        for (int32_t c = 0; c < CELLS; c++) {
            assert_true(fabs((double)out[c] - (double)z[c]) <= 0.5 / count);
            if (is_flat(out, c, wrap))
                fail_msg("%d levels, wrap %d: cell %d is flat", count, wrap, c);
        }
        tw_result_release(result);
    }
}

/* Half a step beyond a flat's own heights, ground of the next one begins: no jumps are left. */
static void takes_the_steps_out_of_a_ramp(void **state)
{
    static float z[CELLS];
    struct tw_value map = {TW_HEIGHTMAP, W, H, z};
    (void)state;
    for (int32_t i = 0; i < CELLS; i++)
        z[i] = (float)(i % W / 10) / 8;
    struct tw_result *result = smooth(&map, NULL, "auto", false);
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t x = i % W;
        if (x >= 10 && x < W - 11) /* the first and the last flat have one neighbour */
            assert_true(out[i + 1] - out[i] > 0.7f * 0.0125f &&
                        out[i + 1] - out[i] < 1.7f * 0.0125f);
    }
    tw_result_release(result);
}

static void keeps_what_is_to_stay_level(void **state)
{
    static float z[CELLS], keep[CELLS];
    struct tw_value map = {TW_HEIGHTMAP, W, H, z};
    (void)state;
    for (int i = 0; i < 4; i++) {
        draw(z, 12, 3);
        for (int32_t c = 0; c < CELLS; c++)
            keep[c] = z[c] == 0.5f && (i < 2 || c % W < 50) ? 0.5f : 0.49f;
        struct tw_result *result = smooth(&map, keep, i % 2 ? "0.05" : "auto", false);
        const float *out = tw_floats(tw_result_output(result, "out"));
        int32_t kept = 0;
        for (int32_t c = 0; c < CELLS; c++) {
            if (keep[c] >= 0.5f)
                assert_true(out[c] == z[c]);
            else
                assert_true(!is_flat(out, c, false));
            assert_true(fabs((double)out[c] - (double)z[c]) <= (i % 2 ? 0.025 : 0.5 / 12));
            kept += keep[c] >= 0.5f;
        }
        assert_true(kept > 200);
        tw_result_release(result);
    }
}

static void leaves_a_map_of_one_level(void **state)
{
    static float z[CELLS], keep[CELLS];
    struct tw_value map = {TW_HEIGHTMAP, W, H, z};
    (void)state;
    for (int i = 0; i < 8; i++) {
        for (int32_t c = 0; c < CELLS; c++) {
            z[c] = -7.25f;
            keep[c] = c % 5 == 0 ? 1 : 0;
        }
        struct tw_result *result =
            smooth(&map, i / 4 ? keep : NULL, i / 2 % 2 ? "0.1" : "auto", i % 2);
        harness_same(&map, tw_floats(tw_result_output(result, "out")));
        tw_result_release(result);
    }
}

/* A membrane and domes to their equations, by sweeps over a small map until nothing moves. */
static void equals_plain_relaxation(void **state)
{
    enum { N = 24 };
    static float z[N * N];
    static double r[N * N], d[N * N];
    struct tw_value map = {TW_HEIGHTMAP, N, N, z};
    (void)state;
    /* Three flats of N x 8 cells, one step apart: radii 2 * 192 / 24 and 2 * 192 / 48. */
    for (int32_t i = 0; i < N * N; i++)
        z[i] = (float)(i % N / 8);
    for (int sweep = 0; sweep < 4000; sweep++)
        for (int32_t i = 0; i < N * N; i++) {
            double weight = 0, slope = 0, dome = 0, radius = i % N / 8 == 1 ? 8 : 16;
            for (int k = 0; k < 4; k++) {
                int32_t x = i % N + (k == 1) - (k == 0), y = i / N + (k == 3) - (k == 2);
                if (x < 0 || y < 0 || x >= N || y >= N)
                    continue;
                bool same = z[y * N + x] == z[i];
                weight += same ? 1 : 2;
                slope += same ? r[y * N + x] : 2 * (double)(z[y * N + x] - z[i]);
                dome += same ? d[y * N + x] : 0;
            }
            r[i] = slope / weight;
            d[i] = (dome + 8 / (radius * radius)) / weight;
        }
    struct tw_result *result = smooth(&map, NULL, "auto", false);
    for (int32_t i = 0; i < N * N; i++) {
        double share = d[i] / (1 + d[i]), lift = r[i] * (1 - pow(r[i], 8) * share);
        double expected = (double)z[i] + 0.4995 * lift;
        assert_true(fabs((double)tw_floats(tw_result_output(result, "out"))[i] - expected) < 5e-4);
    }
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_no_flat_and_stays_within_half_a_step),
        cmocka_unit_test(takes_the_steps_out_of_a_ramp),
        cmocka_unit_test(keeps_what_is_to_stay_level),
        cmocka_unit_test(leaves_a_map_of_one_level),
        cmocka_unit_test(equals_plain_relaxation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
