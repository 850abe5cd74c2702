/* SPDX-License-Identifier: MIT */
/* The mass ledgers of erosion nodes: on random maps, what was there is there still, or the ledger
 * say what rose and what left; and ground without slopes stays. */
#include "support/harness.h"
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* `raised` and `exported` name entries, NULL where there is no such thing; `gross` ledgers count
 * what a cell lost and gained again, which maps of what is missing in the end do not. */
static const struct row {
    const char *settings, *raised, *exported;
} rows[] = {
    {"creep", NULL, NULL},
    {"creep, nonlinear: true, border: closed, steps: 30", NULL, NULL},
    {"creep, steps: 0", NULL, NULL},
    {"thermal", NULL, NULL},
    {"hydraulic, solubility: 0.1, capacity: 0.1", NULL, NULL},
    {"thermal, border: closed", NULL, NULL},
    {"thermal, talus: 1, levels: 2", NULL, NULL},
    {"thermal, border: closed, talus: 1, levels: 2", NULL, NULL},
    {"thermal_fast", NULL, NULL},
    {"thermal_fast, border: closed, talus: 1, visits: alternating", NULL, NULL},
    {"olsen", NULL, NULL},
    {"olsen, border: closed, talus: 30, order: raster", NULL, NULL},
    {"hydraulic_fast", NULL, NULL},
    {"hydraulic_fast, border: closed, rain: 0.003, solubility: 0.3, capacity: 0.3", NULL, NULL},
    {"hydraulic, solubility: 0.1, capacity: 0.1, border: closed", NULL, NULL},
    {"gradient, rain: 0.01, rain_period: 40, steps: 90", NULL, "sediment_left"},
    {"gradient, rain: 0.01, update: synchronous, evaporation: 0.02", NULL, "sediment_left"},
    {"raindrops, drops: 20000", NULL, NULL},
    {"raindrops, drops: 20000, order: sequential", NULL, NULL},
    {"droplets, density: 0.5", NULL, "exported"},
    {"droplets, density: 0.5, side: 30", NULL, "exported"},
    {"droplets, density: 0.5, levels: 2", NULL, "exported"},
    {"droplets, density: 0.5, levels: 1, side: 40", NULL, "exported"},
    {"stream_power, uplift_rate: 2, dt: 0.01, steps: 30", "raised", "exported"},
    {"stream_power, uplift_rate: 0, diffusion: 0.01, channel: 1", "raised", "exported"},
    {"stream_power, uplift_rate: 2, dt: 0.01, steps: 30, levels: 2", "raised", "exported"},
    {"pipes, capacity: 0.02, steps: 100", NULL, "exported_sediment"},
    {"pipes, capacity: 0.02, steps: 100, border: open", NULL, "exported_sediment"},
    {"pipes, capacity: 0.02, steps: 100, levels: 1", NULL, "exported_sediment"},
    {"pipes, capacity: 0.02, steps: 100, levels: 3, border: open", NULL, "exported_sediment"},
};

static double sum_of(const struct tw_value *map)
{
    double sum = 0;
    for (size_t i = 0; i < tw_value_count(map); i++)
        sum += (double)tw_floats(map)[i];
    return sum;
}

static double entry(const struct tw_result *result, const char *name)
{
    return name ? record_number(tw_result_output(result, "ledger"), name) : 0;
}

/* Sums of floats that were rounded many times: 1e-5 of all heights and of all that moved. */
static void expect_equal(double a, double b, double moved, const char *what, const char *settings)
{
    if (fabs(a - b) > 1e-5 * (fabs(a) + moved) + 1e-5)
        fail_msg("erosion.%s: %s: %.9g, but %.9g by the ledger", settings, what, a, b);
}

