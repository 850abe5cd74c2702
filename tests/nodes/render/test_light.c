/* SPDX-License-Identifier: MIT */
/* Shadows, sky, tone and the sun against plain references in double precision. */
#include "render/kernels/enlarge.h"
#include "render/kernels/shadow_sweep.h"
#include "render/kernels/sky_view.h"
#include "render/kernels/sun.h"
#include "render/kernels/tone.h"
#include "support/probe.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 61, HEIGHT = 47, WIDE = 1040, FLAT = 6 };
_Static_assert(WIDE *FLAT > WIDTH * HEIGHT, "the larger map");
static const double degree = 3.14159265358979323846 / 180;

static float z[WIDE * FLAT];
static double azimuth, altitude, softness, sea;

static double height_at(int32_t x, int32_t y)
{
    x = x < 0 ? 0 : x >= WIDTH ? WIDTH - 1 : x;
    y = y < 0 ? 0 : y >= HEIGHT ? HEIGHT - 1 : y;
    return fmax((double)z[y * WIDTH + x], sea);
}

/* The border of the shadow of one sun above a cell: the greatest height towards it, less what the
 * ray has fallen, found by recursion from cell to cell. */

static double reference_sun(int32_t x, int32_t y, double az, double alt)
{
    double east = sin(az * degree), south = -cos(az * degree);
    bool by_row = fabs(sin(azimuth * degree)) <= fabs(cos(azimuth * degree));
    double along = fabs(by_row ? south : east), across = (by_row ? east : south) / along;
    across = fmin(fmax(across, -1), 1);
    double drop = tan(alt * degree) * sqrt(1 + across * across);
    int32_t step = (by_row ? cos(azimuth * degree) > 0 : sin(azimuth * degree) < 0) ? -1 : 1;
    int32_t begin = by_row ? (step < 0 ? 0 : HEIGHT - 1) : (step < 0 ? 0 : WIDTH - 1);
    int32_t here = by_row ? y : x, wide = by_row ? WIDTH : HEIGHT;
    double row[128], next[128];
    for (int32_t i = 0; i < wide; i++)
        row[i] = by_row ? height_at(i, begin) : height_at(begin, i);
    if (here == begin)
        return -1e9;
    for (int32_t at = begin - step;; at -= step) {
        for (int32_t i = 0; i < wide; i++) {
            int32_t side = i + (across < 0 ? -1 : 1);
            side = side < 0 ? 0 : side >= wide ? wide - 1 : side;
            double s = row[i] + (row[side] - row[i]) * fabs(across) - drop;
            if (at == here && i == (by_row ? x : y))
                return s;
            next[i] = fmax(by_row ? height_at(i, at) : height_at(at, i), s);
        }
        memcpy(row, next, sizeof row);
    }
}

static double reference_shadow(int32_t x, int32_t y)
{
    double sum = 0;
    for (int sun = 0; sun < 9; sun++) {
        double aside = (sun / 3 - 1) * softness;
        double alt = altitude + (sun % 3 - 1) * 0.8 * softness + 0.25 * aside;
        double s = reference_sun(x, y, azimuth + aside / fmax(cos(altitude * degree), 0.05), alt);
        sum += fmin(fmax((height_at(x, y) - s) / 0.8 + 0.6, 0), 1);
    }
    return sum / 9;
}

static enum tw_status check_shadow(struct tw_task *task)
{
    static uint8_t lit[WIDTH * HEIGHT];
    struct tw_shadow_sweep sweep = {z, WIDTH, HEIGHT, (float)sea, azimuth, altitude, softness};
    int dark = 0;
    probe_require(tw_shadow_sweep_cast(task, &sweep, lit) == TW_OK);
    for (int32_t y = 0; y < HEIGHT; y++)
        for (int32_t x = 0; x < WIDTH; x++) {
            double expected = 255 * reference_shadow(x, y);
            dark += expected < 100;
            if (fabs(expected - lit[y * WIDTH + x]) > 2)
                return tw_task_fail(task, "%g/%g at %d, %d: %d, expected %g", azimuth, altitude,
                                    (int)x, (int)y, lit[y * WIDTH + x], expected);
        }
    probe_require(dark > 20);
    return TW_OK;
}

static void shadows_are_those_of_nine_suns(void **state)
{
    const double suns[][4] = {
        {300, 28, 1.2, -1e6}, {10, 15, 0.7, 30}, {100, 40, 4, -1e6}, {225.5, 20, 1.2, 45}};
    struct tw_value terrain = harness_terrain(WIDTH, HEIGHT, 5);
    (void)state;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        z[i] = 90 * tw_floats(&terrain)[i];
    for (int i = 0; i < 4; i++) {
        azimuth = suns[i][0];
        altitude = suns[i][1];
        softness = suns[i][2];
        sea = suns[i][3];
        probe_run(check_shadow, WIDTH, HEIGHT, 1 + i % 2);
    }
    free(terrain.data);
}

