/* SPDX-License-Identifier: MIT */
#include "render/kernels/scales.h"
#include "render/kernels/shadow_sweep.h"
#include "render/kernels/sky_view.h"
#include "render/kernels/surface_light.h"
#include "support/everywhere.h"
#include "support/probe.h"

#include <math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 128 };

static float cells[SIDE * SIDE];

/* The surface of `cells`; no enlarging, no roughness. */
static struct tw_result *light(const char *options)
{
    static struct tw_value map;
    char nodes[300];
    map = (struct tw_value){TW_HEIGHTMAP, SIDE, SIDE, cells};
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\n"
             "out: {type: render.surface, in: a, size: 64, bump: 0, %s}",
             options);
    harness_give(0, &map);
    return harness_run(&(struct harness){.width = SIDE, .height = SIDE, .nodes = nodes});
}

static const struct tw_surface_cell *cell_at(const struct tw_result *result, int x, int y)
{
    return tw_surface(tw_result_output(result, "out")) + y * SIDE + x;
}

static bool same_light(const struct tw_surface_cell *a, const struct tw_surface_cell *b)
{
    return abs(a->red - b->red) < 900 && abs(a->green - b->green) < 900 &&
           abs(a->blue - b->blue) < 900;
}

/* A shore that rises by 1 in 100 is sand next to the water only, not as far as height allows. */
static void a_flat_shore_has_a_narrow_beach(void **state)
{
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = 0.01f * (float)(i % SIDE - 8) / SIDE;
    struct tw_result *wet = light("mood: island, sea: 0, exaggeration: 1, sun: [0, 90]");
    struct tw_result *dry = light("mood: island, exaggeration: 1, sun: [0, 90]");
    int sand = 0, grass = 0;
    for (int y = 8; y < SIDE - 8; y++) {
        sand += !same_light(cell_at(wet, 10, y), cell_at(dry, 10, y));
        grass += same_light(cell_at(wet, 60, y), cell_at(dry, 60, y));
    }
    assert_true(sand == SIDE - 16 && grass == SIDE - 16);
    tw_result_release(wet);
    tw_result_release(dry);
}

/* Ridges below the sea, under a low sun: deep water is as bright above their shadows. */
static void nothing_casts_shadows_under_water(void **state)
{
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = -1.0f + 0.3f * (float)(i % SIDE % 32 == 16);
    struct tw_result *result = light("mood: island, sea: 0, exaggeration: 1, sun: [270, 20]");
    for (int x = 0; x < SIDE; x++)
        for (int k = 0; k < 3; k++) {
            const uint16_t *at = &cell_at(result, x, 64)->red,
                           *first = &cell_at(result, 4, 64)->red;
            assert_true(10 * abs(at[k] - first[k]) < first[k]);
        }
    tw_result_release(result);
}

/* Water in a lake is no surf, however shallow. */
static void lakes_have_no_foam(void **state)
{
    static float depth[SIDE * SIDE];
    struct tw_value lakes = {TW_HEIGHTMAP, SIDE, SIDE, depth};
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        cells[i] = 0.5f;
        depth[i] = 1e-5f;
    }
    harness_give(1, &lakes);
    struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    harness_give(0, &map);
    struct tw_result *result = harness_run(
        &(struct harness){.width = SIDE,
                          .height = SIDE,
                          .nodes = "a: {type: test.map}\nlakes: {type: test.map, slot: 1}\n"
                                   "out: {type: render.surface, in: a, lakes: lakes, size: 64}"});
    for (int x = 0; x < SIDE; x++)
        assert_int_equal(cell_at(result, x, 64)->water, 65535);
    tw_result_release(result);
}

/* By the depth as a share of the relief above the sea: a film is dry ground, and water comes in
 * smoothly. */
