/* SPDX-License-Identifier: MIT */
/* Why a comparison has the seeds that it has, and what they are too few for. */
#ifndef TW_ENGINE_REPORT_ENDING_H
#define TW_ENGINE_REPORT_ENDING_H

#include "base/text/text.h"
#include "study/comparison.h"

/* Whole sentences, each between these two texts; none where all seeds ran and nothing is to say. */
struct tw_ending_form {
    const char *before, *after;
    enum tw_text_form names;
};
void tw_comparison_ending(FILE *out, const struct tw_comparison *c,
                          const struct tw_ending_form *form);

#endif
