/* SPDX-License-Identifier: MIT */
/* erosion.gradient: a case by hand, both updates against plain loops, and what must be kept. */
#include "support/harness.h"
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_result *run(const struct tw_value *land, const char *more, int threads,
                             const char *simd)
{
    char nodes[512];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "out: {type: erosion.gradient, in: in%s}\n",
             more);
    harness_give(0, land);
    return harness_run(&(struct harness){.width = land->width,
                                         .height = land->height,
                                         .threads = threads,
                                         .simd = simd,
                                         .nodes = nodes,
                                         .outputs = "water: out.water\nsediment: out.sediment\n"
                                                    "ledger: out.ledger\n"});
}

/* From a = 0, 1 and w = 0, 0.5 with Kc 2, Kd 0.25, Ks 0.5. The second cell pours 0.5, wants 1 of
 * sediment, digs 0.5. At once, the first was visited before. */
static void a_case_by_hand(void **state)
{
    float altitude[] = {0, 1}, water[] = {0, 0.5f};
    struct tw_value land = {TW_HEIGHTMAP, 2, 1, altitude}, wet = {TW_HEIGHTMAP, 2, 1, water};
    static const char *const updates[] = {"at_once", "synchronous"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char nodes[400];
        snprintf(nodes, sizeof nodes,
                 "a: {type: test.map}\n"
                 "w: {type: test.map, slot: 1}\n"
                 "out: {type: erosion.gradient, in: a, water: w, rain: 0, rain_by_altitude: 0, "
                 "Kc: 2, Kd: 0.25, Ks: 0.5, steps: 1, update: %s}\n",
                 updates[i]);
        harness_give(0, &land);
        harness_give(1, &wet);
        struct tw_result *result =
            harness_run(&(struct harness){.width = 2,
                                          .height = 1,
                                          .nodes = nodes,
                                          .outputs = "water: out.water\nsediment: out.sediment\n"});
        harness_same(tw_result_output(result, "out"), (const float[]){0, 0.5f});
        harness_same(tw_result_output(result, "water"), (const float[]){0.5f, 0});
        harness_same(tw_result_output(result, "sediment"), (const float[]){0.5f, 0});
        tw_result_release(result);
    }
}

/* ---- plain loops; `real` is double for at_once and float for synchronous ---- */

struct constants {
    double rain, by_altitude, Kc, Kd, Ks;
    int period, steps;
};

/* A drop as a slope, where water is shared: less across a corner. */
static const double corner = (double)0.70710678f;

static const struct constants usual = {0.01, 0.02, 1.5, 0.1, 0.3, 7, 20};
#define USUAL                                                                                      \
    ", rain: 0.01, rain_by_altitude: 0.02, Kc: 1.5, Kd: 0.1, Ks: 0.3, rain_period: 7, steps: 20"

static int neighbours(int32_t width, int32_t height, size_t cell, size_t around[8])
{
    int32_t x = (int32_t)(cell % (size_t)width), y = (int32_t)(cell / (size_t)width);
    int count = 0;
    for (int32_t v = y - 1; v <= y + 1; v++)
        for (int32_t u = x - 1; u <= x + 1; u++)
            if ((u != x || v != y) && u >= 0 && v >= 0 && u < width && v < height)
                around[count++] = (size_t)v * (size_t)width + (size_t)u;
    return count;
}

/* Whether two neighbours have a corner in common, not a side. */
static bool across_corner(size_t a, size_t b, int32_t width)
{
    return a % (size_t)width != b % (size_t)width && a / (size_t)width != b / (size_t)width;
}

static void share_at_once(double *a, double *w, double *s, size_t v, int32_t width, int32_t height)
{
    size_t around[8];
    double slope[8], sum = 0;
    int count = neighbours(width, height, v, around);
    for (int i = 0; i < count; i++) {
        double drop = (w[v] + a[v]) - (w[around[i]] + a[around[i]]);
        slope[i] = fmax(drop, 0) * (across_corner(v, around[i], width) ? corner : 1);
        sum += slope[i];
    }
    double moved = fmin(w[v], sum / 8), taken = fmin(s[v], usual.Kc * moved);
    double dug = (double)(float)usual.Ks * (usual.Kc * moved - taken);
    for (int i = 0; i < count && sum > 0; i++) {
        w[around[i]] += moved * slope[i] / sum;
        s[around[i]] += (taken + dug) * slope[i] / sum;
    }
    w[v] -= moved;
    s[v] -= taken;
    a[v] -= dug;
}

