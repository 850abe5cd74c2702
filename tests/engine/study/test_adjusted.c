/* SPDX-License-Identifier: MIT */
/* Analysis of covariance of pairs against the textbook's model: least squares over all samples,
 * with a column for each seed. */
#include "study/statistics/adjusted.h"
#include "study/statistics/distributions.h"

#include "support/dice.h"
#include "support/harness.h"

#include <math.h>
#include <string.h>

enum { PAIRS_MAX = 30, COLUMNS_MAX = PAIRS_MAX + 3 };

static double own_x[PAIRS_MAX], base_x[PAIRS_MAX], own_y[PAIRS_MAX], base_y[PAIRS_MAX];

static struct tw_adjusted_samples samples_of(int32_t count)
{
    return (struct tw_adjusted_samples){own_y, base_y, own_x, base_x, count};
}

static double number(struct dice *dice) { return 2 * dice_share(dice) - 1; }

/* Row i of the design: seeds, variant, x and, with `columns` for it, variant times x. */
static void design(int32_t count, int32_t columns, int32_t i, double *row)
{
    const bool variant = i >= count;
    double x = variant ? own_x[i - count] : base_x[i];
    memset(row, 0, COLUMNS_MAX * sizeof *row);
    row[i % count] = 1;
    row[count] = variant;
    row[count + 1] = x;
    if (columns == count + 3)
        row[count + 2] = variant ? x : 0;
}

/* Inverts a matrix by Gauss and Jordan's method with pivots. */
static void invert(int32_t n, double a[COLUMNS_MAX][2 * COLUMNS_MAX])
{
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < n; k++)
            a[i][n + k] = i == k;
    for (int32_t p = 0; p < n; p++) {
        int32_t best = p;
        for (int32_t i = p; i < n; i++)
            best = fabs(a[i][p]) > fabs(a[best][p]) ? i : best;
        for (int32_t k = 0; k < 2 * n; k++) {
            double swapped = a[p][k];
            a[p][k] = a[best][k];
            a[best][k] = swapped;
        }
        for (int32_t k = 2 * n - 1; k >= p; k--)
            a[p][k] /= a[p][p];
        for (int32_t i = 0; i < n; i++)
            for (int32_t k = 2 * n - 1; i != p && k >= p; k--)
                a[i][k] -= a[i][p] * a[p][k];
    }
}

/* A coefficient, and half the width of its interval. */
static double fit(int32_t count, int32_t columns, int32_t which, double *half)
{
    static double a[COLUMNS_MAX][2 * COLUMNS_MAX];
    double right[COLUMNS_MAX] = {0}, found[COLUMNS_MAX] = {0}, row[COLUMNS_MAX], rest = 0;
    memset(a, 0, sizeof a);
    for (int32_t i = 0; i < 2 * count; i++) {
        design(count, columns, i, row);
        for (int32_t k = 0; k < columns; k++) {
            right[k] += row[k] * (i < count ? base_y[i] : own_y[i - count]);
            for (int32_t l = 0; l < columns; l++)
                a[k][l] += row[k] * row[l];
        }
    }
    invert(columns, a);
    for (int32_t k = 0; k < columns; k++)
        for (int32_t l = 0; l < columns; l++)
            found[k] += a[k][columns + l] * right[l];
    for (int32_t i = 0; i < 2 * count; i++) {
        double off = i < count ? base_y[i] : own_y[i - count];
        design(count, columns, i, row);
        for (int32_t k = 0; k < columns; k++)
            off -= row[k] * found[k];
        rest += off * off;
    }
    int32_t degrees = 2 * count - columns;
    *half = tw_student_quantile(degrees) * sqrt(rest / degrees * a[which][columns + which]);
    return found[which];
}

static void expect_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-8 * (1 + fabs(expected)))
        fail_msg("%.12g; expected %.12g", value, expected);
}

