/* SPDX-License-Identifier: MIT */
/* Means on the way down, filters on the way back, against plain sums over all cells. */
#include "support/everywhere.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const methods[] = {"nearest", "bilinear", "cubic", "lanczos"};
enum { NEAREST, BILINEAR, CUBIC, LANCZOS, METHODS };

static struct tw_result *resample(const struct tw_value *map, const char *options)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes, "a: {type: test.map}\nout: {type: shape.resample, in: a, %s}",
             options);
    harness_give(0, map);
    return harness_run(
        &(struct harness){.width = map->width, .height = map->height, .nodes = nodes});
}

static struct tw_result *resample_by(const struct tw_value *map, double cell, int method, bool wrap)
{
    char options[100];
    snprintf(options, sizeof options, "cell: %.9g, method: %s, border: %s", cell, methods[method],
             wrap ? "wrap" : "closed");
    return resample(map, options);
}

/* ---- the plain sums ---- */

static double sinc(double x)
{
    const double pi = 3.14159265358979323846;
    return x == 0 ? 1 : sin(pi * x) / (pi * x);
}

/* Each by its own formula, at distance x from a cell. */
static double filter(int method, double x)
{
    const double a = fabs(x);
    switch (method) {
    case BILINEAR:
        return a < 1 ? 1 - a : 0;
    case CUBIC: /* Keys 1981, eq 15 */
        return a < 1   ? 1.5 * a * a * a - 2.5 * a * a + 1
               : a < 2 ? -0.5 * a * a * a + 2.5 * a * a - 4 * a + 2
                       : 0;
    default:
        return a < 3 ? sinc(x) * sinc(x / 3) : 0;
    }
}

/* How much of cell i of `fine` lies in cell c of `coarse`, in cells. */
static double overlap(int32_t i, int32_t c, int32_t fine, int32_t coarse)
{
    const double begin = (double)c * fine / coarse, end = (double)(c + 1) * fine / coarse;
    return fmax(0, fmin(end, i + 1.0) - fmax(begin, i));
}

/* How much cell k, which may lie beyond the border, is of cell c. */
static double part_of(int32_t k, int32_t c, int32_t coarse, bool wrap)
{
    const int32_t near = tw_clamp_index(k, coarse), inner = k < 0 ? 1 : coarse - 2;
    if (wrap)
        return tw_wrap(k, coarse) == c;
    if (near == k || coarse == 1)
        return near == c;
    return c == near ? 1 + abs(k - near) : c == inner ? -abs(k - near) : 0;
}

/* What Lanczos' sums lack so that a plane stays one: of distance d from the cell at `place`. */
static double correction(double place, double d)
{
    const int32_t first = (int32_t)floor(place) - 2;
    double all = 0, moment = 0, s[3] = {0};
    for (int32_t k = first; k < first + 6; k++) {
        const double x = k - place, w = pow(1 - x * x / 9, 2);
        all += filter(LANCZOS, x);
        moment += filter(LANCZOS, x) * x;
        s[0] += w;
        s[1] += w * x;
        s[2] += w * x * x;
    }
    return -moment / all / (s[2] - s[1] * s[1] / s[0]) * (d - s[1] / s[0]) * pow(1 - d * d / 9, 2);
}

/* How much cell i of `fine` takes of cell c of `coarse`. */
static double weight(int method, int32_t i, int32_t c, int32_t fine, int32_t coarse, bool wrap)
{
    const double place = (i + 0.5) * coarse / fine - 0.5;
    const int32_t cell = (int32_t)floor(place);
    double sum = 0, of_this = 0;
    if (method == NEAREST)
        return (int32_t)floor(place + 0.5) == c;
    for (int32_t k = cell - 2; k <= cell + 3; k++)
        sum += filter(method, place - k);
    for (int32_t k = cell - 2; k <= cell + 3; k++)
        of_this += (filter(method, place - k) / sum +
                    (method == LANCZOS ? correction(place, k - place) : 0)) *
                   part_of(k, c, coarse, wrap);
    return of_this;
}

