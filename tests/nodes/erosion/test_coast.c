/* SPDX-License-Identifier: MIT */
#include "support/harness.h"
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_result *coast(const struct tw_value *map, const char *port,
                               const struct tw_value *other, const char *settings)
{
    char nodes[500], extra[60] = "";
    if (other)
        snprintf(extra, sizeof extra, ", %s: other", port);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n%sout: {type: erosion.coast, in: in%s, %s}\n",
             other ? "other: {type: test.mask, slot: 1}\n" : "", extra, settings);
    harness_give(0, map);
    if (other)
        harness_give(1, other);
    return harness_run(
        &(struct harness){.width = map->width,
                          .height = map->height,
                          .nodes = nodes,
                          .outputs = "cut: out.cut\nsand: out.sand\nledger: out.ledger\n",
                          .head = "world: {sea_level: 0.45}\n"});
}

static const float *cells(const struct tw_result *result, const char *output)
{
    return tw_floats(tw_result_output(result, output));
}

static double sum(const float *map, size_t count)
{
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += (double)map[i];
    return total;
}

static double entry(const struct tw_result *result, const char *name)
{
    return record_number(tw_result_output(result, "ledger"), name);
}

/* A mask that is 0 in the west and 1 in the east. */
static struct tw_value half(const struct tw_value *map)
{
    struct tw_value mask = {TW_MASK, map->width, map->height,
                            malloc(tw_value_count(map) * sizeof(float))};
    for (size_t i = 0; i < tw_value_count(map); i++)
        tw_floats(&mask)[i] = (int32_t)i % map->width < map->width / 2 ? 0 : 1;
    return mask;
}

#define EXAGGERATED "level: 0.5, retreat: 0.08, berm: 0.02, tall: 1"

/* What the sea takes lies on beaches or is lost, and the map shows both. */
static void the_ledger_balances(void **state)
{
    static const char *const settings[] = {
        EXAGGERATED ", border: wrap", EXAGGERATED ", border: closed",
        EXAGGERATED ", border: closed, share: 0.1", EXAGGERATED ", azimuth: 45, power: 0.5"};
    struct tw_value map = harness_terrain(97, 64, 5), mask = half(&map);
    const size_t count = tw_value_count(&map);
    (void)state;
    for (int i = 0; i < 8; i++) {
        struct tw_result *result = coast(&map, "mask", i % 2 ? &mask : NULL, settings[i / 2]);
        const double eroded = entry(result, "eroded"), sand = entry(result, "sand");
        assert_true(eroded > 1 && sand > 0);
        assert_true(fabs(eroded - sand - entry(result, "lost")) < 1e-9 * eroded);
        assert_true(sand <= (i / 2 == 2 ? 0.1 : 0.5) * eroded * (1 + 1e-6));
        assert_true(fabs(sum(cells(result, "sand"), count) - sand) < 1e-6 * eroded);
        assert_true(fabs(sum(tw_floats(&map), count) - sum(cells(result, "out"), count) - eroded +
                         sand) < 1e-6 * (double)count);
        tw_result_release(result);
    }
    free(map.data);
    free(mask.data);
}

/* Ground of hardness 1 keeps its heights, wherever it lies; so does all beyond the mask. */
static void hard_and_masked_ground_stays(void **state)
{
    struct tw_value map = harness_terrain(64, 64, 6), east = half(&map);
    (void)state;
    struct tw_result *hard = coast(&map, "hardness", &east, EXAGGERATED ", share: 0");
    struct tw_result *masked = coast(&map, "mask", &east, EXAGGERATED);
    int32_t lower = 0;
    for (int32_t i = 0; i < 64 * 64; i++) {
        const bool in_east = i % 64 >= 32;
        if (in_east)
            assert_true(cells(hard, "out")[i] == tw_floats(&map)[i]);
        else
            assert_true(cells(masked, "out")[i] == tw_floats(&map)[i]);
        lower += cells(in_east ? masked : hard, "out")[i] < tw_floats(&map)[i] - 1e-3f;
    }
    assert_true(lower > 100);
    tw_result_release(hard);
    tw_result_release(masked);
    free(map.data);
    free(east.data);
}

enum { W = 64, H = 32 };
#define SHORE 19.7 /* columns */
#define RISE 0.5   /* per map side */

/* On a straight coast that waves meet head on, the sea goes back by `retreat`; a platform and a
 * cliff begin between cells where it stops; inland nothing changes. */
