/* SPDX-License-Identifier: MIT */
/* thalweg/snow: steep faces hold no snow, gentle ground above the line does, low ground does not,
 * and snow only lies on top. On two maps of rivers and of ridges, in true metres. */
#include "support/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 384 };

static const double side_m = 9600, height_m = 3000;

static double at(const float *z, int32_t x, int32_t y)
{
    return (double)z[(size_t)y * SIDE + (size_t)x] * height_m;
}

/* Returns the steepest way down to a neighbour on the map, as rise over run. */
static double downhill(const float *z, int32_t x, int32_t y)
{
    double steepest = 0;
    for (int32_t v = y > 0 ? y - 1 : 0; v <= y + 1 && v < SIDE; v++)
        for (int32_t u = x > 0 ? x - 1 : 0; u <= x + 1 && u < SIDE; u++)
            if (u != x || v != y)
                steepest = fmax(steepest, (at(z, x, y) - at(z, u, v)) /
                                              (side_m / SIDE * hypot(u - x, v - y)));
    return steepest;
}

struct counts {
    double faces, held, high, covered, low, patches;
};

static struct counts count(const float *z, const float *depth, double line, double band)
{
    struct counts c = {0};
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            const double slope = downhill(z, x, y), height = at(z, x, y) / height_m;
            const bool snow = at(depth, x, y) > 0.3;
            const bool gentle = slope < tan(30 * M_PI / 180);
            c.faces += slope >= tan(55 * M_PI / 180);
            c.held += snow && slope >= tan(55 * M_PI / 180);
            c.high += gentle && height > line + 1.5 * band;
            c.covered += gentle && snow && height > line + 1.5 * band;
            c.low += height < line - band;
            c.patches += snow && height < line - band;
        }
    return c;
}

static void lies_only_on_top(const float *land, const struct tw_value *out, const float *depth)
{
    for (size_t i = 0; i < tw_value_count(out); i++) {
        assert_true(depth[i] >= 0);
        assert_true(((const float *)out->data)[i] == land[i] + depth[i]);
    }
}

/* The output `land` is the bare ground. */
static void check(const char *nodes, double line, double band)
{
    char text[2000];
    snprintf(text, sizeof text,
             "%ssnow: {type: thalweg/snow, land: land, line: %g, band: %g, depth: 6 m}\n", nodes,
             line, band);
    struct tw_result *result =
        harness_run(&(struct harness){.width = SIDE,
                                      .height = SIDE,
                                      .seed = 11,
                                      .nodes = text,
                                      .outputs = "depth: snow.depth\n",
                                      .head = "borders: closed\n"
                                              "world: {side_m: 9600, height_m: 3000}\n"});
    const float *land = tw_result_output(result, "land")->data;
    const float *depth = tw_result_output(result, "depth")->data;
    const struct counts c = count(land, depth, line, band);
    lies_only_on_top(land, tw_result_output(result, "snow"), depth);
    assert_true(c.faces > 500 && c.high > 500 && c.low > 500);
    assert_true(c.held < 0.002 * c.faces);
    assert_true(c.covered > 0.97 * c.high);
    assert_true(c.patches < 0.2 * c.low); /* avalanches reach below the line */
    tw_result_release(result);
}

static void faces_shed_on_a_range(void **state)
{
    (void)state;
    check("noise: {type: noise.perlin, frequency: 3, octaves: 8, tile: false}\n"
          "up:    {type: mask.from, in: noise, range: [0.2, 0.8]}\n"
          "range: {type: erosion.stream_power, in: noise, uplift: up, uplift_rate: 2, K: 14, "
          "talus: 50 deg, steps: 30}\n"
          "land:  {type: erosion.droplets, in: range, density: 0.3}\n",
          0.42, 0.08);
}

static void faces_shed_on_ridges(void **state)
{
    (void)state;
    check("rough: {type: noise.ridged, frequency: 3, octaves: 7, tile: false}\n"
          "land:  {type: combine.formula, a: rough, formula: \"0.25 * a + 0.1 * smooth(0.4, 0.6, "
          "a)\"}\n",
          0.2, 0.06);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_shed_on_a_range),
        cmocka_unit_test(faces_shed_on_ridges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
