/* SPDX-License-Identifier: MIT */
#include "support/harness.h"
#include "support/record.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { W = 53, H = 41 };

static struct tw_result *erode(const struct tw_value *map, const char *settings, int32_t threads,
                               const char *simd)
{
    char nodes[600];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "area: {type: measure.flow, in: in}\n"
             "out: {type: erosion.stream_power, in: in, %s}\n"
             "after: {type: measure.flow, in: out}\n",
             settings);
    harness_give(0, map);
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .nodes = nodes,
                                         .outputs = "flow: out.flow\neroded: out.eroded\n"
                                                    "deposited: out.deposited\n"
                                                    "ledger: out.ledger\n",
                                         .threads = threads,
                                         .simd = simd});
}

static const float *cells_of(const struct tw_result *result, const char *name)
{
    return tw_floats(tw_result_output(result, name));
}

static bool inner(int32_t i) { return i % W && i / W && i % W < W - 1 && i / W < H - 1; }

/* Steepest neighbour, the first on ties; the distance in map sides. -1: none is lower. */
static int32_t receiver(const float *z, int32_t cell, double *length)
{
    int32_t best = -1;
    float steepest = 0;
    for (int32_t k = 0; k < 9; k++) {
        int32_t next = cell + (k / 3 - 1) * W + k % 3 - 1;
        float drop = (z[cell] - z[next]) * (k % 2 == 0 ? 0.70710678f : 1.0f);
        if (drop > steepest) {
            steepest = drop;
            best = next;
            *length = (k % 2 == 0 ? sqrt(2) : 1) / W;
        }
    }
    return best;
}

/* Rough, but falling to the north-west faster than it is rough. */
static struct tw_value slope(void)
{
    struct tw_value map = harness_terrain(W, H, 8);
    for (int32_t i = 0; i < W * H; i++)
        tw_floats(&map)[i] =
            0.01f * (0.3f * tw_floats(&map)[i] + (float)(i / W) + 0.9f * (float)(i % W));
    return map;
}

/* One step solves the implicit equation at every cell, whatever the exponent. */
static void solves_the_implicit_equation(void **state)
{
    static const double exponents[] = {1, 2, 1.5, 0.7, 3.3};
    struct tw_value map = slope();
    (void)state;
    for (size_t e = 0; e < 5; e++) {
        char settings[200];
        double n = exponents[e];
        snprintf(settings, sizeof settings,
                 "n: %g, m: 0.45, K: 3, dt: 0.1, steps: 1, uplift_rate: 0, diffusion: 0, "
                 "talus: 1e9",
                 n);
        struct tw_result *result = erode(&map, settings, 2, NULL);
        const float *in = tw_floats(&map), *out = cells_of(result, "out");
        const float *area = cells_of(result, "area");
        for (int32_t i = 0; i < W * H; i++) {
            double length = 0;
            if (!inner(i)) {
                assert_true(out[i] == in[i]);
                continue;
            }
            int32_t to = receiver(in, i, &length);
            assert_true(to >= 0);
            double sides2 = (double)area[i] * H / W;
            double f = 3 * 0.1 * pow(sides2, 0.45) / pow(length, n);
            double x = (double)out[i] - (double)out[to], h = (double)in[i] - (double)out[to];
            assert_true(fabs(x + f * pow(x, n) - h) < 2e-5 * h * (1 + f));
        }
        tw_result_release(result);
    }
    free(map.data);
}

/* A canyon between walls: in the end the river takes what rises, K A^m S^n = U. */
static void reaches_the_steady_slope(void **state)
{
    float cells[3 * 40];
    struct tw_value map = {TW_HEIGHTMAP, 40, 3, cells};
    (void)state;
    for (int32_t i = 0; i < 3 * 40; i++)
        cells[i] = i / 40 == 1 && i % 40 < 39 ? 0 : 100;
    struct tw_result *result = erode(&map,
                                     "K: 8, uplift_rate: 0.5, m: 0.4, n: 1.2, dt: 0.1, steps: 400, "
                                     "diffusion: 0, talus: 1e9",
                                     2, NULL);
    const float *z = cells_of(result, "out") + 40;
    for (int32_t x = 1; x < 39; x++) {
        double area = (39 - x) / 1600.0, steepness = (double)(z[x] - z[x - 1]) * 40;
        assert_true(fabs(8 * pow(area, 0.4) * pow(steepness, 1.2) - 0.5) < 1e-3);
    }
    tw_result_release(result);
}

static void keeps_its_books(void **state)
{
    struct tw_value map = harness_terrain(W, H, 3);
    (void)state;
    struct tw_result *result = erode(&map, "uplift_rate: 2, dt: 0.01, steps: 30", 2, NULL);
    const float *out = cells_of(result, "out"), *eroded = cells_of(result, "eroded");
    const float *flow = cells_of(result, "flow"), *after = cells_of(result, "after");
    const float *deposited = cells_of(result, "deposited");
    for (int32_t i = 0; i < W * H; i++) {
        float rise = inner(i) ? 0.6f : 0, lost = tw_floats(&map)[i] + rise - out[i];
        assert_true(fabsf(eroded[i] - fmaxf(lost, 0)) < 1e-5f);
        assert_true(fabsf(deposited[i] - fmaxf(-lost, 0)) < 1e-5f);
        assert_true(flow[i] == after[i]);
    }
    const struct tw_value *ledger = tw_result_output(result, "ledger");
    assert_true(fabs(record_number(ledger, "raised") - 0.6 * (W - 2) * (H - 2)) < 1e-2);
    tw_result_release(result);
    free(map.data);
}

