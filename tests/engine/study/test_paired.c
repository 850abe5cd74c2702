/* SPDX-License-Identifier: MIT */
/* Statistics of paired differences against SciPy 1.10.1 (stats.wilcoxon, binomtest, t.ppf,
 * rankdata), and, where that has no exact answer, against all sign patterns. */
#include "support/dice.h"
#include "support/harness.h"

#include "study/statistics/distributions.h"
#include "study/statistics/paired.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 60 };
static const double zeros[1000];

/* difference, low, high, hodges_lehmann, wilcoxon_p, sign_p, effect */
static const struct {
    int32_t count;
    double differences[MOST], expected[7];
} rows[] = {
    {6,
     {0.30123, 0.598746, 0.025862, -0.590592, -0.154671, -0.691647},
     {-0.0851786666666667, -0.611462070667071, 0.441104737333738, -0.0644045, 0.84375, 1,
      -0.142857142857143}},
    {11,
     {0.360144, 1.640215, -0.192207, -0.320475, 0.789842, 0.656887, 0.405414, -0.630468, 0.270748,
      0.995303, -1.044215},
     {0.266471636363636, -0.251740923217606, 0.784684195944879, 0.29840875, 0.2783203125,
      0.548828125, 0.393939393939394}},
    {25,
     {-0.157616, -1.601223, -0.989538, -1.541735, 0.064909,  -0.967446, 0.571264,
      0.456751,  0.113069,  -2.21676,  -0.238693, 0.251499,  0.413309,  -1.230136,
      -0.177753, -0.678519, -0.508837, 1.360899,  -0.507535, 0.267478,  1.18439,
      -0.2836,   0.188298,  0.410464,  0.363782},
     {-0.21813116, -0.572749014972472, 0.136486694972472, -0.1676845, 0.352519631385803, 1,
      -0.218461538461538}},
    {26,
     {-0.925056, 0.37614,   1.658823, -1.247145, 1.159383,  0.419354, -0.34147, 2.300417, 1.06226,
      -0.899289, 0.374516,  0.87669,  0.111218,  0.98291,   0.233483, 0.967248, 1.738523, -0.375662,
      0.503139,  -0.163308, 0.427268, -0.887195, -0.279302, 0.103804, 1.198764, 1.445222},
     {0.416182115384615, 0.0497897664642429, 0.782574464304988, 0.40197, 0.0280258007019837,
      0.0755186975002289, 0.492877492877493}},
    {60,
     {-1.023528, -0.494642, 0.946903,  -1.69242,  -0.16317,  0.202713,  1.557015,  0.989404,
      -0.027213, -0.068576, 0.049805,  1.823529,  -0.128025, -0.00368,  0.652589,  0.17923,
      0.102716,  -0.814067, 0.288479,  -0.143581, 1.466128,  0.953089,  0.275856,  0.968381,
      -0.03987,  1.352126,  0.2946,    0.883382,  -0.990893, 0.64668,   -1.388204, -1.735329,
      -0.004477, -0.599928, 0.464053,  2.544757,  -0.531723, -0.323944, 0.505404,  0.793013,
      0.123594,  0.09407,   1.002463,  0.819908,  -0.733676, 0.220819,  0.335287,  -0.754485,
      0.559839,  -0.557956, 1.272067,  0.492746,  0.389306,  -0.291028, 0.18139,   -1.697746,
      -0.831407, 0.66284,   -1.828567, 1.146609},
     {0.13954425, -0.0928943053283555, 0.371982805328355, 0.162673, 0.161901593149431,
      0.245060833022946, 0.207650273224044}},
    {40,
     {-1.5, 1.0,  -0.6, 1.0,  0.3,  -1.3, 1.4, 1.6,  0.1,  -0.1, 0.0,  -0.8, 1.3,  -0.3,
      0.1,  -0.6, -0.4, -1.1, 1.5,  0.0,  1.2, 0.2,  -0.5, -0.1, -0.4, 0.2,  -0.2, -0.1,
      -1.2, -0.6, 1.9,  -0.5, -0.9, 0.5,  1.6, -1.3, 0.0,  -0.4, -1.6, 0.9},
     {0.00749999999999999, -0.29035423545696, 0.30535423545696, -0.05, 0.850319995298517,
      0.51137578158523, -0.0355618776671408}},
};

