/* SPDX-License-Identifier: MIT */
/* Numbers in the names of measures: how many, in which order, how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/map_measure.h"

#include <stdio.h>
#include <string.h>

static void bins_have_three_numbers(void **state)
{
    static const struct {
        const char *field;
        int found; /* as tw_map_bins_read() says */
        const char *share;
        double low, high;
        int32_t count;
    } rows[] = {
        {"histogram(0, 1, 3)", 1, "share", 0, 1, 3},
        {"slope.histogram(-2.5,4e1,1)", 1, "slope.share", -2.5, 40, 1},
        {"histogram(0, 1, 100)", 1, "share", 0, 1, 100},
        {"histogram(0, 1, 101)", -1, NULL, 0, 0, 0},
        {"histogram(0, 1, 0)", -1, NULL, 0, 0, 0},
        {"histogram(0, 1, 2.5)", -1, NULL, 0, 0, 0},
        {"histogram(1, 1, 3)", -1, NULL, 0, 0, 0},
        {"histogram(0, 1)", -1, NULL, 0, 0, 0},
        {"histogram(0, 1, 2, 3)", -1, NULL, 0, 0, 0},
        {"histogram(0, 1, 3", -1, NULL, 0, 0, 0},
        {"histogram(0, one, 3)", -1, NULL, 0, 0, 0},
        {"histogram()", -1, NULL, 0, 0, 0},
        {"histogram(", -1, NULL, 0, 0, 0},
        {"mean", 0, NULL, 0, 0, 0},
        {"histograms(0, 1, 3)", 0, NULL, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_map_bins bins = {NULL, 0, 0, 0};
        if (tw_map_bins_read(rows[i].field, &bins) != rows[i].found)
            fail_msg("%s is not found to be %d", rows[i].field, rows[i].found);
        if (rows[i].found != 1)
            continue;
        assert_string_equal(bins.share, rows[i].share);
        assert_true(bins.low == rows[i].low && bins.high == rows[i].high);
        assert_int_equal(bins.count, rows[i].count);
    }
}

/* 100 characters, the closing bracket included. */
static void numbers_may_be_long(void **state)
{
    enum { LONGEST = 100 };
    struct tw_map_measure measure;
    char field[LONGEST + 20];
    (void)state;
    for (int length = LONGEST; length <= LONGEST + 1; length++) {
        snprintf(field, sizeof field, "quantile(%*s)", length - 1, "0.25");
        assert_int_equal(tw_map_measure_find(field, &measure), length == LONGEST);
    }
    snprintf(field, sizeof field, "quantile(%*s)", LONGEST - 1, "0.25");
    assert_true(tw_map_measure_find(field, &measure));
    assert_int_equal(measure.kind, TW_MAP_QUANTILE);
    assert_true(measure.low == 0.25);
}

static void bands_and_shares_have_bounds(void **state)
{
    static const struct {
        const char *field;
        bool found;
    } rows[] = {
        {"quantile(0)", true},     {"quantile(1)", true},     {"quantile(1.5)", false},
        {"quantile(-0.1)", false}, {"share(0, 0)", true},     {"share(0, 1)", true},
        {"share(1, 0)", false},    {"share(0)", false},       {"slope.share(1, 2)", true},
        {"slope.share()", false},  {"slope.share(2)", false}, {"share(0, 1, 2)", false},
    };
    struct tw_map_measure measure;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (tw_map_measure_find(rows[i].field, &measure) != rows[i].found)
            fail_msg("%s", rows[i].field);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bins_have_three_numbers),
                                       cmocka_unit_test(numbers_may_be_long),
                                       cmocka_unit_test(bands_and_shares_have_bounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
