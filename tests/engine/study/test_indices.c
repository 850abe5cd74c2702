/* SPDX-License-Identifier: MIT */
/* Sobol indices against functions whose indices are known in closed form. */
#include "study/statistics/indices.h"
#include "study/statistics/sobol.h"
#include "support/harness.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS = 4096, ARGUMENTS_MAX = 8 };

static const double pi = 3.14159265358979323846;

typedef double function(const double *x);

/* Ishigami & Homma 1990 with a = 7, b = 0.1, on -pi to pi. */
static double ishigami(const double *x)
{
    double at[3];
    for (int i = 0; i < 3; i++)
        at[i] = pi * (2 * x[i] - 1);
    double s = sin(at[1]);
    return sin(at[0]) + 7 * s * s + 0.1 * at[2] * at[2] * at[2] * at[2] * sin(at[0]);
}

/* Sobol's g-function: the product of (|4 x - 2| + a) / (1 + a). */
static const double a_of[ARGUMENTS_MAX] = {0, 1, 4.5, 9, 99, 99, 99, 99};
static double g_function(const double *x)
{
    double product = 1;
    for (int i = 0; i < ARGUMENTS_MAX; i++)
        product *= (fabs(4 * x[i] - 2) + a_of[i]) / (1 + a_of[i]);
    return product;
}

static double constant(const double *x)
{
    (void)x;
    return 3;
}

static void evaluate(function *f, int32_t arguments, int32_t count, struct tw_index *indices)
{
    double *values = calloc((size_t)count * (size_t)(arguments + 2), sizeof *values);
    assert_non_null(values);
    for (int32_t r = 0; r < count; r++)
        for (int32_t column = 0; column < arguments + 2; column++) {
            double x[ARGUMENTS_MAX] = {0};
            for (int32_t i = 0; i < arguments; i++) {
                bool b = column == 1 || column == tw_index_column(i);
                x[i] = tw_sobol((uint32_t)r, b ? arguments + i : i);
            }
            values[r * (arguments + 2) + column] = f(x);
        }
    const struct tw_index_rows rows = {values, count, arguments};
    assert_true(tw_indices_find(&rows, indices));
    free(values);
}

static void expect_index(const struct tw_index *index, double first, double total)
{
    if (fabs(index->first - first) > 0.01 || fabs(index->total - total) > 0.01)
        fail_msg("%.4f, %.4f; expected %.4f, %.4f", index->first, index->total, first, total);
    assert_true(index->first_low < first && first < index->first_high);
    assert_true(index->total_low - 1e-3 < total && total < index->total_high + 1e-3);
}

static void ishigami_has_its_indices(void **state)
{
    struct tw_index indices[3];
    const double b = 0.1, pi4 = pow(pi, 4), pi8 = pi4 * pi4;
    const double v1 = pow(1 + b * pi4 / 5, 2) / 2, v2 = 49.0 / 8, v13 = b * b * pi8 * 8 / 225;
    const double v = v1 + v2 + v13;
    (void)state;
    evaluate(ishigami, 3, ROWS, indices);
    expect_index(&indices[0], v1 / v, (v1 + v13) / v);
    expect_index(&indices[1], v2 / v, v2 / v);
    expect_index(&indices[2], 0, v13 / v);
}

static void the_g_function_has_its_indices(void **state)
{
    struct tw_index indices[ARGUMENTS_MAX];
    double v = 1;
    (void)state;
    for (int i = 0; i < ARGUMENTS_MAX; i++)
        v *= 1 + 1 / (3 * (1 + a_of[i]) * (1 + a_of[i]));
    evaluate(g_function, ARGUMENTS_MAX, ROWS, indices);
    for (int i = 0; i < ARGUMENTS_MAX; i++) {
        double own = 1 / (3 * (1 + a_of[i]) * (1 + a_of[i]));
        expect_index(&indices[i], own / (v - 1), own * v / (1 + own) / (v - 1));
    }
}

/* Intervals shrink with the square root of the rows, and are the same for the same rows. */
static void more_rows_have_narrower_intervals(void **state)
{
    struct tw_index few[3], many[3], again[3];
    (void)state;
    evaluate(ishigami, 3, 256, few);
    evaluate(ishigami, 3, 4096, many);
    evaluate(ishigami, 3, 4096, again);
    for (int i = 0; i < 3; i++) {
        double ratio =
            (few[i].first_high - few[i].first_low) / (many[i].first_high - many[i].first_low);
        assert_true(ratio > 3 && ratio < 5.5);
        assert_memory_equal(&many[i], &again[i], sizeof many[i]);
    }
}

static void a_constant_has_none(void **state)
{
    struct tw_index indices[2];
    (void)state;
    evaluate(constant, 2, 16, indices);
    for (int i = 0; i < 2; i++)
        assert_true(isnan(indices[i].first) && isnan(indices[i].total_high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ishigami_has_its_indices),
        cmocka_unit_test(the_g_function_has_its_indices),
        cmocka_unit_test(more_rows_have_narrower_intervals),
        cmocka_unit_test(a_constant_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