/* After a step no cell stands steeper than the talus above the one it drained to; none rises. */
static void limits_slopes(void **state)
{
    struct tw_value map = harness_terrain(W, H, 5);
    (void)state;
    struct tw_result *result =
        erode(&map, "uplift_rate: 0, steps: 1, K: 0.1, diffusion: 0, talus: 7", 2, NULL);
    const float *in = tw_floats(&map), *out = cells_of(result, "out");
    for (int32_t i = 0; i < W * H; i++) {
        double length = 0;
        int32_t to = inner(i) ? receiver(in, i, &length) : -1;
        assert_true(out[i] <= in[i]);
        if (to >= 0)
            assert_true((double)(out[i] - out[to]) <= 7 * length + 1e-6);
    }
    tw_result_release(result);
    free(map.data);
}

static void rises_where_the_mask_says(void **state)
{
    struct tw_value map = harness_terrain(W, H, 1), mask = harness_terrain(W, H, 4);
    (void)state;
    harness_give(0, &map);
    harness_give(1, &mask);
    struct tw_result *result = harness_run(&(struct harness){
        .width = W,
        .height = H,
        .nodes = "in: {type: test.map}\n"
                 "where: {type: test.mask, slot: 1}\n"
                 "out: {type: erosion.stream_power, in: in, uplift: where, K: 0, diffusion: 0, "
                 "talus: 1e9, uplift_rate: 3, dt: 0.5, steps: 1}\n"});
    const float *out = cells_of(result, "out");
    for (int32_t i = 0; i < W * H; i++)
        assert_true(fabsf(tw_floats(&map)[i] + (inner(i) ? 1.5f * tw_floats(&mask)[i] : 0) -
                          out[i]) < 1e-6f);
    tw_result_release(result);
    free(map.data);
    free(mask.data);
}

/* The same ground on finer cells rises to the same mean height, once hillsides are resolved. */
static void scales_with_the_cells(void **state)
{
    struct tw_value ground = harness_terrain(256, 256, 6);
    double mean[3] = {0};
    (void)state;
    for (int32_t i = 0; i < 3; i++) {
        int32_t side = 64 << i, step = 256 / side;
        struct tw_value map = harness_terrain(side, side, 6);
        for (int32_t k = 0; k < side * side; k++)
            tw_floats(&map)[k] =
                0.05f * tw_floats(&ground)[k / side * step * 256 + k % side * step];
        struct tw_result *result =
            erode(&map, "K: 16, diffusion: 0.001, channel: 0.0001, steps: 50", 2, NULL);
        for (int32_t k = 0; k < side * side; k++)
            mean[i] += (double)cells_of(result, "out")[k] / side / side;
        tw_result_release(result);
        free(map.data);
    }
    free(ground.data);
    assert_true(fabs(mean[1] / mean[0] - 1) < 0.15 && fabs(mean[2] / mean[1] - 1) < 0.15);
}

/* A slope that gets rougher with every step has more and more pits, from none to thousands. */
static void has_room_for_more_pits_each_step(void **state)
{
    static float cells[256 * 256], noise[256 * 256];
    struct tw_value map = {TW_HEIGHTMAP, 256, 256, cells}, mask = {TW_MASK, 256, 256, noise};
    (void)state;
    for (int32_t i = 0; i < 256 * 256; i++) {
        cells[i] = (float)(i / 256);
        noise[i] = tw_uniform(tw_random(1, (uint32_t)i, 0, 0, 0).at[0]);
    }
    harness_give(0, &map);
    harness_give(1, &mask);
    tw_result_release(
        harness_run(&(struct harness){.width = 256,
                                      .height = 256,
                                      .nodes = "in: {type: test.map}\n"
                                               "where: {type: test.mask, slot: 1}\n"
                                               "out: {type: erosion.stream_power, in: in, "
                                               "uplift: where, uplift_rate: 1, dt: 0.2, K: 0, "
                                               "talus: 1000000, diffusion: 0, steps: 40}\n"}));
}

static void gives_the_same_bytes_everywhere(void **state)
{
    static const char *const levels[] = {"base", "avx2", NULL};
    static const int32_t sizes[][2] = {{257, 129}, {1, 1}, {1, 7}, {3, 3}, {70, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 4);
        struct tw_result *first = erode(&map, "steps: 3", 1, "base");
        for (int k = 0; k < 9; k++) {
            struct tw_result *next =
                erode(&map, "steps: 3", (int32_t[]){1, 2, 8}[k / 3], levels[k % 3]);
            harness_same(tw_result_output(next, "out"), cells_of(first, "out"));
            harness_same(tw_result_output(next, "eroded"), cells_of(first, "eroded"));
            tw_result_release(next);
        }
        tw_result_release(first);
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_the_implicit_equation),
        cmocka_unit_test(reaches_the_steady_slope),
        cmocka_unit_test(keeps_its_books),
        cmocka_unit_test(limits_slopes),
        cmocka_unit_test(rises_where_the_mask_says),
        cmocka_unit_test(scales_with_the_cells),
        cmocka_unit_test(has_room_for_more_pits_each_step),
        cmocka_unit_test(gives_the_same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