static void at_once(double *a, double *w, double *s, int32_t width, int32_t height, bool shares)
{
    const struct constants *k = &usual;
    size_t cells = (size_t)width * (size_t)height;
    for (int step = 0; step < k->steps; step++) {
        for (size_t i = 0; step % k->period == 0 && i < cells; i++)
            w[i] += (double)(float)k->rain + (double)(float)k->by_altitude * a[i];
        for (size_t v = 0; v < cells; v++) {
            size_t around[8];
            bool used[8] = {false};
            int count = neighbours(width, height, v, around);
            if (shares)
                share_at_once(a, w, s, v, width, height);
            for (int n = 0; n < count && !shares; n++) {
                int low = -1;
                for (int i = 0; i < count; i++)
                    if (!used[i] && (low < 0 || a[around[i]] < a[around[low]]))
                        low = i;
                used[low] = true;
                size_t u = around[low];
                double dw = fmin(w[v], (w[v] + a[v]) - (w[u] + a[u]));
                if (dw <= 0)
                    continue;
                double c = k->Kc * dw;
                w[v] -= dw;
                w[u] += dw;
                if (s[v] >= c) {
                    s[u] += c;
                    s[v] -= c;
                } else {
                    double dug = (double)(float)k->Ks * (c - s[v]);
                    s[u] += s[v] + dug;
                    a[v] -= dug;
                    s[v] = 0;
                }
            }
            a[v] += (double)(float)k->Kd * s[v];
            s[v] -= (double)(float)k->Kd * s[v];
        }
    }
}

static void share(const float *const now[3], float *const next[3], float (*flows)[2][8], size_t v,
                  int32_t width, int32_t height)
{
    size_t around[8];
    float slope[8], sum = 0, a = now[0][v], w = now[1][v], s = now[2][v];
    int count = neighbours(width, height, v, around);
    memset(flows[v], 0, sizeof flows[v]);
    for (int i = 0; i < count; i++) {
        float drop = (w + a) - (now[1][around[i]] + now[0][around[i]]);
        slope[i] =
            drop > 0 ? (across_corner(v, around[i], width) ? (float)corner * drop : drop) : 0;
        sum += slope[i];
    }
    float moved = fminf(w, 0.125f * sum), c = (float)usual.Kc * moved, taken = s < c ? s : c;
    float dug = (float)usual.Ks * (c - taken);
    for (int i = 0; i < count && sum > 0; i++) {
        flows[v][0][i] = moved / sum * slope[i];
        flows[v][1][i] = (taken + dug) / sum * slope[i];
    }
    float settled = (float)usual.Kd * (s - taken);
    next[0][v] = a - dug + settled;
    next[1][v] = w - moved;
    next[2][v] = s - taken - settled;
}

/* One cell of a synchronous step: what it keeps goes to next[], what leaves to flows[]. */
static void leave(const float *const now[3], float *const next[3], float (*flows)[2][8], size_t v,
                  int32_t width, int32_t height)
{
    size_t around[8];
    bool used[8] = {false};
    int count = neighbours(width, height, v, around);
    float a = now[0][v], w = now[1][v], s = now[2][v];
    memset(flows[v], 0, sizeof flows[v]);
    for (int n = 0; n < count; n++) {
        int low = -1;
        for (int i = 0; i < count; i++)
            if (!used[i] && (low < 0 || now[0][around[i]] < now[0][around[low]]))
                low = i;
        used[low] = true;
        float dw = fminf(w, (w + a) - (now[1][around[low]] + now[0][around[low]]));
        if (dw <= 0)
            continue;
        float c = (float)usual.Kc * dw, taken = s < c ? s : c, dug = (float)usual.Ks * (c - taken);
        w -= dw;
        s -= taken;
        a -= dug;
        flows[v][0][low] = dw;
        flows[v][1][low] = taken + dug;
    }
    float settled = (float)usual.Kd * s;
    next[0][v] = a + settled;
    next[1][v] = w;
    next[2][v] = s - settled;
}