static void lakes_fade_in(void **state)
{
    static float depth[SIDE * SIDE];
    struct tw_value lakes = {TW_HEIGHTMAP, SIDE, SIDE, depth};
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        cells[i] = (float)(i / SIDE) / 8 - 1; /* 15.875 high, 15.375 of it above the sea */
        depth[i] = 15.375e-4f * (float)(i % SIDE) / 4;
    }
    harness_give(1, &lakes);
    struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .width = SIDE,
        .height = SIDE,
        .nodes = "a: {type: test.map}\nlakes: {type: test.map, slot: 1}\n"
                 "dry: {type: render.surface, in: a, size: 64, sea: -0.5}\n"
                 "out: {type: render.surface, in: a, size: 64, sea: -0.5, lakes: lakes}"});
    const struct tw_surface_cell *dry = tw_surface(tw_result_output(result, "dry")) + 64 * SIDE;
    for (int x = 0; x < SIDE; x++) {
        const struct tw_surface_cell *cell = cell_at(result, x, 64);
        double t = fmin(fmax((x / 4.0 - 10) / 20, 0), 1); /* from 0.1 % to 0.3 % */
        assert_true(fabs(cell->water / 65535.0 - t * t * (3 - 2 * t)) < 1e-3);
        if (t == 0)
            assert_memory_equal(cell, dry + x, sizeof *cell);
    }
    tw_result_release(result);
}

/* ---- a plain reference: one cell at a time, in double ---- */

static struct tw_surface_job job;
static struct tw_scales scales;
static struct tw_sky_view sky;
static uint8_t sun_share[SIDE * SIDE];
static float heights[SIDE * SIDE]; /* in cells */

static double height_at(int x, int y)
{
    x = x < 0 ? 0 : x >= SIDE ? SIDE - 1 : x;
    y = y < 0 ? 0 : y >= SIDE ? SIDE - 1 : y;
    return (double)heights[y * SIDE + x];
}

static double slope_along(int x, int y, int dx, int dy)
{
    double sum = 0;
    for (int i = -1; i <= 1; i++)
        sum += (2 - abs(i)) * (height_at(x + dx + i * dy, y + dy + i * dx) -
                               height_at(x - dx + i * dy, y - dy + i * dx));
    return sum / 8;
}

static double sky_at(const float *plane, int x, int y)
{
    float pair[2]; /* a piece begins at an even column */
    tw_scales_read(TW_SIMD_BASE, plane, &scales, y, x / 2 * 2, 2, pair);
    return (double)pair[x % 2];
}

static double part(struct tw_rgb c, int k) { return (double)(k == 0 ? c.r : k == 1 ? c.g : c.b); }

/* Light of ground of one colour, with water of depth d on it. */
static double reference(int x, int y, int k, double d, double share)
{
    const struct tw_sun *s = &job.scene.sun;
    const struct tw_mood_light *mood = tw_mood_light(job.scene.mood);
    struct tw_palette palette = tw_mood_palette(job.scene.mood);
    double gx = slope_along(x, y, 1, 0), gy = slope_along(x, y, 0, 1);
    double nz = 1 / sqrt(1 + gx * gx + gy * gy), all = sky_at(sky.all, x, y);
    double facing = fmax(((double)s->z - (double)s->x * gx - (double)s->y * gy) * nz, 0);
    double mean = part(tw_mood_colour(mood->mean), k), light = part(s->light, k);
    double bounce = mean * light * (double)mood->bounce * (double)s->z;
    double ground = part(job.ramp->at[0], k);
    if (d <= 0)
        return ground *
               (light * facing * share + part(s->zenith, k) * all * (0.5 + 0.5 * nz) * 0.65 +
                part(s->around, k) * sky_at(sky.sunward, x, y) * 0.35 + bounce * (1 - all) * 0.9);
    double a = exp(-part(palette.absorption, k) * d / ((double)mood->water_depth * SIDE));
    double steep = fmin(fmax((hypot(gx, gy) - 0.7) / (0.35 - 0.7), 0), 1);
    double deep = fmin(1024.0 / SIDE * d / 5, 1);
    double sand = fmax(steep * steep * (3 - 2 * steep), deep * deep * (3 - 2 * deep));
    ground += (part(palette.at[TW_TINT_BEACH], k) - ground) * sand;
    double bed = 0.4 * ground + 0.6 * part(palette.at[TW_TINT_BED], k);
    double water = bed * a * a + part(palette.at[TW_TINT_WATER], k) * (1 - a);
    return water * (light * (double)s->z * (0.35 + 0.65 * share) + part(s->zenith, k) * 0.65 +
                    part(s->around, k) * 0.35);
}