/* `moves_on`: what is eroded here is deposited there, raised or exported. */
static void balance(const struct row *row, bool masked, bool moves_on, int32_t width,
                    int32_t height, uint64_t seed)
{
    char nodes[400];
    struct tw_value map = harness_terrain(width, height, seed);
    harness_give(0, &map);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nsome: {type: mask.height, in: in, low: 0.2, softness: 0.5}\n"
             "out: {in: in, type: erosion.%s%s}\n",
             row->settings, masked ? ", mask: some" : "");
    struct tw_result *result = harness_run(&(struct harness){
        .width = width,
        .height = height,
        .seed = seed,
        .threads = 2,
        .nodes = nodes,
        .outputs = "eroded: out.eroded\ndeposited: out.deposited\nledger: out.ledger\n"});
    double in = sum_of(&map), out = sum_of(tw_result_output(result, "out"));
    double eroded = sum_of(tw_result_output(result, "eroded"));
    double deposited = sum_of(tw_result_output(result, "deposited"));
    double raised = entry(result, row->raised), exported = entry(result, row->exported);
    double moved = entry(result, "eroded") + entry(result, "deposited");
    expect_equal(out, in + raised - eroded + deposited, moved, "sum by maps", row->settings);
    if (moves_on)
        expect_equal(out, in + raised - exported, moved, "sum by ledger", row->settings);
    expect_equal(eroded, entry(result, "eroded"), moved, "eroded", row->settings);
    expect_equal(deposited, entry(result, "deposited"), moved, "deposited", row->settings);
    for (size_t i = 0; i < tw_value_count(&map); i++) {
        assert_true(tw_floats(tw_result_output(result, "eroded"))[i] >= 0);
        assert_true(tw_floats(tw_result_output(result, "deposited"))[i] >= 0);
    }
    tw_result_release(result);
    free(map.data);
}

static void ledgers_balance(void **state)
{
    static const int32_t sizes[][2] = {{64, 64}, {131, 70}, {1, 37}, {37, 1}, {1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            balance(&rows[i], false, true, sizes[k][0], sizes[k][1], 10 * i + k);
}

/* What a mask holds back is raised and exported nevertheless, and smearing keeps no sum. */
static void maps_balance(void **state)
{
    static const struct row smears[] = {
        {"fir", NULL, NULL}, {"fir, passes: 3, downhill_only: true, border: closed", NULL, NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!rows[i].raised && !rows[i].exported)
            balance(&rows[i], true, false, 64, 50, i);
    for (uint64_t i = 0; i < 4; i++)
        balance(&smears[i / 2], i % 2, false, 70, 33, i);
}

/* On flat ground there is nothing to move, be it at 0, where Coats's drops take a share of nothing,
 * above or below. hydraulic_fast is not here: it dries cell after cell, so that water stands
 * unevenly meanwhile and takes up to 0.004 along. */
static void level_ground_stays(void **state)
{
    static const char *const nodes[] = {"creep",
                                        "creep, nonlinear: true",
                                        "droplets",
                                        "fir",
                                        "gradient",
                                        "gradient, update: synchronous",
                                        "hydraulic",
                                        "olsen",
                                        "pipes",
                                        "pipes, levels: 2",
                                        "raindrops",
                                        "stream_power, uplift_rate: 0",
                                        "stream_power, uplift_rate: 0, levels: 2",
                                        "thermal",
                                        "thermal_fast",
                                        "thermal, levels: 2"};
    static const float levels[] = {0, 0.5f, -3, 800};
    (void)state;
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        for (size_t k = 0; k < 4; k++) {
            char text[200];
            snprintf(text, sizeof text,
                     "in: {type: source.constant, value: %g}\nout: {in: in, type: erosion.%s}\n",
                     (double)levels[k], nodes[i]);
            struct tw_result *result =
                harness_run(&(struct harness){.width = 33, .height = 26, .nodes = text});
            const struct tw_value *out = tw_result_output(result, "out");
            for (size_t c = 0; c < tw_value_count(out); c++)
                if (fabsf(tw_floats(out)[c] - levels[k]) > 1e-5f * (1 + fabsf(levels[k])))
                    fail_msg("erosion.%s: %.9g became %.9g", nodes[i], (double)levels[k],
                             (double)tw_floats(out)[c]);
            assert_true((strstr(harness_warning(), "all heights are 0") != NULL) ==
                        (levels[k] == 0 && strcmp(nodes[i], "raindrops") == 0));
            tw_result_release(result);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ledgers_balance),
                                       cmocka_unit_test(maps_balance),
                                       cmocka_unit_test(level_ground_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
