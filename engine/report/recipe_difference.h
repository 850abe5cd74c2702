/* SPDX-License-Identifier: MIT */
/* Finds what differs between the recipes of two variants: nodes by path, and their facts. */
#ifndef TW_ENGINE_REPORT_RECIPE_DIFFERENCE_H
#define TW_ENGINE_REPORT_RECIPE_DIFFERENCE_H

#include "gate/drift.h"
#include "report/verdict/choice.h"

struct tw_recipe_difference {
    struct tw_snapshot *before, *after;
    struct tw_drift *drift;
};

/* The variant that others are compared with: the baseline, or the first if there is none. */
int32_t tw_recipe_difference_base(const struct tw_experiment *e);
/* Compares the chosen variants with that one, into edits[variant]; runs nothing. Call
 * tw_recipe_differences_release() in any case. */
enum tw_status tw_recipe_differences_find(const struct tw_experiment *e, uint64_t seed,
                                          const struct tw_load_options *load,
                                          const struct tw_choice *choice,
                                          struct tw_recipe_difference **edits,
                                          struct tw_error *err);
void tw_recipe_differences_release(struct tw_recipe_difference **edits, int32_t count);

#endif