/* A pole of 12 cells under a sun in the west at 45 degrees: 12 cells of shadow to the east. */
static enum tw_status check_pole(struct tw_task *task)
{
    static uint8_t lit[WIDTH * HEIGHT];
    struct tw_shadow_sweep sweep = {z, WIDTH, HEIGHT, -1e6f, 270, 45, 0.01};
    probe_require(tw_shadow_sweep_cast(task, &sweep, lit) == TW_OK);
    for (int32_t x = 21; x < 31; x++)
        probe_require(lit[20 * WIDTH + x] == 0);
    for (int32_t x = 34; x < WIDTH; x++)
        probe_require(lit[20 * WIDTH + x] == 255);
    for (int32_t x = 0; x <= 20; x++)
        probe_require(lit[20 * WIDTH + x] == 255);
    probe_require(lit[25 * WIDTH + 25] == 255);
    return TW_OK;
}

static void a_pole_casts_its_height_away_from_the_sun(void **state)
{
    (void)state;
    memset(z, 0, sizeof z);
    z[20 * WIDTH + 20] = 12;
    probe_run(check_pole, WIDTH, HEIGHT, 1);
}

static enum tw_status check_sky(struct tw_task *task)
{
    static const int32_t far[11] = {1, 2, 3, 5, 8, 12, 18, 28, 42, 64, 96};
    static const int level[11] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4};
    struct tw_scales s;
    struct tw_sky_view sky;
    probe_require(tw_scales_build(task, z, tw_task_width(task), tw_task_height(task), &s) == TW_OK);
    probe_require(tw_sky_view_find(task, &s, 300, &sky) == TW_OK);
    for (int32_t y = 0; y < s.height; y++)
        for (int32_t x = 0; x < s.width; x++) {
            double all = 0, sunward = 0;
            for (int a = 0; a < 16; a++) {
                double angle = 22.5 * (a + 0.5), horizon = 0;
                for (int d = 0; d < 11; d++) {
                    long px = x + lround(far[d] * sin(angle * degree));
                    long py = y + lround(-far[d] * cos(angle * degree));
                    if (px >= 0 && py >= 0 && px < s.width && py < s.height)
                        horizon = fmax(horizon, (double)(s.at[level[d]][py * s.width + px] -
                                                         s.at[0][y * s.width + x]) /
                                                    (2 * far[d]));
                }
                all += 1 / (1 + horizon * horizon);
                sunward += (1 + cos((angle - 300) * degree)) / (1 + horizon * horizon);
            }
            probe_require(fabs(all / 16 - (double)sky.all[y * s.width + x]) < 1e-4);
            probe_require(fabs(sunward / 16 - (double)sky.sunward[y * s.width + x]) < 1e-4);
        }
    return TW_OK;
}

static void sky_is_what_sixteen_horizons_leave(void **state)
{
    struct tw_value terrain = harness_terrain(WIDE, FLAT, 9);
    (void)state;
    for (int i = 0; i < WIDE * FLAT; i++)
        z[i] = 25 * tw_floats(&terrain)[i];
    probe_run(check_sky, WIDTH, HEIGHT, 2);
    probe_run(check_sky, WIDE, FLAT, 1); /* rows are done by 512 cells */
    probe_run(check_sky, 9, 90, 1);
    free(terrain.data);
}

static enum tw_status check_scales(struct tw_task *task)
{
    float row[WIDTH];
    struct tw_scales s;
    probe_require(tw_scales_build(task, z, WIDTH, HEIGHT, &s) == TW_OK);
    /* A plane stays one at every smoothness, away from the borders. */
    for (int i = 0; i < TW_SCALES; i++) {
        tw_scales_read(tw_task_simd(task), s.at[i], &s, 24, 0, WIDTH, row);
        for (int x = i < 3 ? 16 : 30; x < (i < 3 ? WIDTH - 17 : 31); x++)
            probe_require(fabsf(row[x] - z[24 * WIDTH + x]) < (i < 4 ? 1e-4f : 1.5f));
    }
    return TW_OK;
}

static void smoother_levels_keep_planes(void **state)
{
    (void)state;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        z[i] = 0.25f * (float)(i % WIDTH) - 0.5f * (float)(i / WIDTH);
    probe_run(check_scales, WIDTH, HEIGHT, 1);
}

