/* SPDX-License-Identifier: MIT */
#include "support/everywhere.h"
#include "support/seed.h"

#include <thalweg/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The textbook form: one grid of side + 1 points, filled in place. */
struct grid {
    float *points;
    int32_t side, half;
    uint32_t level;
    float share;
};

static float *at(const struct grid *g, int32_t x, int32_t y)
{
    return g->points + y * (g->side + 1) + x;
}

/* The average of those of four neighbours that exist, displaced. */
static void set(const struct grid *g, int32_t x, int32_t y, const int32_t (*steps)[2],
                uint32_t square)
{
    float sum = 0, count = 0;
    for (int i = 0; i < 4; i++) {
        int32_t i_x = x + steps[i][0] * g->half, i_y = y + steps[i][1] * g->half;
        if (i_x < 0 || i_y < 0 || i_x > g->side || i_y > g->side)
            continue;
        sum += *at(g, i_x, i_y);
        count++;
    }
    float u = tw_uniform(tw_random(seed_of(7), (uint32_t)(x / g->half), (uint32_t)(y / g->half),
                                   2 * g->level + square, 0)
                             .at[0]);
    *at(g, x, y) = sum / count * (1.0f + g->share * (u - 0.5f));
}

static void refine(const struct grid *g)
{
    static const int32_t diagonal[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    static const int32_t lateral[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    for (int32_t y = g->half; y < g->side; y += 2 * g->half)
        for (int32_t x = g->half; x < g->side; x += 2 * g->half)
            set(g, x, y, diagonal, 0);
    for (int32_t y = 0; y <= g->side; y += g->half)
        for (int32_t x = y / g->half % 2 ? 0 : g->half; x <= g->side; x += 2 * g->half)
            set(g, x, y, lateral, 1);
}

static float *reference(int32_t width, int32_t height, float roughness, bool step)
{
    struct grid g = {.side = 2, .level = 1};
    while (g.side + 1 < width || g.side + 1 < height)
        g.side *= 2;
    float *out = malloc((size_t)width * (size_t)height * sizeof *out);
    g.points = malloc((size_t)(g.side + 1) * (size_t)(g.side + 1) * sizeof *g.points);
    assert_true(g.points && out);
    for (int32_t i = 0; i < 4; i++)
        *at(&g, i % 2 * g.side, i / 2 * g.side) =
            tw_uniform(tw_random(seed_of(7), (uint32_t)i % 2, (uint32_t)i / 2, 0, 0).at[0]) - 0.5f;
    for (g.half = g.side / 2; g.half > 0; g.half /= 2, g.level++) {
        g.share = roughness * (step ? (float)g.half : 1.0f);
        refine(&g);
    }
    for (int32_t i = 0; i < width * height; i++)
        out[i] = *at(&g, i % width, i / width);
    free(g.points);
    return out;
}

static void check_size(int32_t width, int32_t height, float roughness, bool step)
{
    char nodes[128];
    float *expected = reference(width, height, roughness, step);
    snprintf(nodes, sizeof nodes,
             "n: {type: noise.diamond_square, seed: 7, roughness: %g, amplitude: %s}",
             (double)roughness, step ? "step" : "constant");
    everywhere((struct harness){.width = width, .height = height, .nodes = nodes}, "n", expected);
    free(expected);
}

static void is_the_textbook_form_bit_for_bit(void **state)
{
    (void)state;
    check_size(65, 65, 0.2f, true);
    check_size(65, 65, 0.2f, false);
    check_size(257, 129, 0.25f, true);
    check_size(64, 100, 0.5f, false);
    check_size(1, 1, 0.2f, true);
    check_size(3, 3, 0.2f, true);
    check_size(1, 37, 0.2f, true);
    check_size(61, 1, 0.2f, true);
    check_size(1100, 5, 0.2f, true);
}

static struct tw_result *run(const char *nodes)
{
    return harness_run(&(struct harness){.width = 129, .height = 129, .nodes = nodes});
}

/* Text mode: every odd point lies within a tenth of the average of its neighbours. */
static void constant_amplitude_stays_near_the_average(void **state)
{
    (void)state;
    struct tw_result *result = run("n: {type: noise.diamond_square, amplitude: constant}");
    const float *n = tw_floats(tw_result_output(result, "n"));
    for (int y = 1; y < 129; y += 2)
        for (int x = 1; x < 129; x += 2) {
            const float *c = n + y * 129 + x;
            float average = (c[-130] + c[-128] + c[128] + c[130]) / 4;
            assert_true(fabsf(*c - average) <= 0.1001f * fabsf(average));
        }
    tw_result_release(result);
}

/* Without an offset the four corners are interpolated and stay the extremes. */
static void no_roughness_stays_between_the_corners(void **state)
{
    (void)state;
    struct tw_result *result = run("n: {type: noise.diamond_square, roughness: 0}");
    const float *n = tw_floats(tw_result_output(result, "n"));
    float low = 1, high = -1;
    for (int i = 0; i < 4; i++) {
        float corner = n[i / 2 * 128 * 129 + i % 2 * 128];
        low = tw_min(low, corner);
        high = tw_max(high, corner);
    }
    assert_true(low < high);
    for (int i = 0; i < 129 * 129; i++)
        assert_true(n[i] >= low && n[i] <= high);
    tw_result_release(result);
}

static void rescales_on_request(void **state)
{
    (void)state;
    struct tw_result *result = run("n: {type: noise.diamond_square, rescale: true}");
    const float *n = tw_floats(tw_result_output(result, "n"));
    float low = 9, high = -9;
    for (int i = 0; i < 129 * 129; i++) {
        low = tw_min(low, n[i]);
        high = tw_max(high, n[i]);
    }
    assert_true(low == 0 && high == 1);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_textbook_form_bit_for_bit),
        cmocka_unit_test(constant_amplitude_stays_near_the_average),
        cmocka_unit_test(no_roughness_stays_between_the_corners),
        cmocka_unit_test(rescales_on_request),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
