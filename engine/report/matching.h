/* SPDX-License-Identifier: MIT */
/* States which values match: set in variants, and how far the variants still differ. */
#ifndef TW_ENGINE_REPORT_MATCHING_H
#define TW_ENGINE_REPORT_MATCHING_H

#include "report/verdict/ending.h"

/* A sentence per variant and level, at most `most` of them, between the texts of the form; none
 * without match:. */
void tw_matching_sentences(FILE *out, const struct tw_comparison *c, int32_t most,
                           const struct tw_ending_form *form);

#endif
