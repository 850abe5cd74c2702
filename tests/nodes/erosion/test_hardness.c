/* SPDX-License-Identifier: MIT */
/* The inputs `hardness` and `rain_map` of erosions: 0 and 1 are as without them, hard ground is
 * never lowered, what moves is booked, and less rain takes less; on closed ground, too, and with
 * the same bytes from all instruction sets and threads. */
#include "reference/olsen.h"
#include "support/everywhere.h"
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 67, HEIGHT = 50, CELLS = WIDTH * HEIGHT };

/* `exported`: what the ledger says left the map; NULL where the sum of heights stays. */
static const struct row {
    const char *settings, *exported;
    bool rain;     /* takes rain_map */
    bool hardness; /* takes hardness */
    bool exact;    /* hard ground keeps every bit that is not covered, not only to rounding */
} rows[] = {
    {"creep, diffusivity: 0.001", NULL, false, true, true},
    {"creep, diffusivity: 0.001, border: closed", NULL, false, true, true},
    {"creep, nonlinear: true, border: closed", NULL, false, true, true},
    {"thermal, talus: 1", NULL, false, true, true},
    {"thermal, border: closed, slope: distance, talus: 1", NULL, false, true, true},
    {"thermal, talus: 1, levels: 1", NULL, false, true, true},
    {"hydraulic, solubility: 0.1, capacity: 0.1, iterations: 20", NULL, true, true, false},
    {"hydraulic, solubility: 0.1, capacity: 0.1, iterations: 20, border: closed", NULL, true, true,
     false},
    {"droplets", "exported", true, true, false},
    {"droplets, order: sequential, radius: 6", "exported", true, true, false},
    {"droplets, side: 32", NULL, true, true, false},
    {"droplets, levels: 1", NULL, true, true, false},
    {"pipes, capacity: 0.02, steps: 60", "exported_sediment", true, true, false},
    {"pipes, capacity: 0.02, steps: 60, levels: 1", NULL, true, true, false},
    {"raindrops, drops: 20000", NULL, true, false, false},
    {"stream_power, uplift_rate: 0, steps: 10", "exported", false, true, true},
    {"stream_power, uplift_rate: 0, steps: 10, levels: 1", "exported", false, true, true},
    {"stream_power, uplift_rate: 0, steps: 10, n: 1.5, border: free", "exported", false, true,
     true},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* 0, 1 or anything between, in patches. */
static float patch(int cell)
{
    int at = cell % WIDTH / 2 + cell / WIDTH / 3;
    return at % 3 == 0 ? 0.0f : at % 3 == 1 ? 1.0f : 0.3f;
}

static struct tw_value make_map(float all)
{
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 99);
    map.type = TW_MASK;
    for (int i = 0; i < CELLS; i++)
        tw_floats(&map)[i] = all >= 0 ? all : patch(i);
    return map;
}

/* With `port` connected to `map`, or nothing with NULL. */
static struct tw_result *run(const struct row *row, const struct tw_value *in, const char *port,
                             const struct tw_value *map)
{
    char nodes[500];
    harness_give(0, in);
    if (port)
        harness_give(1, map);
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\n%sout: {in: in, %s%stype: erosion.%s}\n",
             port ? "map: {type: test.mask, slot: 1}\n" : "", port ? port : "",
             port ? ": map, " : "", row->settings);
    return harness_run(&(struct harness){
        .width = WIDTH,
        .height = HEIGHT,
        .threads = 2,
        .nodes = nodes,
        .outputs = "eroded: out.eroded\ndeposited: out.deposited\nledger: out.ledger\n"});
}

static const float *cells(const struct tw_result *result, const char *output)
{
    return tw_floats(tw_result_output(result, output));
}

static double sum_of(const float *map)
{
    double sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += (double)map[i];
    return sum;
}

