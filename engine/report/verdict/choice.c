/* SPDX-License-Identifier: MIT */
#include "report/verdict/choice.h"

#include "report/verdict/verdict.h"

#include <stdlib.h>

/* Mean of the deciding measure, with the sign that makes more better. */
static double signed_mean(const struct tw_comparison *c, int32_t variant)
{
    int32_t m = tw_verdict_measure(c->experiment);
    double mean = tw_comparison_summary(c, variant, m).mean;
    return c->experiment->measures[m].goal < 0 ? -mean : mean;
}

static void take_extreme(const struct tw_comparison *c, bool *taken, double sign)
{
    int32_t best = -1;
    for (int32_t v = 0; v < c->experiment->variant_count; v++)
        if (!taken[v] && (best < 0 || sign * signed_mean(c, v) > sign * signed_mean(c, best)))
            best = v;
    if (best >= 0)
        taken[best] = true;
}

struct tw_choice tw_choose_variants(const struct tw_comparison *c, int32_t most)
{
    double sign = 1; /* order of picking: the best, the worst, the next best, ... */
    const struct tw_experiment *e = c->experiment;
    bool taken[TW_VARIANTS_MAX] = {false};
    struct tw_choice choice = {.count = 0};
    int32_t count = e->variant_count < most ? e->variant_count : most;
    if (e->baseline >= 0)
        taken[e->baseline] = true;
    for (int32_t i = e->baseline >= 0; i < count; i++, sign = -sign)
        take_extreme(c, taken, sign);
    for (int32_t v = 0; v < e->variant_count && choice.count < count; v++)
        if (taken[v])
            choice.at[choice.count++] = v;
    return choice;
}

struct ranked {
    double score;
    int32_t seed; /* index */
};

static int by_score(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    int order = (x->score > y->score) - (x->score < y->score);
    return order ? order : (x->seed > y->seed) - (x->seed < y->seed);
}

bool tw_choose_seeds(const struct tw_comparison *c, struct tw_seed_choice *choice)
{
    const struct tw_experiment *e = c->experiment;
    int32_t m = tw_verdict_measure(e);
    struct ranked *rank = calloc((size_t)c->count + 1, sizeof *rank);
    if (!rank)
        return false;
    for (int32_t i = 0; i < c->count; i++) {
        rank[i].seed = i;
        for (int32_t v = 0; v < e->variant_count; v++)
            rank[i].score += (e->measures[m].goal < 0 ? -1 : 1) * tw_samples(c, v, m)[i];
    }
    qsort(rank, (size_t)c->count, sizeof *rank, by_score);
    *choice = (struct tw_seed_choice){.best = c->seeds[rank[c->count - 1].seed],
                                      .median = c->seeds[rank[c->count / 2].seed],
                                      .worst = c->seeds[rank[0].seed],
                                      .distinct = c->count > 2};
    free(rank);
    return true;
}
