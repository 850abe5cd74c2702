/* SPDX-License-Identifier: MIT */
#include "measure/kernels/sorted.h"
#include "support/record.h"
#include "support/symmetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.141592653589793;
static const char *const distances[] = {"landforms", "slopes",   "heights",
                                        "spectrum",  "drainage", "hollows"};

/* The record of the likeness of slot 0 to slot 1, and what the reference below is made from. */
static struct tw_result *compare(const struct tw_value *a, const struct tw_value *b,
                                 const char *more)
{
    char nodes[800];
    harness_give(0, a);
    harness_give(1, b);
    snprintf(nodes, sizeof nodes,
             "a: {type: test.map}\nb: {type: test.map, slot: 1}\n"
             "likeness: {type: measure.likeness, in: a, reference: b}\n%s",
             more);
    return harness_run(&(struct harness){.width = a->width, .height = a->height, .nodes = nodes});
}

static double field(const struct tw_result *result, const char *name)
{
    return record_number(tw_result_output(result, "likeness"), name);
}

/* ---- the definitions ---- */

static double at(const struct tw_value *map, int x, int y)
{
    return (double)tw_floats(map)[y * map->width + x];
}

static double slope_at(const struct tw_value *map, int x, int y)
{
    int w = map->width, h = map->height, west = x > 0, east = x<w - 1, north = y> 0;
    int south = y < h - 1;
    double across = (at(map, x + east, y) - at(map, x - west, y)) / (west + east) * w;
    double down = (at(map, x, y + south) - at(map, x, y - north)) / (north + south) * w;
    return hypot(across, down);
}

