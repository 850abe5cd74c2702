/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <thalweg/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PORTS = 4 };
static const char *const masks[PORTS] = {"accessible", "unit", "flat", "building"};
static const char *const names[6] = {"erosion", "slope_mean", "slope_deviation",
                                     "unit",    "building",   "game"};

struct expected {
    int32_t width, height;
    bool wrap;
    double record[6];
    uint8_t *map[PORTS], *places;
};

static size_t cell(const struct expected *e, int32_t x, int32_t y)
{
    return (size_t)tw_wrap(y, e->height) * (size_t)e->width + (size_t)tw_wrap(x, e->width);
}

static bool inside(const struct expected *e, int32_t x, int32_t y)
{
    return e->wrap || (x >= 0 && y >= 0 && x < e->width && y < e->height);
}

/* Every k x k square of ones is stamped on the result, one cell after the other. */
static void open_slowly(const struct expected *e, const uint8_t *in, int32_t k, uint8_t *places,
                        uint8_t *out)
{
    memset(out, 0, (size_t)e->width * (size_t)e->height);
    for (int32_t y = 0; y < e->height; y++)
        for (int32_t x = 0; x < e->width; x++) {
            uint8_t fits = 1;
            for (int32_t i = 0; i < k * k; i++)
                fits &= inside(e, x + i % k, y + i / k) && in[cell(e, x + i % k, y + i / k)];
            for (int32_t i = 0; fits && i < k * k; i++)
                out[cell(e, x + i % k, y + i / k)] = 1;
            places[cell(e, x, y)] = fits;
        }
}

/* Floods places from (x, y) by 4-neighbour steps into `group`, emptying them. */
static void flood(const struct expected *e, uint8_t *places, uint8_t *group, int32_t x, int32_t y)
{
    bool more = true;
    places[cell(e, x, y)] = 0;
    group[cell(e, x, y)] = 1;
    while (more) {
        more = false;
        for (int32_t j = 0; j < e->height; j++)
            for (int32_t i = 0; i < e->width; i++) {
                size_t at = cell(e, i, j);
                bool reached = false;
                for (int k = 0; k < 4; k++) {
                    int32_t x2 = i + (k == 0) - (k == 1), y2 = j + (k == 2) - (k == 3);
                    reached |= inside(e, x2, y2) && group[cell(e, x2, y2)];
                }
                if (places[at] && reached) {
                    places[at] = 0;
                    group[at] = 1;
                    more = true;
                }
            }
    }
}

static void unit_slowly(struct expected *e, int32_t k)
{
    size_t count = (size_t)e->width * (size_t)e->height, best = 0;
    uint8_t *group = malloc(count), *covered = malloc(count);
    open_slowly(e, e->map[0], k, e->places, covered);
    memset(e->map[1], 0, count);
    for (int32_t i = 0; i < (int32_t)count; i++) {
        if (!e->places[i])
            continue;
        memset(group, 0, count);
        flood(e, e->places, group, i % e->width, i / e->width);
        memset(covered, 0, count);
        size_t size = 0;
        for (int32_t j = 0; j < (int32_t)count; j++)
            for (int32_t n = 0; group[j] && n < k * k; n++)
                covered[cell(e, j % e->width + n % k, j / e->width + n / k)] = 1;
        for (size_t j = 0; j < count; j++)
            size += covered[j];
        if (size > best)
            memcpy(e->map[1], covered, count);
        best = size > best ? size : best;
    }
    free(group);
    free(covered);
}

static float slope(const struct expected *e, const float *h, int32_t x, int32_t y)
{
    float s = 0, here = h[cell(e, x, y)];
    for (int k = 0; k < 4; k++) {
        int32_t x2 = x + (k == 0) - (k == 1), y2 = y + (k == 2) - (k == 3);
        if (inside(e, x2, y2))
            s = tw_max(s, fabsf(here - h[cell(e, x2, y2)]));
    }
    return s;
}

