/* SPDX-License-Identifier: MIT */
#include "study/statistics/bradley_terry.h"

#include "base/text/number.h"

#include <thalweg/kernel.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RESAMPLES = 1000 };
static const double prior_choices = 0.5;

/* One step of Hunter 2004, equation 3: p_i = W_i / sum over j of N_ij / (p_i + p_j). Scaled so that
 * the item of mean strength has p = 1. Returns about the greatest change of a logarithm. */
static double step(const double *wins, int32_t items, double prior, double *p)
{
    double next[TW_CHOICES_ITEMS_MAX], change = 0;
    for (int32_t i = 0; i < items; i++) {
        double won = prior, weight = 2 * prior / (p[i] + 1);
        for (int32_t j = 0; j < items; j++) {
            double met = wins[i * items + j] + wins[j * items + i];
            won += wins[i * items + j];
            weight += met / (p[i] + p[j]);
        }
        next[i] = weight > 0 ? won / weight : 1;
    }
    for (int32_t i = 0; i < items; i++) {
        double ratio = fabs(next[i] / p[i] - 1);
        change = ratio > change ? ratio : change;
        p[i] = next[i];
    }
    return change;
}

static double natural_log(double x) { return tw_log2(x) * 0.69314718055994531; }

/* Only ratios are determined without a prior, so this centres the logarithms. */
static void centre(double *p, int32_t items, double *logs)
{
    double mean = 0;
    for (int32_t i = 0; i < items; i++) {
        logs[i] = natural_log(p[i] > 1e-300 ? p[i] : 1e-300);
        mean += logs[i] / items;
    }
    for (int32_t i = 0; i < items; i++)
        logs[i] -= mean;
}

void tw_bradley_terry_fit(const double *wins, int32_t items, double prior, double *logs)
{
    double p[TW_CHOICES_ITEMS_MAX];
    for (int32_t i = 0; i < items; i++)
        p[i] = 1;
    for (int i = 0; i < 10000 && step(wins, items, prior, p) > 1e-9; i++)
        ;
    centre(p, items, logs);
}

static void count_choice(double *wins, int32_t items, const struct tw_choice_made *c)
{
    wins[c->a * items + c->b] += c->share;
    wins[c->b * items + c->a] += 1 - c->share;
}

static double chance_of(double log) { return 1 / (1 + tw_exp(-log)); }

/* `logs` is [item][resample]. */
static void resample(const struct tw_choice_made *choices, int32_t count, int32_t items,
                     double *logs)
{
    double wins[TW_CHOICES_ITEMS_MAX * TW_CHOICES_ITEMS_MAX], fit[TW_CHOICES_ITEMS_MAX];
    for (int32_t r = 0; r < RESAMPLES; r++) {
        memset(wins, 0, sizeof wins);
        for (int32_t i = 0; i < count; i++) {
            uint32_t word = tw_random(0, (uint32_t)r, (uint32_t)i, 0, 0).at[0];
            count_choice(wins, items, &choices[(uint64_t)word * (uint64_t)count >> 32]);
        }
        tw_bradley_terry_fit(wins, items, prior_choices, fit);
        for (int32_t i = 0; i < items; i++)
            logs[i * RESAMPLES + r] = fit[i];
    }
}

enum tw_status tw_bradley_terry(const struct tw_choice_made *choices, int32_t count, int32_t items,
                                struct tw_strength *strengths, struct tw_error *err)
{
    double wins[TW_CHOICES_ITEMS_MAX * TW_CHOICES_ITEMS_MAX] = {0}, fit[TW_CHOICES_ITEMS_MAX];
    double *logs = calloc((size_t)items * RESAMPLES, sizeof *logs);
    if (!logs)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < count; i++)
        count_choice(wins, items, &choices[i]);
    tw_bradley_terry_fit(wins, items, prior_choices, fit);
    resample(choices, count, items, logs);
    for (int32_t i = 0; i < items; i++) {
        double *all = logs + (size_t)i * RESAMPLES;
        qsort(all, RESAMPLES, sizeof *all, tw_number_compare);
        strengths[i] = (struct tw_strength){chance_of(fit[i]), chance_of(all[RESAMPLES / 40]),
                                            chance_of(all[RESAMPLES - 1 - RESAMPLES / 40]), fit[i]};
    }
    free(logs);
    return TW_OK;
}

void tw_wilson(double share, int32_t count, double *low, double *high)
{
    const double z = 1.9599639845400545; /* 97.5 % of the normal distribution */
    *low = 0;
    *high = 1;
    if (count <= 0)
        return;
    double n = count, middle = (share + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    *low = middle - half > 0 ? middle - half : 0;
    *high = middle + half < 1 ? middle + half : 1;
}
