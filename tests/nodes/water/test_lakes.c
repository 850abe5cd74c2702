/* SPDX-License-Identifier: MIT */
/* water.lakes against a plain simulation: every cell's rain as single drops, in any order, which
 * run down, gather in hollows and overflow; hollows are searched again for every drop. */
#include "support/dice.h"
#include "support/everywhere.h"
#include "support/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 13, H = 11, CELLS = W * H, SEA = -1 };

struct land {
    float z[CELLS];
    bool outlet[CELLS], wrap;
};

static int beside(const struct land *land, int cell, int i)
{
    int x = cell % W + i % 3 - 1, y = cell / W + i / 3 - 1;
    if (!land->wrap && (x < 0 || x >= W || y < 0 || y >= H))
        return -1;
    return (y + H) % H * W + (x + W) % W;
}

/* The lowest neighbour outside of `in`, -1 where none is lower than the cell. No two cells are as
 * high. */
static int lower_beside(const struct land *land, int cell, const bool *in)
{
    int lowest = cell;
    for (int i = 0; i < 9; i++) {
        int next = beside(land, cell, i);
        if (next >= 0 && !in[next] && land->z[next] < land->z[lowest])
            lowest = next;
    }
    return lowest == cell ? -1 : lowest;
}

/* Where a drop ends up: a pit, or SEA. */
static int run_down(const struct land *land, int cell)
{
    static const bool none[CELLS];
    for (int next; !land->outlet[cell]; cell = next)
        if ((next = lower_beside(land, cell, none)) < 0)
            return cell;
    return SEA;
}

/* Pits whose water has become one have the same group. */
struct water {
    const struct land *land;
    int group[CELLS], held[CELLS], evaporation, to_sea;
};

struct hollow {
    bool in[CELLS]; /* below its spill height */
    int cells, saddle, beyond;
};

static int lowest_around(const struct land *land, const bool *in)
{
    int lowest = -1;
    for (int cell = 0; cell < CELLS; cell++)
        for (int i = 0; i < 9 && !in[cell]; i++) {
            int next = beside(land, cell, i);
            if (next >= 0 && in[next] && (lowest < 0 || land->z[cell] < land->z[lowest]))
                lowest = cell;
        }
    return lowest;
}

/* Where water that fills the group to a cell would run on: the end of the lowest way down from
 * there that does not end in the group; CELLS where there is none. */
static int overflow(const struct water *w, const struct hollow *hollow, int group)
{
    bool seen[CELLS];
    if (w->land->outlet[hollow->saddle])
        return SEA;
    memcpy(seen, hollow->in, sizeof seen);
    for (int lower; (lower = lower_beside(w->land, hollow->saddle, seen)) >= 0;) {
        int end = run_down(w->land, lower);
        if (end == SEA || w->group[end] != group)
            return end;
        seen[lower] = true;
    }
    return CELLS;
}

static struct hollow search(const struct water *w, int group)
{
    struct hollow hollow = {.cells = 0};
    for (int cell = 0; cell < CELLS; cell++) {
        hollow.in[cell] = w->group[cell] == group && run_down(w->land, cell) == cell;
        hollow.cells += hollow.in[cell];
    }
    for (;; hollow.in[hollow.saddle] = true, hollow.cells++) {
        hollow.saddle = lowest_around(w->land, hollow.in);
        hollow.beyond = overflow(w, &hollow, group);
        if (hollow.beyond != CELLS)
            return hollow;
    }
}

static void merge(struct water *w, int a, int b)
{
    for (int cell = 0; cell < CELLS; cell++)
        if (w->group[cell] == b)
            w->group[cell] = a;
    w->held[a] += w->held[b];
}

static void drop(struct water *w, int cell)
{
    int pit = run_down(w->land, cell), before = -1;
    while (pit != SEA) {
        int group = w->group[pit];
        struct hollow hollow = search(w, group);
        if (w->held[group] < w->evaporation * hollow.cells) {
            w->held[group]++;
            return;
        }
        int next = hollow.beyond == SEA ? -1 : w->group[hollow.beyond];
        if (next >= 0 && next == before)
            merge(w, group, before); /* water would go to and fro */
        else
            pit = hollow.beyond;
        before = group;
    }
    w->to_sea++;
}

