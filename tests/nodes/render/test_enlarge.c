/* SPDX-License-Identifier: MIT */
/* A map enlarged cell by cell: Mitchell and Netravali's cubic over the four cells around, rows
 * first, as differences from the cell's own in the order of floats in which vectors do it. */
#include "render/kernels/enlarge.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 150, HEIGHT = 6, MOST = TW_ENLARGE_MAX * TW_ENLARGE_MAX }; /* wider than a piece */

static float from[WIDTH * HEIGHT], to[MOST * WIDTH * HEIGHT];

static float cell(int32_t x, int32_t y)
{
    x = x < 0 ? 0 : x < WIDTH ? x : WIDTH - 1;
    y = y < 0 ? 0 : y < HEIGHT ? y : HEIGHT - 1;
    return from[y * WIDTH + x];
}

static double cubic(double x)
{
    x = fabs(x);
    if (x < 1)
        return (7 * x * x * x - 12 * x * x + 16.0 / 3) / 6;
    return (-7.0 / 3 * x * x * x + 12 * x * x - 20 * x + 32.0 / 3) / 6;
}

/* A cell of the map, and the places of the three around that have a weight of their own: both
 * neighbours, and of a place right in the middle of a cell that to its east or south. */
struct around {
    int32_t own, beyond;
    float before, after, far;
};

static struct around find_around(int32_t at, int32_t factor)
{
    double place = (at % factor + 0.5) / factor - 0.5;
    int32_t beyond = place < 0 ? -2 : 2;
    return (struct around){at / factor, beyond, (float)cubic(-1 - place), (float)cubic(1 - place),
                           (float)cubic(beyond - place)};
}

/* What the middle one of five cells changes by. */
static float blend(const struct around *a, const float *cells)
{
    float own = cells[2];
    return (a->before * (cells[1] - own) + a->after * (cells[3] - own)) +
           a->far * (cells[2 + a->beyond] - own);
}

static float plain(int32_t x, int32_t y, int32_t factor, float datum, float scale)
{
    struct around across = find_around(x, factor), down = find_around(y, factor);
    float row[5], column[5];
    if (factor == 1)
        return (cell(x, y) - datum) * scale;
    for (int i = 0; i < 5; i++) {
        for (int k = 0; k < 5; k++)
            column[k] = cell(across.own + i - 2, down.own + k - 2);
        row[i] = (column[2] - datum) + blend(&down, column);
    }
    return (row[2] + blend(&across, row)) * scale;
}

static void fill(void)
{
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        from[i] = tw_uniform(tw_random(3, i, 0, 0, 0).at[0]) - 0.25f;
}

static enum tw_status compare(struct tw_task *task)
{
    fill();
    for (int32_t factor = 1; factor <= TW_ENLARGE_MAX; factor++) {
        tw_enlarge(task, from, WIDTH, HEIGHT, factor, 0.0625f, 1.75f, to);
        for (int32_t y = 0; y < HEIGHT * factor; y++)
            for (int32_t x = 0; x < WIDTH * factor; x++) {
                float expected = plain(x, y, factor, 0.0625f, 1.75f);
                probe_require(memcmp(&to[y * WIDTH * factor + x], &expected, sizeof expected) == 0);
            }
    }
    return TW_OK;
}

static void equals_the_plain_loop(void **state)
{
    (void)state;
    probe_run(compare, WIDTH, HEIGHT, 1);
    probe_run(compare, WIDTH, HEIGHT, 3);
}

/* Of any size, height and factor: weights and sums of floats are not exact. */
static enum tw_status check_level(struct tw_task *task)
{
    static const float heights[] = {0.3f, 1.0f / 3, 12345.678f, 1e6f, -7.77f, 1e-30f, 1e30f};
    for (int32_t i = 0; i < 7; i++)
        for (int32_t side = 1; side <= HEIGHT; side++)
            for (int32_t factor = 1; factor <= TW_ENLARGE_MAX; factor++) {
                int32_t width = side == HEIGHT ? WIDTH : side;
                for (int32_t k = 0; k < width * side; k++)
                    from[k] = heights[i];
                tw_enlarge(task, from, width, side, factor, 0, 76.8f, to);
                for (int32_t k = 0; k < width * side * factor * factor; k++)
                    probe_require(to[k] == heights[i] * 76.8f);
            }
    return TW_OK;
}

