/* SPDX-License-Identifier: MIT */
/* erosion.raindrops against one drop after the other written out plainly, on any number of threads,
 * and the facts of Coats' text: kept sum, deposits only in minima or on the edge, bounded loads. */
#include "support/harness.h"
#include "support/sanitized.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_result *run_at(const struct tw_value *terrain, const char *more, int threads,
                                const char *simd)
{
    char nodes[256];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "none: {type: mask.height, in: in, low: -9, high: -8}\n"
             "out: {type: erosion.raindrops, in: in, seed: 5%s}\n",
             more);
    harness_give(0, terrain);
    return harness_run(&(struct harness){.width = terrain->width,
                                         .height = terrain->height,
                                         .threads = threads,
                                         .simd = simd,
                                         .nodes = nodes,
                                         .outputs = "eroded: out.eroded\n"
                                                    "deposited: out.deposited\n"
                                                    "flow: out.flow\n"});
}

static struct tw_result *run(const struct tw_value *terrain, const char *more, int threads)
{
    return run_at(terrain, more, threads, NULL);
}

/* A long ramp to the west with gullies, so that drops cross many tiles. */
static struct tw_value make_ramp(int32_t width, int32_t height)
{
    struct tw_value ramp = harness_terrain(width, height, 3);
    for (size_t i = 0; i < tw_value_count(&ramp); i++)
        tw_floats(&ramp)[i] =
            0.02f * tw_floats(&ramp)[i] + (float)(i % (size_t)width) / (float)width;
    return ramp;
}

static double sum_of(const struct tw_value *map)
{
    double sum = 0;
    for (size_t i = 0; i < tw_value_count(map); i++)
        sum += (double)tw_floats(map)[i];
    return sum;
}

static void same_bytes_everywhere(void **state)
{
    /* the last has several legs a colour */
    static const int32_t sides[][2] = {{1, 1},     {1, 90},    {90, 1},
                                       {257, 129}, {300, 200}, {700, 600}};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (int ramp = 0; ramp < 2; ramp++) {
            struct tw_value terrain = ramp ? make_ramp(sides[i][0], sides[i][1])
                                           : harness_terrain(sides[i][0], sides[i][1], 11);
            struct tw_result *one = run(&terrain, ", drops: 20000", 1);
            for (int k = SANITIZED; k < 6; k += 1 + SANITIZED) {
                static const char *const outputs[] = {"out", "eroded", "deposited", "flow"};
                static const char *const levels[] = {"base", "avx2", NULL};
                struct tw_result *many =
                    run_at(&terrain, ", drops: 20000", k < 3 ? 2 : 8, levels[k % 3]);
                for (int o = 0; o < 4; o++)
                    harness_same(tw_result_output(many, outputs[o]),
                                 tw_floats(tw_result_output(one, outputs[o])));
                tw_result_release(many);
            }
            tw_result_release(one);
            free(terrain.data);
        }
}

static void keeps_the_sum_and_says_what_moved(void **state)
{
    struct tw_value terrain = make_ramp(257, 129);
    (void)state;
    struct tw_result *result = run(&terrain, ", drops: 30000", 2);
    const struct tw_value *out = tw_result_output(result, "out");
    const float *eroded = tw_floats(tw_result_output(result, "eroded"));
    const float *deposited = tw_floats(tw_result_output(result, "deposited"));
    assert_true(fabs(sum_of(out) - sum_of(&terrain)) < 1e-6 * sum_of(&terrain));
    assert_true(sum_of(tw_result_output(result, "eroded")) > 100);
    for (size_t i = 0; i < tw_value_count(out); i++)
        assert_true(fabsf(tw_floats(&terrain)[i] - eroded[i] + deposited[i] - tw_floats(out)[i]) <
                    1e-4f);
    tw_result_release(result);
    free(terrain.data);
}

/* A plane that falls to the west has no minimum: all that is taken ends on the edge, as do all
 * drops; those that rain_map holds back come to no cell. */