/* Marks the lowest cells that the water covers; returns the level. */
static float cover(const struct water *w, int group, bool *wet)
{
    struct hollow hollow = search(w, group);
    int count = w->held[group] / w->evaporation;
    hollow.in[hollow.saddle] = true;
    for (; count > 0; count--) {
        int lowest = -1;
        for (int cell = 0; cell < CELLS; cell++)
            if (hollow.in[cell] && (lowest < 0 || w->land->z[cell] < w->land->z[lowest]))
                lowest = cell;
        hollow.in[lowest] = false;
        wet[lowest] = true;
    }
    float level = 9;
    for (int cell = 0; cell < CELLS; cell++)
        if (hollow.in[cell] && w->land->z[cell] < level)
            level = w->land->z[cell];
    return level;
}

static void reference_depth(const struct water *w, float *depth)
{
    memset(depth, 0, CELLS * sizeof *depth);
    for (int group = 0; group < CELLS; group++) {
        bool wet[CELLS] = {false};
        if (w->group[group] != group || run_down(w->land, group) != group)
            continue;
        float level = cover(w, group, wet);
        for (int cell = 0; cell < CELLS; cell++)
            depth[cell] = wet[cell] ? level - w->land->z[cell] : depth[cell];
    }
}

static void shuffle(struct dice *dice, int *order)
{
    for (int i = 0; i < CELLS; i++) {
        int j = dice_below(dice, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

static void rain_down(struct water *w, const float *rain, const int *order)
{
    w->to_sea = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        w->group[cell] = cell;
        w->held[cell] = 0;
    }
    for (int i = 0; i < CELLS; i++)
        for (int n = 0; n < (int)rain[order[i]]; n++)
            drop(w, order[i]);
}

/* Cells of different heights; the border and, sometimes, a few others are outlets. */
static void make_land(struct dice *dice, struct land *land, float *sea, float *rain)
{
    int order[CELLS];
    shuffle(dice, order);
    for (int cell = 0; cell < CELLS; cell++) {
        int x = cell % W, y = cell / W;
        bool border = x == 0 || y == 0 || x == W - 1 || y == H - 1;
        land->z[cell] = (float)order[cell] * 0.01f;
        sea[cell] = dice_below(dice, 20) == 0 ? 0.5f : 0.49f;
        rain[cell] = (float)dice_below(dice, 4);
        land->outlet[cell] = sea[cell] >= 0.5f || (!land->wrap && border);
    }
}

static void check_balance(struct dice *dice, bool wrap, int evaporation)
{
    struct land land = {.wrap = wrap};
    struct water water = {.land = &land, .evaporation = evaporation};
    float sea[CELLS], rain[CELLS], depth[CELLS];
    int order[CELLS];
    char nodes[300];
    const struct tw_value in = {TW_HEIGHTMAP, W, H, land.z}, sea_map = {TW_MASK, W, H, sea},
                          rain_map = {TW_HEIGHTMAP, W, H, rain};
    make_land(dice, &land, sea, rain);
    shuffle(dice, order);
    rain_down(&water, rain, order);
    reference_depth(&water, depth);
    harness_give(0, &in);
    harness_give(1, &sea_map);
    harness_give(2, &rain_map);
    snprintf(
        nodes, sizeof nodes,
        "in: {type: test.map}\nsea: {type: test.mask, slot: 1}\n"
        "rain: {type: test.map, slot: 2}\n"
        "out: {type: water.lakes, in: in, sea: sea, rain: rain, evaporation: %d, border: %s}\n",
        evaporation, wrap ? "wrap" : "closed");
    struct tw_result *result = harness_run(&(struct harness){
        .width = W, .height = H, .nodes = nodes, .outputs = "record: out.record\n"});
    const struct tw_value *record = tw_result_output(result, "record");
    harness_same(tw_result_output(result, "out"), depth);
    assert_true(record_number(record, "to_sea") * CELLS > water.to_sea - 1e-6);
    assert_true(record_number(record, "to_sea") * CELLS < water.to_sea + 1e-6);
    tw_result_release(result);
}

static void equals_drop_by_drop(void **state)
{
    struct dice dice = {.key = 5};
    (void)state;
    for (int i = 0; i < 60; i++)
        check_balance(&dice, i % 2, 1 + i % 5);
}

/* ---- properties on rough land, heights of a few steps included ---- */

enum { SIDE = 48 };
#define ALL_OUTPUTS                                                                                \
    "surface: out.surface\nmask: out.mask\nlabels: out.labels\nrecord: out.record\n"               \
    "full: fill.depth\nfilled: fill\n"

static struct tw_result *run_lakes_in(const char *head, const struct tw_value *in, const char *with)
{
    char nodes[300];
    harness_give(0, in);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nfill: {type: shape.fill_depressions, in: in}\n"
             "out: {type: water.lakes, in: in%s}\n",
             with);
    return harness_run(&(struct harness){.width = in->width,
                                         .height = in->height,
                                         .head = head,
                                         .nodes = nodes,
                                         .outputs = ALL_OUTPUTS});
}

static struct tw_result *run_lakes(const struct tw_value *in, const char *with)
{
    return run_lakes_in("borders: wrap\n", in, with);
}

static struct tw_value stepped_terrain(int seed, int steps)
{
    struct tw_value in = harness_terrain(SIDE, SIDE, (uint64_t)seed);
    for (int i = 0; i < SIDE * SIDE && steps > 0; i++)
        tw_floats(&in)[i] = (float)(int)(tw_floats(&in)[i] * (float)steps) / (float)steps;
    return in;
}

static void dry_air_fills_every_hollow(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct tw_value in = stepped_terrain(i, i % 3 * 6);
        struct tw_result *result =
            run_lakes_in(i % 2 ? "borders: wrap\n" : "borders: closed\n", &in, "");
        const struct tw_value *record = tw_result_output(result, "record");
        harness_same(tw_result_output(result, "out"), tw_floats(tw_result_output(result, "full")));
        harness_same(tw_result_output(result, "surface"),
                     tw_floats(tw_result_output(result, "filled")));
        assert_true(record_number(record, "rain") == 1 && record_number(record, "to_sea") == 1);
        assert_true(record_number(record, "evaporated") == 0);
        tw_result_release(result);
        free(in.data);
    }
}