static void close_to(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b))))
        fail_msg("%.15g is not %.15g", a, b);
}

static struct tw_paired find(const double *differences, int32_t count)
{
    struct tw_paired p;
    assert_int_equal(tw_paired_find(differences, zeros, count, &p, NULL), TW_OK);
    return p;
}

static void numbers_are_those_of_scipy(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tw_paired p = find(rows[i].differences, rows[i].count);
        const double ours[] = {p.difference, p.low,    p.high,  p.hodges_lehmann,
                               p.wilcoxon_p, p.sign_p, p.effect};
        for (int k = 0; k < 7; k++)
            close_to(ours[k], rows[i].expected[k]);
    }
}

static void students_quantiles_are_those_of_scipy(void **state)
{
    static const struct {
        int32_t degrees;
        double quantile;
    } table[] = {{1, 12.706204736432095},    {2, 4.302652729911275},     {5, 2.5705818366147395},
                 {10, 2.2281388519649385},   {30, 2.0422724563012373},   {199, 1.971956544249395},
                 {1001, 1.9623367052808787}, {1002, 1.9623343344825903}, {5000, 1.9604385517065075},
                 {99999, 1.9599877077718446}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        close_to(tw_student_quantile(table[i].degrees), table[i].quantile);
}

/* Twice the rank of |d[i]|: ties share their mean. */
static int doubled_rank(const double *d, int n, int i)
{
    int rank = 1;
    for (int k = 0; k < n; k++)
        rank += (fabs(d[k]) < fabs(d[i])) + (fabs(d[k]) <= fabs(d[i]));
    return rank;
}

/* Every way to give the ranks signs, as the exact test is defined, ties included. */
static double brute_force(const double *d, int n)
{
    int seen = 0, all = 0, as_far = 0;
    for (int i = 0; i < n; i++) {
        all += doubled_rank(d, n, i);
        seen += d[i] > 0 ? doubled_rank(d, n, i) : 0;
    }
    for (int signs = 0; signs < 1 << n; signs++) {
        int sum = 0;
        for (int i = 0; i < n; i++)
            sum += signs >> i & 1 ? doubled_rank(d, n, i) : 0;
        as_far += abs(2 * sum - all) >= abs(2 * seen - all);
    }
    return (double)as_far / (1 << n);
}

static void ties_are_exact_too(void **state)
{
    static const double d[][10] = {{1, 1, 1, -1, 2, 2, -3, 4, 4, 5},
                                   {1, -1, 2, -2, 2, 3, 3, 3, 3, -3},
                                   {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}};
    (void)state;
    for (size_t i = 0; i < sizeof d / sizeof d[0]; i++)
        close_to(find(d[i], 10).wilcoxon_p, brute_force(d[i], 10));
}

/* The median of all means by listing and sorting them. */
static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void the_shift_is_the_median_of_all_means(void **state)
{
    static double d[200], means[200 * 201 / 2];
    (void)state;
    for (int n = 1; n <= 200; n += 13) {
        size_t count = 0;
        for (int i = 0; i < n; i++)
            d[i] = sin(n * 7.0 + i * i * 0.37) * (i % 3 ? 1 : 1e-12) - 0.1;
        for (int i = 0; i < n; i++)
            for (int k = i; k < n; k++)
                means[count++] = (d[i] + d[k]) / 2;
        qsort(means, count, sizeof *means, by_value);
        double median =
            count % 2 ? means[count / 2] : (means[count / 2 - 1] + means[count / 2]) / 2;
        assert_true(find(d, n).hodges_lehmann == median);
    }
}

static void few_pairs_say_nothing(void **state)
{
    static const double up[] = {1, 2, 3, 4, 5, 6};
    (void)state;
    struct tw_paired p = find(up, 5);
    close_to(p.wilcoxon_p, 0.0625);
    tw_paired_judge(&p, 1, 1);
    assert_string_equal(tw_verdict_names[p.verdict], "too few");
    p = find(up, 6);
    close_to(p.wilcoxon_p, 0.03125);
    tw_paired_judge(&p, 1, 1);
    assert_string_equal(tw_verdict_names[p.verdict], "better");
    tw_paired_judge(&p, 1, -1);
    assert_string_equal(tw_verdict_names[p.verdict], "worse");
    tw_paired_judge(&p, 1, 0);
    assert_string_equal(tw_verdict_names[p.verdict], "higher");
    p = find(up, 1);
    assert_true(isnan(p.low) && isnan(p.high));
}

/* Holm multiplies the smallest p by all comparisons, so even differences that all point one way
 * must be more where more is compared. */
static void more_comparisons_need_more_pairs(void **state)
{
    static const struct {
        int32_t comparisons, needed;
    } table[] = {{1, 6}, {2, 7}, {3, 7}, {4, 8}, {6, 8}, {7, 9}, {12, 9}, {13, 10}, {1000, 16}};
    static const double up[] = {1, 2, 3, 4, 5, 6};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_int_equal(tw_pairs_needed(table[i].comparisons), table[i].needed);
    for (int32_t n = TW_PAIRS_MIN; n <= 40;
         n++) { /* all equal and on one side: the clearest case */
        double same[40];
        for (int32_t i = 0; i < n; i++)
            same[i] = 2;
        double most = TW_SIGNIFICANCE / find(same, n).wilcoxon_p;
        assert_true(tw_pairs_suffice(n, (int32_t)(most * 0.999)));
        assert_false(tw_pairs_suffice(n, (int32_t)(most * 1.001) + 1));
    }
    struct tw_paired p = find(up, 6);
    tw_paired_judge(&p, 2, 1);
    assert_string_equal(tw_verdict_names[p.verdict], "too few");
}

/* As wilcox.test(d, conf.int = TRUE) of R 4.2, whose table is that of Hollander and Wolfe: the k-th
 * of the sorted means from either end. */
static void the_shift_has_an_interval(void **state)
{
    static const struct {
        int32_t count;
        int64_t place; /* qsignrank(0.025, n) */
    } table[] = {{6, 1}, {7, 3}, {8, 4}, {10, 9}, {15, 26}, {20, 53}, {25, 90}};
    static double d[25], means[25 * 26 / 2];
    (void)state;
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        int32_t n = table[row].count;
        size_t count = 0;
        for (int i = 0; i < n; i++)
            d[i] = sin(n * 3.0 + i * i * 0.41) + 0.2;
        for (int i = 0; i < n; i++)
            for (int k = i; k < n; k++)
                means[count++] = (d[i] + d[k]) / 2;
        qsort(means, count, sizeof *means, by_value);
        struct tw_paired p = find(d, n);
        assert_true(p.shift_low == means[table[row].place - 1]);
        assert_true(p.shift_high == means[count - (size_t)table[row].place]);
    }
    assert_true(isnan(find(d, 5).shift_low) && isnan(find(d, 5).shift_high));
}

