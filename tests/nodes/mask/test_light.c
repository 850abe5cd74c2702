/* SPDX-License-Identifier: MIT */
#include "reference/shadows.h"
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 64 };

static float cells[SIDE * SIDE];

/* A wall 10 cells high along column 40, light at 45 degrees: the shadow is 10 cells long. */
static void a_wall_casts_a_shadow_of_its_height(void **state)
{
    struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    (void)state;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        cells[i] = i % SIDE == 40 ? 10.5f / SIDE : 0;
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "in: {type: test.map}\n"
                 "west: {type: mask.light, in: in, azimuth: 270, altitude: 45, exaggeration: 1}\n"
                 "east: {type: mask.light, in: in, azimuth: 90, altitude: 45, exaggeration: 1}\n"
                 "flat: {type: mask.light, in: in, azimuth: 90, altitude: 45, exaggeration: 0}\n"});
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        int32_t x = i % SIDE;
        bool behind = x > 40 && x <= 50, before = x < 40 && x >= 30;
        assert_true(tw_floats(tw_result_output(result, "west"))[i] == (behind ? 0.0f : 1.0f));
        assert_true(tw_floats(tw_result_output(result, "east"))[i] == (before ? 0.0f : 1.0f));
        assert_true(tw_floats(tw_result_output(result, "flat"))[i] == 1.0f);
    }
    tw_result_release(result);
}

/* The node and feature.shadow march the same rays. */
static void agrees_with_the_shadows_that_a_terrain_was_made_for(void **state)
{
    (void)state;
    struct tw_result *result = harness_run(&(struct harness){
        .nodes = "base: {type: source.constant, value: 0.1}\n"
                 "spots: {type: voronoi.cells}\n"
                 "image: {type: voronoi.domain, domain: spots.domain, values: binary}\n"
                 "land: {type: feature.shadow, in: base, image: image, azimuth: 250, tilt: 70, "
                 "exaggeration: 0.5}\n"
                 "light: {type: mask.light, in: land, azimuth: 250, altitude: 20, "
                 "exaggeration: 0.5}\n",
        .outputs = "shadow: land.shadow\n"});
    int32_t different = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        different += tw_floats(tw_result_output(result, "light"))[i] !=
                     tw_floats(tw_result_output(result, "shadow"))[i];
    assert_true(different < SIDE * SIDE / 200); /* out is rounded to float */
    tw_result_release(result);
}

static void same_bytes_everywhere(void **state)
{
    struct tw_value map = harness_terrain(257, 129, 3);
    struct harness h = {.width = 257,
                        .height = 129,
                        .simd = "base",
                        .nodes = "in: {type: test.map}\n"
                                 "light: {type: mask.light, in: in, azimuth: 33, altitude: 12}\n"};
    (void)state;
    harness_give(0, &map);
    struct tw_result *first = harness_run(&h);
    everywhere(h, "light", tw_floats(tw_result_output(first, "light")));
    tw_result_release(first);
    free(map.data);
}

/* GRAZING: a slope that rays just touch, where floats decide nothing. HUGE_ONES: sums overflow.
 * NEEDLE: one that blocks a ray although only rounding takes the ray off a centre beside it. */
enum kind { ROUGH, FLAT, PLANE, SPIKES, GIANTS, HUGE_ONES, TINY, GRAZING, NEEDLE, KINDS };

static uint32_t word = 1;

static float draw(void)
{
    word = word * 1664525u + 1013904223u;
    return (float)(word >> 8) * 0x1p-24f;
}

static void fill(struct tw_value *map, enum kind kind, double azimuth, double altitude)
{
    double rise = tw_sin_degrees(altitude) / tw_cos_degrees(altitude) / (0.3 * map->width);
    double right = rise * tw_sin_degrees(azimuth), down = -rise * tw_cos_degrees(azimuth);
    float *h = tw_floats(map), dx = draw() - 0.5f, dy = draw() - 0.5f;
    for (int32_t i = 0; i < map->width * map->height; i++) {
        float x = (float)(i % map->width), y = (float)(i / map->width);
        if (kind == FLAT)
            h[i] = 0.25f;
        else if (kind == PLANE)
            h[i] = 0.02f * (dx * x + dy * y);
        else if (kind == SPIKES)
            h[i] = draw() < 0.01f ? 0.2f * draw() : 0;
        else if (kind == GIANTS) /* where rounding of heights outweighs the margin */
            h[i] = 1e12f * (draw() < 0.02f ? draw() : -draw());
        else if (kind == HUGE_ONES)
            h[i] = 3e38f * (draw() - draw());
        else if (kind == TINY)
            h[i] = 1e-38f * draw() * draw();
        else if (kind == GRAZING)
            h[i] = (float)(right * (double)x + down * (double)y + 1e-6 * (double)draw());
        else if (kind == NEEDLE)
            h[i] = 0;
    }
    if (kind == NEEDLE)
        h[(int32_t)(draw() * (float)(map->width * map->height))] = 1e18f;
}