/* Lakes are the connected water, level, from the largest to the smallest. */
static void check_labels(const struct tw_value *in, struct tw_result *result)
{
    const float *mask = tw_floats(tw_result_output(result, "mask"));
    const float *surface = tw_floats(tw_result_output(result, "surface"));
    const int32_t *labels = tw_labels(tw_result_output(result, "labels"));
    static int size[SIDE * SIDE + 1], first[SIDE * SIDE + 1];
    int lakes = (int)record_number(tw_result_output(result, "record"), "lakes");
    memset(size, 0, sizeof size);
    for (int i = 0; i < SIDE * SIDE; i++) {
        assert_true((labels[i] > 0) == (mask[i] > 0) && labels[i] <= lakes);
        assert_true((surface[i] > tw_floats(in)[i]) == (mask[i] > 0));
        if (size[labels[i]]++ == 0)
            first[labels[i]] = i;
        assert_true(!labels[i] || surface[i] == surface[first[labels[i]]]);
        for (int k = 0; k < 9 && labels[i]; k++) {
            int x = (i % SIDE + k % 3 - 1 + SIDE) % SIDE, y = (i / SIDE + k / 3 - 1 + SIDE) % SIDE;
            int other = labels[y * SIDE + x];
            assert_true(other == 0 || other == labels[i]);
        }
    }
    for (int lake = 1; lake <= lakes; lake++)
        assert_true(size[lake] > 0 && (lake == 1 || size[lake] <= size[lake - 1]));
}

static void labels_are_level_lakes_by_size(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct tw_value in = stepped_terrain(i, i % 2 * 5);
        struct tw_result *result = run_lakes(&in, i / 2 ? ", evaporation: 3" : "");
        check_labels(&in, result);
        tw_result_release(result);
        free(in.data);
    }
}

/* Deeper in drier air nowhere, and all rain is accounted for. */
static void depth_falls_with_evaporation(void **state)
{
    static const float e[] = {0.01f, 0.7f, 2, 5.5f, 20, 100, 1e6f};
    static float before[SIDE * SIDE];
    struct tw_value in = stepped_terrain(3, 40);
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++)
        before[i] = 9;
    for (int k = 0; k < 7; k++) {
        char with[60];
        snprintf(with, sizeof with, ", evaporation: %g", (double)e[k]);
        struct tw_result *result = run_lakes(&in, with);
        const struct tw_value *record = tw_result_output(result, "record");
        const float *depth = tw_floats(tw_result_output(result, "out"));
        for (int i = 0; i < SIDE * SIDE; i++) {
            assert_true(depth[i] >= 0 && depth[i] <= before[i]);
            before[i] = depth[i];
        }
        assert_true(record_number(record, "evaporated") > 0);
        assert_true(record_number(record, "rain") ==
                    record_number(record, "evaporated") + record_number(record, "to_sea"));
        tw_result_release(result);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        assert_true(before[i] == 0);
    free(in.data);
}

