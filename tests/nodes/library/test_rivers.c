/* SPDX-License-Identifier: MIT */
/* thalweg/rivers on two maps, closed and on a torus: what any river must do. */
#include "support/harness.h"

#include "value/field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 192, CELLS = SIDE * SIDE, MAPS = 4 };

/* Hollows and hills; and valleys that rivers cut. */
static const char *const lands[] = {
    "land: {type: noise.perlin, frequency: 3, octaves: 6}\n",
    "hills: {type: noise.perlin, frequency: 2, octaves: 6}\n"
    "worn: {type: erosion.stream_power, in: hills, steps: 10}\n"
    "land: {type: combine.formula, a: worn, formula: \"max(a, 0.2 + 0.2 * a)\"}\n"};

static const char use[] = "it: {type: thalweg/rivers, land: land, age: 260}\n"
                          "lakes: {type: water.lakes, in: land, least_area: 0.0002}\n";

struct map {
    struct tw_result *result;
    bool wrap;
    const float *before, *land, *water, *depth, *lake;
    const struct tw_value *lines;
};

static struct map run(int number)
{
    char nodes[1000];
    struct map map = {.wrap = number % 2};
    snprintf(nodes, sizeof nodes, "%s%s", lands[number / 2], use);
    map.result = harness_run(&(struct harness){
        .width = SIDE,
        .height = SIDE,
        .head = map.wrap ? "borders: wrap\n" : "borders: closed\n",
        .nodes = nodes,
        .outputs = "water: it.water\ndepth: it.depth\nlines: it.lines\nlake: lakes.mask\n"
                   "labels: lakes.labels\n"});
    map.before = tw_floats(tw_result_output(map.result, "land"));
    map.land = tw_floats(tw_result_output(map.result, "it"));
    map.water = tw_floats(tw_result_output(map.result, "water"));
    map.depth = tw_floats(tw_result_output(map.result, "depth"));
    map.lake = tw_floats(tw_result_output(map.result, "lake"));
    map.lines = tw_result_output(map.result, "lines");
    return map;
}

static void each(void (*check)(const struct map *map))
{
    for (int number = 0; number < MAPS; number++) {
        struct map map = run(number);
        check(&map);
        tw_result_release(map.result);
    }
}

static const struct tw_line_point *points(const struct map *map) { return map->lines->data; }

/* ---- rivers never flow up ---- */

static void check_fall(const struct map *map)
{
    const struct tw_line_point *p = points(map);
    assert_true(map->lines->width > 100);
    for (int32_t i = 1; i < map->lines->width; i++)
        assert_true(p[i].line != p[i - 1].line || p[i].z <= p[i - 1].z);
}

static void rivers_never_flow_up(void **state)
{
    (void)state;
    each(check_fall);
}

/* ---- confluences: a river leaves the map, or ends on a larger one, which is not above it ---- */

static double apart(const struct map *map, double a, double b)
{
    return map->wrap ? a - b - floor(a - b + 0.5) : a - b;
}

/* How far point `end` is from segment a, a + 1, whose share `at` is the place nearest to it. */
static double way_to(const struct map *map, int32_t a, int32_t end, double *at)
{
    const struct tw_line_point *p = points(map);
    double x = apart(map, p[end].x, p[a].x), y = apart(map, p[end].y, p[a].y);
    double dx = (double)p[a + 1].x - (double)p[a].x, dy = (double)p[a + 1].y - (double)p[a].y;
    double t = (x * dx + y * dy) / fmax(dx * dx + dy * dy, 1e-20);
    *at = fmin(fmax(t, 0), 1);
    return hypot(x - *at * dx, y - *at * dy);
}

/* Of the rivers before that of point `end`, the segment nearest to it, and the water's level. */
static int32_t nearest(const struct map *map, int32_t end, double *distance, double *level)
{
    const struct tw_line_point *p = points(map);
    int32_t best = -1;
    *distance = 9;
    for (int32_t i = 0; p[i].line < p[end].line; i++) {
        double at = 0, way = p[i + 1].line == p[i].line ? way_to(map, i, end, &at) : 9;
        if (way >= *distance)
            continue;
        best = i;
        *distance = way;
        *level = (1 - at) * (double)p[i].z + at * (double)p[i + 1].z;
    }
    return best;
}

/* On the border, or on the lowest ground of a torus. */
static bool at_an_outlet(const struct map *map, const struct tw_line_point *end)
{
    const double rim = 1.0 / SIDE;
    float lowest = 9;
    for (int32_t i = 0; i < CELLS; i++)
        lowest = fminf(lowest, map->before[i]);
    return map->wrap ? end->z <= lowest
                     : end->x < rim || end->y < rim || end->x > 1 - rim || end->y > 1 - rim;
}

