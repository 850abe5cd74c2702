/* SPDX-License-Identifier: MIT */
/* Which variants a page shows where there is no room for all: the baseline, and of the others
 * those with the best and the worst means of the measure that decides. Tables have all. */
#ifndef TW_ENGINE_REPORT_CHOICE_H
#define TW_ENGINE_REPORT_CHOICE_H

#include "study/comparison.h"

enum { TW_CHOICE_MAX = 40 };

struct tw_choice {
    int32_t at[TW_CHOICE_MAX]; /* variants, in the experiment's order */
    int32_t count;
};

/* At most `most` of them; all when there are no more than that. */
struct tw_choice tw_choose_variants(const struct tw_comparison *c, int32_t most);

/* Seeds by the mean of the deciding measure over all variants. */
struct tw_seed_choice {
    uint64_t best, median, worst;
    bool distinct; /* false: fewer than three seeds, so some are the same */
};
/* False without memory. */
bool tw_choose_seeds(const struct tw_comparison *c, struct tw_seed_choice *choice);

#endif
