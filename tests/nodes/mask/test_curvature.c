/* SPDX-License-Identifier: MIT */
#include "support/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, CELLS = SIDE * SIDE };

static float cells[CELLS];
static const struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};

static struct tw_value value_of(const struct tw_value *from, const char *kind, double radius,
                                const char *border)
{
    char node[200];
    snprintf(node, sizeof node, "type: mask.curvature, in: in, kind: %s, radius: %g, border: %s",
             kind, radius, border);
    return symmetry_run(from, node, "value");
}

/* ---- the definition, in two dimensions ---- */

/* Beyond a closed border z(-k) = 2 z(0) - z(k). */
static double at(const struct tw_value *from, int x, int y, bool wrap)
{
    int w = from->width, h = from->height;
    x = wrap ? (x % w + w) % w : w == 1 ? 0 : x;
    y = wrap ? (y % h + h) % h : h == 1 ? 0 : y;
    int border_x = x < 0 ? 0 : w - 1, border_y = y < 0 ? 0 : h - 1;
    if (x < 0 || x >= w)
        return 2 * at(from, border_x, y, wrap) - at(from, 2 * border_x - x, y, wrap);
    if (y < 0 || y >= h)
        return 2 * at(from, x, border_y, wrap) - at(from, x, 2 * border_y - y, wrap);
    return (double)tw_floats(from)[y * w + x];
}

static double smooth(const struct tw_value *from, int x, int y, double sigma, bool wrap)
{
    int taps = (int)(4 * sigma);
    double sum = 0, weights = 0;
    for (int j = -taps; j <= taps; j++)
        for (int i = -taps; i <= taps; i++) {
            double weight = taps ? exp(-(i * i + j * j) / (2 * sigma * sigma)) : 1;
            sum += weight * at(from, x + i, y + j, wrap);
            weights += weight;
        }
    return sum / weights;
}

static double reference(const struct tw_value *from, int x, int y, int kind, double radius,
                        bool wrap)
{
    double z[3][3], n = from->width;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            z[j][i] = smooth(from, x + i - 1, y + j - 1, radius * n / 2, wrap);
    double p = (z[1][2] - z[1][0]) * n / 2, q = (z[2][1] - z[0][1]) * n / 2;
    double r = (z[1][2] - 2 * z[1][1] + z[1][0]) * n * n;
    double t = (z[2][1] - 2 * z[1][1] + z[0][1]) * n * n;
    double s = (z[2][2] + z[0][0] - z[0][2] - z[2][0]) * n * n / 4, g = p * p + q * q;
    if (kind == 0 || g < 1e-12)
        return -(r + t) / 2;
    return kind == 1 ? -(p * p * r + 2 * p * q * s + q * q * t) / g
                     : -(q * q * r - 2 * p * q * s + p * p * t) / g;
}

static void equals_the_definition(void **state)
{
    static const char *const kinds[] = {"mean", "profile", "plan"};
    const int32_t sizes[][2] = {{19, 14}, {1, 9}, {9, 1}, {2, 3}, {33, 20}};
    (void)state;
    for (int i = 0; i < 60; i++) {
        struct tw_value from = harness_terrain(sizes[i % 5][0], sizes[i % 5][1], 4);
        int kind = i / 5 % 3;
        bool wrap = i / 15 % 2;
        double radius = i / 30 ? 0.13 : 0;
        struct tw_value out = value_of(&from, kinds[kind], radius, wrap ? "wrap" : "closed");
        for (int y = 0; y < from.height; y++)
            for (int x = 0; x < from.width; x++) {
                double expected = reference(&from, x, y, kind, radius, wrap);
                double found = (double)tw_floats(&out)[y * from.width + x];
                if (!(fabs(found - expected) <= 1e-5 * (1 + fabs(expected))))
                    fail_msg("%d: %g, not %g", i, found, expected);
            }
        free(out.data);
        free(from.data);
    }
}