static double expected(const struct tw_value *map, int32_t columns, int32_t rows, int method,
                       bool wrap, int32_t x, int32_t y)
{
    double all = 0;
    for (int32_t v = 0; v < rows; v++)
        for (int32_t u = 0; u < columns; u++) {
            const double share = weight(method, x, u, map->width, columns, wrap) *
                                 weight(method, y, v, map->height, rows, wrap);
            double sum = 0, area = 0;
            for (int32_t j = 0; share != 0 && j < map->height; j++)
                for (int32_t i = 0; i < map->width; i++) {
                    const double part =
                        overlap(i, u, map->width, columns) * overlap(j, v, map->height, rows);
                    sum += part * (double)tw_floats(map)[j * map->width + i];
                    area += part;
                }
            all += share != 0 ? share * sum / area : 0;
        }
    return all;
}

static void is_the_plain_sum(void **state)
{
    static const struct {
        int32_t width, height;
        double cell;
        int32_t columns, rows;
    } rows[] = {{24, 24, 0.25, 4, 4},  {23, 17, 0.2, 5, 4}, {29, 8, 0.05, 20, 6},
                {8, 30, 0.125, 8, 30}, {9, 9, 0.7, 1, 1},   {30, 1, 0.1, 10, 1},
                {1, 30, 1, 1, 30},     {31, 13, 0.33, 3, 1}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int method = 0; method < METHODS; method++)
            for (int wrap = 0; wrap < 2; wrap++) {
                struct tw_value map = harness_terrain(rows[r].width, rows[r].height, 3);
                struct tw_result *result = resample_by(&map, rows[r].cell, method, wrap);
                const float *out = tw_floats(tw_result_output(result, "out"));
                for (int32_t i = 0; i < map.width * map.height; i++) {
                    const double e = expected(&map, rows[r].columns, rows[r].rows, method, wrap,
                                              i % map.width, i / map.width);
                    if (fabs((double)out[i] - e) > 2e-6)
                        fail_msg("%s at %.3g, cell %d of %d x %d: %.9g; expected %.9g",
                                 methods[method], rows[r].cell, (int)i, (int)map.width,
                                 (int)map.height, (double)out[i], e);
                }
                tw_result_release(result);
                free(map.data);
            }
}

/* ---- what recipes rely on ---- */

static void finer_cells_than_the_map_has_change_nothing(void **state)
{
    const int32_t sizes[][2] = {{1, 1}, {1, 7}, {9, 1}, {129, 65}, {64, 64}};
    (void)state;
    for (int i = 0; i < 5; i++)
        for (int method = 0; method < METHODS; method++) {
            struct tw_value map = harness_terrain(sizes[i][0], sizes[i][1], 1);
            struct tw_result *result = resample_by(&map, 0.001, method, true);
            harness_same(tw_result_output(result, "out"), tw_floats(&map));
            tw_result_release(result);
            free(map.data);
        }
}

static void blocks_are_as_high_as_what_they_cover(void **state)
{
    struct tw_value map = harness_terrain(64, 32, 1);
    struct tw_result *result = resample(&map, "cell: 0.125, method: nearest");
    const float *in = tw_floats(&map), *out = tw_floats(tw_result_output(result, "out"));
    (void)state;
    for (int by = 0; by < 32; by += 8)
        for (int bx = 0; bx < 64; bx += 8) {
            double sum = 0;
            for (int i = 0; i < 64; i++) {
                sum += (double)in[(by + i / 8) * 64 + bx + i % 8];
                assert_true(out[(by + i / 8) * 64 + bx + i % 8] == out[by * 64 + bx]);
            }
            assert_true(fabs(sum / 64 - (double)out[by * 64 + bx]) < 1e-7);
        }
    tw_result_release(result);
    free(map.data);
}

/* Few coarse cells of long rows, which poll for cancellation within a cell. */
static void long_rows_have_their_mean(void **state)
{
    struct tw_value map = harness_terrain(9000, 3, 1);
    struct tw_result *result = resample(&map, "cell: 0.5, method: nearest");
    const float *in = tw_floats(&map), *out = tw_floats(tw_result_output(result, "out"));
    double sum[2] = {0};
    (void)state;
    for (int i = 0; i < 27000; i++)
        sum[i % 9000 >= 4500] += (double)in[i];
    for (int i = 0; i < 27000; i++)
        assert_true(fabs((double)out[i] - sum[i % 9000 >= 4500] / 13500) < 1e-6);
    tw_result_release(result);
    free(map.data);
}