/* Byte for byte, for every kind of terrain and eight octants with their borders. */
static void every_ray_ends_as_if_it_marched_alone(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 37}, {41, 1}, {16, 16}, {33, 150}, {97, 50}, {145, 65}};
    const char *const altitudes[] = {"1", "4.5", "20", "45", "89"};
    const char *const azimuths[] = {"0",    "0.01", "13",  "45",  "78",  "90",
                                    "90.3", "135",  "160", "180", "201", "225",
                                    "250",  "270",  "300", "315", "340", "360"};
    (void)state;
    for (int i = 0; i < 7 * KINDS * 18; i++) {
        int32_t width = sizes[i % 7][0], height = sizes[i % 7][1], count = width * height;
        struct tw_value map = harness_terrain(width, height, (uint64_t)i);
        double *heights = malloc((size_t)count * sizeof *heights);
        float *expected = malloc((size_t)count * sizeof *expected);
        const char *azimuth = azimuths[i / 7 % 18], *altitude = altitudes[i % 5];
        char nodes[200];
        fill(&map, (enum kind)(i / (7 * 18)), (double)strtof(azimuth, NULL),
             (double)strtof(altitude, NULL));
        for (int32_t c = 0; c < count; c++)
            heights[c] = (double)tw_floats(&map)[c] * ((double)0.3f * (double)width);
        ray_march(heights, width, height, (double)strtof(azimuth, NULL),
                  90 - (double)strtof(altitude, NULL), expected);
        harness_give(0, &map);
        snprintf(
            nodes, sizeof nodes,
            "in: {type: test.map}\n"
            "light: {type: mask.light, in: in, azimuth: %s, altitude: %s, exaggeration: 0.3}\n",
            azimuth, altitude);
        struct tw_result *result = harness_run(
            &(struct harness){.width = width,
                              .height = height,
                              .threads = 1 + i % 2,
                              .simd = (const char *const[]){"base", "avx2", NULL}[i / 2 % 3],
                              .nodes = nodes});
        harness_same(tw_result_output(result, "light"), expected);
        tw_result_release(result);
        free(expected);
        free(heights);
        free(map.data);
    }
}

/* From the corner of a map of 768 cells a tower darkens the diagonal, but for cells whose crossing
 * of the corner is rounded to beyond the map: 47 sqrt(2) / sqrt(2) is more than 47. */
static void rounding_takes_a_crossing_past_the_corner(void **state)
{
    enum { WIDE = 768 };
    struct tw_value map = {TW_HEIGHTMAP, WIDE, WIDE, calloc(WIDE * WIDE, sizeof(float))};
    (void)state;
    assert_non_null(map.data);
    tw_floats(&map)[0] = 1;
    harness_give(0, &map);
    struct tw_result *result = harness_run(
        &(struct harness){.width = WIDE,
                          .height = WIDE,
                          .nodes = "in: {type: test.map}\n"
                                   "light: {type: mask.light, in: in, azimuth: 315, altitude: 1, "
                                   "exaggeration: 1}\n"});
    const float *lit = tw_floats(tw_result_output(result, "light"));
    for (int32_t i = 740; i < 760; i++)
        assert_true(lit[i * (WIDE + 1)] == (i == 752 ? 1.0f : 0.0f));
    for (int32_t i = 40; i < 50; i++)
        assert_true(lit[i * (WIDE + 1)] == (i == 47 ? 1.0f : 0.0f));
    tw_result_release(result);
    free(map.data);
}

/* ---- kind: sun ---- */

static const double pi = 3.141592653589793;

/* The height at a place that may lie beyond the border, where the ground goes straight on. */
static double height_at(const struct tw_value *map, int32_t x, int32_t y, bool wrap)
{
    int32_t w = map->width, h = map->height;
    if (wrap)
        return (double)tw_floats(map)[tw_wrap(y, h) * w + tw_wrap(x, w)];
    if (x < 0 || x >= w) {
        int32_t end = x < 0 ? 0 : w - 1, before = w == 1 ? 0 : end + (x < 0 ? 1 : -1);
        return 2 * height_at(map, end, y, wrap) - height_at(map, before, y, wrap);
    }
    if (y < 0 || y >= h) {
        int32_t end = y < 0 ? 0 : h - 1, before = h == 1 ? 0 : end + (y < 0 ? 1 : -1);
        return 2 * height_at(map, x, end, wrap) - height_at(map, x, before, wrap);
    }
    return (double)tw_floats(map)[y * w + x];
}