static void small_lakes_drop_out_only(void **state)
{
    struct tw_value in = stepped_terrain(9, 0);
    struct tw_result *all = run_lakes(&in, ", evaporation: 1");
    struct tw_result *few =
        run_lakes(&in, ", evaporation: 1, least_area: 0.002, least_depth: 0.03");
    const struct tw_value *before = tw_result_output(all, "record");
    const struct tw_value *after = tw_result_output(few, "record");
    const float *depth = tw_floats(tw_result_output(all, "out"));
    const int32_t *labels = tw_labels(tw_result_output(all, "labels"));
    static float kept[SIDE * SIDE], deepest[SIDE * SIDE + 1];
    static int size[SIDE * SIDE + 1];
    (void)state;
    for (int i = 0; i < SIDE * SIDE; i++) {
        size[labels[i]]++;
        deepest[labels[i]] = depth[i] > deepest[labels[i]] ? depth[i] : deepest[labels[i]];
    }
    int lakes = 0;
    for (int lake = 1; lake <= (int)record_number(before, "lakes"); lake++)
        lakes += size[lake] >= 5 && deepest[lake] >= 0.03f;
    for (int i = 0; i < SIDE * SIDE; i++)
        kept[i] = size[labels[i]] >= 5 && deepest[labels[i]] >= 0.03f ? depth[i] : 0;
    assert_true(lakes > 0 && lakes < record_number(before, "lakes"));
    assert_true(record_number(after, "lakes") == lakes);
    assert_true(record_number(after, "to_sea") == record_number(before, "to_sea"));
    harness_same(tw_result_output(few, "out"), kept);
    tw_result_release(all);
    tw_result_release(few);
    free(in.data);
}

static void rain_may_be_any_amount(void **state)
{
    static const char *const rains[] = {"0", "1e-30", "1e9", "-1"};
    struct tw_value in = stepped_terrain(4, 0);
    (void)state;
    harness_give(0, &in);
    for (int i = 0; i < 4; i++) {
        char nodes[300];
        snprintf(nodes, sizeof nodes,
                 "in: {type: test.map}\nfew: {type: source.constant, value: %s}\n"
                 "out: {type: water.lakes, in: in, rain: few, evaporation: 5}\n",
                 rains[i]);
        struct tw_result *result = harness_run(&(struct harness){
            .width = SIDE, .height = SIDE, .nodes = nodes, .outputs = "record: out.record\n"});
        const struct tw_value *record = tw_result_output(result, "record");
        double rain = record_number(record, "rain"), sea = record_number(record, "to_sea");
        double gap = rain - sea - record_number(record, "evaporated");
        assert_true(rain == (double)(float)(i == 0 || i == 3 ? 0 : atof(rains[i])));
        assert_true(gap <= rain * 1e-12 && gap >= -rain * 1e-12);
        assert_true((record_number(record, "lakes") > 0) == (i == 2));
        tw_result_release(result);
    }
    free(in.data);
}

static void shrinks_to_a_cell(void **state)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {3, 3}};
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct tw_value in = harness_terrain(sizes[i / 2][0], sizes[i / 2][1], 3);
        struct tw_result *result =
            run_lakes(&in, i % 2 ? ", border: closed, evaporation: 1" : ", border: wrap");
        assert_true(record_number(tw_result_output(result, "record"), "rain") == 1);
        tw_result_release(result);
        free(in.data);
    }
}

static void bytes_are_the_same_everywhere(void **state)
{
    struct tw_value in = harness_terrain(SIDE, SIDE, 21);
    const struct harness harness = {
        .width = SIDE,
        .height = SIDE,
        .nodes = "in: {type: test.map}\nout: {type: water.lakes, in: in, evaporation: 4}\n"};
    (void)state;
    harness_give(0, &in);
    struct tw_result *result = harness_run(&harness);
    everywhere(harness, "out", tw_floats(tw_result_output(result, "out")));
    tw_result_release(result);
    free(in.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_drop_by_drop),
        cmocka_unit_test(dry_air_fills_every_hollow),
        cmocka_unit_test(labels_are_level_lakes_by_size),
        cmocka_unit_test(depth_falls_with_evaporation),
        cmocka_unit_test(small_lakes_drop_out_only),
        cmocka_unit_test(rain_may_be_any_amount),
        cmocka_unit_test(shrinks_to_a_cell),
        cmocka_unit_test(bytes_are_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
