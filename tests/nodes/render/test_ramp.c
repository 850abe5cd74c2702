/* SPDX-License-Identifier: MIT */
/* Where values stand on a ramp, at the ends and on either side of them. */
#include "render/kernels/ramp.h"
#include "support/harness.h"

#include <string.h>

static const struct tw_table rising = {2, 4, (const float[]){-2, 0, 0, 0, 3, 0, 0, 90}};

static void a_ramp_around_zero_keeps_it_at_the_hinge(void **state)
{
    static const struct {
        float v, hinge, value;
    } rows[] = {
        {0, 5, -2},  {2.5f, 5, -1}, {5, 5, 0},   {7.5f, 5, 1.5f}, {10, 5, 3},
        {-1, 5, -2}, {11, 5, 3},    {0, 10, -2}, {5, 10, 0.5f},   {10, 10, 3},
        {0, 0, -2},  {5, 0, 0.5f},  {10, 0, 3},  {5, 11, 0.5f},   {5, -1, 0.5f},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(tw_ramp_stretch(&rising, rows[i].v, 0, 10, rows[i].hinge) == rows[i].value);
}

static void a_ramp_from_or_to_zero_is_even(void **state)
{
    const struct tw_table from = {2, 4, (const float[]){0, 0, 0, 0, 4, 0, 0, 0}};
    const struct tw_table to = {2, 4, (const float[]){-4, 0, 0, 0, 0, 0, 0, 0}};
    (void)state;
    assert_true(tw_ramp_stretch(&from, 5, 0, 10, 2) == 2);
    assert_true(tw_ramp_stretch(&to, 5, 0, 10, 2) == -2);
    assert_true(tw_ramp_stretch(&from, 7, 7, 7, 7) == 0); /* a flat map */
}

static void expect_colour(const struct tw_table *rows, float value, float red, float green,
                          float blue)
{
    float colour[3];
    tw_ramp_colour(rows, value, colour);
    if (colour[0] != red || colour[1] != green || colour[2] != blue)
        fail_msg("at %g: %g %g %g", (double)value, (double)colour[0], (double)colour[1],
                 (double)colour[2]);
}

static void two_rows_of_one_value_make_a_step(void **state)
{
    const struct tw_table steps = {
        5, 4, (const float[]){-2, 0, 0, 0, 0, 100, 0, 0, 0, 0, 200, 0, 3, 9, 8, 7, 3, 1, 2, 3}};
    (void)state;
    expect_colour(&steps, -3, 0, 0, 0);
    expect_colour(&steps, -2, 0, 0, 0);
    expect_colour(&steps, -1, 50, 0, 0);
    expect_colour(&steps, 0, 0, 200, 0);
    expect_colour(&steps, 3, 9, 8, 7);
    expect_colour(&steps, 4, 1, 2, 3);
    expect_colour(&rising, 0.5f, 0, 0, 45);
    expect_colour(&rising, 3, 0, 0, 90);
}

static void expect_rule(const struct tw_table *rows, const char *expected, int32_t row)
{
    const struct tw_rule rule = tw_ramp_check(rows);
    assert_string_equal(rule.param, "ramp");
    assert_non_null(strstr(rule.expected, expected));
    assert_int_equal(rule.row, row);
}

static void rows_rise(void **state)
{
    static const float values[] = {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    (void)state;
    assert_null(tw_ramp_check(&rising).param);
    assert_null(tw_ramp_check(&(struct tw_table){0, 4, NULL}).param);
    expect_rule(&(struct tw_table){1, 4, values}, "at least two rows", 0);
    expect_rule(&(struct tw_table){2, 4, values}, "two different values", 0);
    expect_rule(&(struct tw_table){3, 4, values}, "at least the value in the row before", 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ramp_around_zero_keeps_it_at_the_hinge),
        cmocka_unit_test(a_ramp_from_or_to_zero_is_even),
        cmocka_unit_test(two_rows_of_one_value_make_a_step),
        cmocka_unit_test(rows_rise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
