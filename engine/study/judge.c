/* SPDX-License-Identifier: MIT */
/* Evaluates the samples of a comparison, pair by pair and all together. */
#include "study/comparison.h"

#include <math.h>
#include <stdlib.h>

int32_t tw_compare_count_pairs(const struct tw_experiment *e)
{
    if (e->baseline < 0)
        return 0;
    return (e->variant_count - e->level_count) * e->measure_count + e->pairs_elsewhere;
}

/* Ranks use the kept samples; the mean and its interval use all. */
static enum tw_status find_pair(struct tw_comparison *c, int32_t variant, int32_t measure,
                                struct tw_error *err)
{
    struct tw_paired *pair = tw_pair_of(c, variant, measure);
    enum tw_status status =
        tw_paired_find(tw_samples(c, variant, measure),
                       tw_samples(c, tw_experiment_baseline(c->experiment, variant), measure),
                       c->count, pair, err);
    struct tw_summary all = tw_comparison_difference(c, variant, measure);
    if (status == TW_OK && c->total > 0)
        tw_paired_set_mean(pair, c->total, &all);
    return status;
}

/* Corrects a pair for the looks, too: Holm's p-values are proportional to those of the tests. */
static void judge(struct tw_paired *pair, const struct tw_experiment *e, int goal)
{
    pair->holm_p *= tw_compare_count_looks(e);
    pair->holm_p = pair->holm_p < 1 ? pair->holm_p : 1;
    tw_paired_judge(pair, tw_compare_count_tests(e), goal);
}

enum tw_status tw_compare_judge(struct tw_comparison *c, struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    size_t most = (size_t)e->variant_count * (size_t)e->measure_count;
    struct tw_paired **all = calloc(most + 1, sizeof *all);
    enum tw_status status = all ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
    int32_t count = 0;
    for (int32_t v = 0; all && v < e->variant_count; v++)
        for (int32_t m = 0; status == TW_OK && tw_is_compared(e, v) && m < e->measure_count; m++) {
            all[count++] = tw_pair_of(c, v, m);
            status = find_pair(c, v, m, err);
        }
    if (status == TW_OK)
        status = tw_paired_holm(all, count, err);
    for (int32_t v = 0; status == TW_OK && v < e->variant_count; v++)
        for (int32_t m = 0; tw_is_compared(e, v) && m < e->measure_count; m++)
            judge(tw_pair_of(c, v, m), e, e->measures[m].goal);
    free(all);
    return status;
}

/* The look after that at `seeds`. */
static int32_t next_look(int32_t seeds) { return seeds + (seeds + 1) / 2; }

/* Looks from that one on to the last seed, which is one. */
static int32_t count_from(int32_t look, int32_t last)
{
    int32_t looks = 1;
    for (; look < last; look = next_look(look))
        looks++;
    return looks;
}

/* The first that could show anything: those before it need not be paid for. */
int32_t tw_compare_count_looks(const struct tw_experiment *e)
{
    int32_t pairs = tw_compare_count_pairs(e), look = TW_PAIRS_MIN;
    if (!tw_compare_has_until(e))
        return 1;
    while (look < e->seed_count && !tw_pairs_suffice(look, pairs * count_from(look, e->seed_count)))
        look = next_look(look);
    return count_from(look, e->seed_count);
}

int32_t tw_compare_count_tests(const struct tw_experiment *e)
{
    return tw_compare_count_pairs(e) * tw_compare_count_looks(e);
}

static bool is_look(int32_t seeds)
{
    int32_t look = TW_PAIRS_MIN;
    while (look < seeds)
        look = next_look(look);
    return look == seeds;
}

bool tw_compare_has_until(const struct tw_experiment *e)
{
    for (int32_t m = 0; m < e->measure_count; m++)
        if (e->measures[m].until > 0)
            return true;
    return false;
}

/* Runs after every seed, so it first tries a cheap lower bound of the width: Student's quantile is
 * never less than the normal one. */
static bool is_narrow(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    const struct tw_running *r = &c->differences[tw_cell_of(c, variant, measure)];
    double until = c->experiment->measures[measure].until, n = (double)r->count;
    if (2 * 1.9599 * sqrt(r->squares / (n - 1) / n) > until)
        return false;
    return 2 * tw_running_summary(r).interval <= until;
}

/* An interval may be narrow by chance: with too few pairs for a test always, later now and then. So
 * it is looked at a few times only, whose number corrects the words. */
bool tw_compare_is_narrow(const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    if (e->baseline < 0 || !tw_compare_has_until(e) || !is_look(c->total) ||
        !tw_pairs_suffice(c->total, tw_compare_count_tests(e)))
        return false;
    for (int32_t m = 0; m < e->measure_count; m++)
        for (int32_t v = 0; e->measures[m].until > 0 && v < e->variant_count; v++)
            if (tw_is_compared(e, v) && !is_narrow(c, v, m))
                return false;
    return true;
}
