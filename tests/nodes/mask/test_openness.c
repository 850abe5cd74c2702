/* SPDX-License-Identifier: MIT */
#include "support/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 65, CELLS = SIDE * SIDE, MIDDLE = SIDE / 2 * SIDE + SIDE / 2 };

static float cells[CELLS];
static const struct tw_value map = {TW_HEIGHTMAP, SIDE, SIDE, cells};
static const double pi = 3.141592653589793;

/* ---- the definition: rays by trigonometry, angles by arcs ---- */

static bool height_at(const struct tw_value *from, int x, int y, bool wrap, double *z)
{
    int w = from->width, h = from->height;
    if (!wrap && (x < 0 || y < 0 || x >= w || y >= h))
        return false;
    *z = (double)tw_floats(from)[(y % h + h) % h * w + (x % w + w) % w];
    return true;
}

/* Greatest and least angle of elevation in a direction, in degrees. */
static void look(const struct tw_value *from, int x, int y, double degrees, double reach,
                 double exaggeration, bool wrap, double angles[2])
{
    double east = sin(degrees * pi / 180), south = -cos(degrees * pi / 180), here = 0;
    double step = 1 / fmax(fabs(east), fabs(south));
    bool seen = false;
    height_at(from, x, y, wrap, &here);
    angles[0] = angles[1] = 0;
    for (int k = 1; k == 1 || k * step <= reach + 1e-9; k++) {
        double px = k * step * east, py = k * step * south, a, b;
        double fx = fabs(px - round(px)) < 1e-9 ? 0 : px - floor(px);
        double fy = fabs(py - round(py)) < 1e-9 ? 0 : py - floor(py);
        int ix = fx > 0 ? (int)floor(px) : (int)round(px);
        int iy = fy > 0 ? (int)floor(py) : (int)round(py);
        if (!height_at(from, x + ix, y + iy, wrap, &a) ||
            !height_at(from, x + ix + (fx > 0), y + iy + (fy > 0), wrap, &b))
            continue;
        double rise = (a + (b - a) * (fx > 0 ? fx : fy) - here) * exaggeration * from->width;
        double angle = atan2(rise, k * step) * 180 / pi;
        angles[0] = !seen || angle > angles[0] ? angle : angles[0];
        angles[1] = !seen || angle < angles[1] ? angle : angles[1];
        seen = true;
    }
}

static void equals_the_definition(void **state)
{
    static const char *const kinds[] = {"sky", "positive", "negative"};
    const int32_t sizes[][2] = {{1, 1}, {1, 12}, {12, 1}, {31, 22}, {300, 5}};
    (void)state;
    for (int i = 0; i < 30; i++) {
        struct tw_value from = harness_terrain(sizes[i % 5][0], sizes[i % 5][1], 6);
        int kind = i / 5 % 3, count = i % 2 ? 16 : 7;
        bool wrap = i / 15;
        char node[300];
        snprintf(node, sizeof node,
                 "type: mask.openness, in: in, kind: %s, radius: 0.21, directions: %d, border: %s",
                 kinds[kind], count, wrap ? "wrap" : "closed");
        struct tw_value value = symmetry_run(&from, node, "value");
        for (int k = 0; k<from.width * from.height; k += from.width> 99 ? 37 : 1) {
            double sum = 0, angles[2];
            for (int d = 0; d < count; d++) {
                look(&from, k % from.width, k / from.width, 360.0 * d / count, 0.21 * from.width,
                     (double)0.15f, wrap, angles);
                sum += kind == 0   ? sin(fmax(angles[0], 0) * pi / 180)
                       : kind == 1 ? 90 - angles[0]
                                   : 90 + angles[1];
            }
            double expected = kind == 0 ? 1 - sum / count : sum / count;
            double found = (double)tw_floats(&value)[k];
            if (!(fabs(found - expected) < 2e-5 * (1 + fabs(expected))))
                fail_msg("%d, cell %d: %g, not %g", i, k, found, expected);
        }
        free(value.data);
        free(from.data);
    }
}

/* Degrees between two directions. */
static double away(double a, double b)
{
    double turn = fmod(fabs(a - b), 360);
    return fmin(turn, 360 - turn);
}

static void compare_sector(const struct tw_value *from, double azimuth, double sector, int count,
                           bool wrap)
{
    char node[300];
    snprintf(node, sizeof node,
             "type: mask.openness, in: in, kind: positive, radius: 0.21, directions: %d, "
             "azimuth: %g, sector: %g, border: %s",
             count, azimuth, sector, wrap ? "wrap" : "closed");
    struct tw_value value = symmetry_run(from, node, "value");
    for (int k = 0; k < from->width * from->height; k++) {
        double sum = 0, angles[2];
        int used = 0;
        for (int d = 0; d < count; d++) {
            if (away(360.0 * d / count, azimuth) > sector / 2 + 1e-6)
                continue;
            look(from, k % from->width, k / from->width, 360.0 * d / count, 0.21 * from->width,
                 (double)0.15f, wrap, angles);
            sum += 90 - angles[0];
            used++;
        }
        double expected = sum / used, found = (double)tw_floats(&value)[k];
        if (!(fabs(found - expected) < 2e-5 * (1 + fabs(expected))))
            fail_msg("azimuth %g, sector %g, cell %d: %g, not %g", azimuth, sector, k, found,
                     expected);
    }
    free(value.data);
}