static void it_is_the_model_with_a_column_for_each_seed(void **state)
{
    struct dice dice = {.key = 52};
    (void)state;
    for (int turn = 0; turn < 60; turn++) {
        int32_t count = 6 + turn % (PAIRS_MAX - 5);
        struct tw_adjusted_samples samples = samples_of(count);
        struct tw_adjusted a;
        double half, value, steeper = turn % 3 == 0 ? 4 : 0;
        bool below = false, above = false;
        for (int32_t i = 0; i < count; i++) {
            double seed = 10 * number(&dice);
            base_x[i] = seed / 3 + number(&dice);
            own_x[i] = base_x[i] + number(&dice) + turn % 4;
            base_y[i] = seed + 2 * base_x[i] + number(&dice);
            own_y[i] = seed + (2 + steeper) * own_x[i] + 0.5 + number(&dice);
            below |= own_x[i] < base_x[i];
            above |= own_x[i] > base_x[i];
        }
        assert_true(tw_adjusted_find(&samples, &a));
        value = fit(count, count + 2, count, &half);
        expect_near(a.difference, value);
        expect_near(a.low, value - half);
        expect_near(a.high, value + half);
        value = fit(count, count + 2, count + 1, &half);
        expect_near(a.slope, value);
        expect_near(a.slope_low, value - half);
        expect_near(a.slope_high, value + half);
        value = fit(count, count + 3, count + 2, &half);
        expect_near(a.steeper, value);
        expect_near(a.steeper_low, value - half);
        expect_near(a.steeper_high, value + half);
        assert_int_equal(a.is_parallel, fabs(value) <= half);
        assert_int_equal(a.is_inside, below && above);
    }
}

/* Without noise: a common line, and a line of each variant's own. */
static void exact_lines_are_found(void **state)
{
    struct dice dice = {.key = 7};
    struct tw_adjusted_samples samples = samples_of(9);
    struct tw_adjusted a;
    (void)state;
    for (int32_t i = 0; i < 9; i++) {
        double seed = 5 * number(&dice);
        base_x[i] = number(&dice);
        own_x[i] = number(&dice);
        base_y[i] = seed + 3 * base_x[i];
        own_y[i] = seed + 3 * own_x[i] + 2;
    }
    assert_true(tw_adjusted_find(&samples, &a));
    expect_near(a.difference, 2);
    expect_near(a.high - a.low, 0);
    expect_near(a.slope, 3);
    assert_true(a.is_parallel && a.is_inside);
    for (int32_t i = 0; i < 9; i++)
        own_y[i] += own_x[i];
    assert_true(tw_adjusted_find(&samples, &a));
    expect_near(a.steeper, 1);
    assert_false(a.is_parallel);
    for (int32_t i = 0; i < 9; i++)
        own_x[i] += 3;
    assert_true(tw_adjusted_find(&samples, &a));
    assert_false(a.is_inside);
}

static void what_has_no_line_is_refused(void **state)
{
    struct dice dice = {.key = 9};
    struct tw_adjusted_samples samples = samples_of(8), few = samples_of(5);
    struct tw_adjusted a = {.difference = 77};
    (void)state;
    for (int32_t i = 0; i < 8; i++) {
        base_x[i] = number(&dice);
        own_x[i] = base_x[i] + 0.1; /* the same difference, but for rounding */
        base_y[i] = number(&dice);
        own_y[i] = number(&dice);
    }
    assert_false(tw_adjusted_find(&samples, &a));
    for (int32_t i = 0; i < 8; i++)
        own_x[i] = number(&dice);
    assert_true(tw_adjusted_find(&samples, &a));
    a.difference = 77;
    assert_false(tw_adjusted_find(&few, &a));
    for (int32_t i = 0; i < 8; i++)
        base_x[i] = 0.3; /* a slope of the baseline's own cannot be told */
    assert_false(tw_adjusted_find(&samples, &a));
    assert_true(a.difference == 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_model_with_a_column_for_each_seed),
        cmocka_unit_test(exact_lines_are_found),
        cmocka_unit_test(what_has_no_line_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
