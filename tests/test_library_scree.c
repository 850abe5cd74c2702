/* SPDX-License-Identifier: MIT */
/* thalweg/scree: what frost takes from the rock lies below as debris, 1.4 times as much; it rests
 * at repose; and frost digs no pits. On two maps, in true metres. */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 320 };

static const double side_m = 2560, height_m = 800;

static size_t cell(int32_t x, int32_t y) { return (size_t)y * SIDE + (size_t)x; }

/* Returns the drop to the lowest neighbour on the map or, over its distance, the steepest. */
static double downhill(const double *z, int32_t x, int32_t y, bool slope)
{
    double greatest = -INFINITY;
    for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < SIDE; v++)
        for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < SIDE; u++)
            if (u != x || v != y)
                greatest = fmax(greatest, (z[cell(x, y)] - z[cell(u, v)]) /
                                              (slope ? hypot(u - x, v - y) : 1));
    return greatest;
}

static double *metres(const float *a, const float *b)
{
    double *z = malloc(sizeof *z * SIDE * SIDE);
    assert_non_null(z);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        z[i] = ((double)a[i] + (b ? (double)b[i] : 0)) * height_m;
    return z;
}

static void balance_holds(const float *land, const float *rock, const float *loose)
{
    double taken = 0, lies = 0;
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) {
        assert_true(rock[i] <= land[i] && loose[i] >= 0);
        taken += (double)land[i] - (double)rock[i];
        lies += (double)loose[i];
    }
    assert_true(taken > 1);
    assert_true(fabs(lies / 1.4 - taken) <= 1e-6 * taken);
}

/* A cell that had a way down keeps it. */
static void frost_digs_no_pits(const float *land, const float *rock)
{
    double *before = metres(land, NULL), *after = metres(rock, NULL);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            if (downhill(before, x, y, false) > 0)
                assert_true(downhill(after, x, y, false) > 0);
    free(before);
    free(after);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void debris_rests(const float *rock, const float *loose)
{
    double *top = metres(rock, loose), *slopes = malloc(sizeof *slopes * SIDE * SIDE);
    size_t count = 0;
    assert_non_null(slopes);
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++)
            if ((double)loose[cell(x, y)] * height_m > 4)
                slopes[count++] = atan(downhill(top, x, y, true) / (side_m / SIDE)) * 180 / M_PI;
    qsort(slopes, count, sizeof *slopes, by_value);
    assert_true(count > 1000);
    assert_true(slopes[count / 2] > 30 && slopes[count / 2] < 35.5);
    assert_true(slopes[count * 95 / 100] > 34 && slopes[count * 95 / 100] < 36.1);
    free(top);
    free(slopes);
}

/* The output `land` is the bare ground. */
static void check(const char *nodes)
{
    char text[2000];
    snprintf(text, sizeof text, "%sscree: {type: thalweg/scree, rock: land}\n", nodes);
    struct tw_result *result =
        harness_run(&(struct harness){.width = SIDE,
                                      .height = SIDE,
                                      .seed = 5,
                                      .nodes = text,
                                      .outputs = "loose: scree.loose\n",
                                      .head = "borders: closed\n"
                                              "world: {side_m: 2560, height_m: 800}\n"});
    const float *land = tw_result_output(result, "land")->data;
    const float *rock = tw_result_output(result, "scree")->data;
    const float *loose = tw_result_output(result, "loose")->data;
    balance_holds(land, rock, loose);
    frost_digs_no_pits(land, rock);
    debris_rests(rock, loose);
    tw_result_release(result);
}

static void scree_gathers_below_mesas(void **state)
{
    (void)state;
    check("broad: {type: noise.perlin, frequency: 4, octaves: 6}\n"
          "land: {type: combine.formula, a: broad, formula: \"0.2 * a + 0.25 * smooth(0.5, 0.53, "
          "a)\"}\n");
}

static void scree_gathers_below_crags(void **state)
{
    (void)state;
    check("crags: {type: noise.ridged, frequency: 3, octaves: 5, tile: false}\n"
          "land: {type: combine.formula, a: crags, formula: \"0.5 * a * a + 0.2 * smooth(0.6, "
          "0.7, a)\"}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scree_gathers_below_mesas),
        cmocka_unit_test(scree_gathers_below_crags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
