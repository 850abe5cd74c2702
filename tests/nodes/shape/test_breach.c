/* SPDX-License-Identifier: MIT */
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 29, H = 23, CELLS = W * H };

static struct tw_result *breach(const struct tw_value *map, const char *more, bool wrap)
{
    static char nodes[500];
    harness_give(0, map);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\n"
             "out: {type: shape.breach, in: in, border: %s%s}\n"
             "pits: {type: measure.pits, in: out, border: %s}\n",
             wrap ? "wrap" : "closed", more, wrap ? "wrap" : "closed");
    return harness_run(&(struct harness){.width = map->width,
                                         .height = map->height,
                                         .nodes = nodes,
                                         .outputs = "depth: out.depth\nrecord: out.record\n",
                                         .threads = 2});
}

/* ---- a plain reference: every search looks at all cells for the cheapest ---- */

static struct {
    float z[CELLS];
    bool outlet[CELLS], wrap;
    double rise, most_length, most_depth;
    double cost[CELLS], length[CELLS];
    bool done[CELLS], pit[CELLS];
    int32_t from[CELLS];
} plain;

static int32_t beside(int32_t cell, int k)
{
    int32_t x = cell % W + k % 3 - 1, y = cell / W + k / 3 - 1;
    if (plain.wrap)
        return (y + H) % H * W + (x + W) % W;
    return x < 0 || y < 0 || x >= W || y >= H ? -1 : y * W + x;
}

/* Spreads over ground of one height; returns whether it is a pit. */
static bool spread(int32_t cell)
{
    bool pit = true;
    memset(plain.pit, 0, sizeof plain.pit);
    plain.pit[cell] = true;
    for (bool grows = true; grows;) {
        grows = false;
        for (int32_t i = 0; i < CELLS; i++)
            for (int k = 0; plain.pit[i] && k < 9; k++) {
                int32_t next = beside(i, k);
                if (next < 0)
                    continue;
                pit &= !plain.outlet[i] && plain.z[next] >= plain.z[i];
                if (plain.z[next] == plain.z[i] && !plain.pit[next])
                    grows = plain.pit[next] = true;
            }
    }
    return pit;
}

static int32_t cheapest(void)
{
    int32_t best = -1;
    for (int32_t i = 0; i < CELLS; i++)
        if (!plain.done[i] && plain.cost[i] < (best < 0 ? (double)INFINITY : plain.cost[best]))
            best = i;
    return best;
}

static void open_pit(int32_t pit)
{
    double top = (double)plain.z[pit];
    for (int32_t i = 0; i < CELLS; i++) {
        plain.cost[i] = plain.pit[i] ? 0 : (double)INFINITY;
        plain.length[i] = 0;
        plain.done[i] = false;
    }
    for (int32_t cell; (cell = cheapest()) >= 0;) {
        plain.done[cell] = true;
        double bed = top - plain.rise * plain.length[cell];
        if (!plain.pit[cell] && (plain.outlet[cell] || (double)plain.z[cell] <= bed)) {
            for (; !plain.pit[cell]; cell = plain.from[cell])
                plain.z[cell] =
                    fminf(plain.z[cell], (float)(top - plain.rise * plain.length[cell]));
            return;
        }
        for (int k = 0; k < 9; k++) {
            int32_t next = beside(cell, k);
            double step = k % 2 ? 1 : 1.4142135623730951, length = plain.length[cell] + step;
            double depth = next < 0 ? 0 : (double)plain.z[next] - (top - plain.rise * length);
            depth = depth > 0 ? depth : 0;
            double cost = plain.cost[cell] + step * (depth + plain.rise);
            if (k == 4 || next < 0 || length > plain.most_length || depth > plain.most_depth ||
                cost >= plain.cost[next])
                continue;
            plain.cost[next] = cost;
            plain.length[next] = length;
            plain.from[next] = cell;
        }
    }
}

