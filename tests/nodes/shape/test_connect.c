/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include <thalweg/kernel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tw_result *run_connect(const struct tw_value *in, const char *more, int32_t threads)
{
    char nodes[400];
    harness_give(0, in);
    snprintf(nodes, sizeof nodes,
             "in: {type: test.map}\nmask: {type: test.mask, slot: 1}\n"
             "starts: {type: test.points, slot: 2}\nout: {type: shape.connect, in: in%s}\n",
             more);
    return harness_run(&(struct harness){.width = in->width,
                                         .height = in->height,
                                         .threads = threads,
                                         .nodes = nodes,
                                         .outputs = "ramps: out.ramps\nrecord: out.record\n"});
}

static double entry(const struct tw_result *result, const char *name)
{
    const double *number = tw_record_find(tw_result_output(result, "record"), name);
    assert_non_null(number);
    return *number;
}

/* Inputs that a test does not use. */
static struct tw_value give_rest(int32_t width, int32_t height)
{
    static struct tw_point at[1] = {{.x = 0.5f, .y = 0.5f}};
    static struct tw_value mask, starts = {TW_POINTS, 1, 1, at};
    mask = (struct tw_value){TW_MASK, width, height,
                             calloc((size_t)width * (size_t)height, sizeof(float))};
    harness_give(1, &mask);
    harness_give(2, &starts);
    return mask;
}

/* ---- a plain count of places ---- */

struct plain {
    int32_t width, height, size;
    uint8_t *gentle, *place;
};

static void find_places(struct plain *p, const float *h, float talus)
{
    for (int32_t i = 0; i < p->width * p->height; i++) {
        float s = 0;
        for (int k = 0; k < 4; k++) {
            int32_t x = i % p->width + (k == 0) - (k == 1), y = i / p->width + (k == 2) - (k == 3);
            if (x >= 0 && y >= 0 && x < p->width && y < p->height)
                s = tw_max(s, fabsf(h[i] - h[y * p->width + x]));
        }
        p->gentle[i] = s < talus / (float)p->width;
    }
    for (int32_t i = 0; i < p->width * p->height; i++) {
        int32_t x = i % p->width, y = i / p->width;
        bool fits = x + p->size <= p->width && y + p->size <= p->height;
        for (int32_t k = 0; fits && k < p->size * p->size; k++)
            fits = p->gentle[(y + k / p->size) * p->width + x + k % p->size];
        p->place[i] = fits;
    }
}

static int32_t flood(struct plain *p, int32_t from)
{
    int32_t *stack = malloc((size_t)p->width * (size_t)p->height * sizeof *stack);
    int32_t count = 1, size = 0;
    stack[0] = from;
    p->place[from] = 0;
    while (count > 0) {
        int32_t at = stack[--count], x = at % p->width, y = at / p->width;
        int32_t to[4] = {x > 0 ? at - 1 : -1, x + 1 < p->width ? at + 1 : -1,
                         y > 0 ? at - p->width : -1, y + 1 < p->height ? at + p->width : -1};
        size++;
        for (int k = 0; k < 4; k++)
            if (to[k] >= 0 && p->place[to[k]]) {
                p->place[to[k]] = 0;
                stack[count++] = to[k];
            }
    }
    free(stack);
    return size;
}

/* The largest region's share of all places. */
static double largest_share(const float *h, int32_t width, int32_t height, float talus,
                            int32_t size)
{
    const size_t cells = (size_t)width * (size_t)height;
    struct plain p = {width, height, size, malloc(cells), malloc(cells)};
    int32_t all = 0, best = 0;
    find_places(&p, h, talus);
    for (int32_t i = 0; i < width * height; i++) {
        int32_t members = p.place[i] ? flood(&p, i) : 0;
        all += members;
        best = members > best ? members : best;
    }
    free(p.gentle);
    free(p.place);
    return all ? (double)best / all : 0;
}

static void check_ramps(const struct tw_value *in, const struct tw_result *result)
{
    const float *out = tw_floats(tw_result_output(result, "out"));
    const float *ramps = tw_floats(tw_result_output(result, "ramps"));
    for (size_t i = 0; i < tw_value_count(in); i++)
        assert_true(ramps[i] == 1 || out[i] == tw_floats(in)[i]);
}

static void joins_the_share_that_is_asked_for(void **state)
{
    (void)state;
    for (int32_t size = 1; size <= 4; size++) {
        struct tw_value in = harness_terrain(96, 80, (uint64_t)size), mask = give_rest(96, 80);
        char more[100];
        snprintf(more, sizeof more, ", unit_talus: 1.3, share: 0.9, least: 0.0002, unit_size: %d",
                 size);
        assert_true(largest_share(tw_floats(&in), 96, 80, 1.3f, size) < 0.9);
        struct tw_result *result = run_connect(&in, more, 1 + size % 2);
        const float *out = tw_floats(tw_result_output(result, "out"));
        double share = largest_share(out, 96, 80, 1.3f, size);
        assert_true(share >= 0.9 && share == entry(result, "share"));
        assert_true(entry(result, "ramps") >= 1 && entry(result, "earth") > 0);
        check_ramps(&in, result);
        struct tw_value once = {TW_HEIGHTMAP, 96, 80, malloc(96 * 80 * sizeof(float))};
        memcpy(once.data, out, 96 * 80 * sizeof(float));
        tw_result_release(result);
        result = run_connect(&once, more, 1); /* a second time there is nothing to do */
        harness_same(tw_result_output(result, "out"), once.data);
        assert_true(entry(result, "ramps") == 0);
        tw_result_release(result);
        free(once.data);
        free(in.data);
        free(mask.data);
    }
}