static void deposits_at_the_edge_of_a_plane(void **state)
{
    struct tw_value plane = harness_terrain(200, 100, 1);
    (void)state;
    for (size_t i = 0; i < tw_value_count(&plane); i++)
        tw_floats(&plane)[i] = 1000 + (float)(i % 200);
    struct tw_result *result = run(&plane, ", drops: 2000, pickup: 0.000001", 2);
    const float *deposited = tw_floats(tw_result_output(result, "deposited"));
    const float *flow = tw_floats(tw_result_output(result, "flow"));
    double drops = 0;
    for (size_t i = 0; i < tw_value_count(&plane); i++) {
        size_t x = i % 200, y = i / 200;
        bool edge = x == 0 || x == 199 || y == 0 || y == 99;
        if (!edge && deposited[i] != 0)
            fail_msg("x %zu, y %zu: %g", x, y, (double)deposited[i]);
        drops += edge ? (double)flow[i] : 0;
    }
    assert_true(drops == 2000);
    tw_result_release(result);
    result = run(&plane, ", drops: 2000, rain_map: none", 2);
    assert_true(sum_of(tw_result_output(result, "flow")) == 0);
    tw_result_release(result);
    free(plane.data);
}

/* ---- one drop after the other, written out ---- */

static size_t next_cell(const float *h, int32_t width, int32_t height, size_t cell)
{
    int32_t x = (int32_t)(cell % (size_t)width), y = (int32_t)(cell / (size_t)width);
    size_t best = cell;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        return cell;
    for (int32_t dy = -1; dy <= 1; dy++)
        for (int32_t dx = -1; dx <= 1; dx++) {
            size_t other = (size_t)(y + dy) * (size_t)width + (size_t)(x + dx);
            if (h[other] < h[best])
                best = other;
        }
    return best;
}

static void fall(float *h, float *flow, int32_t width, int32_t height, uint64_t key, uint32_t index)
{
    struct tw_random4 r = tw_random(key, index, 0, 0, 0);
    size_t cell = (size_t)((uint64_t)r.at[1] * (uint64_t)height >> 32) * (size_t)width +
                  (size_t)((uint64_t)r.at[0] * (uint64_t)width >> 32);
    float load = 0;
    bool loaded = false;
    for (uint32_t visit = 0;; visit++) {
        r = tw_random(key, index, visit, 1, 0);
        if (flow)
            flow[cell]++;
        if (!loaded && tw_uniform(r.at[0]) < 0.2f) {
            load = fabsf(h[cell]) * 0.2f * tw_uniform(r.at[1]);
            h[cell] -= load;
            loaded = true;
        }
        size_t next = next_cell(h, width, height, cell);
        if (next == cell)
            break;
        cell = next;
    }
    h[cell] += load;
}

struct figures {
    double pits, slope, deviation;
};

static struct figures figures_of(const float *h, int32_t width, int32_t height)
{
    struct figures f = {0};
    double sum = 0, squares = 0, count = (double)(width - 2) * (height - 2);
    for (int32_t y = 1; y < height - 1; y++)
        for (int32_t x = 1; x < width - 1; x++) {
            size_t cell = (size_t)y * (size_t)width + (size_t)x;
            f.pits += next_cell(h, width, height, cell) == cell ? 1 / count : 0;
            f.slope += fabs((double)(h[cell] - h[cell - 1])) / count;
            sum += (double)h[cell] / count;
            squares += (double)h[cell] * (double)h[cell] / count;
        }
    f.deviation = sqrt(squares - sum * sum);
    return f;
}

static uint64_t mix(uint64_t v)
{
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return v ^ (v >> 31);
}

/* What the engine makes of a recipe's seed 0 and a node's `seed: 5`. */
static uint64_t key_of_seed_5(void) { return mix(mix(0) ^ mix(5 + 0x9E3779B97F4A7C15u)); }

static void sequential_gives_the_bytes_of_the_plain_loop(void **state)
{
    static const int32_t sides[][2] = {{1, 1}, {1, 40}, {3, 3}, {97, 71}, {160, 130}};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct tw_value terrain = harness_terrain(sides[i][0], sides[i][1], 12);
        struct tw_result *result = run(&terrain, ", drops: 9000, order: sequential", 2);
        float *flow = calloc(tw_value_count(&terrain), sizeof *flow);
        assert_non_null(flow);
        for (uint32_t drop = 0; drop < 9000; drop++)
            fall(tw_floats(&terrain), flow, terrain.width, terrain.height, key_of_seed_5(), drop);
        harness_same(tw_result_output(result, "out"), tw_floats(&terrain));
        harness_same(tw_result_output(result, "flow"), flow);
        free(flow);
        tw_result_release(result);
        free(terrain.data);
    }
}

static void tiles_of_one_map_are_sequential(void **state)
{
    struct tw_value terrain = harness_terrain(64, 64, 8);
    (void)state;
    struct tw_result *tiles = run(&terrain, ", drops: 5000", 2);
    struct tw_result *sequential = run(&terrain, ", drops: 5000, order: sequential", 2);
    harness_same(tw_result_output(tiles, "out"), tw_floats(tw_result_output(sequential, "out")));
    tw_result_release(tiles);
    tw_result_release(sequential);
    free(terrain.data);
}