static void reference(const float *z, bool wrap, double most_length, double most_depth)
{
    static bool first[CELLS], seen[CELLS];
    float lowest = z[0], greatest = 0;
    memcpy(plain.z, z, sizeof plain.z);
    memset(seen, 0, sizeof seen);
    for (int32_t i = 0; i < CELLS; i++) {
        lowest = fminf(lowest, z[i]);
        greatest = fmaxf(greatest, fabsf(z[i]));
    }
    int exponent;
    frexp((double)greatest, &exponent);
    plain.rise = ldexp(1, exponent - 1 - 22);
    plain.wrap = wrap;
    plain.most_length = most_length;
    plain.most_depth = most_depth;
    for (int32_t i = 0; i < CELLS; i++) {
        bool border = i % W == 0 || i / W == 0 || i % W == W - 1 || i / W == H - 1;
        plain.outlet[i] = wrap ? z[i] == lowest : border;
    }
    for (int32_t i = 0; i < CELLS; i++) {
        first[i] = !seen[i] && spread(i);
        for (int32_t k = 0; first[i] && k < CELLS; k++)
            seen[k] |= plain.pit[k];
    }
    for (;;) {
        int32_t pit = -1;
        for (int32_t i = 0; i < CELLS; i++)
            if (first[i] && (pit < 0 || z[i] < z[pit]))
                pit = i;
        if (pit < 0)
            return;
        first[pit] = false;
        if (spread(pit))
            open_pit(pit);
    }
}

/* Coarse heights make flats and ties. */
static struct tw_value land(int32_t steps, uint64_t seed)
{
    struct tw_value map = harness_terrain(W, H, seed);
    for (int32_t i = 0; steps && i < CELLS; i++)
        tw_floats(&map)[i] = floorf(tw_floats(&map)[i] * (float)steps) - 2;
    return map;
}

static void equals_the_plain_reference(void **state)
{
    static const struct {
        double length, depth;
        const char *text;
    } limits[] = {{INFINITY, INFINITY, ""},
                  {4, INFINITY, ", most_length: 0.137931034"},
                  {INFINITY, 0.0625, ", most_depth: 0.0625"}};
    (void)state;
    for (int i = 0; i < 18; i++) {
        bool wrap = i & 1;
        struct tw_value map = land((const int[]){0, 9, 5}[i / 6], (uint64_t)i);
        reference(tw_floats(&map), wrap, limits[i % 3].length, limits[i % 3].depth);
        struct tw_result *result = breach(&map, limits[i % 3].text, wrap);
        harness_same(tw_result_output(result, "out"), plain.z);
        if (i % 3 == 0)
            assert_true(record_number(tw_result_output(result, "pits"), "hollows") == 0);
        tw_result_release(result);
        free(map.data);
    }
}

/* A wall across a valley: the channel goes through it where it is thinnest. */
static void cuts_through_a_dam(void **state)
{
    static float z[CELLS];
    struct tw_value map = {TW_HEIGHTMAP, W, H, z};
    (void)state;
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t x = i % W, y = i / W;
        z[i] = 10 + (float)abs(x - 14) - 0.25f * (float)y;
        if (y == 18 || (y == 19 && abs(x - 14) > 1))
            z[i] = 30;
    }
    struct tw_result *result = breach(&map, "", false);
    const float *out = tw_floats(tw_result_output(result, "out"));
    const float *depth = tw_floats(tw_result_output(result, "depth"));
    int32_t cut = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        assert_true(depth[i] == z[i] - out[i] && depth[i] >= 0);
        cut += depth[i] > 0;
    }
    assert_true(cut == 1 && depth[18 * W + 14] > 24);
    const struct tw_value *record = tw_result_output(result, "record");
    assert_true(record_number(record, "breached") == 1 && record_number(record, "left") == 0);
    assert_true(record_number(record, "deepest") == (double)depth[18 * W + 14]);
    tw_result_release(result);
    result = breach(&map, ", most_depth: 4", false);
    harness_same(&map, tw_floats(tw_result_output(result, "out")));
    assert_true(record_number(tw_result_output(result, "record"), "left") == 1);
    tw_result_release(result);
}

static void keeps_marked_basins(void **state)
{
    struct tw_value map = land(0, 4);
    static float marked[CELLS];
    (void)state;
    for (int32_t i = 0; i < CELLS; i++)
        marked[i] = 1;
    harness_give(0, &map);
    harness_give(1, &(struct tw_value){TW_MASK, W, H, marked});
    struct tw_result *result = harness_run(&(struct harness){
        .width = W,
        .height = H,
        .nodes = "in: {type: test.map}\nmask: {type: test.mask, slot: 1}\n"
                 "out: {type: shape.breach, in: in, outlets: mask, border: closed}\n"});
    harness_same(&map, tw_floats(tw_result_output(result, "out")));
    tw_result_release(result);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_plain_reference),
        cmocka_unit_test(cuts_through_a_dam),
        cmocka_unit_test(keeps_marked_basins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