static void synchronous(float *state[3], int32_t width, int32_t height, bool shares)
{
    size_t cells = (size_t)width * (size_t)height, around[8], back[8];
    float(*flows)[2][8] = malloc(cells * sizeof *flows);
    float *next[3];
    assert_non_null(flows);
    for (int i = 0; i < 3; i++)
        assert_non_null(next[i] = malloc(cells * sizeof(float)));
    for (int step = 0; step < usual.steps; step++) {
        for (size_t i = 0; step % usual.period == 0 && i < cells; i++)
            state[1][i] += (float)((double)(float)usual.rain +
                                   (double)(float)usual.by_altitude * (double)state[0][i]);
        for (size_t v = 0; v < cells; v++)
            (shares ? share : leave)((const float *const *)state, next, flows, v, width, height);
        for (size_t v = 0; v < cells; v++)
            for (int i = 0, count = neighbours(width, height, v, around); i < count; i++)
                for (int j = 0, n = neighbours(width, height, around[i], back); j < n; j++)
                    for (int kind = 0; kind < 2 && back[j] == v; kind++)
                        next[1 + kind][v] += flows[around[i]][kind][j];
        for (int i = 0; i < 3; i++)
            memcpy(state[i], next[i], cells * sizeof(float));
    }
    for (int i = 0; i < 3; i++)
        free(next[i]);
    free(flows);
}

static void at_once_is_the_text(void **state)
{
    static const int32_t sides[][2] = {{1, 1}, {1, 30}, {30, 1}, {61, 47}, {61, 47}};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        bool shares = i == 4;
        struct tw_value land = harness_terrain(sides[i][0], sides[i][1], 3);
        size_t count = tw_value_count(&land);
        double *a = calloc(3 * count, sizeof *a);
        float *expected = malloc(count * sizeof *expected);
        assert_non_null(a);
        assert_non_null(expected);
        for (size_t c = 0; c < count; c++)
            a[c] = (double)tw_floats(&land)[c];
        at_once(a, a + count, a + 2 * count, sides[i][0], sides[i][1], shares);
        struct tw_result *result = run(&land, shares ? USUAL ", slope: distance" : USUAL, 2, NULL);
        static const char *const names[] = {"out", "water", "sediment"};
        for (size_t n = 0; n < 3; n++) {
            for (size_t c = 0; c < count; c++)
                expected[c] = (float)a[n * count + c];
            const float *got = tw_floats(tw_result_output(result, names[n]));
            for (size_t c = 0; c < count; c++)
                assert_true(fabsf(got[c] - expected[c]) < 1e-6f);
        }
        tw_result_release(result);
        free(a);
        free(expected);
        free(land.data);
    }
}

static void expect_synchronous(const struct tw_value *land, bool shares)
{
    static const char *const levels[] = {"base", "avx2", NULL};
    static const int threads[] = {1, 2, 8};
    size_t count = tw_value_count(land);
    float *cells = calloc(3 * count, sizeof *cells);
    assert_non_null(cells);
    memcpy(cells, land->data, count * sizeof *cells);
    synchronous((float *[]){cells, cells + count, cells + 2 * count}, land->width, land->height,
                shares);
    for (int i = 0; i < 9; i++) {
        struct tw_result *result = run(land,
                                       shares ? USUAL ", update: synchronous, slope: distance"
                                              : USUAL ", update: synchronous",
                                       threads[i % 3], levels[i / 3]);
        harness_same(tw_result_output(result, "out"), cells);
        harness_same(tw_result_output(result, "water"), cells + count);
        harness_same(tw_result_output(result, "sediment"), cells + 2 * count);
        tw_result_release(result);
    }
    free(cells);
}

static void synchronous_gives_the_bytes_of_plain_loops(void **state)
{
    static const int32_t sides[][2] = {{1, 1}, {1, 40}, {40, 1}, {8, 33}, {61, 47}, {131, 70}};
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        struct tw_value land = harness_terrain(sides[i][0], sides[i][1], 4);
        expect_synchronous(&land, false);
        expect_synchronous(&land, true);
        for (size_t c = 0; c < tw_value_count(&land); c++) /* steps: many equal altitudes */
            tw_floats(&land)[c] = floorf(8 * tw_floats(&land)[c]) / 8;
        expect_synchronous(&land, false);
        expect_synchronous(&land, true);
        free(land.data);
    }
}

static double sum_of(const struct tw_result *result, const char *name)
{
    const struct tw_value *map = tw_result_output(result, name);
    double sum = 0;
    for (size_t i = 0; i < tw_value_count(map); i++)
        sum += (double)tw_floats(map)[i];
    return sum;
}