static double cosine_at(const struct tw_value *map, int32_t x, int32_t y, bool wrap, double azimuth,
                        double altitude, double exaggeration)
{
    double slope[2] = {0}, a = azimuth * pi / 180, b = altitude * pi / 180;
    for (int32_t k = -1; k <= 1; k++)
        for (int32_t side = -1; side <= 1; side += 2) {
            slope[0] += side * (2 - abs(k)) * height_at(map, x + side, y + k, wrap) / 8;
            slope[1] += side * (2 - abs(k)) * height_at(map, x + k, y + side, wrap) / 8;
        }
    slope[0] *= exaggeration * map->width;
    slope[1] *= exaggeration * map->width;
    double along = sin(b) - cos(b) * (sin(a) * slope[0] - cos(a) * slope[1]);
    return fmax(0, along / sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]));
}

static void compare_sun(const struct tw_value *map, int azimuth, int altitude, bool wrap)
{
    char nodes[400];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "lit: {type: mask.light, in: in, azimuth: %d, altitude: %d, exaggeration: 0.5}\n"
             "sun: {type: mask.light, kind: sun, in: in, azimuth: %d, altitude: %d, "
             "exaggeration: 0.5, border: %s}\n",
             azimuth, altitude, azimuth, altitude, wrap ? "wrap" : "closed");
    struct harness h = {.width = map->width, .height = map->height, .simd = "base", .nodes = nodes};
    harness_give(0, map);
    struct tw_result *result = harness_run(&h);
    const float *sun = tw_floats(tw_result_output(result, "sun"));
    const float *lit = tw_floats(tw_result_output(result, "lit"));
    assert_int_equal(tw_result_output(result, "sun")->type, TW_MASK);
    for (int32_t i = 0; i < map->width * map->height; i++) {
        double expected = (double)lit[i] * cosine_at(map, i % map->width, i / map->width, wrap,
                                                     azimuth, altitude, 0.5);
        if (!(fabs((double)sun[i] - expected) < 1e-5))
            fail_msg("cell %d: %g, not %g", (int)i, (double)sun[i], expected);
    }
    everywhere(h, "sun", sun);
    tw_result_release(result);
}

static void sun_equals_the_cosine_law_where_light_reaches(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 19}, {19, 1}, {2, 2}, {37, 64}};
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct tw_value map = harness_terrain(sizes[i % 5][0], sizes[i % 5][1], 4);
        compare_sun(&map, 73 * i % 361, 8 + 4 * i, i / 5 % 2);
        free(map.data);
    }
}

/* Level ground has sin(altitude), whatever its height. A slope that faces the light has 1, one that
 * turns away 0. */
static void sun_knows_level_ground_and_slopes(void **state)
{
    struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    (void)state;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        cells[i] = 0.7f;
    for (int turn = 0; turn < 2; turn++) {
        harness_give(0, &map);
        struct tw_result *result = harness_run(&(struct harness){
            .head = "borders: closed\n",
            .nodes = "in: {type: test.map}\n"
                     "low: {type: mask.light, in: in, kind: sun, azimuth: 33, altitude: 30}\n"
                     "west: {type: mask.light, in: in, kind: sun, azimuth: 270, altitude: 45, "
                     "exaggeration: 1}\n"
                     "east: {type: mask.light, in: in, kind: sun, azimuth: 90, altitude: 44, "
                     "exaggeration: 1}\n"});
        for (int32_t i = 0; i < SIDE * SIDE; i++) {
            if (!turn)
                assert_true(tw_floats(tw_result_output(result, "low"))[i] == 0.5f);
            if (turn)
                assert_true(fabsf(tw_floats(tw_result_output(result, "west"))[i] - 1) < 1e-6f);
            if (turn)
                assert_true(tw_floats(tw_result_output(result, "east"))[i] == 0);
        }
        tw_result_release(result);
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            cells[i] = (float)(i % SIDE) / SIDE; /* rises to the east at 45 degrees */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_casts_a_shadow_of_its_height),
        cmocka_unit_test(agrees_with_the_shadows_that_a_terrain_was_made_for),
        cmocka_unit_test(same_bytes_everywhere),
        cmocka_unit_test(every_ray_ends_as_if_it_marched_alone),
        cmocka_unit_test(rounding_takes_a_crossing_past_the_corner),
        cmocka_unit_test(sun_equals_the_cosine_law_where_light_reaches),
        cmocka_unit_test(sun_knows_level_ground_and_slopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