/* Further than two cells from the only one that is higher or lower. */
static enum tw_status check_single(struct tw_task *task)
{
    for (int32_t factor = 1; factor <= TW_ENLARGE_MAX; factor++)
        for (int32_t x = 0; x < WIDTH; x += 29) {
            for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
                from[i] = 0.3f;
            from[2 * WIDTH + x] = x % 2 ? 0.31f : -5;
            tw_enlarge(task, from, WIDTH, HEIGHT, factor, 0, 3, to);
            for (int32_t i = 0; i < WIDTH * factor * HEIGHT * factor; i++)
                if (abs(i % (WIDTH * factor) / factor - x) > 2 ||
                    abs(i / (WIDTH * factor) / factor - 2) > 2)
                    probe_require(to[i] == 0.3f * 3);
        }
    return TW_OK;
}

/* A slope of a step of a float in a cell, a million above 0, is even at a datum near to it. */
static enum tw_status check_datum(struct tw_task *task)
{
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++)
        from[i] = 1e6f + 0.0625f * (float)(i % WIDTH);
    probe_require(tw_enlarge_datum(from, 1e-6f) == 0 && tw_enlarge_datum(from, 2e-6f) == 1e6f);
    tw_enlarge(task, from, WIDTH, HEIGHT, 4, 1e6f, 64, to);
    for (int32_t x = 8; x < (WIDTH - 2) * 4; x++)
        probe_require(fabsf(to[x] - (float)x - -1.5f) < 1e-3f);
    from[0] = -1e6f;
    probe_require(tw_enlarge_datum(from, 1) == -1e6f);
    return TW_OK;
}

static void level_ground_stays_level(void **state)
{
    (void)state;
    probe_run(check_level, WIDTH, HEIGHT, 1);
    probe_run(check_single, WIDTH, HEIGHT, 1);
}

static void steps_far_from_0_are_slopes(void **state)
{
    (void)state;
    probe_run(check_datum, WIDTH, HEIGHT, 1);
}

static double between(double a, double b, double share) { return a + (b - a) * share; }

/* Reads of any length from anywhere. */
static void reading_is_bilinear(void **state)
{
    (void)state;
    fill();
    for (int32_t factor = 1; factor <= TW_ENLARGE_MAX; factor++)
        for (int32_t y = 0; y < HEIGHT * factor; y++)
            for (int32_t x = y; x < WIDTH * factor; x += 97) {
                int32_t left = WIDTH * factor - x, count = left < 256 ? left : 256;
                tw_enlarge_read(from, WIDTH, HEIGHT, factor, y, x, count, to);
                for (int32_t i = 0; i < count; i++) {
                    double u = (x + i + 0.5) / factor - 0.5, v = (y + 0.5) / factor - 0.5;
                    int32_t west = (int32_t)floor(u), north = (int32_t)floor(v);
                    double upper =
                        between((double)cell(west, north), (double)cell(west + 1, north), u - west);
                    double lower = between((double)cell(west, north + 1),
                                           (double)cell(west + 1, north + 1), u - west);
                    double expected = between(upper, lower, v - north);
                    assert_true(fabs((double)to[i] - expected) < 2e-5);
                }
            }
}

/* The least that makes the map seven eighths as wide as the picture, or as wide as it may be. */
static void factors_fit_the_picture(void **state)
{
    (void)state;
    for (int32_t side = 1; side < 3000; side += 7)
        for (int32_t picture = 1; picture < 4000; picture += 61) {
            int32_t factor = tw_enlarge_factor(side, 1, picture);
            assert_int_equal(tw_enlarge_factor(1, side, picture), factor);
            assert_in_range(factor, 1, TW_ENLARGE_MAX);
            assert_true(factor == TW_ENLARGE_MAX || 8 * side * factor >= 7 * picture);
            assert_true(factor == 1 || 8 * side * (factor - 1) < 7 * picture);
        }
    assert_int_equal(tw_enlarge_factor(875, 7, 1000), 1);
    assert_int_equal(tw_enlarge_factor(INT32_MAX, INT32_MAX, INT32_MAX), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_loop), cmocka_unit_test(level_ground_stays_level),
        cmocka_unit_test(steps_far_from_0_are_slopes), cmocka_unit_test(reading_is_bilinear),
        cmocka_unit_test(factors_fit_the_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