static void a_straight_coast_goes_back_evenly(void **state)
{
    float heights[W * H];
    struct tw_value map = {TW_HEIGHTMAP, W, H, heights};
    (void)state;
    for (int32_t i = 0; i < W * H; i++)
        heights[i] = (float)((i % W - SHORE) / W * RISE);
    struct tw_result *result =
        coast(&map, NULL, NULL,
              "level: 0, retreat: 0.1, tall: 1e6, cliff: 1, platform: 0.1, berm: 0.01, "
              "border: closed");
    const double line = SHORE + 6.4;
    for (int32_t i = 0; i < W * H; i++) {
        const double x = i % W, out = (double)cells(result, "out")[i], in = (double)heights[i];
        const bool cut = x > SHORE && x < line;
        assert_int_equal(cells(result, "cut")[i] > 0, cut);
        assert_true(cells(result, "sand")[i] == 0);
        if (cut)
            assert_true(fabs(out - fmin(in, 0.005 - 0.1 * (line - x) / W)) < 1e-4);
        else if (x > line)
            assert_true(fabs(out - fmin(in, 0.005 + (x - line) / W)) < 3e-4);
        if (x > line + 12)
            assert_true(cells(result, "out")[i] == heights[i]);
    }
    tw_result_release(result);
}

/* Of a round island the side towards the waves goes back, and sand lies on the other. */
static void waves_come_from_the_azimuth(void **state)
{
    float heights[W * W];
    struct tw_value map = {TW_HEIGHTMAP, W, W, heights};
    (void)state;
    for (int32_t i = 0; i < W * W; i++)
        heights[i] = (float)(0.06 - 0.2 * hypot(i % W - 31.5, i / W - 31.5) / W);
    for (int k = 0; k < 4; k++) {
        char settings[120];
        double cut = 0, sand = 0;
        snprintf(settings, sizeof settings,
                 "level: 0, retreat: 0.1, berm: 0.02, border: closed, azimuth: %d", 90 * k);
        struct tw_result *result = coast(&map, NULL, NULL, settings);
        for (int32_t i = 0; i < W * W; i++) {
            const double x = i % W - 31.5, y = i / W - 31.5;
            const double ahead = k == 0 ? -y : k == 1 ? x : k == 2 ? y : -x;
            cut += (double)cells(result, "cut")[i] * (ahead > 0 ? 1 : -1);
            sand += (double)cells(result, "sand")[i] * (ahead > 0 ? 1 : -1);
        }
        assert_true(cut > 50);
        assert_true(sand < 0);
        tw_result_release(result);
    }
}

static void the_level_may_be_the_worlds(void **state)
{
    struct tw_value map = harness_terrain(W, H, 7);
    struct tw_result *given = coast(&map, NULL, NULL, "level: 0.45, retreat: 0.08");
    struct tw_result *own = coast(&map, NULL, NULL, "retreat: 0.08");
    (void)state;
    assert_memory_equal(cells(own, "out"), cells(given, "out"), W * H * sizeof(float));
    assert_true(entry(own, "eroded") > 0);
    tw_result_release(given);
    tw_result_release(own);
    free(map.data);
}

/* All sea and all land pass as they are, with a warning. */
static void without_a_shore_nothing_changes(void **state)
{
    static const int32_t sizes[][2] = {{W, H}, {1, 1}, {1, 9}, {9, 1}, {2, 2}};
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct tw_value map = harness_terrain(sizes[i / 2][0], sizes[i / 2][1], 8);
        struct tw_result *result = coast(&map, NULL, NULL, i % 2 ? "level: 9" : "level: -9");
        assert_memory_equal(cells(result, "out"), map.data, tw_value_count(&map) * sizeof(float));
        assert_non_null(strstr(harness_warning(),
                               i % 2 ? "is sea at a level of 9" : "is land at a level of -9"));
        assert_true(entry(result, "eroded") == 0 && entry(result, "sand") == 0);
        tw_result_release(result);
        free(map.data);
    }
}

/* A basin that the sea does not reach keeps its shores. */
static void inland_basins_are_no_sea(void **state)
{
    float heights[W * W];
    struct tw_value map = {TW_HEIGHTMAP, W, W, heights};
    (void)state;
    for (int32_t i = 0; i < W * W; i++) {
        const double x = i % W, y = i / W;
        heights[i] = x < 8 ? -0.1f : hypot(x - 40, y - 32) < 10 ? -0.05f : 0.1f;
    }
    struct tw_result *result =
        coast(&map, NULL, NULL, "level: 0, retreat: 0.1, tall: 1e6, border: closed");
    for (int32_t i = 0; i < W * W; i++)
        if (i % W > 20)
            assert_true(cells(result, "out")[i] == heights[i]);
    assert_true(entry(result, "eroded") > 1);
    tw_result_release(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_ledger_balances),
        cmocka_unit_test(hard_and_masked_ground_stays),
        cmocka_unit_test(a_straight_coast_goes_back_evenly),
        cmocka_unit_test(waves_come_from_the_azimuth),
        cmocka_unit_test(the_level_may_be_the_worlds),
        cmocka_unit_test(without_a_shore_nothing_changes),
        cmocka_unit_test(inland_basins_are_no_sea),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
