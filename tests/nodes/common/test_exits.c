/* SPDX-License-Identifier: MIT */
/* Sides in `closed` and cells of `outlets` mean the same to every kind that routes water. */
#include "support/record.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 61, H = 47, CELLS = W * H };
enum { NORTH = 1, EAST = 2, SOUTH = 4, WEST = 8, ALL = 15 };

static const char *const sides[16] = {"[]",
                                      "[north]",
                                      "[east]",
                                      "[north, east]",
                                      "[south]",
                                      "[north, south]",
                                      "[east, south]",
                                      "[north, east, south]",
                                      "[west]",
                                      "north west",
                                      "[west, east]",
                                      "[west, east, north]",
                                      "[south, west]",
                                      "[south, west, north]",
                                      "[south, east, west]",
                                      "[north, east, south, west]"};

static bool is_open(unsigned closed, int32_t x, int32_t y)
{
    return (y == 0 && !(closed & NORTH)) || (x == W - 1 && !(closed & EAST)) ||
           (y == H - 1 && !(closed & SOUTH)) || (x == 0 && !(closed & WEST));
}

/* Cells on open sides, marked ones, and where there are none the lowest. */
static void find_outlets(const float *z, unsigned closed, const float *marked, uint8_t *outlet)
{
    float lowest = FLT_MAX;
    bool any = false;
    for (int32_t i = 0; i < CELLS; i++) {
        outlet[i] = is_open(closed, i % W, i / W) || (marked && marked[i] >= 0.5f);
        any |= outlet[i];
        lowest = z[i] < lowest ? z[i] : lowest;
    }
    for (int32_t i = 0; !any && i < CELLS; i++)
        outlet[i] = z[i] == lowest;
}

/* Planchon and Darboux 2001: lowered from infinity until nothing changes. */
static void flood(const float *z, const uint8_t *outlet, float *level)
{
    for (int32_t i = 0; i < CELLS; i++)
        level[i] = outlet[i] ? z[i] : FLT_MAX;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < CELLS; i++) {
            float least = FLT_MAX;
            for (int32_t k = 0; k < 9; k++) {
                int32_t x = i % W + k % 3 - 1, y = i / W + k / 3 - 1;
                if (x >= 0 && y >= 0 && x < W && y < H && level[y * W + x] < least)
                    least = level[y * W + x];
            }
            least = least > z[i] ? least : z[i];
            if (least < level[i]) {
                level[i] = least;
                changed = true;
            }
        }
    }
}

static struct tw_result *run(const struct tw_value *map, const float *marked, const char *closed,
                             const char *kind)
{
    static char nodes[4000];
    struct tw_value mask = {TW_MASK, W, H, marked ? (void *)(uintptr_t)marked : map->data};
    bool sea = strstr(kind, "water.") != NULL;
    harness_give(0, map);
    harness_give(1, &mask);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nmask: {type: test.mask, slot: 1}\n"
             "out: {type: %s, in: in, border: closed, closed: %s%s}\n",
             kind, closed,
             !marked ? ""
             : sea   ? ", sea: mask"
                     : ", outlets: mask");
    return harness_run(&(struct harness){.width = W, .height = H, .nodes = nodes, .threads = 2});
}

/* Filled to what a plain flood from these outlets gives, and lakes to the same. */
static void fills_to_the_chosen_outlets(void **state)
{
    static float marked[CELLS], level[CELLS], depth[CELLS];
    static uint8_t outlet[CELLS];
    (void)state;
    marked[20 * W + 30] = 1;
    marked[11 * W + 9] = 0.5f;
    marked[12 * W + 9] = 0.499f;
    for (unsigned closed = 0; closed < 16; closed++)
        for (int with = 0; with < 2; with++) {
            struct tw_value map = harness_terrain(W, H, 3 + closed);
            const float *mask = with ? marked : NULL;
            find_outlets(tw_floats(&map), closed, mask, outlet);
            flood(tw_floats(&map), outlet, level);
            for (int32_t i = 0; i < CELLS; i++)
                depth[i] = level[i] - tw_floats(&map)[i];
            struct tw_result *fill = run(&map, mask, sides[closed], "shape.fill_depressions");
            harness_same(tw_result_output(fill, "out"), level);
            tw_result_release(fill);
            struct tw_result *lakes = run(&map, mask, sides[closed], "water.lakes");
            harness_same(tw_result_output(lakes, "out"), depth);
            tw_result_release(lakes);
            free(map.data);
        }
}

