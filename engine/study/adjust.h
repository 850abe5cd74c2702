/* SPDX-License-Identifier: MIT */
/* adjust: a measure whose influence is taken out of the comparisons of all others. */
#ifndef TW_ENGINE_STUDY_ADJUST_H
#define TW_ENGINE_STUDY_ADJUST_H

#include "study/comparison.h"
#include "study/statistics/adjusted.h"

/* Whether the variant's difference in the measure is adjusted. */
bool tw_is_adjusted(const struct tw_experiment *experiment, int32_t variant, int32_t measure);
/* Finds the difference from the baseline at equal values of the measure of adjust:, over the kept
 * seeds; false if the samples do not let it. */
bool tw_compare_adjusted(const struct tw_comparison *comparison, int32_t variant, int32_t measure,
                         struct tw_adjusted *adjusted);

#endif
