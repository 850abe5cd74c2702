/* SPDX-License-Identifier: MIT */
/* Explains how many seeds a comparison has, and what they are too few for. */
#ifndef TW_ENGINE_REPORT_VERDICT_ENDING_H
#define TW_ENGINE_REPORT_VERDICT_ENDING_H

#include "base/text/text.h"
#include "study/comparison.h"

/* Sentences, each between these two texts; none if all seeds ran and suffice. */
struct tw_ending_form {
    const char *before, *after;
    enum tw_text_form names;
};
void tw_comparison_ending(FILE *out, const struct tw_comparison *c,
                          const struct tw_ending_form *form);

#endif
