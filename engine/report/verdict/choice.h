/* SPDX-License-Identifier: MIT */
/* Chooses the variants that a page with little room shows: the baseline, and those with the best
 * and the worst means of the deciding measure. Tables list all. */
#ifndef TW_ENGINE_REPORT_VERDICT_CHOICE_H
#define TW_ENGINE_REPORT_VERDICT_CHOICE_H

#include "study/comparison.h"

enum { TW_CHOICE_MAX = 40 };

struct tw_choice {
    int32_t at[TW_CHOICE_MAX]; /* variants, in the experiment's order */
    int32_t count;
};

/* Chooses at most `most` variants; all if there are no more. */
struct tw_choice tw_choose_variants(const struct tw_comparison *c, int32_t most);

/* Seeds by the mean of the deciding measure over all variants. */
struct tw_seed_choice {
    uint64_t best, median, worst;
    bool distinct; /* false: fewer than three seeds, so some are equal */
};
/* False if memory runs out. */
bool tw_choose_seeds(const struct tw_comparison *c, struct tw_seed_choice *choice);

#endif