/* A rising fill leaves no cell but outlets without a lower neighbour. */
static void rises_from_the_chosen_outlets(void **state)
{
    static uint8_t outlet[CELLS];
    (void)state;
    for (unsigned closed = 0; closed < 16; closed++) {
        struct tw_value map = harness_terrain(W, H, 40 + closed);
        find_outlets(tw_floats(&map), closed, NULL, outlet);
        struct tw_result *fill =
            run(&map, NULL, sides[closed], "shape.fill_depressions, epsilon: auto");
        const float *z = tw_floats(tw_result_output(fill, "out"));
        for (int32_t i = 0; i < CELLS; i++) {
            float least = FLT_MAX;
            for (int32_t k = 0; k < 9; k++) {
                int32_t x = i % W + k % 3 - 1, y = i / W + k / 3 - 1;
                if (k != 4 && x >= 0 && y >= 0 && x < W && y < H && z[y * W + x] < least)
                    least = z[y * W + x];
            }
            assert_true(outlet[i] ? z[i] == tw_floats(&map)[i] : least < z[i]);
        }
        tw_result_release(fill);
        free(map.data);
    }
}

/* All water leaves at the outlets. */
static void all_flow_leaves_there(void **state)
{
    static const char *const kinds[] = {"measure.flow, scale: cells",
                                        "measure.flow, scale: cells, method: mfd"};
    static uint8_t outlet[CELLS];
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (unsigned closed = 0; closed < 16; closed++) {
            struct tw_value map = harness_terrain(W, H, 70 + closed);
            double left = 0;
            find_outlets(tw_floats(&map), closed, NULL, outlet);
            struct tw_result *flow = run(&map, NULL, sides[closed], kinds[kind]);
            for (int32_t i = 0; i < CELLS; i++)
                left += outlet[i] ? (double)tw_floats(tw_result_output(flow, "out"))[i] : 0;
            assert_true(left > CELLS - 0.05 && left < CELLS + 0.05);
            tw_result_release(flow);
            free(map.data);
        }
}

/* With all sides closed and the border marked, maps are those of an open border. */
static void marked_borders_are_open_ones(void **state)
{
    static const char *const kinds[] = {"shape.fill_depressions",
                                        "shape.fill_depressions, epsilon: auto",
                                        "measure.flow",
                                        "measure.flow, method: mfd",
                                        "shape.breach",
                                        "mask.flow",
                                        "mask.wetness",
                                        "water.lakes, evaporation: 3",
                                        "water.rivers"};
    static float marked[CELLS];
    (void)state;
    for (int32_t i = 0; i < CELLS; i++)
        marked[i] = is_open(0, i % W, i / W);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct tw_value map = harness_terrain(W, H, 90 + k);
        struct tw_result *open = run(&map, NULL, "[]", kinds[k]);
        struct tw_result *chosen = run(&map, marked, sides[ALL], kinds[k]);
        const struct tw_value *a = tw_result_output(open, "out");
        const struct tw_value *b = tw_result_output(chosen, "out");
        assert_int_equal(tw_value_count(a), tw_value_count(b));
        if (a->type != TW_LINES)
            harness_same(a, tw_floats(b));
        else
            assert_memory_equal(tw_line_points(a), tw_line_points(b),
                                tw_value_count(a) * sizeof *tw_line_points(a));
        tw_result_release(open);
        tw_result_release(chosen);
        free(map.data);
    }
}