/* A table in the middle of a plain. */
static struct tw_value table(int32_t side, int32_t from, int32_t to, float height)
{
    struct tw_value map = {TW_HEIGHTMAP, side, side,
                           calloc((size_t)side * (size_t)side, sizeof(float))};
    for (int32_t i = 0; i < side * side; i++)
        if (i % side >= from && i % side < to && i / side >= from && i / side < to)
            tw_floats(&map)[i] = height;
    return map;
}

static void sets_a_hopeless_table_aside(void **state)
{
    struct tw_value high = table(64, 22, 42, 40), low = table(64, 22, 42, 0.6f);
    struct tw_value mask = give_rest(64, 64);
    (void)state;
    struct tw_result *result = run_connect(&high, ", share: 1", 1);
    assert_true(entry(result, "ramps") == 0 && entry(result, "aside") == 1);
    assert_true(entry(result, "earth") == 0 && entry(result, "share") < 1);
    harness_same(tw_result_output(result, "out"), tw_floats(&high));
    assert_non_null(strstr(harness_warning(), "1 regions set aside"));
    tw_result_release(result);
    result = run_connect(&low, ", share: 1", 1);
    assert_true(entry(result, "ramps") == 1 && entry(result, "share") == 1);
    tw_result_release(result);
    free(high.data);
    free(low.data);
    free(mask.data);
}

/* The only way up that the mask leaves open is in the east. */
static void lays_ramps_only_where_the_mask_allows(void **state)
{
    struct tw_value low = table(64, 12, 32, 0.6f), mask = give_rest(64, 64);
    (void)state;
    for (int i = 0; i < 64 * 64; i++)
        tw_floats(&mask)[i] = i % 64 >= 16 ? 0.5f : 0.4f;
    harness_give(1, &mask);
    struct tw_result *result = run_connect(&low, ", share: 1, mask: mask", 1);
    const float *out = tw_floats(tw_result_output(result, "out"));
    assert_true(entry(result, "ramps") == 1);
    for (int i = 0; i < 64 * 64; i++)
        assert_true(i % 64 >= 16 || out[i] == tw_floats(&low)[i]);
    tw_result_release(result);
    harness_give(1, &mask);
    memset(mask.data, 0, 64 * 64 * sizeof(float));
    result = run_connect(&low, ", share: 1, mask: mask", 1);
    harness_same(tw_result_output(result, "out"), tw_floats(&low));
    tw_result_release(result);
    free(low.data);
    free(mask.data);
}

static int32_t turned(int32_t cell, int32_t side, int turns)
{
    int32_t x = cell % side, y = cell / side;
    return turns == 2 ? (side - 1 - y) * side + side - 1 - x : x * side + side - 1 - y;
}

static void keeps_turned_maps_equal(void **state)
{
    enum { SIDE = 64 };
    (void)state;
    for (int turns = 2; turns <= 4; turns += 2) {
        struct tw_value in = harness_terrain(SIDE, SIDE, 8), mask = give_rest(SIDE, SIDE);
        float *cells = tw_floats(&in);
        char more[80];
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            for (int32_t k = 0, at = i; k < turns; k++) {
                at = turned(at, SIDE, turns);
                cells[at] = cells[i];
            }
        snprintf(more, sizeof more, ", unit_talus: 1.2, least: 0.0002, turn: %d, unit_size: %d",
                 turns, turns / 2);
        struct tw_result *result = run_connect(&in, more, 1);
        const float *out = tw_floats(tw_result_output(result, "out"));
        assert_true(entry(result, "ramps") >= turns);
        for (int32_t i = 0; i < SIDE * SIDE; i++)
            assert_true(out[i] == out[turned(i, SIDE, turns)]);
        tw_result_release(result);
        free(in.data);
        free(mask.data);
    }
}

static void accepts_maps_without_work(void **state)
{
    float cell = 2, stairs[32];
    struct tw_value one = {TW_HEIGHTMAP, 1, 1, &cell}, steep = {TW_HEIGHTMAP, 32, 1, stairs};
    (void)state;
    struct tw_value mask = give_rest(1, 1);
    struct tw_result *result = run_connect(&one, "", 1);
    assert_true(entry(result, "share") == 1 && entry(result, "ramps") == 0);
    tw_result_release(result);
    free(mask.data);
    for (int i = 0; i < 32; i++)
        stairs[i] = (float)i;
    mask = give_rest(32, 1);
    result = run_connect(&steep, "", 1);
    assert_true(entry(result, "share") == 0);
    harness_same(tw_result_output(result, "out"), stairs);
    tw_result_release(result);
    harness_give(0, &steep);
    struct tw_error error = harness_fail(
        &(struct harness){.width = 32,
                          .height = 1,
                          .nodes = "in: {type: test.map}\nstarts: {type: test.points, slot: 2}\n"
                                   "out: {type: shape.connect, in: in, starts: starts}\n"});
    assert_non_null(strstr(error.message, "no place for a unit"));
    free(mask.data);
}

static void needs_a_square_for_quarter_turns(void **state)
{
    (void)state;
    struct tw_error error =
        harness_fail(&(struct harness){.width = 32,
                                       .height = 16,
                                       .nodes = "in: {type: noise.perlin}\n"
                                                "out: {type: shape.connect, in: in, turn: 4}\n"});
    assert_non_null(strstr(error.message, "expected a square"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(joins_the_share_that_is_asked_for),
                                       cmocka_unit_test(sets_a_hopeless_table_aside),
                                       cmocka_unit_test(lays_ramps_only_where_the_mask_allows),
                                       cmocka_unit_test(keeps_turned_maps_equal),
                                       cmocka_unit_test(accepts_maps_without_work),
                                       cmocka_unit_test(needs_a_square_for_quarter_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
