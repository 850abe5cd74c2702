/* SPDX-License-Identifier: MIT */
/* Blurs of a few cells: the bytes of sums that are written out cell by cell. */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REACH = 12, TAPS = 2 * REACH + 1 };

/* One of the three boxes. */
struct box {
    int32_t radius;
    double alpha, scale;
};

static struct box box_of(double sigma)
{
    const double v = sigma * sigma / 3;
    struct box box = {0};
    while ((box.radius + 1) * (box.radius + 2) <= 3 * v)
        box.radius++;
    const double r = box.radius;
    box.alpha = (2 * r + 1) * (3 * v - r * (r + 1)) / (6 * ((r + 1) * (r + 1) - v));
    box.scale = 1 / (2 * r + 1 + 2 * box.alpha);
    return box;
}

/* What cell i of a line takes of the cells from i - 12 to i + 12, by three boxes, of which each
 * repeats the last cell of what it is given. A torus is a line without an end. */
static void weigh(const struct box *box, int32_t n, int32_t i, bool wrap, double *window)
{
    double sums[4][200] = {{0}};
    if (wrap) {
        n = 200;
        i = 100;
    }
    const int32_t before = i < 60 ? 0 : i - 60; /* the part of a long line that matters */
    n -= before;
    i -= before;
    sums[0][i] = 1;
    for (int pass = 0; pass < 3; pass++)
        for (int32_t at = 0; at < n && at < 190; at++)
            for (int32_t k = -box->radius - 1; k <= box->radius + 1; k++)
                sums[pass + 1][tw_clamp_index(at + k, n)] +=
                    sums[pass][at] * (abs(k) > box->radius ? box->alpha : 1.0) * box->scale;
    for (int32_t k = -REACH; k <= REACH; k++)
        window[k + REACH] = i + k >= 0 && i + k < n ? sums[3][i + k] : 0;
}

/* A cell of a line that lies in `cells` from 12 before it on. */
static float blur_cell(const struct box *box, int32_t n, int32_t i, bool wrap, const float *cells)
{
    const int32_t reach = 3 * (box->radius + 1);
    const float *x = cells + REACH;
    double window[TAPS];
    float sum = 0;
    weigh(box, n, i, wrap, window);
    if (wrap || (i >= reach && i < n - reach))
        for (int32_t k = 1; k <= reach; k++)
            sum += (float)window[REACH + k] * ((x[-k] + x[k]) - 2 * x[0]);
    else
        for (int32_t k = -reach; k <= reach; k++)
            sum += (float)window[REACH + k] * (x[k] - x[0]);
    return x[0] + sum;
}

static int32_t place(int32_t i, int32_t n, bool wrap)
{
    return wrap ? tw_wrap(i, n) : tw_clamp_index(i, n);
}

/* In double and rounded once. */
static float blur_exactly(const struct box *box, const struct tw_value *map, int32_t x, int32_t y,
                          bool wrap)
{
    double row[TAPS], column[TAPS], middle = 0, sum = 0;
    weigh(box, map->width, x, wrap, row);
    weigh(box, map->height, y, wrap, column);
    for (int round = 0; round < 2; round++) /* the cell's own column first */
        for (int32_t i = -REACH; i <= REACH; i++) {
            const float *at = tw_floats(map) + place(x + (round ? i : 0), map->width, wrap);
            const double own = (double)at[y * map->width];
            double cell = own;
            for (int32_t k = -REACH; k <= REACH; k++)
                cell += column[k + REACH] *
                        ((double)at[place(y + k, map->height, wrap) * map->width] - own);
            if (!round)
                sum = middle = cell;
            else
                sum += row[i + REACH] * (cell - middle);
        }
    return (float)sum;
}

/* Columns first; rows that overflow in float once more. */
static void blur(const struct tw_value *map, double sigma, bool wrap, float *out)
{
    const struct box box = box_of(sigma);
    const int32_t w = map->width, h = map->height;
    float *line = calloc((size_t)w, sizeof *line), around[TAPS];
    assert_non_null(line);
    for (int32_t y = 0; y < h; y++) {
        bool finite = true;
        for (int32_t x = 0; x < w; x++) {
            for (int32_t k = -REACH; k <= REACH; k++)
                around[k + REACH] = tw_floats(map)[place(y + k, h, wrap) * w + x];
            line[x] = blur_cell(&box, h, y, wrap, around);
        }
        for (int32_t x = 0; x < w; x++) {
            for (int32_t k = -REACH; k <= REACH; k++)
                around[k + REACH] = line[place(x + k, w, wrap)];
            out[y * w + x] = blur_cell(&box, w, x, wrap, around);
            finite = finite && fabsf(out[y * w + x]) <= FLT_MAX;
        }
        for (int32_t x = 0; x < w && !finite; x++)
            out[y * w + x] = blur_exactly(&box, map, x, y, wrap);
    }
    free(line);
}

/* Twice in a run: the last of both may work in place. */
static void expect_sums(const struct tw_value *map, double cells, bool wrap)
{
    char nodes[400];
    const char *border = wrap ? "wrap" : "clamp";
    const double sigma = (double)(float)(cells / map->width) * map->width;
    float *expected = calloc(tw_value_count(map), sizeof *expected);
    assert_non_null(expected);
    snprintf(nodes, sizeof nodes,
             "\"a\": {type: test.map}\n"
             "first: {type: shape.blur, in: a, radius: %.9g, border: %s}\n"
             "out: {type: shape.blur, in: a, radius: %.9g, border: %s}\n",
             (double)(float)(cells / map->width), border, (double)(float)(cells / map->width),
             border);
    harness_give(0, map);
    blur(map, sigma, wrap, expected);
    for (int i = 0; i < 3; i++) {
        struct tw_result *result = harness_run(&(struct harness){.width = map->width,
                                                                 .height = map->height,
                                                                 .nodes = nodes,
                                                                 .threads = 1 + i % 2,
                                                                 .simd = everywhere_levels[i]});
        harness_same(tw_result_output(result, "first"), expected);
        harness_same(tw_result_output(result, "out"), expected);
        tw_result_release(result);
    }
    free(expected);
}

