/* SPDX-License-Identifier: MIT */
/* The input `mask` of every erosion: 0 keeps the ground bit for bit, 1 is as without a mask, and in
 * between out = in + mask (changed - in), with maps and ledger to match; the same bytes with all
 * instruction sets. */
#include "support/harness.h"
#include "support/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 67, HEIGHT = 50, CELLS = WIDTH * HEIGHT };

static const struct row {
    const char *settings;
    bool books;         /* has eroded, deposited and a ledger of them */
    const char *raised; /* entry of the ledger, or NULL */
} rows[] = {
    {"creep", true, NULL},
    {"creep, border: closed, nonlinear: true", true, NULL},
    {"droplets", true, NULL},
    {"droplets, side: 32", true, NULL},
    {"fir", false, NULL},
    {"gradient, update: synchronous, steps: 40", true, NULL},
    {"hydraulic, solubility: 0.1, capacity: 0.1, iterations: 20", true, NULL},
    {"hydraulic, solubility: 0.1, capacity: 0.1, iterations: 20, border: closed", true, NULL},
    {"hydraulic_fast, solubility: 0.1, capacity: 0.1, iterations: 20", false, NULL},
    {"olsen", false, NULL},
    {"pipes, capacity: 0.02, steps: 60", true, NULL},
    {"raindrops, drops: 20000", true, NULL},
    {"stream_power, steps: 10", true, "raised"},
    {"stream_power, uplift_rate: 0, steps: 10, border: low", true, "raised"},
    {"thermal", true, NULL},
    {"thermal_fast", false, NULL},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Random: a quarter each 0 and 1, the rest between; or all of one value. */
static struct tw_value make_mask(float all)
{
    struct tw_value mask = harness_terrain(WIDTH, HEIGHT, 99);
    mask.type = TW_MASK;
    for (int i = 0; i < CELLS; i++) {
        float *cell = &tw_floats(&mask)[i];
        *cell = all >= 0 ? all : i / 5 % 4 == 0 ? 0.0f : i / 5 % 4 == 1 ? 1.0f : *cell;
    }
    return mask;
}

static struct tw_result *run(const struct row *row, const struct tw_value *map,
                             const struct tw_value *mask, const char *simd)
{
    char nodes[500];
    harness_give(0, map);
    if (mask)
        harness_give(1, mask);
    snprintf(nodes, sizeof nodes, "in: {type: test.map}\n%sout: {in: in, %stype: erosion.%s}\n",
             mask ? "mask: {type: test.mask, slot: 1}\n" : "", mask ? "mask: mask, " : "",
             row->settings);
    return harness_run(&(struct harness){
        .width = WIDTH,
        .height = HEIGHT,
        .threads = 2,
        .simd = simd,
        .nodes = nodes,
        .outputs = row->books ? "eroded: out.eroded\ndeposited: out.deposited\nledger: out.ledger\n"
                              : NULL});
}

static const float *cells(const struct tw_result *result, const char *output)
{
    return tw_floats(tw_result_output(result, output));
}

static void expect_same(const struct row *row, const float *a, const float *b, const char *what)
{
    if (memcmp(a, b, CELLS * sizeof *a) != 0)
        fail_msg("erosion.%s: %s", row->settings, what);
}

static double sum_of(const float *map)
{
    double sum = 0;
    for (int i = 0; i < CELLS; i++)
        sum += (double)map[i];
    return sum;
}

static void masks_of_0_and_1(void **state)
{
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 7);
    struct tw_value none = make_mask(0), all = make_mask(1);
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        struct tw_result *without = run(&rows[i], &map, NULL, NULL);
        struct tw_result *zero = run(&rows[i], &map, &none, NULL);
        struct tw_result *one = run(&rows[i], &map, &all, NULL);
        if (memcmp(tw_floats(&map), cells(without, "out"), CELLS * sizeof(float)) == 0)
            fail_msg("erosion.%s erodes nothing: that tests nothing", rows[i].settings);
        expect_same(&rows[i], cells(zero, "out"), tw_floats(&map), "a mask of 0 changes ground");
        expect_same(&rows[i], cells(one, "out"), cells(without, "out"), "a mask of 1 counts");
        if (rows[i].books) {
            assert_true(sum_of(cells(zero, "eroded")) == 0 &&
                        sum_of(cells(zero, "deposited")) == 0);
            expect_same(&rows[i], cells(one, "eroded"), cells(without, "eroded"), "eroded");
        }
        tw_result_release(without);
        tw_result_release(zero);
        tw_result_release(one);
    }
    free(map.data);
    free(none.data);
    free(all.data);
}

/* The definition, cell by cell. */
static void blends(const struct row *row, const struct tw_value *map, const struct tw_value *mask,
                   const float *without, const float *out)
{
    for (int i = 0; i < CELLS; i++) {
        float in = tw_floats(map)[i], m = tw_floats(mask)[i];
        float expected = m <= 0 ? in : m >= 1 ? without[i] : in + m * (without[i] - in);
        if (memcmp(&expected, &out[i], sizeof expected) != 0)
            fail_msg("erosion.%s: cell %d is %.9g; expected %.9g", row->settings, i, (double)out[i],
                     (double)expected);
    }
}

/* sum(out) = sum(in) + raised - eroded + deposited, by the maps and by the ledger. */
static void balances(const struct row *row, const struct tw_value *map,
                     const struct tw_result *result)
{
    const struct tw_value *ledger = tw_result_output(result, "ledger");
    double raised = row->raised ? record_number(ledger, row->raised) : 0;
    double eroded = sum_of(cells(result, "eroded")), moved;
    double deposited = sum_of(cells(result, "deposited"));
    double before = sum_of(tw_floats(map)), after = sum_of(cells(result, "out"));
    moved = eroded + deposited + before;
    if (fabs(before + raised - eroded + deposited - after) > 1e-5 * moved ||
        fabs(record_number(ledger, "eroded") - eroded) > 1e-9 * moved ||
        fabs(record_number(ledger, "deposited") - deposited) > 1e-9 * moved)
        fail_msg("erosion.%s: %.9g + %.9g - %.9g + %.9g is not %.9g", row->settings, before, raised,
                 eroded, deposited, after);
}

static void masks_blend_and_balance(void **state)
{
    static const char *const levels[] = {"base", "avx2", NULL};
    struct tw_value map = harness_terrain(WIDTH, HEIGHT, 8), mask = make_mask(-1);
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        struct tw_result *without = run(&rows[i], &map, NULL, NULL);
        for (int k = 0; k < 3; k++) {
            struct tw_result *result = run(&rows[i], &map, &mask, levels[k]);
            blends(&rows[i], &map, &mask, cells(without, "out"), cells(result, "out"));
            if (rows[i].books)
                balances(&rows[i], &map, result);
            tw_result_release(result);
        }
        tw_result_release(without);
    }
    free(map.data);
    free(mask.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks_of_0_and_1),
        cmocka_unit_test(masks_blend_and_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
