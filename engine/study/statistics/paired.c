/* SPDX-License-Identifier: MIT */
/* Wilcoxon 1945; Hodges and Lehmann 1963; Holm 1979; Kerby 2014. A test compares the results with
 * SciPy's. */
#include "study/statistics/paired.h"

#include "base/text/number.h"
#include "study/statistics/distributions.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const tw_verdict_names[] = {"~", "better", "worse", "higher", "lower", "too few"};

/* ---- ranks ---- */

struct ranks {
    double *sorted;   /* non-zero differences, by absolute value */
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

enum { EXACT_MAX = 25, SUMS = EXACT_MAX * (EXACT_MAX + 1) + 1 }; /* of doubled ranks */

/* Adds a rank of either sign: `ways` counts how often each sum of positive ranks occurs. */
static void add_rank(double ways[SUMS], int64_t doubled)
{
    for (int64_t s = SUMS - 1; s >= doubled; s--)
        ways[s] += ways[s - doubled];
}

/* Share of all 2^n sign assignments whose positive sum is at most `sum`. */
static double exact_share(const struct ranks *r, int64_t sum)
{
    double ways[SUMS] = {1}, below = 0, all = 0;
    for (int32_t i = 0; i < r->count; i++)
        add_rank(ways, r->doubled[i]);
    for (int64_t s = 0; s < SUMS; s++) {
        all += ways[s];
        below += s <= sum ? ways[s] : 0;
    }
    return below / all;
}

static double least_of(double a, double b) { return a < b ? a : b; }

static double wilcoxon_p(const struct ranks *r)
{
    int64_t least = r->positive < r->negative ? r->positive : r->negative;
    double n = r->count, mean = n * (n + 1) / 4;
    if (r->count == 0)
        return 1;
    if (r->count <= EXACT_MAX)
        return least_of(1, 2 * exact_share(r, least));
    double deviation = sqrt((n * (n + 1) * (2 * n + 1) - r->ties / 2) / 24);
    return least_of(1, tw_normal_tails((mean - (double)least / 2) / deviation));
}

/* Tail of the binomial distribution with equal chances, by logarithms, since counts may be large.
 */
static double sign_p(int32_t positive, int32_t negative)
{
    int32_t n = positive + negative, least = positive < negative ? positive : negative;
    double tail = 0, ways = -n; /* log2 of the ways to choose k, over 2^n */
    for (int32_t k = 0; k <= least; k++) {
        ways += k > 0 ? tw_log2((n - k + 1.0) / k) : 0;
        tail += tw_exp2(ways);
    }
    return n == 0 ? 1 : least_of(1, 2 * tail);
}

/* ---- Hodges and Lehmann ---- */

/* Counts the means of two of the sorted differences (each also with itself) that are at most
 * `limit`. */
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

/* Maps doubles to integers of the same order, so that bisection ends at neighbouring doubles. */
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

/* Finds the k-th smallest mean of two (k from 1) in n steps per halving, without listing all n^2.
 */
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

/* Rank of the interval's ends among the sorted means, counted from 1 from either end: a shift
 * beyond it would leave a sum of positive ranks of at most 2.5 % probability (Hollander and Wolfe
 * 1999, 3.21). 0 if there is none. */
static int64_t place_of_limit(int32_t count)
{
    const double quantile = 1.959963984540054; /* 97.5 %, of the normal distribution */
    double ways[SUMS] = {1}, n = count, below = 0, all = tw_exp2(n);
    int64_t sum = 0;
    if (count > EXACT_MAX)
        return (int64_t)(n * (n + 1) / 4 - quantile * sqrt(n * (n + 1) * (2 * n + 1) / 24));
    for (int32_t i = 1; i <= count; i++)
        add_rank(ways, i);
    while (below + ways[sum] <= TW_SIGNIFICANCE / 2 * all)
        below += ways[sum++];
    return sum;
}

static void find_shift(const double *sorted, struct tw_paired *paired)
{
    int64_t count = paired->ranked, limit = place_of_limit(paired->ranked);
    paired->hodges_lehmann = hodges_lehmann(sorted, paired->ranked);
    if (limit == 0)
        return;
    paired->shift_low = find_mean(sorted, paired->ranked, limit);
    paired->shift_high = find_mean(sorted, paired->ranked, count * (count + 1) / 2 + 1 - limit);
}

/* ---- results ---- */

/* Sorts `differences` by value. */
static void find_ranks(double *differences, struct ranks *ranks, struct tw_paired *paired)
{
    int32_t positive = 0;
    for (int32_t i = 0; i < paired->ranked; i++)
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
    qsort(differences, (size_t)paired->ranked, sizeof *differences, tw_number_compare);
    find_shift(differences, paired);
}

void tw_paired_set_mean(struct tw_paired *paired, int32_t count, const struct tw_summary *summary)
{
    bool spread = count > 1;
    paired->count = count;
    paired->difference = summary->mean;
    paired->low = spread ? summary->mean - summary->interval : NAN;
    paired->high = spread ? summary->mean + summary->interval : NAN;
}

enum tw_status tw_paired_find(const double *a, const double *b, int32_t count,
                              struct tw_paired *paired, struct tw_error *err)
{
    struct ranks ranks = {.sorted = calloc((size_t)count + 1, sizeof *ranks.sorted),
                          .doubled = calloc((size_t)count + 1, sizeof *ranks.doubled)};
    double *differences = calloc((size_t)count + 1, sizeof *differences);
    bool ok = ranks.sorted && ranks.doubled && differences;
    *paired = (struct tw_paired){.count = count,
                                 .ranked = count,
                                 .low = NAN,
                                 .high = NAN,
                                 .shift_low = NAN,
                                 .shift_high = NAN,
                                 .wilcoxon_p = 1,
                                 .sign_p = 1,
                                 .holm_p = 1};
    for (int32_t i = 0; ok && i < count; i++)
        differences[i] = a[i] - b[i];
    if (ok && count > 0) {
        struct tw_summary summary = tw_summarise(differences, count);
        tw_paired_set_mean(paired, count, &summary);
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

/* Smallest p that n differences can have, all on one side; ties too, where the approximation is
 * used. */
static double least_p(int32_t n)
{
    return n <= EXACT_MAX ? tw_exp2(1 - n) : tw_normal_tails(sqrt(n));
}

bool tw_pairs_suffice(int32_t pairs, int32_t comparisons)
{
    return pairs >= TW_PAIRS_MIN && comparisons * least_p(pairs) < TW_SIGNIFICANCE;
}

int32_t tw_pairs_needed(int32_t comparisons)
{
    int32_t pairs = TW_PAIRS_MIN;
    while (!tw_pairs_suffice(pairs, comparisons))
        pairs++;
    return pairs;
}

void tw_paired_judge(struct tw_paired *paired, int32_t comparisons, int goal)
{
    bool up = paired->effect > 0;
    if (!tw_pairs_suffice(paired->ranked, comparisons))
        paired->verdict = TW_TOO_FEW;
    else if (paired->holm_p >= TW_SIGNIFICANCE || paired->effect == 0)
        paired->verdict = TW_SAME;
    else if (goal == 0)
        paired->verdict = up ? TW_HIGHER : TW_LOWER;
    else
        paired->verdict = up == (goal > 0) ? TW_BETTER : TW_WORSE;
}
