/* SPDX-License-Identifier: MIT */
/* A map enlarged cell by cell: Mitchell and Netravali's cubic over the four cells around, rows
 * first, in the order of floats in which vectors do it. */
#include "render/kernels/enlarge.h"
#include "support/probe.h"

#include <thalweg/kernel.h>

#include <math.h>

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

/* The four cells around a place, and what each weighs: of one that is right in the middle of a cell
 * those to its east and south. */
struct around {
    int32_t first;
    float weight[4];
};

static struct around find_around(int32_t at, int32_t factor)
{
    double place = (at % factor + 0.5) / factor - 0.5;
    struct around a = {place < 0 ? -2 : -1, {0}};
    for (int i = 0; i < 4; i++)
        a.weight[i] = (float)cubic(a.first + i - place);
    a.first += at / factor;
    return a;
}

static float blend(const struct around *a, const float *cells)
{
    const float *w = a->weight;
    return (w[0] * cells[0] + w[1] * cells[1]) + (w[2] * cells[2] + w[3] * cells[3]);
}

static float plain(int32_t x, int32_t y, int32_t factor, float scale)
{
    struct around across = find_around(x, factor), down = find_around(y, factor);
    float row[4], column[4];
    if (factor == 1)
        return cell(x, y) * scale;
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++)
            column[k] = cell(across.first + i, down.first + k);
        row[i] = blend(&down, column);
    }
    return blend(&across, row) * scale;
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
        tw_enlarge(task, from, WIDTH, HEIGHT, factor, 1.75f, to);
        for (int32_t y = 0; y < HEIGHT * factor; y++)
            for (int32_t x = 0; x < WIDTH * factor; x++) {
                float expected = plain(x, y, factor, 1.75f);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_plain_loop),
                                       cmocka_unit_test(reading_is_bilinear),
                                       cmocka_unit_test(factors_fit_the_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