static void profile_and_plan_are_twice_the_mean(void **state)
{
    struct tw_value from = harness_terrain(SIDE, SIDE, 8);
    struct tw_value mean = value_of(&from, "mean", 0.05, "wrap");
    struct tw_value profile = value_of(&from, "profile", 0.05, "wrap");
    struct tw_value plan = value_of(&from, "plan", 0.05, "wrap");
    double sum = 0, size = 0;
    (void)state;
    for (int i = 0; i < CELLS; i++) {
        double twice = 2 * (double)tw_floats(&mean)[i];
        double down = (double)tw_floats(&profile)[i], along = (double)tw_floats(&plan)[i];
        assert_true(fabs(down + along - twice) <= 1e-6 * (1 + fabs(down) + fabs(along)));
        sum += twice;
        size += fabs(twice);
        cells[i] = -tw_floats(&from)[i];
    }
    assert_true(fabs(sum) < 1e-5 * size); /* on a torus */
    struct tw_value below = value_of(&map, "plan", 0.05, "wrap");
    for (int i = 0; i < CELLS; i++)
        assert_true(tw_floats(&below)[i] == -tw_floats(&plan)[i]); /* odd in z */
    free(below.data);
    free(plan.data);
    free(profile.data);
    free(mean.data);
    free(from.data);
}

/* Contours of a pit are circles around it; its flanks are straight. */
static void knows_a_conical_pit(void **state)
{
    (void)state;
    for (int i = 0; i < CELLS; i++)
        cells[i] = hypotf((float)(i % SIDE) - 31.5f, (float)(i / SIDE) - 31.5f) / SIDE;
    struct tw_value plan = value_of(&map, "plan", 0, "closed");
    struct tw_value profile = value_of(&map, "profile", 0, "closed");
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            double r = hypot(x - 31.5, y - 31.5) / SIDE;
            if (r < 0.15)
                continue;
            assert_true(fabs((double)tw_floats(&plan)[y * SIDE + x] * r + 1) < 0.02);
            assert_true(fabs((double)tw_floats(&profile)[y * SIDE + x]) < 0.05);
        }
    free(plan.data);
    free(profile.data);
}

/* What is left of a wave does not depend on its direction: exp(-(2 pi k sigma)^2 / 2). */
static void smooths_all_directions_alike(void **state)
{
    static const int waves[][2] = {{8, 0}, {0, 8}, {6, 6}, {7, -4}};
    (void)state;
    for (int k = 0; k < 4; k++) {
        double turn = 6.283185307179586 / SIDE, square = 0;
        for (int i = 0; i < CELLS; i++)
            cells[i] = (float)cos(turn * (waves[k][0] * (i % SIDE) + waves[k][1] * (i / SIDE)));
        struct tw_value rough = value_of(&map, "mean", 0, "wrap");
        struct tw_value soft = value_of(&map, "mean", 0.06, "wrap");
        square = waves[k][0] * waves[k][0] + waves[k][1] * waves[k][1];
        double expected = exp(-0.5 * square * pow(6.283185307179586 * 0.03, 2));
        double left = (double)tw_floats(&soft)[0] / (double)tw_floats(&rough)[0];
        if (fabs(left / expected - 1) > 0.003)
            fail_msg("%g of wave %d is left, not %g", left, k, expected);
        free(rough.data);
        free(soft.data);
    }
}

static void the_mask_is_a_band_of_change_over_the_radius(void **state)
{
    static const char node[] = "type: mask.curvature, in: in, radius: 0.1, low: -0.4, high: 0.8, "
                               "softness: 0.5";
    struct tw_value from = harness_terrain(SIDE, SIDE, 2);
    struct tw_value value = symmetry_run(&from, node, "value");
    struct tw_value out = symmetry_run(&from, node, "out");
    (void)state;
    for (int i = 0; i < CELLS; i++) {
        float v = tw_floats(&value)[i] * 0.1f, d = v < -0.4f ? -0.4f - v : v > 0.8f ? v - 0.8f : 0;
        float t = 1 - (d / 0.5f < 1 ? d / 0.5f : 1);
        assert_true(fabsf(tw_floats(&out)[i] - t * t * (3 - 2 * t)) < 1e-5f);
    }
    free(from.data);
    free(value.data);
    free(out.data);
}

static void turns_and_rolls_with_the_map(void **state)
{
    (void)state;
    symmetry_turns("type: mask.curvature, in: in, kind: plan, border: closed", "out", 1e-4, 0);
    symmetry_turns("type: mask.curvature, in: in, kind: profile, radius: 0.1", "value", 1e-4, 0);
    symmetry_rolls("type: mask.curvature, in: in, radius: 0.1, border: wrap", "value", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_definition),
        cmocka_unit_test(profile_and_plan_are_twice_the_mean),
        cmocka_unit_test(knows_a_conical_pit),
        cmocka_unit_test(smooths_all_directions_alike),
        cmocka_unit_test(the_mask_is_a_band_of_change_over_the_radius),
        cmocka_unit_test(turns_and_rolls_with_the_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
