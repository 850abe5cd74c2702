/* SPDX-License-Identifier: MIT */
/* States on which terms variants were compared: matched on a measure, or at its equal values. */
#ifndef TW_ENGINE_REPORT_TERMS_H
#define TW_ENGINE_REPORT_TERMS_H

#include "base/text/text.h"
#include "study/comparison.h"

/* A paragraph for match: and one for adjust:, each between these two texts; none without them. */
struct tw_terms_form {
    const char *before, *after;
    int32_t matched, adjusted; /* how many variants, and differences, are stated at most */
    enum tw_text_form names;
};
void tw_comparison_terms(FILE *out, const struct tw_comparison *c,
                         const struct tw_terms_form *form);

#endif