static void flat_ground_stays_flat(void **state)
{
    struct tw_value map = harness_terrain(97, 53, 1);
    (void)state;
    for (int i = 0; i < 97 * 53; i++)
        tw_floats(&map)[i] = 0.3f;
    for (int method = 0; method < METHODS; method++)
        for (int wrap = 0; wrap < 2; wrap++) {
            struct tw_result *result = resample_by(&map, 0.09, method, wrap);
            harness_same(tw_result_output(result, "out"), tw_floats(&map));
            tw_result_release(result);
        }
    free(map.data);
}

/* Up to borders that end. */
static void a_plane_stays_a_plane(void **state)
{
    struct tw_value map = harness_terrain(120, 120, 1);
    (void)state;
    for (int i = 0; i < 120 * 120; i++)
        tw_floats(&map)[i] = 0.25f + 0.002f * (float)(i % 120) + 0.001f * (float)(i / 120);
    for (int method = BILINEAR; method < METHODS; method++) {
        struct tw_result *result = resample_by(&map, 0.05, method, false);
        const float *out = tw_floats(tw_result_output(result, "out"));
        for (int i = 0; i < 120 * 120; i++)
            assert_true(fabsf(out[i] - tw_floats(&map)[i]) < 1e-6f);
        tw_result_release(result);
    }
    free(map.data);
}

/* The same land, moved by whole coarse cells, gives the same, moved: no border is special. */
static void a_torus_has_no_seam(void **state)
{
    struct tw_value map = harness_terrain(60, 60, 1), moved = harness_terrain(60, 60, 1);
    (void)state;
    for (int i = 0; i < 3600; i++)
        tw_floats(&moved)[i] =
            tw_floats(&map)[tw_wrap(i / 60 - 25, 60) * 60 + tw_wrap(i % 60 - 35, 60)];
    for (int method = 0; method < METHODS; method++) {
        struct tw_result *first = resample_by(&map, 1.0 / 12, method, true);
        struct tw_result *second = resample_by(&moved, 1.0 / 12, method, true);
        const float *a = tw_floats(tw_result_output(first, "out"));
        const float *b = tw_floats(tw_result_output(second, "out"));
        for (int i = 0; i < 3600; i++)
            assert_true(fabsf(b[i] - a[tw_wrap(i / 60 - 25, 60) * 60 + tw_wrap(i % 60 - 35, 60)]) <
                        1e-6f);
        tw_result_release(first);
        tw_result_release(second);
    }
    free(map.data);
    free(moved.data);
}

static void a_cell_may_be_in_metres(void **state)
{
    struct harness harness = {.width = 64,
                              .height = 64,
                              .head = "world: {side_m: 1600}\n",
                              .nodes = "n: {type: noise.perlin}\n"
                                       "a: {type: shape.resample, in: n, cell: 200 m}\n"
                                       "b: {type: shape.resample, in: n, cell: 0.125}\n"
                                       "out: {type: combine.subtract, a: a, b: b}"};
    struct tw_result *result = harness_run(&harness);
    const float *out = tw_floats(tw_result_output(result, "out"));
    (void)state;
    for (int i = 0; i < 64 * 64; i++)
        assert_true(out[i] == 0);
    tw_result_release(result);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    (void)state;
    for (int method = 0; method < METHODS; method++) {
        struct tw_value map = harness_terrain(517, 129, 1);
        char nodes[200];
        struct tw_result *result = resample_by(&map, 0.03, method, method % 2);
        snprintf(nodes, sizeof nodes,
                 "a: {type: test.map}\nout: {type: shape.resample, in: a, cell: 0.03, method: %s, "
                 "border: %s}",
                 methods[method], method % 2 ? "wrap" : "closed");
        everywhere((struct harness){.width = 517, .height = 129, .nodes = nodes}, "out",
                   tw_floats(tw_result_output(result, "out")));
        tw_result_release(result);
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_plain_sum),
        cmocka_unit_test(finer_cells_than_the_map_has_change_nothing),
        cmocka_unit_test(blocks_are_as_high_as_what_they_cover),
        cmocka_unit_test(long_rows_have_their_mean),
        cmocka_unit_test(flat_ground_stays_flat),
        cmocka_unit_test(a_plane_stays_a_plane),
        cmocka_unit_test(a_torus_has_no_seam),
        cmocka_unit_test(a_cell_may_be_in_metres),
        cmocka_unit_test(gives_the_same_bytes_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
