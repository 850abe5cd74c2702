/* SPDX-License-Identifier: MIT */
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 53, H = 41, CELLS = W * H };

/* The basins of land that has been filled so that every cell but outlets has a lower neighbour. */
static struct tw_result *divide(const struct tw_value *map, const float *marked, const char *more)
{
    static char nodes[700];
    static struct tw_value mask;
    mask = (struct tw_value){TW_MASK, W, H, marked ? (void *)(uintptr_t)marked : map->data};
    const char *outlets = marked ? ", outlets: mask" : "";
    harness_give(0, map);
    harness_give(1, &mask);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nmask: {type: test.mask, slot: 1}\n"
             "land: {type: shape.fill_depressions, in: in, epsilon: auto%s%s}\n"
             "out: {type: measure.basins, in: land, %s%s}\n"
             "flow: {type: measure.flow, in: land, scale: cells%s%s}\n",
             more, outlets, *more ? more + 2 : "least_area: 0", outlets, more, outlets);
    return harness_run(
        &(struct harness){.width = W,
                          .height = H,
                          .nodes = nodes,
                          .outputs = "area: out.area\noutlet: out.outlet\nrecord: out.record\n",
                          .threads = 2});
}

/* ---- a plain reference: water is followed down from each cell ---- */

static int32_t beside(int32_t cell, int k, bool wrap)
{
    int32_t x = cell % W + k % 3 - 1, y = cell / W + k / 3 - 1;
    if (wrap)
        return (y + H) % H * W + (x + W) % W;
    return x < 0 || y < 0 || x >= W || y >= H ? -1 : y * W + x;
}

static int32_t follow(const float *z, const bool *outlet, bool wrap, int32_t cell)
{
    while (!outlet[cell]) {
        int32_t to = -1;
        float best = 0;
        for (int k = 0; k < 9; k++) {
            int32_t next = beside(cell, k, wrap);
            float drop = next < 0 ? 0 : (z[cell] - z[next]) * (k % 2 ? 1 : 0.70710678f);
            if (drop > best) {
                best = drop;
                to = next;
            }
        }
        assert_true(to >= 0);
        cell = to;
    }
    return cell;
}

static int32_t label[CELLS], size[CELLS], root[CELLS];

/* Labels by falling size, on ties by the outlet, whose cells `lake` are one. */
static int32_t reference(const float *z, const bool *outlet, bool wrap, const bool *lake)
{
    int32_t count = 0, first = -1;
    memset(size, 0, sizeof size);
    memset(label, 0, sizeof label);
    for (int32_t i = 0; i < CELLS && first < 0; i++)
        first = lake && lake[i] ? i : first;
    for (int32_t i = 0; i < CELLS; i++) {
        root[i] = follow(z, outlet, wrap, i);
        root[i] = lake && lake[root[i]] ? first : root[i];
        size[root[i]]++;
    }
    for (;;) {
        int32_t best = -1;
        for (int32_t i = 0; i < CELLS; i++)
            if (size[i] > 0 && label[i] == 0 && (best < 0 || size[i] > size[best]))
                best = i;
        if (best < 0)
            return count;
        label[best] = ++count;
    }
}

static void compare(const struct tw_result *result, int32_t count)
{
    const int32_t *labels = tw_labels(tw_result_output(result, "out"));
    const float *area = tw_floats(tw_result_output(result, "area"));
    const struct tw_value *outlets = tw_result_output(result, "outlet");
    const float *flow = tw_floats(tw_result_output(result, "flow"));
    assert_int_equal(outlets->width, count);
    assert_true(record_number(tw_result_output(result, "record"), "basins") == count);
    assert_true(record_number(tw_result_output(result, "record"), "share") == 1);
    for (int32_t i = 0; i < CELLS; i++) {
        assert_int_equal(labels[i], label[root[i]]);
        assert_true(area[i] == (float)size[root[i]] / CELLS);
    }
    for (int32_t i = 0; i < CELLS; i++) {
        if (label[i] == 0)
            continue;
        const struct tw_point *point = &tw_points(outlets)[label[i] - 1];
        assert_int_equal(point->feature, label[i]);
        assert_int_equal((int32_t)(point->x * W) + (int32_t)(point->y * H) * W, i);
        assert_true(point->cost == (float)size[i] / CELLS);
        if (size[i] != (int32_t)flow[i])
            assert_true(size[i] > (int32_t)flow[i]); /* an outlet of several cells */
    }
}