static void expect_near(double a, double b, double share)
{
    if (fabs(a - b) > share * fabs(b))
        fail_msg("%g, expected %g within %g %%", a, b, 100 * share);
}

static void looks_like_one_drop_after_the_other(void **state)
{
    enum { WIDTH = 320, HEIGHT = 256, DROPS = 40000 };
    struct tw_value terrain = harness_terrain(WIDTH, HEIGHT, 21);
    struct tw_result *result = run(&terrain, ", drops: 40000", 2);
    struct figures tiles = figures_of(tw_floats(tw_result_output(result, "out")), WIDTH, HEIGHT);
    (void)state;
    for (uint32_t i = 0; i < DROPS; i++)
        fall(tw_floats(&terrain), NULL, WIDTH, HEIGHT, 99, i);
    struct figures plain = figures_of(tw_floats(&terrain), WIDTH, HEIGHT);
    expect_near(tiles.pits, plain.pits, 0.05);
    expect_near(tiles.slope, plain.slope, 0.02);
    expect_near(tiles.deviation, plain.deviation, 0.02);
    tw_result_release(result);
    free(terrain.data);
}

static void edge_cases(void **state)
{
    struct tw_value terrain = harness_terrain(70, 30, 2), zero = harness_terrain(70, 30, 2);
    (void)state;
    struct tw_result *none = run(&terrain, ", drops: 0", 2);
    harness_same(tw_result_output(none, "out"), tw_floats(&terrain));
    tw_result_release(none);
    memset(zero.data, 0, tw_value_count(&zero) * sizeof(float));
    struct tw_result *flat = run(&zero, ", drops: 500", 2);
    harness_same(tw_result_output(flat, "out"), tw_floats(&zero));
    assert_non_null(strstr(harness_warning(), "all heights are 0"));
    tw_result_release(flat);
    for (size_t i = 0; i < tw_value_count(&terrain); i++)
        tw_floats(&terrain)[i] -= 2; /* below zero |h| is taken */
    struct tw_result *deep = run(&terrain, ", drops: 500", 2);
    assert_true(sum_of(tw_result_output(deep, "eroded")) > 1);
    tw_result_release(deep);
    free(terrain.data);
    free(zero.data);
}

enum { BLOCKS = 16 };

/* What drops on a map of `size` cells a side change, meant for 128: the root mean square of the
 * means over BLOCKS x BLOCKS parts of the map. */
static double change_of_parts(int32_t size)
{
    double parts[BLOCKS * BLOCKS] = {0}, squares = 0;
    int32_t part = size / BLOCKS;
    struct tw_result *result = harness_run(&(struct harness){
        .width = size,
        .height = size,
        .threads = 2,
        .nodes = "in: {type: noise.perlin, frequency: 4, octaves: 6}\n"
                 "out: {type: erosion.raindrops, in: in, drops: 20000, side: 128}\n"});
    const float *in = tw_floats(tw_result_output(result, "in"));
    const float *out = tw_floats(tw_result_output(result, "out"));
    for (int32_t i = 0; i < size * size; i++)
        parts[i / size / part * BLOCKS + i % size / part] +=
            ((double)out[i] - (double)in[i]) / ((double)part * part);
    for (int32_t i = 0; i < BLOCKS * BLOCKS; i++)
        squares += parts[i] * parts[i];
    tw_result_release(result);
    return sqrt(squares / (BLOCKS * BLOCKS));
}

static void side_keeps_what_large_shapes_change(void **state)
{
    static const int32_t sizes[] = {64, 256, 512};
    double meant = change_of_parts(128);
    (void)state;
    for (int i = 0; i < 3; i++) {
        double ratio = change_of_parts(sizes[i]) / meant;
        if (ratio < 0.8 || ratio > 1.25)
            fail_msg("at %d cells drops change %.2f times as much as at 128", (int)sizes[i], ratio);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_everywhere),
        cmocka_unit_test(keeps_the_sum_and_says_what_moved),
        cmocka_unit_test(deposits_at_the_edge_of_a_plane),
        cmocka_unit_test(sequential_gives_the_bytes_of_the_plain_loop),
        cmocka_unit_test(tiles_of_one_map_are_sequential),
        cmocka_unit_test(looks_like_one_drop_after_the_other),
        cmocka_unit_test(edge_cases),
        cmocka_unit_test(side_keeps_what_large_shapes_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