static void keeps_ground_and_water(void **state)
{
    static const char *const updates[] = {"at_once", "synchronous", "at_once, slope: distance",
                                          "synchronous, slope: distance"};
    struct tw_value land = harness_terrain(120, 90, 5);
    (void)state;
    for (int i = 0; i < 4; i++) {
        char more[200];
        snprintf(more, sizeof more,
                 ", rain: 0.01, rain_by_altitude: 0, steps: 90, rain_period: 40,"
                 " update: %s",
                 updates[i]);
        struct tw_result *result = run(&land, more, 2, NULL);
        double before = sum_of(result, "in");
        assert_true(fabs(sum_of(result, "out") + sum_of(result, "sediment") - before) <
                    1e-5 * before);
        assert_true(fabs(sum_of(result, "water") - 3 * 0.01 * 120 * 90) < 1e-2);
        const struct tw_value *ledger = tw_result_output(result, "ledger");
        assert_true(fabs(record_number(ledger, "rained") - 3 * 0.01 * 120 * 90) < 1e-4);
        assert_true(fabs(record_number(ledger, "evaporated")) < 1e-2);
        assert_true(fabs(record_number(ledger, "water_left") - sum_of(result, "water")) < 1e-6);
        for (size_t c = 0; c < tw_value_count(&land); c++) {
            assert_true(tw_floats(tw_result_output(result, "water"))[c] >= 0);
            assert_true(tw_floats(tw_result_output(result, "sediment"))[c] >= 0);
        }
        tw_result_release(result);
    }
    free(land.data);
}

/* Erodes map 0 in a way that digs deep; returns the error, of no message where there is none. */
static struct tw_error dig(const char *update, double Kc, bool fails)
{
    char nodes[300];
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "out: {type: erosion.gradient, in: in, Kc: %.9g, Ks: 0.01, Kd: 1, rain: 0.1, steps: "
             "200, update: %s}\n",
             Kc, update);
    if (fails)
        return harness_fail(&(struct harness){.width = 40, .height = 40, .nodes = nodes});
    tw_result_release(harness_run(&(struct harness){.width = 40, .height = 40, .nodes = nodes}));
    return (struct tw_error){0};
}

/* The error's Kc holds, and one that is a third larger does not. */
static void names_the_largest_stable_capacity(void **state)
{
    static const char *const updates[] = {"at_once", "synchronous"};
    static const char wording[] = "the largest stable Kc is about ";
    struct tw_value land = harness_terrain(40, 40, 5);
    (void)state;
    harness_give(0, &land);
    for (int i = 0; i < 2; i++) {
        struct tw_error error = dig(updates[i], 900, true);
        assert_non_null(strstr(error.message, "unstable: heights run from "));
        assert_non_null(strstr(error.message, "evaporation: 0.02"));
        const char *at = strstr(error.message, wording);
        assert_non_null(at);
        double largest = strtod(at + strlen(wording), NULL);
        assert_true(largest > 0.01 && largest < 900);
        dig(updates[i], largest, false);
        dig(updates[i], 1.34 * largest, true);
    }
    free(land.data);
}

/* After a step of evaporation e, (1 - e) of the rain is left. */
static void evaporates(void **state)
{
    static const char *const updates[] = {"at_once", "synchronous"};
    struct tw_value land = harness_terrain(40, 30, 5);
    (void)state;
    for (int i = 0; i < 2; i++) {
        char more[200];
        snprintf(more, sizeof more,
                 ", rain: 0.01, rain_by_altitude: 0, steps: 3, evaporation: 0.5, update: %s",
                 updates[i]);
        struct tw_result *result = run(&land, more, 2, NULL);
        assert_true(fabs(sum_of(result, "water") - 0.125 * 0.01 * 40 * 30) < 1e-4);
        const struct tw_value *ledger = tw_result_output(result, "ledger");
        assert_true(fabs(record_number(ledger, "evaporated") - 0.875 * 0.01 * 40 * 30) < 1e-4);
        tw_result_release(result);
    }
    free(land.data);
}

static void refuses_negative_water(void **state)
{
    (void)state;
    struct tw_error error = harness_fail(
        &(struct harness){.nodes = "in: {type: source.constant}\n"
                                   "w: {type: source.constant, value: -1}\n"
                                   "out: {type: erosion.gradient, in: in, water: w}\n"});
    assert_non_null(strstr(error.message, "'water' is -1 at x 0, y 0; expected at least 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_case_by_hand),
        cmocka_unit_test(at_once_is_the_text),
        cmocka_unit_test(synchronous_gives_the_bytes_of_plain_loops),
        cmocka_unit_test(keeps_ground_and_water),
        cmocka_unit_test(names_the_largest_stable_capacity),
        cmocka_unit_test(evaporates),
        cmocka_unit_test(refuses_negative_water),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