static double mean_of(const struct expected *e, const uint8_t *map)
{
    size_t count = (size_t)e->width * (size_t)e->height;
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += map[i];
    return sum / (double)count;
}

static void score_slowly(struct expected *e, const float *h, float tu, float tb, int32_t nu,
                         int32_t nb)
{
    double sum = 0, squares = 0, count = (double)e->width * (double)e->height;
    for (int32_t y = 0; y < e->height; y++) {
        double row = 0;
        for (int32_t x = 0; x < e->width; x++) {
            float s = slope(e, h, x, y);
            row += (double)s;
            e->map[0][cell(e, x, y)] = s < tu / (float)e->width;
            e->map[2][cell(e, x, y)] = s < tb / (float)e->width;
        }
        sum += row;
    }
    double mean = sum / count;
    for (int32_t y = 0; y < e->height; y++) {
        double row = 0;
        for (int32_t x = 0; x < e->width; x++) {
            double off = (double)slope(e, h, x, y) - mean;
            row += off * off;
        }
        squares += row;
    }
    unit_slowly(e, nu);
    uint8_t *both = calloc(1, (size_t)count);
    for (size_t i = 0; i < (size_t)count; i++)
        both[i] = e->map[1][i] & e->map[2][i];
    open_slowly(e, both, nb, e->places, e->map[3]);
    free(both);
    e->record[1] = mean;
    e->record[2] = sqrt(squares / count);
    e->record[0] = mean > 0 ? e->record[2] / mean : 0;
    e->record[3] = mean_of(e, e->map[1]);
    e->record[4] = mean_of(e, e->map[3]);
    e->record[5] = e->record[0] * e->record[3] * e->record[4];
}

static struct tw_result *run_score(const struct tw_value *in, const char *more, int32_t threads)
{
    char nodes[512];
    harness_give(0, in);
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\ns: {type: measure.score, in: in%s}\n",
             more);
    return harness_run(
        &(struct harness){.width = in->width,
                          .height = in->height,
                          .threads = threads,
                          .simd = (const char *[]){"base", "avx2", NULL}[threads % 3],
                          .nodes = nodes,
                          .outputs = "accessible: s.accessible\nunit: s.unit\n"
                                     "flat: s.flat\nbuilding: s.building\n"});
}

static double entry(const struct tw_result *result, const char *name)
{
    const struct tw_value *record = tw_result_output(result, "s");
    for (int32_t i = 0; i < record->width; i++)
        if (strcmp(tw_entries(record)[i].name, name) == 0)
            return tw_entries(record)[i].number;
    fail_msg("no entry %s", name);
    return 0;
}

static void compare_world(bool wrap, int32_t width, int32_t height, float tu, float tb, int32_t nu,
                          int32_t nb, int32_t threads)
{
    struct tw_value in = harness_terrain(width, height, (uint64_t)(width + nu));
    struct expected e = {width, height, wrap, {0}, {0}, malloc(tw_value_count(&in))};
    char more[200];
    for (int i = 0; i < PORTS; i++)
        e.map[i] = malloc(tw_value_count(&in));
    score_slowly(&e, tw_floats(&in), tu, tb, nu, nb);
    snprintf(more, sizeof more,
             ", unit_talus: %g, building_talus: %g, unit_size: %d, building_size: %d, border: %s",
             (double)tu, (double)tb, nu, nb, wrap ? "wrap" : "closed");
    struct tw_result *result = run_score(&in, more, threads);
    for (int i = 0; i < PORTS; i++) {
        const float *map = tw_floats(tw_result_output(result, masks[i]));
        for (size_t j = 0; j < tw_value_count(&in); j++)
            if (map[j] != (float)e.map[i][j])
                fail_msg("%s at %zu is %g", masks[i], j, (double)map[j]);
    }
    for (int i = 0; i < 6; i++)
        assert_true(entry(result, names[i]) == e.record[i]);
    for (int i = 0; i < PORTS; i++)
        free(e.map[i]);
    free(e.places);
    free(in.data);
    tw_result_release(result);
}