/* A basin whose bottom is marked is not filled: in it only hollows beside the bottom are. */
static void keeps_inner_basins(void **state)
{
    static float z[CELLS], marked[CELLS];
    struct tw_value map = {TW_HEIGHTMAP, W, H, z};
    (void)state;
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t east = i % W - 30, south = i / W - 20, r2 = east * east + south * south;
        z[i] = r2 < 200 ? (float)r2 : 300 - (float)r2 / 20;
        marked[i] = r2 == 0 ? 1 : 0;
    }
    struct tw_result *kept = run(&map, marked, "[]", "shape.fill_depressions");
    harness_same(tw_result_output(kept, "out"), z);
    tw_result_release(kept);
    struct tw_result *filled = run(&map, NULL, "[]", "shape.fill_depressions");
    assert_true(tw_floats(tw_result_output(filled, "out"))[20 * W + 30] > 200);
    tw_result_release(filled);
    struct tw_result *pits = run(&map, NULL, "[]", "measure.pits");
    assert_true(record_number(tw_result_output(pits, "out"), "pits") > 0);
    tw_result_release(pits);
    pits = run(&map, marked, "[]", "measure.pits");
    assert_true(record_number(tw_result_output(pits, "out"), "pits") == 0);
    tw_result_release(pits);
}

/* Mountains: with three sides closed nothing keeps its height but gates of the fourth, and all
 * land drains to it. */
static void rivers_leave_mountains_over_the_open_side(void **state)
{
    static const char *const kinds[] = {"erosion.stream_power, steps: 30, border: free",
                                        "erosion.stream_power, steps: 30, border: low",
                                        "erosion.stream_power, steps: 30, border: fixed",
                                        "erosion.analytical, border: free",
                                        "erosion.analytical, border: low"};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char nodes[600];
        struct tw_value map = harness_terrain(W, H, 50 + k);
        harness_give(0, &map);
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\n"
                 "land: {type: %s, in: in, closed: [north, east, west]}\n"
                 "pits: {type: measure.pits, in: land, border: closed, closed: [north, east, "
                 "west]}\n",
                 kinds[k]);
        struct tw_result *result = harness_run(&(struct harness){
            .width = W, .height = H, .nodes = nodes, .head = "borders: closed\n", .threads = 2});
        const float *z = tw_floats(tw_result_output(result, "land"));
        for (int32_t i = 0; i < CELLS - W; i++)
            assert_true(z[i] != tw_floats(&map)[i]);
        double hollows = record_number(tw_result_output(result, "pits"), "hollows");
        if (hollows > 0.02)
            fail_msg("%s leaves hollows of %g", kinds[k], hollows);
        tw_result_release(result);
        free(map.data);
    }
}

/* Water that pipes lose over one side runs out there alone. */
static void pipes_lose_water_over_open_sides(void **state)
{
    double out[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        char nodes[400];
        struct tw_value map = harness_terrain(W, H, 8);
        harness_give(0, &map);
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\n"
                 "out: {type: erosion.pipes, in: in, border: open, steps: 60, closed: %s}\n",
                 sides[(const unsigned[]){0, NORTH | EAST | WEST, ALL}[i]]);
        struct tw_result *result = harness_run(&(struct harness){
            .width = W, .height = H, .nodes = nodes, .outputs = "ledger: out.ledger\n"});
        out[i] = record_number(tw_result_output(result, "ledger"), "exported_water");
        tw_result_release(result);
        free(map.data);
    }
    assert_true(out[0] > 1.5 * out[1] && out[1] > 0 && out[2] == 0);
}

/* A torus has no sides. */
static void a_torus_has_no_sides_to_close(void **state)
{
    static const char *const kinds[] = {"shape.fill_depressions",
                                        "measure.flow",
                                        "measure.pits",
                                        "mask.flow",
                                        "mask.wetness",
                                        "water.lakes",
                                        "erosion.stream_power",
                                        "erosion.analytical",
                                        "water.rivers"};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char nodes[300];
        struct tw_value map = harness_terrain(64, 64, 4);
        harness_give(0, &map);
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\nout: {type: %s, in: in, closed: [west], border: wrap}\n",
                 kinds[k]);
        struct tw_error error = harness_fail(&(struct harness){.nodes = nodes});
        if (!strstr(error.message, "closed names west, but the opposite borders of this map meet"))
            fail_msg("%s", error.message);
        free(map.data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills_to_the_chosen_outlets),
        cmocka_unit_test(rises_from_the_chosen_outlets),
        cmocka_unit_test(all_flow_leaves_there),
        cmocka_unit_test(marked_borders_are_open_ones),
        cmocka_unit_test(keeps_inner_basins),
        cmocka_unit_test(rivers_leave_mountains_over_the_open_side),
        cmocka_unit_test(pipes_lose_water_over_open_sides),
        cmocka_unit_test(a_torus_has_no_sides_to_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