static double scale_of(const struct tw_value *map)
{
    double sum = 0;
    for (int i = 0; i < map->width * map->height; i++)
        sum += pow(slope_at(map, i % map->width, i / map->width), 2);
    return 0.25 / sqrt(sum / (map->width * map->height));
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double *sorted(const struct tw_value *map, bool slopes)
{
    int count = map->width * map->height;
    double *all = malloc(sizeof *all * (size_t)count), scale = slopes ? scale_of(map) : 1;
    assert_non_null(all);
    for (int i = 0; i < count; i++)
        all[i] = slopes ? scale * slope_at(map, i % map->width, i / map->width)
                        : (double)tw_floats(map)[i];
    qsort(all, (size_t)count, sizeof *all, compare_doubles);
    return all;
}

static double slopes_apart(const struct tw_value *a, const struct tw_value *b)
{
    int count = a->width * a->height, j = 0;
    double *p = sorted(a, true), *q = sorted(b, true), gap = 0;
    for (int i = 0; i < count; i++) {
        while (j < count && q[j] <= p[i])
            j++;
        gap = fmax(gap, fmax(abs(i + 1 - j), abs(i - j)) / (double)count);
    }
    free(p);
    free(q);
    return gap;
}

static double quantile(const double *all, int count, double p)
{
    double place = p * (count - 1);
    int low = (int)place;
    return low + 1 < count ? all[low] + (all[low + 1] - all[low]) * (place - low) : all[low];
}

static double heights_apart(const struct tw_value *a, const struct tw_value *b)
{
    const struct tw_value *const maps[] = {a, b};
    double curves[2][256], sum = 0;
    for (int m = 0; m < 2; m++) {
        int count = a->width * a->height;
        double *all = sorted(maps[m], false);
        double low = quantile(all, count, 0.001), high = quantile(all, count, 0.999);
        for (int i = 0; i < 256; i++) {
            double share = (quantile(all, count, 1 - (i + 0.5) / 256) - low) / (high - low);
            curves[m][i] = fmin(fmax(share, 0), 1);
        }
        free(all);
    }
    for (int i = 0; i < 256; i++)
        sum += fabs(curves[0][i] - curves[1][i]) / 256;
    return sum;
}

/* Solves for the plane, then sums every wave over every cell. */
static void spectrum_of(const struct tw_value *map, double bands[8], bool has[8])
{
    int w = map->width, h = map->height;
    double *rest = malloc(sizeof *rest * (size_t)(w * h)), mean = 0, east = 0, south = 0;
    double squares_x = 0, squares_y = 0, power[8] = {0}, count[8] = {0}, offset = 0, found = 0;
    assert_non_null(rest);
    for (int i = 0; i < w * h; i++) {
        double u = i % w - (w - 1) / 2.0, v = i / w - (h - 1) / 2.0;
        mean += at(map, i % w, i / w) / (w * h);
        east += at(map, i % w, i / w) * u;
        south += at(map, i % w, i / w) * v;
        squares_x += u * u;
        squares_y += v * v;
    }
    for (int i = 0; i < w * h; i++) {
        double u = i % w - (w - 1) / 2.0, v = i / w - (h - 1) / 2.0;
        double plane = mean + east / squares_x * u + south / squares_y * v;
        double window = pow(sin(pi * (i % w + 0.5) / w) * sin(pi * (i / w + 0.5) / h), 2);
        rest[i] = (at(map, i % w, i / w) - plane) * window;
    }
    for (int ky = -((h - 1) / 2); ky <= h / 2; ky++)
        for (int kx = -((w - 1) / 2); kx <= w / 2; kx++) {
            double k = hypot(kx, (double)ky * w / h), re = 0, im = 0;
            int band = k < 4 ? 8 : (int)floor(8 * log(k / 4) / log(w / 16.0));
            if (band > 7)
                continue;
            for (int i = 0; i < w * h; i++) {
                double phase = 2 * pi * ((double)kx * (i % w) / w + (double)ky * (i / w) / h);
                re += rest[i] * cos(phase);
                im += rest[i] * sin(phase);
            }
            power[band] += re * re + im * im;
            count[band]++;
        }
    for (int i = 0; i < 8; i++) {
        has[i] = count[i] > 0;
        bands[i] = has[i] ? log(power[i] / count[i]) : 0;
        offset += bands[i];
        found += has[i];
    }
    for (int i = 0; i < 8; i++)
        bands[i] -= has[i] ? offset / found : 0;
    free(rest);
}

static double spectra_apart(const struct tw_value *a, const struct tw_value *b)
{
    double p[8], q[8], sum = 0, count = 0;
    bool has[8];
    spectrum_of(a, p, has);
    spectrum_of(b, q, has);
    for (int i = 0; i < 8; i++) {
        sum += fabs(p[i] - q[i]);
        count += has[i];
    }
    return fmin(1, sum / count / log(10));
}

/* Priority-flood from the border: how high water stands, where it came from, and in which order. */
struct flood {
    double filled[64 * 64];
    int from[64 * 64], order[64 * 64], count;
};

static void reach(struct flood *f, int cell, int from, double height)
{
    f->filled[cell] = from >= 0 && f->filled[from] > height ? f->filled[from] : height;
    f->from[cell] = from;
    f->order[f->count++] = cell;
}

static void flood(const struct tw_value *map, struct flood *f)
{
    int w = map->width, h = map->height;
    assert_true(w * h <= 64 * 64);
    f->count = 0;
    for (int i = 0; i < w * h; i++) {
        f->from[i] = -2;
        if (i % w == 0 || i % w == w - 1 || i / w == 0 || i / w == h - 1)
            reach(f, i, -1, at(map, i % w, i / w));
    }
    for (int next = 0; next < f->count; next++) {
        for (int i = next + 1; i < f->count; i++)
            if (f->filled[f->order[i]] < f->filled[f->order[next]]) {
                int other = f->order[i];
                f->order[i] = f->order[next];
                f->order[next] = other;
            }
        int x = f->order[next] % w, y = f->order[next] / w;
        for (int k = 0; k < 9; k++) {
            int i = x + k % 3 - 1, j = y + k / 3 - 1;
            if (i >= 0 && j >= 0 && i < w && j < h && f->from[j * w + i] == -2)
                reach(f, j * w + i, y * w + x, at(map, i, j));
        }
    }
}

/* D8 on the filled map: the slope to the steepest neighbour, 0 where none is lower, and which. */
static double steepest(const struct flood *f, int w, int cell, int *to)
{
    double most = 0;
    *to = f->from[cell];
    for (int k = 0; k < 9 && *to >= 0; k++) {
        int other = cell + (k / 3 - 1) * w + k % 3 - 1;
        double slope = (f->filled[cell] - f->filled[other]) / (k % 2 ? 1 : sqrt(2));
        if (k != 4 && slope > most) {
            most = slope;
            *to = other;
        }
    }
    return most;
}

/* Slopes of cells that no lake covers, 0 of the others, against cells upstream. */
static double theta_of(const struct tw_value *map)
{
    static struct flood f;
    static double drops[64 * 64], areas[64 * 64];
    int w = map->width, h = map->height, fitted = 0, to;
    double *slopes = malloc(sizeof *slopes * (size_t)(w * h)), xs[8], ys[8], mx = 0, my = 0;
    double above = 0, below = 0, step = log(0.02 * w * h / 4) / 8;
    assert_non_null(slopes);
    flood(map, &f);
    for (int i = 0; i < w * h; i++)
        areas[i] = 1;
    for (int i = w * h - 1; i >= 0; i--) {
        int cell = f.order[i];
        double drop = steepest(&f, w, cell, &to);
        drops[cell] = f.filled[cell] > at(map, cell % w, cell / w) ? 0 : drop;
        if (to >= 0)
            areas[to] += areas[cell];
    }
    for (int bin = 0; bin < 8; bin++) {
        int count = 0;
        for (int i = 0; i < w * h; i++)
            if (drops[i] > 0 && areas[i] >= 4 * exp(step * bin) - 1e-9 &&
                areas[i] < 4 * exp(step * (bin + 1)) - 1e-9)
                slopes[count++] = drops[i];
        qsort(slopes, (size_t)count, sizeof *slopes, compare_doubles);
        if (count < 30)
            continue;
        xs[fitted] = log(4) + step * (bin + 0.5);
        ys[fitted] = log(quantile(slopes, count, 0.5));
        mx += xs[fitted];
        my += ys[fitted++];
    }
    for (int i = 0; i < fitted; i++) {
        above += (xs[i] - mx / fitted) * (ys[i] - my / fitted);
        below += (xs[i] - mx / fitted) * (xs[i] - mx / fitted);
    }
    free(slopes);
    return fitted > 1 ? -above / below : 0;
}

static void expect(const char *what, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%s: %.9g, not %.9g", what, found, expected);
}

static void check_drainage(const struct tw_value *a, const struct tw_value *b,
                           const struct tw_result *result)
{
    double theta_a = theta_of(a), theta_b = theta_of(b);
    expect("theta", field(result, "theta"), theta_a, 1e-4);
    expect("reference_theta", field(result, "reference_theta"), theta_b, 1e-4);
    expect("drainage", field(result, "drainage"), fmin(1, fabs(theta_a - theta_b) / 0.5), 4e-4);
}

static void check(const struct tw_value *a, const struct tw_value *b)
{
    char more[600];
    snprintf(more, sizeof more,
             "fa: {type: measure.landforms, in: a, border: closed, exaggeration: %.9g}\n"
             "fb: {type: measure.landforms, in: b, border: closed, exaggeration: %.9g}\n"
             "la: {type: shape.fill_depressions, in: a, border: closed}\n"
             "lb: {type: shape.fill_depressions, in: b, border: closed}\n",
             scale_of(a), scale_of(b));
    struct tw_result *result = compare(a, b, more);
    double apart = 0, cells = a->width * a->height, mean = 0, under[2] = {0}, forms[2][11] = {{0}};
    for (int k = 0; k < a->width * a->height; k++) {
        forms[0][tw_labels(tw_result_output(result, "fa"))[k]]++;
        forms[1][tw_labels(tw_result_output(result, "fb"))[k]]++;
        under[0] += tw_floats(tw_result_output(result, "la"))[k] > tw_floats(a)[k];
        under[1] += tw_floats(tw_result_output(result, "lb"))[k] > tw_floats(b)[k];
    }
    for (int form = 0; form < 11; form++)
        apart += fabs(forms[0][form] - forms[1][form]) / cells / 2;
    expect("landforms", field(result, "landforms"), apart, 2 / cells);
    expect("slopes", field(result, "slopes"), slopes_apart(a, b), 2 / cells);
    expect("heights", field(result, "heights"), heights_apart(a, b), 1e-6);
    expect("spectrum", field(result, "spectrum"), spectra_apart(a, b), 1e-6);
    expect("hollows", field(result, "hollows"), fmin(1, fabs(under[0] - under[1]) / cells / 0.25),
           1e-9);
    check_drainage(a, b, result);
    for (int k = 0; k < 6; k++)
        mean += field(result, distances[k]) / 6;
    expect("mean", field(result, "mean"), mean, 1e-12);
    tw_result_release(result);
}

/* Land with valleys and noise without, with lakes and drained, at sizes with and without a fast
 * transform. */
static void equals_the_definitions(void **state)
{
    static const int sizes[][2] = {{64, 64}, {45, 38}, {34, 51}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tw_value a = harness_terrain(sizes[i][0], sizes[i][1], 3);
        harness_give(0, &a);
        struct tw_result *made = harness_run(
            &(struct harness){.width = a.width,
                              .height = a.height,
                              .head = "borders: closed\n",
                              .nodes = "in: {type: test.map}\n"
                                       "valleys: {type: erosion.stream_power, in: in, steps: 5}\n"
                                       "a: {type: shape.fill_depressions, in: in, epsilon: 0.1}\n"
                                       "b: {type: shape.fill_depressions, in: valleys, epsilon: "
                                       "0.1}\n"});
        check(&a, tw_result_output(made, "valleys"));
        check(tw_result_output(made, "a"), tw_result_output(made, "b"));
        tw_result_release(made);
        free(a.data);
    }
}

/* Neither unit nor zero of height count, nor which of both maps is the reference. */
static void knows_what_is_alike(void **state)
{
    struct tw_value a = harness_terrain(80, 60, 3), b = harness_terrain(80, 60, 4);
    struct tw_value taller = harness_terrain(80, 60, 3), below = harness_terrain(80, 60, 3);
    (void)state;
    for (int i = 0; i < 80 * 60; i++) {
        tw_floats(&taller)[i] = tw_floats(&a)[i] * 8;
        tw_floats(&below)[i] = -tw_floats(&a)[i];
    }
    struct tw_result *self = compare(&a, &taller, ""), *down = compare(&a, &below, "");
    struct tw_result *there = compare(&a, &b, ""), *back = compare(&b, &a, "");
    expect("mean", field(self, "mean"), 0, 1e-6);
    assert_true(field(there, "mean") > 0.01);
    for (int i = 0; i < 6; i++)
        expect(distances[i], field(there, distances[i]), field(back, distances[i]), 1e-12);
    expect("slopes upside down", field(down, "slopes"), 0, 1e-6);
    expect("spectrum upside down", field(down, "spectrum"), 0, 1e-9);
    assert_true(field(down, "heights") > 0.01);
    tw_result_release(self);
    tw_result_release(down);
    tw_result_release(there);
    tw_result_release(back);
    free(a.data);
    free(b.data);
    free(taller.data);
    free(below.data);
}

static void level_maps_have_defined_numbers(void **state)
{
    static const int sizes[][2] = {{1, 1}, {1, 9}, {3, 2}, {40, 40}};
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct tw_value a = harness_terrain(sizes[i][0], sizes[i][1], 3);
        struct tw_value level = harness_terrain(sizes[i][0], sizes[i][1], 3);
        for (int k = 0; k < a.width * a.height; k++)
            tw_floats(&level)[k] = 0.3f;
        struct tw_result *same = compare(&level, &level, ""), *other = compare(&level, &a, "");
        expect("mean", field(same, "mean"), 0, 0);
        for (int k = 0; k < 6; k++)
            assert_true(field(other, distances[k]) >= 0 && field(other, distances[k]) <= 1);
        struct tw_result *back = compare(&a, &level, "");
        expect("slopes", field(other, "slopes"), i > 0, 0); /* each is steeper */
        expect("slopes back", field(back, "slopes"), i > 0, 0);
        tw_result_release(back);
        expect("spectrum", field(other, "spectrum"), i == 3, 0);
        expect("theta", field(other, "theta"), 0, 0);
        tw_result_release(same);
        tw_result_release(other);
        free(a.data);
        free(level.data);
    }
}

/* Kolmogorov's distance of two sorted lists: the most that one is ahead of the other. */
static void gaps_are_those_of_distributions(void **state)
{
    static const struct {
        size_t count;
        float a[4], b[4];
        double gap;
    } rows[] = {
        {1, {1}, {1}, 0},
        {1, {2}, {1}, 1},
        {1, {1}, {2}, 1},
        {2, {1, 2}, {3, 4}, 1},
        {2, {1, 1}, {1, 2}, 0.5},
        {3, {1, 5, 9}, {2, 3, 9}, 1.0 / 3},
        {4, {1, 2, 3, 4}, {1, 3, 3, 5}, 0.25},
        {4, {-1, 0, 7, 8}, {0, 7, 7, 7}, 0.25},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int swapped = 0; swapped < 2; swapped++)
            assert_true(tw_sorted_gap(swapped ? rows[i].b : rows[i].a,
                                      swapped ? rows[i].a : rows[i].b,
                                      rows[i].count) == rows[i].gap);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_are_those_of_distributions), cmocka_unit_test(equals_the_definitions),
        cmocka_unit_test(knows_what_is_alike), cmocka_unit_test(level_maps_have_defined_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