static enum tw_status check_enlarge(struct tw_task *task)
{
    static float large[16 * WIDTH * HEIGHT];
    for (int32_t factor = 1; factor <= 4; factor++) {
        tw_enlarge(task, z, WIDTH, HEIGHT, factor, 0, 2, large);
        for (int32_t y = 3 * factor; y < (HEIGHT - 3) * factor; y++)
            for (int32_t x = 3 * factor; x < (WIDTH - 3) * factor; x++) {
                double px = (x + 0.5) / factor - 0.5, py = (y + 0.5) / factor - 0.5;
                double expected = 2 * (0.25 * px - 0.5 * py);
                probe_require(fabs(expected - (double)large[y * WIDTH * factor + x]) < 1e-4);
            }
    }
    return TW_OK;
}

/* Mitchell's cubic reproduces planes; the plane of the test before is still there. */
static void enlarging_keeps_planes(void **state)
{
    (void)state;
    probe_run(check_enlarge, WIDTH, HEIGHT, 1);
    assert_int_equal(tw_enlarge_factor(2048, 2048, 1920), 1);
    assert_int_equal(tw_enlarge_factor(1024, 512, 1920), 2);
    assert_int_equal(tw_enlarge_factor(512, 512, 1920), 4);
    assert_int_equal(tw_enlarge_factor(1, 1, 1920), 4);
}

static void functions_are_as_exact_as_they_say(void **state)
{
    (void)state;
    for (int i = -2000; i < 2000; i++) {
        float power = 0.0103f * (float)i, number = exp2f(power);
        assert_true(fabs((double)tw_fast_exp2(power) / exp2((double)power) - 1) < 3e-7);
        assert_true(fabs((double)tw_fast_log2(number) - log2((double)number)) < 3e-6);
    }
}

static void bytes_survive_linear_light(void **state)
{
    static struct tw_tone_tables tables;
    (void)state;
    tw_tone_tables_fill(&tables);
    for (int i = 0; i < 256; i++) {
        uint8_t back[3];
        float v = tables.decode[i];
        tw_tone_store(&tables, (struct tw_rgb){v, v, v}, back);
        assert_int_equal(back[0], i);
    }
    /* The curve rises, reaches 0.8 at 1 and never leaves 0..1. */
    float last = 0;
    for (int i = 0; i < 2000; i++) {
        float v = 0.01f * (float)i;
        struct tw_rgb c = tw_tone_map((struct tw_rgb){v, v, v}, 1);
        assert_true(c.r >= last && c.r <= 1);
        last = c.r;
    }
    assert_true(fabsf(tw_tone_map((struct tw_rgb){1, 1, 1}, 1).g - 0.8038f) < 1e-3f);
}

static void the_sun_is_white_high_up_and_red_low_down(void **state)
{
    double az, alt;
    (void)state;
    struct tw_sun high = tw_sun_at(180, 60, 1), low = tw_sun_at(180, 5, 1);
    struct tw_sun night = tw_sun_at(180, -30, 1);
    assert_true(fabsf(high.light.r - high.light.b) < 0.01f && fabsf(high.light.r - 3) < 0.01f);
    assert_true(low.light.r > 2 * low.light.b && low.light.r < high.light.r);
    assert_true(night.light.r == 0 && night.zenith.b > 0 && night.zenith.b < 0.1f);
    tw_sun_by_hour(12, &az, &alt);
    assert_true(fabs(az - 180) < 1e-6 && fabs(alt - 45) < 1e-6);
    tw_sun_by_hour(6, &az, &alt);
    assert_true(fabs(az - 90) < 1e-6 && fabs(alt) < 1e-6);
    tw_sun_by_hour(15, &az, &alt);
    assert_true(az > 220 && az < 250 && fabs(alt - 30) < 1e-6);
}

/* As at an equinox: up from 6 to 18, a bearing of 0 to 360 degrees that only grows from
 * midnight to midnight. */
static void the_sun_goes_round_in_a_day(void **state)
{
    double before = -1;
    (void)state;
    for (int minute = 0; minute < 24 * 60; minute++) {
        double az = -1, alt = -90;
        tw_sun_by_hour(minute / 60.0, &az, &alt);
        if (!(az >= 0 && az < 360 && az > before))
            fail_msg("%02d:%02d: azimuth %g after %g", minute / 60, minute % 60, az, before);
        assert_int_equal(alt > 0, minute > 6 * 60 && minute < 18 * 60);
        before = az;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shadows_are_those_of_nine_suns),
                                       cmocka_unit_test(a_pole_casts_its_height_away_from_the_sun),
                                       cmocka_unit_test(sky_is_what_sixteen_horizons_leave),
                                       cmocka_unit_test(smoother_levels_keep_planes),
                                       cmocka_unit_test(enlarging_keeps_planes),
                                       cmocka_unit_test(functions_are_as_exact_as_they_say),
                                       cmocka_unit_test(bytes_survive_linear_light),
                                       cmocka_unit_test(the_sun_is_white_high_up_and_red_low_down),
                                       cmocka_unit_test(the_sun_goes_round_in_a_day)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