static void compare(int32_t width, int32_t height, float tu, float tb, int32_t nu, int32_t nb,
                    int32_t threads)
{
    compare_world(true, width, height, tu, tb, nu, nb, threads);
    compare_world(false, width, height, tu, tb, nu, nb, threads);
}

static void matches_the_slow_reference(void **state)
{
    (void)state;
    for (int32_t threads = 1; threads <= 8; threads *= 2) {
        compare(61, 47, 3, 1.5f, 1, 3, threads);
        compare(61, 47, 4, 2, 2, 3, threads);
        compare(47, 61, 4, 3, 3, 4, threads);
        compare(64, 64, 6, 6, 5, 2, threads);
        compare(5, 40, 2, 2, 7, 9, threads);
        compare(1, 9, 1, 1, 2, 3, threads);
        compare(300, 7, 20, 10, 4, 4, threads);
        compare(17, 150, 6, 4, 1, 3, threads);
        compare(130, 20, 12, 9, 1, 66, threads);
    }
}

/* Two pools of gentle cells that share a covered cell and tie in size: the first one wins. */
static void takes_the_first_group_on_ties(void **state)
{
    enum { SIDE = 12 };
    float cells[SIDE * SIDE];
    struct tw_value in = {TW_HEIGHTMAP, SIDE, SIDE, cells};
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        cells[i] = (float)((i % SIDE + i / SIDE) % 2);
    for (int i = 0; i < 25; i++) {
        cells[(1 + i / 5) * SIDE + 1 + i % 5] = 0;
        cells[(6 + i / 5) * SIDE + 6 + i % 5] = 0;
    }
    struct tw_result *result = run_score(&in, ", unit_size: 2", 1);
    const float *unit = tw_floats(tw_result_output(result, "unit"));
    assert_true(unit[3 * SIDE + 3] == 1 && unit[8 * SIDE + 8] == 0);
    tw_result_release(result);
}

/* A wall down the middle: on a torus units walk around it. */
static void follows_the_borders_of_the_recipe(void **state)
{
    enum { SIDE = 32 };
    static const char *const heads[] = {"borders: closed\n", "borders: wrap\n", "borders: closed\n",
                                        "borders: wrap\n"};
    static const char *const own[] = {"", "", ", border: wrap", ", border: closed"};
    static const double units[] = {14.0, 28.0, 28.0, 14.0}; /* columns without steep neighbours */
    struct tw_value in = {TW_HEIGHTMAP, SIDE, SIDE, calloc(SIDE * SIDE, sizeof(float))};
    (void)state;
    for (int i = 0; i < SIDE; i++)
        tw_floats(&in)[i * SIDE + 15] = tw_floats(&in)[i * SIDE + 16] = 9;
    for (int i = 0; i < 4; i++) {
        char nodes[200];
        harness_give(0, &in);
        snprintf(nodes, sizeof nodes, "in: {type: test.map}\ns: {type: measure.score, in: in%s}\n",
                 own[i]);
        struct tw_result *result = harness_run(
            &(struct harness){.width = SIDE, .height = SIDE, .head = heads[i], .nodes = nodes});
        assert_true(entry(result, "unit") == units[i] / SIDE);
        tw_result_release(result);
    }
    free(in.data);
}

static void warns_on_flat_maps(void **state)
{
    float cells[12] = {0};
    struct tw_value in = {TW_HEIGHTMAP, 4, 3, cells};
    (void)state;
    struct tw_result *result = run_score(&in, "", 1);
    assert_non_null(strstr(harness_warning(), "flat"));
    assert_true(entry(result, "erosion") == 0 && entry(result, "unit") == 1);
    assert_true(entry(result, "game") == 0);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(matches_the_slow_reference),
                                       cmocka_unit_test(takes_the_first_group_on_ties),
                                       cmocka_unit_test(follows_the_borders_of_the_recipe),
                                       cmocka_unit_test(warns_on_flat_maps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