static enum tw_status check_light(struct tw_task *task)
{
    static struct tw_surface_cell to[SIDE * SIDE];
    double k = 1024.0 / SIDE, sea = (double)job.scene.sea * (double)job.scene.exaggeration * SIDE;
    int land = 0, water = 0;
    probe_require(tw_scales_build(task, heights, SIDE, SIDE, &scales) == TW_OK);
    probe_require(tw_sky_view_find(task, &scales, job.scene.sun.azimuth, &sky) == TW_OK);
    const struct tw_shadow_sweep sweep = {
        heights, SIDE, SIDE, (float)sea, job.scene.sun.azimuth, job.scene.sun.altitude, 1.2};
    probe_require(tw_shadow_sweep_cast(task, &sweep, sun_share) == TW_OK);
    probe_require(tw_surface_light(task, &job, to) == TW_OK);
    for (int i = 0; i < SIDE * SIDE; i++) {
        int x = i % SIDE, y = i / SIDE;
        double d = sea - (double)heights[i],
               slope = hypot(slope_along(x, y, 1, 0), slope_along(x, y, 0, 1));
        /* Borders are one-sided; sand and foam at the shore have noise. */
        if (x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1 || (d <= 0 && -k * d < 8) ||
            (d > 0 && k * d / (slope + 0.01) < 9))
            continue;
        land += d <= 0;
        water += d > 0;
        for (int c = 0; c < 3; c++) {
            double expected = reference(x, y, c, d, sun_share[i] / 255.0);
            double found = (double)tw_surface_unpack((&to[i].red)[c]);
            double allowed = d > 0 ? 0.1 * expected : 0.002 * expected + 1e-4; /* waves */
            if (fabs(found - expected) > allowed)
                return tw_task_fail(task, "%d, %d, %d, depth %g: %g, expected %g", x, y, c, d,
                                    found, expected);
        }
    }
    probe_require(land > 3000 && water > 3000);
    return TW_OK;
}

static void light_is_sun_sky_and_what_returns(void **state)
{
    static struct tw_surface_ramp ramp = {.low = 0, .high = 1};
    struct tw_value terrain = harness_terrain(SIDE, SIDE, 11);
    (void)state;
    for (int i = 0; i <= TW_RAMP_STEPS; i++)
        ramp.at[i] = (struct tw_rgb){0.5f, 0.3f, 0.2f};
    ramp.below = ramp.above = ramp.at[0];
    for (int i = 0; i < TW_MOODS; i++) {
        const struct tw_mood_light *mood = tw_mood_light((enum tw_mood)i);
        job = (struct tw_surface_job){
            .scene = {(enum tw_mood)i, 0.5f, 0.12f, tw_sun_at(40 + 60 * i, 20 + 8 * i, mood->sky)},
            .heights = tw_floats(&terrain),
            .width = SIDE,
            .height = SIDE,
            .enlarge = 1,
            .ramp = &ramp,
            .snow = 0.4f,
            .shading = 1,
            .softness = 1.2f};
        for (int n = 0; n < SIDE * SIDE; n++)
            heights[n] = tw_floats(&terrain)[n] * 0.12f * SIDE;
        probe_run(check_light, SIDE, SIDE, 1 + i % 2);
    }
    free(terrain.data);
}

/* A channel of the ground is lit as the same channel of the image is bright. */
static void an_image_has_its_colours(void **state)
{
    static const char *const colours[] = {"240, 8, 8", "8, 240, 8", "8, 8, 240"};
    uint16_t seen[3][3];
    (void)state;
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < 3; i++) {
        char options[200];
        snprintf(options, sizeof options,
                 "sun: [0, 90], image: p}\np: {type: render.colour, in: a, "
                 "ramp: [[0, %s], [1, %s]]",
                 colours[i], colours[i]);
        struct tw_result *result = light(options);
        memcpy(seen[i], &cell_at(result, SIDE / 2, SIDE / 2)->red, sizeof seen[i]);
        tw_result_release(result);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            assert_true(i == k ||
                        tw_surface_unpack(seen[i][i]) > 20 * tw_surface_unpack(seen[k][i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(light_is_sun_sky_and_what_returns),
                                       cmocka_unit_test(a_flat_shore_has_a_narrow_beach),
                                       cmocka_unit_test(nothing_casts_shadows_under_water),
                                       cmocka_unit_test(an_image_has_its_colours),
                                       cmocka_unit_test(lakes_have_no_foam),
                                       cmocka_unit_test(lakes_fade_in)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
