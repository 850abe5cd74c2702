/* SPDX-License-Identifier: MIT */
/* What a comparison says, in a sentence and in marks. */
#ifndef TW_ENGINE_REPORT_VERDICT_H
#define TW_ENGINE_REPORT_VERDICT_H

#include "base/text/text.h"
#include "study/comparison.h"

/* The measure that decides: the first with a goal, else the first. */
int32_t tw_verdict_measure(const struct tw_experiment *e);

/* A triangle that points up for better and down for worse; arrows where nobody said what better
 * is. */
const char *tw_verdict_mark(enum tw_verdict verdict);
/* "better", "worse", "higher", "lower" or "unshown": a class of page.css. */
const char *tw_verdict_style(enum tw_verdict verdict);

/* Who does better than the baseline in the measure that decides, who worse, and for whom nothing is
 * shown. No interval where the seeds carry none. */
void tw_verdict_sentence(FILE *out, const struct tw_comparison *c, enum tw_text_form form);
/* What the other measures say, counted; nothing when there are none. */
void tw_verdict_others(FILE *out, const struct tw_comparison *c, enum tw_text_form form);

/* verdict_parameters.c: which parameters matter for the measure that decides, where the experiment
 * has sensitivity:; what its best trial reaches, where c->tuning is not NULL. */
void tw_verdict_sensitivity(FILE *out, const struct tw_comparison *c, enum tw_text_form form);
void tw_verdict_tuning(FILE *out, const struct tw_comparison *c, enum tw_text_form form);

#endif