static void expect_neutral(const struct row *row, const struct tw_value *in, const char *port,
                           float all)
{
    struct tw_value map = make_map(all);
    struct tw_result *without = run(row, in, NULL, NULL), *with = run(row, in, port, &map);
    if (memcmp(cells(with, "out"), cells(without, "out"), CELLS * sizeof(float)) != 0)
        fail_msg("erosion.%s: %s of %g is not as none", row->settings, port, (double)all);
    tw_result_release(without);
    tw_result_release(with);
    free(map.data);
}

static void nothing_special_is_as_none(void **state)
{
    struct tw_value in = harness_terrain(WIDTH, HEIGHT, 7);
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        /* Hardness is carried over to a smaller map by sums of its own. */
        if (rows[i].hardness && !strstr(rows[i].settings, "side"))
            expect_neutral(&rows[i], &in, "hardness", 0);
        if (rows[i].rain)
            expect_neutral(&rows[i], &in, "rain_map", 1);
    }
    free(in.data);
}

/* No cell of hardness 1 is lower than before; soft ones are, somewhere. */
static void hard_ground_stays(void **state)
{
    struct tw_value in = harness_terrain(WIDTH, HEIGHT, 8), map = make_map(-1);
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        if (!rows[i].hardness)
            continue;
        struct tw_result *result = run(&rows[i], &in, "hardness", &map);
        float lowest_soft = 0;
        for (int c = 0; c < CELLS; c++) {
            float change = cells(result, "out")[c] - tw_floats(&in)[c];
            if (patch(c) == 1 && change < (rows[i].exact ? 0 : -1e-6f))
                fail_msg("erosion.%s: hard cell %d falls by %.9g", rows[i].settings, c,
                         -(double)change);
            lowest_soft = patch(c) == 0 && change < lowest_soft ? change : lowest_soft;
        }
        if (lowest_soft > -1e-4f)
            fail_msg("erosion.%s: soft ground stays, too: that tests nothing", rows[i].settings);
        tw_result_release(result);
    }
    free(in.data);
    free(map.data);
}

static void balance(const struct row *row, const struct tw_value *in, const char *port,
                    const struct tw_value *map)
{
    struct tw_result *result = run(row, in, port, map);
    const struct tw_value *ledger = tw_result_output(result, "ledger");
    double before = sum_of(tw_floats(in)), after = sum_of(cells(result, "out"));
    double eroded = sum_of(cells(result, "eroded")), deposited = sum_of(cells(result, "deposited"));
    double exported = row->exported ? record_number(ledger, row->exported) : 0;
    double slack = 1e-5 * (before + eroded + deposited);
    if (fabs(before - eroded + deposited - after) > slack)
        fail_msg("erosion.%s, %s: %.9g - %.9g + %.9g is not %.9g", row->settings, port, before,
                 eroded, deposited, after);
    bool carried = strstr(row->settings, "side") || strstr(row->settings, "levels");
    if (!carried && fabs(before - exported - after) > slack)
        fail_msg("erosion.%s, %s: %.9g less %.9g is not %.9g", row->settings, port, before,
                 exported, after);
    tw_result_release(result);
}

static void ledgers_balance(void **state)
{
    struct tw_value in = harness_terrain(WIDTH, HEIGHT, 9), map = make_map(-1);
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        if (rows[i].hardness)
            balance(&rows[i], &in, "hardness", &map);
        if (rows[i].rain)
            balance(&rows[i], &in, "rain_map", &map);
    }
    free(in.data);
    free(map.data);
}

static void where_all_is_hard_or_dry_nothing_moves(void **state)
{
    struct tw_value in = harness_terrain(WIDTH, HEIGHT, 10), one = make_map(1), none = make_map(0);
    (void)state;
    for (int i = 0; i < ROWS; i++)
        for (int rain = 0; rain < 2; rain++) {
            if (!(rain ? rows[i].rain : rows[i].hardness))
                continue;
            struct tw_result *result =
                run(&rows[i], &in, rain ? "rain_map" : "hardness", rain ? &none : &one);
            for (int c = 0; c < CELLS; c++)
                if (fabsf(cells(result, "out")[c] - tw_floats(&in)[c]) > 1e-6f)
                    fail_msg("erosion.%s: cell %d moves on %s ground", rows[i].settings, c,
                             rain ? "dry" : "hard");
            tw_result_release(result);
        }
    free(in.data);
    free(one.data);
    free(none.data);
}