/* Heights that differ by powers of ten: the last bits of sums depend on their order. */
static void expect_sums_of_rough_ground(int32_t width, int32_t height, double cells)
{
    struct tw_value map = harness_terrain(width, height, 6);
    for (int32_t i = 0; i < width * height; i++)
        tw_floats(&map)[i] = ldexpf(tw_floats(&map)[i], i / 5 % 17 * 3);
    for (int wrap = 0; wrap < 2; wrap++)
        expect_sums(&map, cells < width ? cells : width, wrap);
    free(map.data);
}

/* Lines of every length up to 40, kernels far wider than the map, and as wide as it. */
static void every_size_gives_the_bytes_of_sums(void **state)
{
    const double sigmas[] = {0.3, 1, 2, 3.1, 4, 4.47};
    (void)state;
    for (int32_t n = 1; n <= 40; n += SANITIZED ? 3 : 1) {
        expect_sums_of_rough_ground(n, 41 - n, sigmas[n % 6]);
        expect_sums_of_rough_ground(n, 11, sigmas[(n + 1) % 6]);
        expect_sums_of_rough_ground(19, n, sigmas[(n + 2) % 6]);
    }
}

/* Vectors side by side, and what they leave over. */
static void wide_maps_give_the_bytes_of_sums(void **state)
{
    const int32_t widths[] = {64, 80, 127, 128, 129, 192, 208};
    (void)state;
    for (int i = 0; i < 7; i += SANITIZED ? 3 : 1) {
        expect_sums_of_rough_ground(widths[i], 33, 2);
        expect_sums_of_rough_ground(widths[i], 70, 4);
    }
}

/* Sums of two heights overflow, and differences do; a row that does not keeps its bytes. */
static void the_greatest_heights_stay_finite(void **state)
{
    (void)state;
    for (int32_t width = 40; width < 72; width += 8)
        for (int wrap = 0; wrap < 2; wrap++) {
            struct tw_value map = harness_terrain(width, 60, 6);
            for (int32_t i = 20 * width; i < 30 * width; i++)
                tw_floats(&map)[i] = i % 3 == 0 ? -FLT_MAX : FLT_MAX;
            expect_sums(&map, 2, wrap);
            expect_sums(&map, 4, wrap);
            free(map.data);
        }
}

static void a_flat_map_stays_flat(void **state)
{
    const float heights[] = {0, 0.3f, -8848.86f, FLT_MAX, -FLT_MAX, FLT_TRUE_MIN};
    (void)state;
    for (int i = 0; i < 6; i++)
        for (int wrap = 0; wrap < 2; wrap++) {
            char nodes[200];
            struct tw_value map = harness_terrain(50, 45, 6);
            for (int32_t k = 0; k < 50 * 45; k++)
                tw_floats(&map)[k] = heights[i];
            harness_give(0, &map);
            snprintf(nodes, sizeof nodes,
                     "\"a\": {type: test.map}\n"
                     "out: {type: shape.blur, in: a, radius: 0.06, border: %s}\n",
                     wrap ? "wrap" : "clamp");
            everywhere((struct harness){.width = 50, .height = 45, .nodes = nodes}, "out",
                       tw_floats(&map));
            free(map.data);
        }
}

/* High ground of a gentle slope, against sums in double: in units in the last place. */
static void high_ground_is_rounded_once(void **state)
{
    enum { SIDE = 96 };
    struct tw_value map = harness_terrain(SIDE, SIDE, 6);
    (void)state;
    for (int32_t i = 0; i < SIDE * SIDE; i++)
        tw_floats(&map)[i] += 8000 + 0.01f * (float)(i % SIDE);
    harness_give(0, &map);
    struct tw_result *result = harness_run(&(struct harness){
        .width = SIDE,
        .height = SIDE,
        .nodes = "\"a\": {type: test.map}\n"
                 "out: {type: shape.blur, in: a, radius: 0.0208, border: clamp}"});
    const float *out = tw_floats(tw_result_output(result, "out"));
    const struct box box = box_of((double)0.0208f * SIDE);
    double most = 0, squares = 0;
    for (int32_t y = 12; y < SIDE - 12; y++)
        for (int32_t x = 12; x < SIDE - 12; x++) {
            double row[TAPS], exact = 0;
            weigh(&box, SIDE, x, false, row);
            for (int32_t j = -REACH; j <= REACH; j++)
                for (int32_t k = -REACH; k <= REACH; k++)
                    exact += row[j + REACH] * row[k + REACH] *
                             (double)tw_floats(&map)[(y + j) * SIDE + x + k];
            const double error = fabs((double)out[y * SIDE + x] - exact) * 0x1p11;
            most = error > most ? error : most;
            squares += error * error / ((SIDE - 24.0) * (SIDE - 24.0));
        }
    print_message("units in the last place: %.3f rms, %.3f at most\n", sqrt(squares), most);
    assert_true(most < 1.3 && sqrt(squares) < 0.36);
    tw_result_release(result);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_size_gives_the_bytes_of_sums),
                                       cmocka_unit_test(wide_maps_give_the_bytes_of_sums),
                                       cmocka_unit_test(the_greatest_heights_stay_finite),
                                       cmocka_unit_test(a_flat_map_stays_flat),
                                       cmocka_unit_test(high_ground_is_rounded_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
