/* SPDX-License-Identifier: MIT */
/* Ranks items from choices between two: Bradley and Terry 1952, i is chosen over j with probability
 * p_i / (p_i + p_j). */
#ifndef TW_ENGINE_STUDY_STATISTICS_BRADLEY_TERRY_H
#define TW_ENGINE_STUDY_STATISTICS_BRADLEY_TERRY_H

#include <thalweg/status.h>

#include <stdint.h>

enum { TW_CHOICES_ITEMS_MAX = 32 };

/* A choice between items a and b; `share` is 1 if a was chosen, 0 if b was, a half for a tie. */
struct tw_choice_made {
    int32_t a, b;
    double share;
};

/* An item's strength as its chance of being chosen over an average item, with its 95 % interval. */
struct tw_strength {
    double chance, low, high;
    double log; /* natural logarithm of p over the items' geometric mean */
};

/* Fits strengths as logarithms, which sum to 0, by the MM algorithm (Hunter 2004). `wins` is
 * [winner][loser]; a tie adds a half to both. `prior` adds so many wins and as many losses of each
 * item against an item of mean strength. Above 0 it keeps an item that won all its choices finite;
 * 0 gives the maximum of the likelihood, which must exist. */
void tw_bradley_terry_fit(const double *wins, int32_t items, double prior, double *logs);

/* Fits `count` choices with a prior of half a choice; intervals come from 1,000 resamples of the
 * choices, by counter. TW_MEMORY. */
enum tw_status tw_bradley_terry(const struct tw_choice_made *choices, int32_t count, int32_t items,
                                struct tw_strength *strengths, struct tw_error *err);

/* Wilson's 95 % interval (1927) of a share of `count`; 0 to 1 if `count` is 0. */
void tw_wilson(double share, int32_t count, double *low, double *high);

#endif
