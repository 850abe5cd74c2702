/* SPDX-License-Identifier: MIT */
#include "report/terms.h"

#include "report/adjusted.h"
#include "report/matching.h"

void tw_comparison_terms(FILE *out, const struct tw_comparison *c, const struct tw_terms_form *form)
{
    const struct tw_ending_form sentence = {"", " ", form->names};
    if (c->experiment->match.seeds > 0) {
        fputs(form->before, out);
        tw_matching_sentences(out, c, form->matched, &sentence);
        fputs(form->after, out);
    }
    if (c->experiment->adjusts && c->count > 0) {
        fputs(form->before, out);
        tw_adjusted_sentences(out, c, form->adjusted, &sentence);
        fputs(form->after, out);
    }
}