static void a_sector_takes_its_directions_only(void **state)
{
    const double sectors[][2] = {{270, 30}, {0, 30},      {360, 45},   {281.25, 22.5},
                                 {90, 0},   {200, 359.9}, {112.6, 90}, {14.4, 14.4}};
    (void)state;
    for (int i = 0; i < 32; i++) {
        const double *sector = sectors[i % 8];
        struct tw_value from =
            harness_terrain(i / 8 == 3 ? 1 : 19, i / 8 == 2 ? 1 : 26, (uint64_t)i);
        compare_sector(&from, sector[0], sector[1], i % 8 == 7 ? 50 : 16, i / 8 % 2);
        free(from.data);
    }
    struct tw_value from = harness_terrain(19, 26, 2);
    struct tw_value all = symmetry_run(&from, "type: mask.openness, in: in", "value");
    struct tw_value whole =
        symmetry_run(&from, "type: mask.openness, in: in, azimuth: 77, sector: 360", "value");
    harness_same(&whole, tw_floats(&all));
    free(all.data);
    free(whole.data);
    free(from.data);
}

/* Winstral's shelter in a west wind: the slope up to a ridge from the lee, below 0 on the ridge. */
static void a_sector_towards_the_wind_is_its_shelter(void **state)
{
    (void)state;
    for (int i = 0; i < CELLS; i++)
        cells[i] = i % SIDE == 20 ? 8.0f / SIDE : 0;
    struct tw_value value = symmetry_run(
        &map,
        "type: mask.openness, in: in, kind: positive, radius: 0.5, directions: 60, exaggeration: "
        "1, azimuth: 270, sector: 30, border: closed",
        "value");
    for (int x = 21; x < 40; x++) {
        double mean = 0;
        for (int k = -2; k <= 2; k++)
            mean += atan(8.0 / (x - 20) * cos(k * pi / 30)) * 180 / pi / 5;
        assert_true(fabs(90 - (double)tw_floats(&value)[30 * SIDE + x] - mean) < 1e-3);
    }
    assert_true(tw_floats(&value)[30 * SIDE + 20] > 90);
    assert_true(tw_floats(&value)[30 * SIDE + 10] == 90);
    free(value.data);
}

static void a_sector_without_a_direction_is_an_error(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(&(struct harness){
        .nodes = "in: {type: noise.perlin}\n"
                 "out: {type: mask.openness, in: in, azimuth: 11, sector: 20}\n"});
    assert_non_null(strstr(error.message, "sector"));
    assert_non_null(strstr(error.message, "directions"));
}

static double middle_of(const char *kind, int directions)
{
    char node[200];
    snprintf(node, sizeof node,
             "type: mask.openness, in: in, kind: %s, radius: 0.4, directions: %d, exaggeration: 1, "
             "border: closed",
             kind, directions);
    struct tw_value value = symmetry_run(&map, node, "value");
    double found = (double)tw_floats(&value)[MIDDLE];
    free(value.data);
    return found;
}

static void fill_cone(float sign)
{
    for (int i = 0; i < CELLS; i++)
        cells[i] = sign * hypotf((float)(i % SIDE - SIDE / 2), (float)(i / SIDE - SIDE / 2)) / SIDE;
}

static void knows_a_cone(void **state)
{
    (void)state;
    fill_cone(1); /* a pit of 45 degrees */
    assert_true(fabs(middle_of("sky", 8) - (1 - sqrt(0.5))) < 1e-5);
    assert_true(fabs(middle_of("positive", 8) - 45) < 1e-4);
    assert_true(fabs(middle_of("negative", 8) - 135) < 1e-4);
    assert_true(fabs(middle_of("positive", 16) - 43.9) < 0.1);
    fill_cone(-1);
    assert_true(middle_of("sky", 16) == 1);
    assert_true(fabs(middle_of("positive", 8) - 135) < 1e-4);
}

static void knows_a_plane(void **state)
{
    double sum = 0;
    (void)state;
    for (int i = 0; i < CELLS; i++)
        cells[i] = 0.7f * (float)(i % SIDE) / SIDE;
    for (int d = 0; d < 16; d++)
        sum += sin(atan(fmax(0, 0.7 * sin(d * pi / 8)))) / 16;
    assert_true(fabs(middle_of("sky", 16) - (1 - sum)) < 1e-5);
}

static void below_is_above_upside_down(void **state)
{
    struct tw_value from = harness_terrain(SIDE, SIDE, 3);
    struct tw_value above =
        symmetry_run(&from, "type: mask.openness, in: in, kind: positive", "out");
    (void)state;
    for (int i = 0; i < CELLS; i++)
        cells[i] = -tw_floats(&from)[i];
    struct tw_value below =
        symmetry_run(&map, "type: mask.openness, in: in, kind: negative", "out");
    harness_same(&below, tw_floats(&above));
    free(above.data);
    free(below.data);
    free(from.data);
}

static void reaches_the_decimal_that_is_written(void **state)
{
    (void)state;
    symmetry_reaches("mask.openness", "value");
}

static void turns_and_rolls_with_the_map(void **state)
{
    (void)state;
    symmetry_turns("type: mask.openness, in: in, border: closed", "value", 1e-6, 0);
    symmetry_rolls("type: mask.openness, in: in, radius: 0.4, border: wrap", "value", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_definition),
                                       cmocka_unit_test(a_sector_takes_its_directions_only),
                                       cmocka_unit_test(a_sector_towards_the_wind_is_its_shelter),
                                       cmocka_unit_test(a_sector_without_a_direction_is_an_error),
                                       cmocka_unit_test(knows_a_cone),
                                       cmocka_unit_test(knows_a_plane),
                                       cmocka_unit_test(below_is_above_upside_down),
                                       cmocka_unit_test(reaches_the_decimal_that_is_written),
                                       cmocka_unit_test(turns_and_rolls_with_the_map)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