static void check_joining(const struct map *map)
{
    const struct tw_line_point *p = points(map);
    int joined = 0;
    for (int32_t i = 0; i < map->lines->width; i++) {
        double distance, level = 9;
        if ((i + 1 < map->lines->width && p[i + 1].line == p[i].line) || at_an_outlet(map, p + i))
            continue;
        int32_t main = nearest(map, i, &distance, &level);
        assert_true(main >= 0 && distance < 1e-5 && level <= (double)p[i].z + 1e-5);
        assert_true(p[main + 1].flow >= p[i - 1].flow);
        joined++;
    }
    assert_true(joined > 5);
}

static void rivers_join_downstream(void **state)
{
    (void)state;
    each(check_joining);
}

/* ---- beds ---- */

/* A wet cell has its bed below the water, and dry ground beside a river is above its bed, but for
 * some that lie beside a much lower reach of a steep one. */
static void check_beds(const struct map *map)
{
    int beds = 0, banks = 0, low = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t east = i % SIDE + 1 < SIDE ? i + 1 : i;
        assert_true(map->depth[i] >= 0 && (map->water[i] > 0 || map->depth[i] == 0));
        if (map->lake[i] > 0 || map->water[i] < 0.5f)
            continue;
        assert_true(map->depth[i] > 0);
        beds++;
        banks += map->water[east] == 0;
        low += map->water[east] == 0 && map->land[east] <= map->land[i];
    }
    assert_true(beds > 500 && banks > 50 && low * 25 < banks);
}

static void beds_lie_below_water_and_banks(void **state)
{
    (void)state;
    each(check_beds);
}

/* ---- lakes ---- */

static int lakes_seen;

static void check_lakes(const struct map *map)
{
    static float level[CELLS];
    const struct tw_label *label = tw_result_output(map->result, "labels")->data;
    int lakes = 0;
    memset(level, 0, sizeof level);
    for (int32_t i = 0; i < CELLS; i++) {
        float *at = &level[label[i].label];
        if (label[i].label == 0)
            continue;
        lakes += *at == 0;
        *at = *at == 0 ? map->land[i] + map->depth[i] : *at;
        assert_true(map->land[i] == map->before[i] && map->water[i] == 1);
        assert_true(fabsf(map->land[i] + map->depth[i] - *at) < 1e-6f);
    }
    lakes_seen += lakes;
}

static void lakes_are_level_and_keep_their_floor(void **state)
{
    (void)state;
    each(check_lakes);
    assert_true(lakes_seen > 50);
}

/* ---- defaults of inputs say what the nodes do without them ---- */

static void no_sea_and_even_rain_are_the_default(void **state)
{
    static const char nodes[] =
        "land: {type: noise.perlin, frequency: 3, octaves: 6}\n"
        "rain: {type: source.constant, value: 1}\n"
        "zero: {type: source.constant, value: 0}\n"
        "sea: {type: mask.from, in: zero}\n"
        "bare: {type: thalweg/rivers, land: land, age: 0}\n"
        "told: {type: thalweg/rivers, land: land, rain: rain, sea: sea, age: 0}\n"
        "lakes: {type: water.lakes, in: land, least_area: 0.0002}\n"
        "traced: {type: water.rivers, in: land}\n"
        "still: {type: path.meander, lines: traced, ground: lakes.surface,\n"
        "  hold: lakes.mask, age: 0}\n";
    (void)state;
    for (int wrap = 0; wrap < 2; wrap++) {
        struct tw_result *result =
            harness_run(&(struct harness){.width = 96,
                                          .height = 96,
                                          .head = wrap ? "borders: wrap\n" : "borders: closed\n",
                                          .nodes = nodes,
                                          .outputs = "a: bare.lines\nb: told.lines\n"});
        const struct tw_value *plain = tw_result_output(result, "still");
        const char *const same[] = {"a", "b"};
        for (int i = 0; i < 2; i++) {
            const struct tw_value *lines = tw_result_output(result, same[i]);
            assert_int_equal(lines->width, plain->width);
            assert_memory_equal(lines->data, plain->data,
                                tw_value_count(plain) * sizeof(struct tw_line_point));
        }
        harness_same(tw_result_output(result, "bare"), tw_floats(tw_result_output(result, "told")));
        tw_result_release(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivers_never_flow_up),
        cmocka_unit_test(rivers_join_downstream),
        cmocka_unit_test(beds_lie_below_water_and_banks),
        cmocka_unit_test(lakes_are_level_and_keep_their_floor),
        cmocka_unit_test(no_sea_and_even_rain_are_the_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
