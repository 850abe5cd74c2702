/* SPDX-License-Identifier: MIT */
/* Wilcoxon 1945; Hodges and Lehmann 1963; Holm 1979; Kerby 2014. Agrees with SciPy (a test). */
#include "experiment/paired.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tw_verdict_names[] = {"~", "better", "worse", "higher", "lower", "too few"};

/* ---- Student's t ---- */

/* Continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8) by the modified
 * method of Lentz. */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), fraction;
    d = 1 / (fabs(d) < tiny ? tiny : d);
    fraction = d;
    for (int m = 1; m < 1000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        fraction *= c * d;
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        fraction *= c * d;
        if (fabs(c * d - 1) < 1e-15)
            break;
    }
    return fraction;
}

static const double root_of_pi = 1.7724538509055160;

/* gamma((n + 1) / 2) / gamma(n / 2), from n - 2 to n. */
static double gamma_ratio(int32_t n)
{
    double ratio = n % 2 ? 1 / root_of_pi : root_of_pi / 2;
    for (int32_t i = n % 2 ? 1 : 2; i < n; i += 2)
        ratio *= (i + 1.0) / i;
    return ratio;
}

/* Probability of |T| > t with n degrees of freedom; functions of our own, since those of libm
 * differ between systems. */
static double two_tails(double t, int32_t n, double ratio)
{
    double a = n / 2.0, b = 0.5, x = n / (n + t * t);
    double front = ratio / root_of_pi * tw_pow(x, a) * sqrt(1 - x);
    if (x < (a + 1) / (a + b + 2))
        return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double tw_student_quantile(int32_t degrees)
{
    double low = 1.9, high = 13, ratio = gamma_ratio(degrees);
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        *(two_tails(middle, degrees, ratio) > TW_SIGNIFICANCE ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* ---- ranks ---- */

struct ranks {
    double *sorted;   /* differences that are not 0, by absolute value */
    int64_t *doubled; /* twice the rank, so that means of ties are whole */
    int32_t count;
    double ties;                /* sum of t^3 - t over groups of equals */
    int64_t positive, negative; /* sums of doubled ranks */
};

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

static void rank(struct ranks *r)
{
    for (int32_t i = 0, end; i < r->count; i = end) {
        for (end = i + 1; end < r->count && fabs(r->sorted[end]) == fabs(r->sorted[i]); end++)
            ;
        double group = end - i;
        r->ties += group * group * group - group;
        for (int32_t k = i; k < end; k++) {
            r->doubled[k] = i + 1 + end;
            *(r->sorted[k] > 0 ? &r->positive : &r->negative) += r->doubled[k];
        }
    }
}

/* Of all 2^n ways to give the ranks signs, the share whose positive sum is at most `sum`: the
 * number of ways to reach each sum, rank by rank. */
static double exact_share(const struct ranks *r, int64_t sum)
{
    enum { SUMS = 25 * 26 + 1 }; /* doubled ranks of 25 differences */
    double ways[SUMS] = {1}, below = 0, all = 0;
    for (int32_t i = 0; i < r->count; i++)
        for (int64_t s = SUMS - 1; s >= r->doubled[i]; s--)
            ways[s] += ways[s - r->doubled[i]];
    for (int64_t s = 0; s < SUMS; s++) {
        all += ways[s];
        below += s <= sum ? ways[s] : 0;
    }
    return below / all;
}

static double least_of(double a, double b) { return a < b ? a : b; }

/* Probability that a normal number is further than z >= 0 from its mean, in deviations: the series
 * of the error function (Abramowitz and Stegun 7.1.6) or the continued fraction of its complement
 * (7.1.14), whichever is short. */
static double normal_tails(double z)
{
    double x = z / sqrt(2), term = 2 * x / root_of_pi * tw_exp(-x * x), sum = term, fraction = x;
    if (x > 3) {
        for (int i = 100; i > 0; i--)
            fraction = x + i / 2.0 / fraction;
        return tw_exp(-x * x) / root_of_pi / fraction;
    }
    for (int i = 1; i < 200; i++) {
        term *= 2 * x * x / (2 * i + 1);
        sum += term;
    }
    return 1 - sum;
}

static double wilcoxon_p(const struct ranks *r)
{
    enum { EXACT_MAX = 25 };
    int64_t least = r->positive < r->negative ? r->positive : r->negative;
    double n = r->count, mean = n * (n + 1) / 4;
    if (r->count == 0)
        return 1;
    if (r->count <= EXACT_MAX)
        return least_of(1, 2 * exact_share(r, least));
    double deviation = sqrt((n * (n + 1) * (2 * n + 1) - r->ties / 2) / 24);
    return least_of(1, normal_tails((mean - (double)least / 2) / deviation));
}

/* Tail of the binomial distribution with equal chances, by logarithms: counts may be large. */
static double sign_p(int32_t positive, int32_t negative)
{
    int32_t n = positive + negative, least = positive < negative ? positive : negative;
    double tail = 0, ways = -n; /* log2 of those of k, over 2^n */
    for (int32_t k = 0; k <= least; k++) {
        ways += k > 0 ? tw_log2((n - k + 1.0) / k) : 0;
        tail += tw_exp2(ways);
    }
    return n == 0 ? 1 : least_of(1, 2 * tail);
}

/* ---- Hodges and Lehmann ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Means of two of the sorted differences, each with itself, too, that are at most `limit`. */
static int64_t count_means(const double *sorted, int32_t count, double limit)
{
    int64_t sum = 0;
    for (int32_t i = 0, j = count - 1; i < count; i++) {
        while (j >= i && (sorted[i] + sorted[j]) / 2 > limit)
            j--;
        if (j < i)
            break;
        sum += j - i + 1;
    }
    return sum;
}

/* Doubles as whole numbers of the same order, so that halving an interval ends at a neighbour. */
static int64_t order_of(double number)
{
    int64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double number_of(int64_t order)
{
    int64_t bits = order < 0 ? INT64_MIN - order : order;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The k-th smallest of these means, from 1: in n steps a halving, never listing all n^2. */
static double find_mean(const double *sorted, int32_t count, int64_t k)
{
    int64_t low = order_of(sorted[0]), high = order_of(sorted[count - 1]);
    while (low < high) {
        int64_t middle = (low & high) + ((low ^ high) >> 1); /* their mean without overflow */
        if (count_means(sorted, count, number_of(middle)) >= k)
            high = middle;
        else
            low = middle + 1;
    }
    return number_of(low);
}

static double hodges_lehmann(const double *sorted, int32_t count)
{
    int64_t means = (int64_t)count * (count + 1) / 2;
    double below = find_mean(sorted, count, (means + 1) / 2);
    return means % 2 ? below : (below + find_mean(sorted, count, means / 2 + 1)) / 2;
}

/* ---- all of it ---- */

static void find_interval(const double *differences, struct tw_paired *paired)
{
    double squares = 0, n = paired->count;
    for (int32_t i = 0; i < paired->count; i++)
        paired->difference += differences[i] / n;
    for (int32_t i = 0; i < paired->count; i++) {
        double rest = differences[i] - paired->difference;
        squares += rest * rest;
    }
    double half = paired->count > 1
                      ? tw_student_quantile(paired->count - 1) * sqrt(squares / (n - 1) / n)
                      : NAN;
    paired->low = paired->difference - half;
    paired->high = paired->difference + half;
}

/* `differences` are sorted by value on return. */
static void find_ranks(double *differences, struct ranks *ranks, struct tw_paired *paired)
{
    int32_t positive = 0;
    for (int32_t i = 0; i < paired->count; i++)
        if (differences[i] != 0) {
            ranks->sorted[ranks->count++] = differences[i];
            positive += differences[i] > 0;
        }
    qsort(ranks->sorted, (size_t)ranks->count, sizeof *ranks->sorted, by_size);
    rank(ranks);
    paired->wilcoxon_p = paired->holm_p = wilcoxon_p(ranks);
    paired->sign_p = sign_p(positive, ranks->count - positive);
    double all = (double)(ranks->positive + ranks->negative);
    paired->effect = all > 0 ? (double)(ranks->positive - ranks->negative) / all : 0;
    qsort(differences, (size_t)paired->count, sizeof *differences, by_value);
    paired->hodges_lehmann = hodges_lehmann(differences, paired->count);
}

enum tw_status tw_paired_find(const double *a, const double *b, int32_t count,
                              struct tw_paired *paired, struct tw_error *err)
{
    struct ranks ranks = {.sorted = calloc((size_t)count + 1, sizeof *ranks.sorted),
                          .doubled = calloc((size_t)count + 1, sizeof *ranks.doubled)};
    double *differences = calloc((size_t)count + 1, sizeof *differences);
    bool ok = ranks.sorted && ranks.doubled && differences;
    *paired = (struct tw_paired){.count = count, .wilcoxon_p = 1, .sign_p = 1, .holm_p = 1};
    for (int32_t i = 0; ok && i < count; i++)
        differences[i] = a[i] - b[i];
    if (ok && count > 0) {
        find_interval(differences, paired);
        find_ranks(differences, &ranks, paired);
    }
    free(ranks.sorted);
    free(ranks.doubled);
    free(differences);
    return ok ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}

static int by_p(const void *a, const void *b)
{
    const struct tw_paired *x = *(struct tw_paired *const *)a, *y = *(struct tw_paired *const *)b;
    return (x->wilcoxon_p > y->wilcoxon_p) - (x->wilcoxon_p < y->wilcoxon_p);
}

enum tw_status tw_paired_holm(struct tw_paired *const *all, int32_t count, struct tw_error *err)
{
    struct tw_paired **sorted = calloc((size_t)count + 1, sizeof *sorted);
    double least = 0;
    if (!sorted)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < count; i++)
        sorted[i] = all[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_p);
    for (int32_t i = 0; i < count; i++) {
        double p = least_of(1, (count - i) * sorted[i]->wilcoxon_p);
        least = p > least ? p : least;
        sorted[i]->holm_p = least;
    }
    free(sorted);
    return TW_OK;
}

void tw_paired_judge(struct tw_paired *paired, int goal)
{
    bool up = paired->effect > 0;
    if (paired->count < TW_PAIRS_MIN)
        paired->verdict = TW_TOO_FEW;
    else if (paired->holm_p >= TW_SIGNIFICANCE || paired->effect == 0)
        paired->verdict = TW_SAME;
    else if (goal == 0)
        paired->verdict = up ? TW_HIGHER : TW_LOWER;
    else
        paired->verdict = up == (goal > 0) ? TW_BETTER : TW_WORSE;
}