static void equal_samples_are_equal(void **state)
{
    (void)state;
    struct tw_paired p = find(zeros, 30);
    tw_paired_judge(&p, 1, 1);
    assert_string_equal(tw_verdict_names[p.verdict], "~");
    assert_true(p.wilcoxon_p == 1 && p.sign_p == 1 && p.effect == 0 && p.hodges_lehmann == 0);
}

/* As R's p.adjust(p, "holm"). */
static void holm_steps_down(void **state)
{
    static const double p[] = {0.01, 0.04, 0.03, 0.005}, adjusted[] = {0.03, 0.06, 0.06, 0.02};
    struct tw_paired pairs[4] = {{0}};
    struct tw_paired *all[4];
    (void)state;
    for (int i = 0; i < 4; i++) {
        pairs[i].wilcoxon_p = p[i];
        all[i] = &pairs[i];
    }
    assert_int_equal(tw_paired_holm(all, 4, NULL), TW_OK);
    for (int i = 0; i < 4; i++)
        close_to(pairs[i].holm_p, adjusted[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_scipy),
        cmocka_unit_test(students_quantiles_are_those_of_scipy),
        cmocka_unit_test(ties_are_exact_too),
        cmocka_unit_test(the_shift_is_the_median_of_all_means),
        cmocka_unit_test(few_pairs_say_nothing),
        cmocka_unit_test(more_comparisons_need_more_pairs),
        cmocka_unit_test(the_shift_has_an_interval),
        cmocka_unit_test(equal_samples_are_equal),
        cmocka_unit_test(holm_steps_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