static void gives_the_same_bytes_everywhere(void **state)
{
    struct tw_value in = harness_terrain(WIDTH, HEIGHT, 11), map = make_map(-1);
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        char nodes[500];
        struct tw_result *result =
            run(&rows[i], &in, rows[i].hardness ? "hardness" : "rain_map", &map);
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\nmap: {type: test.mask, slot: 1}\n"
                 "out: {in: in, %s: map, type: erosion.%s}\n",
                 rows[i].hardness ? "hardness" : "rain_map", rows[i].settings);
        everywhere((struct harness){.width = WIDTH, .height = HEIGHT, .nodes = nodes}, "out",
                   cells(result, "out"));
        tw_result_release(result);
    }
    free(in.data);
    free(map.data);
}

static void thermal_equals_the_plain_loop(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        struct tw_value in = harness_terrain(WIDTH, HEIGHT, 12), map = make_map(-1);
        float expected[CELLS];
        memcpy(expected, in.data, sizeof expected);
        ref_thermal(expected, tw_floats(&map), (struct ref_size){WIDTH, HEIGHT, closed},
                    1.0f / WIDTH, 0.25f, 6);
        harness_give(0, &in);
        harness_give(1, &map);
        everywhere((struct harness){.width = WIDTH,
                                    .height = HEIGHT,
                                    .head = closed ? "borders: closed\n" : "borders: wrap\n",
                                    .nodes = "in: {type: test.map}\n"
                                             "map: {type: test.mask, slot: 1}\n"
                                             "out: {type: erosion.thermal, in: in, hardness: map, "
                                             "talus: 1, rate: 0.25, iterations: 6}\n"},
                   "out", expected);
        free(in.data);
        free(map.data);
    }
}

static void hydraulic_equals_the_plain_loop(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        struct tw_value in = harness_terrain(WIDTH, HEIGHT, 13), map = make_map(-1);
        struct tw_value falls = harness_terrain(WIDTH, HEIGHT, 14);
        const struct ref_rain rain = {
            0.02f, 0.3f, 0.4f, 0.1f, 6, tw_floats(&map), tw_floats(&falls)};
        float expected[CELLS], maps[2 * CELLS];
        memcpy(expected, in.data, sizeof expected);
        ref_hydraulic(expected, maps, (struct ref_size){WIDTH, HEIGHT, closed}, &rain);
        falls.type = TW_MASK;
        harness_give(0, &in);
        harness_give(1, &map);
        harness_give(2, &falls);
        everywhere((struct harness){.width = WIDTH,
                                    .height = HEIGHT,
                                    .head = closed ? "borders: closed\n" : "borders: wrap\n",
                                    .nodes = "in: {type: test.map}\n"
                                             "map: {type: test.mask, slot: 1}\n"
                                             "falls: {type: test.mask, slot: 2}\n"
                                             "out: {type: erosion.hydraulic, in: in, hardness: "
                                             "map, rain_map: falls, rain: 0.02, solubility: 0.3, "
                                             "evaporation: 0.4, capacity: 0.1, iterations: 6}\n"},
                   "out", expected);
        free(in.data);
        free(map.data);
        free(falls.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_special_is_as_none),
        cmocka_unit_test(hard_ground_stays),
        cmocka_unit_test(ledgers_balance),
        cmocka_unit_test(where_all_is_hard_or_dry_nothing_moves),
        cmocka_unit_test(gives_the_same_bytes_everywhere),
        cmocka_unit_test(thermal_equals_the_plain_loop),
        cmocka_unit_test(hydraulic_equals_the_plain_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
