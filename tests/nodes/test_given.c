/* SPDX-License-Identifier: MIT */
/* Values that no node of ours gives, but nodes and programs of others may: what is said of them. */
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 6, HEIGHT = 4 };

static void expect_refused(const struct tw_value *value, const char *nodes, const char *message)
{
    harness_give(0, value);
    struct tw_error error =
        harness_fail(&(struct harness){.width = WIDTH, .height = HEIGHT, .nodes = nodes});
    assert_string_equal(error.message, message);
}

static void lists_may_be_empty(void **state)
{
    struct tw_point none[1] = {{.x = 0}};
    const struct tw_value points = {TW_POINTS, 0, 1, none};
    (void)state;
    expect_refused(&points,
                   "points: {type: test.points}\n"
                   "land: {type: feature.distance, generators: points}\n",
                   "generators is empty: it needs at least one point");
    expect_refused(&points,
                   "points: {type: test.points}\n"
                   "all: {type: feature.merge, generators: [points, points]}\n",
                   "generators holds 0 points; it needs 1 to 2147483647");
}

static void generators_must_have_costs_and_profiles(void **state)
{
    struct tw_point at[2] = {{.x = 0.5f, .cost = 1}, {.x = 0.2f, .cost = -0.5f}};
    const struct tw_value points = {TW_POINTS, 2, 1, at};
    static const char nodes[] = "points: {type: test.points}\n"
                                "land: {type: feature.distance, generators: points}\n";
    (void)state;
    expect_refused(&points, nodes, "generator 1 has the cost -0.5; expected 0 or more");
    at[1] = (struct tw_point){.cost = 1, .profile = 1};
    expect_refused(&points, nodes,
                   "generator 1 has profile 1; expected 0, as the input 'profiles' is empty");
}

static void labels_have_bounds(void **state)
{
    enum { MOST = (1 << 24) - 1 };
    static const struct {
        int32_t first, last;
        const char *message;
    } rows[] = {{-1, 5, "labels run from -1 to 5; allowed 0 to 16777215"},
                {0, MOST + 1, "labels run from 0 to 16777216; allowed 0 to 16777215"}};
    int32_t cells[WIDTH * HEIGHT] = {0};
    const struct tw_value labels = {TW_LABELS, WIDTH, HEIGHT, cells};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cells[0] = rows[i].first;
        cells[WIDTH * HEIGHT - 1] = rows[i].last;
        expect_refused(&labels,
                       "labels: {type: test.labels}\n"
                       "map: {type: voronoi.domain, domain: labels}\n",
                       rows[i].message);
    }
}

static void light_must_not_be_too_flat_or_steep(void **state)
{
    static const struct {
        double tilt;
        const char *message;
    } rows[] = {{4.5, "the light's tilt is 4.5 and must be 5 to 85 degrees"},
                {85.5, "the light's tilt is 85.5 and must be 5 to 85 degrees"},
                {-45, "the light's tilt is -45 and must be 5 to 85 degrees"}};
    struct tw_entry entries[2] = {{.name = "azimuth", .number = 30}, {.name = "tilt"}};
    const struct tw_value light = {TW_RECORD, 2, 1, entries};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        entries[1].number = rows[i].tilt;
        expect_refused(&light,
                       "base: {type: source.constant, value: 0}\n"
                       "dark: {type: mask.height, in: base, low: 1, high: 2}\n"
                       "light: {type: test.record}\n"
                       "land: {type: feature.shadow, in: base, image: dark, light: light}\n",
                       rows[i].message);
    }
}

static void a_polygon_map_must_be_one(void **state)
{
    static const char *const nodes[] = {
        "map: {type: test.polymap}\nout: {type: island.shape, in: map}\n",
        "map: {type: test.polymap}\nout: {type: island.raster, in: map}\n",
        "map: {type: test.polymap}\nout: {type: render.polymap, in: map}\n",
    };
    uint32_t words[64] = {0};
    const struct tw_value map = {TW_POLYMAP, 64, 1, words};
    (void)state;
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++)
        expect_refused(&map, nodes[i], "the input is not a valid polygon map");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_may_be_empty),
        cmocka_unit_test(generators_must_have_costs_and_profiles),
        cmocka_unit_test(labels_have_bounds),
        cmocka_unit_test(light_must_not_be_too_flat_or_steep),
        cmocka_unit_test(a_polygon_map_must_be_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
