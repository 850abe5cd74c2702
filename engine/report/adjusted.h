/* SPDX-License-Identifier: MIT */
/* States how far variants differ at equal values of the measure of adjust:, and whether the
 * assumptions of this hold. */
#ifndef TW_ENGINE_REPORT_ADJUSTED_H
#define TW_ENGINE_REPORT_ADJUSTED_H

#include "report/verdict/ending.h"

/* A sentence per variant, level and measure, at most `most` of them, between the texts of the form;
 * none without adjust:. */
void tw_adjusted_sentences(FILE *out, const struct tw_comparison *c, int32_t most,
                           const struct tw_ending_form *form);

#endif