static void are_where_water_is_followed_to(void **state)
{
    static bool outlet[CELLS];
    (void)state;
    for (int i = 0; i < 12; i++) {
        bool north = i % 3 == 1, wrap = i % 3 == 2;
        struct tw_value map = harness_terrain(W, H, (uint64_t)i);
        struct tw_result *result = divide(&map, NULL,
                                          wrap    ? ", border: wrap"
                                          : north ? ", border: closed, closed: [south, east, west]"
                                                  : ", border: closed");
        const float *z = tw_floats(tw_result_output(result, "land"));
        float lowest = z[0];
        for (int32_t c = 0; c < CELLS; c++)
            lowest = fminf(lowest, z[c]);
        for (int32_t c = 0; c < CELLS; c++) {
            bool border = c % W == 0 || c / W == 0 || c % W == W - 1 || c / W == H - 1;
            outlet[c] = wrap ? z[c] == lowest : north ? c / W == 0 : border;
        }
        compare(result, reference(z, outlet, wrap, NULL));
        tw_result_release(result);
        free(map.data);
    }
}

static void a_marked_lake_is_one_outlet(void **state)
{
    static bool outlet[CELLS], lake[CELLS];
    static float marked[CELLS];
    (void)state;
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t x = i % W - 30, y = i / W - 18;
        marked[i] = x * x + y * y < 30 ? 1 : 0;
    }
    for (int i = 0; i < 6; i++) {
        struct tw_value map = harness_terrain(W, H, 60 + (uint64_t)i);
        bool open = i % 2;
        struct tw_result *result = divide(
            &map, marked,
            open ? ", border: closed" : ", border: closed, closed: [north, east, south, west]");
        for (int32_t c = 0; c < CELLS; c++) {
            bool border = c % W == 0 || c / W == 0 || c % W == W - 1 || c / W == H - 1;
            lake[c] = marked[c] > 0;
            outlet[c] = lake[c] || (open && border);
        }
        compare(result,
                reference(tw_floats(tw_result_output(result, "land")), outlet, false, lake));
        if (!open)
            assert_int_equal(tw_result_output(result, "outlet")->width, 1);
        tw_result_release(result);
        free(map.data);
    }
}

static void leaves_out_small_basins(void **state)
{
    struct tw_value map = harness_terrain(W, H, 77);
    (void)state;
    struct tw_result *all = divide(&map, NULL, ", border: closed");
    harness_give(0, &map);
    struct tw_result *large = harness_run(&(struct harness){
        .width = W,
        .height = H,
        .nodes = "in: {type: test.map}\n"
                 "land: {type: shape.fill_depressions, in: in, epsilon: auto, border: closed}\n"
                 "out: {type: measure.basins, in: land, border: closed, least_area: 0.02}\n",
        .outputs = "record: out.record\noutlet: out.outlet\n"});
    int32_t kept = tw_result_output(large, "outlet")->width, cells = 0;
    assert_true(kept > 1 && kept < tw_result_output(all, "outlet")->width);
    for (int32_t i = 0; i < CELLS; i++) {
        int32_t before = tw_labels(tw_result_output(all, "out"))[i];
        int32_t now = tw_labels(tw_result_output(large, "out"))[i];
        bool small = tw_floats(tw_result_output(all, "area"))[i] < 0.02f;
        assert_int_equal(now, small ? 0 : before);
        cells += now > 0;
    }
    assert_true(record_number(tw_result_output(large, "record"), "share") == (double)cells / CELLS);
    tw_result_release(all);
    tw_result_release(large);
    free(map.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_where_water_is_followed_to),
        cmocka_unit_test(a_marked_lake_is_one_outlet),
        cmocka_unit_test(leaves_out_small_basins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
