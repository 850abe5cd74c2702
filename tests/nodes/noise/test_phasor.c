/* SPDX-License-Identifier: MIT */
/* noise.phasor against a plain sum over all kernels and their images; directions; size. */
#include "support/everywhere.h"

#include "support/seed.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586

enum { GRID = 3, W = 48, H = 32, DOWN = 2 }; /* frequency 12: three cells of 16 x 16 across */

static double complex_size(const double p[2]) { return sqrt(p[0] * p[0] + p[1] * p[1]); }

/* The sum at a place in cells of the map, frequency 12, azimuth 60, spread 25. */
static void field_at(double x, double y, double p[2])
{
    p[0] = p[1] = 0;
    for (int j = -DOWN; j < 2 * DOWN; j++)
        for (int i = -GRID; i < 2 * GRID; i++)
            for (int k = 0; k < 8; k++) {
                struct tw_random4 r = tw_random(seed_of(7), (uint32_t)((i + GRID) % GRID),
                                                (uint32_t)((j + DOWN) % DOWN), (uint32_t)k, 0);
                double dx = x - (i + (double)tw_uniform(r.at[0])) * 16;
                double dy = y - (j + (double)tw_uniform(r.at[1])) * 16;
                double azimuth = (60 + (2 * (double)tw_uniform(r.at[3]) - 1) * 25) * TURN / 360;
                double square = (dx * dx + dy * dy) / 256;
                double window = square < 1 ? (1 - square) * (1 - square) * (1 - square) : 0;
                double angle = TURN * 12 / W * (dx * sin(azimuth) - dy * cos(azimuth)) +
                               TURN * (double)tw_uniform(r.at[2]);
                p[0] += window * cos(angle);
                p[1] += window * sin(angle);
            }
}

static double profile_of(const char *name, const double p[2])
{
    double t = atan2(p[1], p[0]) / TURN + 0.5;
    if (strcmp(name, "sine") == 0)
        return 0.5 + 0.5 * p[0] / complex_size(p);
    if (strcmp(name, "triangle") == 0)
        return 1 - fabs(2 * t - 1);
    if (strcmp(name, "saw") == 0)
        return t;
    return t < 0.7 ? t / 0.7 : (1 - t) / 0.3;
}

static void equals_the_plain_sum(void **state)
{
    static const char *const profiles[] = {"sine", "triangle", "saw", "ripple"};
    static double field[W * H][2];
    double mean = 0;
    (void)state;
    for (int i = 0; i < W * H; i++) {
        field_at(i % W + 0.5, i / W + 0.5, field[i]);
        mean += complex_size(field[i]) / (W * H);
    }
    for (int k = 0; k < 4; k++) {
        char nodes[200];
        snprintf(nodes, sizeof nodes,
                 "out: {type: noise.phasor, seed: 7, frequency: 12, azimuth: 60, spread: 25, "
                 "profile: %s}\n",
                 profiles[k]);
        const struct harness harness = {.width = W, .height = H, .nodes = nodes};
        struct tw_result *result = harness_run(&harness);
        const float *out = tw_floats(tw_result_output(result, "out"));
        for (int i = 0; i < W * H; i++) {
            double t = complex_size(field[i]) / (0.5 * mean);
            double fade = t < 1 ? t * t * (3 - 2 * t) : 1;
            double phase = atan2(field[i][1], field[i][0]) / TURN + 0.5;
            double expected = 0.5 + fade * (profile_of(profiles[k], field[i]) - 0.5);
            if (phase < 1e-4 || phase > 1 - 1e-4)
                continue; /* where a saw falls, rounding decides */
            if (fabs((double)out[i] - expected) > 2e-4)
                fail_msg("%s at %d, %d: %g, not %g", profiles[k], i % W, i / W, (double)out[i],
                         expected);
        }
        everywhere(harness, "out", out);
        tw_result_release(result);
    }
}

/* Squared differences along x and along y. */
static void roughness(const float *out, int n, double sums[2])
{
    sums[0] = sums[1] = 0;
    for (int y = 0; y + 1 < n; y++)
        for (int x = 0; x + 1 < n; x++) {
            double own = out[y * n + x];
            sums[0] += ((double)out[y * n + x + 1] - own) * ((double)out[y * n + x + 1] - own);
            sums[1] += ((double)out[(y + 1) * n + x] - own) * ((double)out[(y + 1) * n + x] - own);
        }
}

/* Waves travel by the azimuth, and where a vector points instead. */
static void waves_travel_along_the_direction(void **state)
{
    enum { N = 96 };
    static struct tw_vector south[N * N];
    const struct tw_value vectors = {TW_VECTORS, N, N, south};
    double sums[2];
    (void)state;
    for (int i = 0; i < N * N; i++)
        south[i] = (struct tw_vector){0, i % 2 ? 0.25f : 3};
    harness_give(0, &vectors);
    struct tw_result *result = harness_run(&(struct harness){
        .width = N,
        .height = N,
        .nodes = "v: {type: test.vectors}\n"
                 "east: {type: noise.phasor, seed: 1, spread: 0}\n"
                 "flow: {type: noise.phasor, seed: 1, spread: 0, vectors: v}\n"
                 "south: {type: noise.phasor, seed: 1, spread: 0, azimuth: 180}\n"});
    const float *flow = tw_floats(tw_result_output(result, "flow"));
    const float *by_azimuth = tw_floats(tw_result_output(result, "south"));
    roughness(tw_floats(tw_result_output(result, "east")), N, sums);
    assert_true(sums[0] > 10 * sums[1]);
    roughness(flow, N, sums);
    assert_true(sums[1] > 10 * sums[0]);
    for (int i = 0; i < N * N; i++) {
        assert_true(fabsf(flow[i] - by_azimuth[i]) < 1e-4f);
        assert_true(flow[i] >= 0 && flow[i] <= 1);
    }
    tw_result_release(result);
}

/* Opposite borders meet as smoothly as cells within do. */
static void borders_meet(void **state)
{
    enum { N = 64 };
    (void)state;
    struct tw_result *result = harness_run(
        &(struct harness){.width = N,
                          .height = N,
                          .nodes = "out: {type: noise.phasor, frequency: 3.7, azimuth: 45}\n"});
    const float *out = tw_floats(tw_result_output(result, "out"));
    float inside = 0, across = 0;
    for (int i = 0; i < N; i++)
        for (int k = 0; k + 1 < N; k++) {
            inside = fmaxf(inside, fabsf(out[i * N + k + 1] - out[i * N + k]));
            inside = fmaxf(inside, fabsf(out[(k + 1) * N + i] - out[k * N + i]));
        }
    for (int i = 0; i < N; i++) {
        across = fmaxf(across, fabsf(out[i * N] - out[i * N + N - 1]));
        across = fmaxf(across, fabsf(out[i] - out[(N - 1) * N + i]));
    }
    assert_true(across > 0 && across <= inside);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_sum),
        cmocka_unit_test(waves_travel_along_the_direction),
        cmocka_unit_test(borders_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
