/* SPDX-License-Identifier: MIT */
/* States a comparison's result in a sentence and in marks. */
#ifndef TW_ENGINE_REPORT_VERDICT_VERDICT_H
#define TW_ENGINE_REPORT_VERDICT_VERDICT_H

#include "base/text/text.h"
#include "study/comparison.h"

/* The deciding measure: the first with a goal, else the first. */
int32_t tw_verdict_measure(const struct tw_experiment *e);

/* A triangle, up for better and down for worse; an arrow if the measure has no goal. */
const char *tw_verdict_mark(enum tw_verdict verdict);
/* "better", "worse", "higher", "lower" or "unshown": a class of page.css. */
const char *tw_verdict_style(enum tw_verdict verdict);

/* Writes which variants do better than the baseline in the deciding measure, which worse, and which
 * show no difference. Without an interval if there are too few seeds for one. */
void tw_verdict_sentence(FILE *out, const struct tw_comparison *c, enum tw_text_form form);
/* Counts the verdicts of the other measures; nothing if there are none. */
void tw_verdict_others(FILE *out, const struct tw_comparison *c, enum tw_text_form form);

/* verdict_levels.c: the sentence of an experiment of several levels: where which verdict holds. */
void tw_verdict_levels(FILE *out, const struct tw_comparison *c, enum tw_text_form form);

/* verdict_parameters.c: writes which parameters matter for the deciding measure, if the experiment
 * has sensitivity:, and what the best trial reaches, if c->tuning is not NULL. */
void tw_verdict_sensitivity(FILE *out, const struct tw_comparison *c, enum tw_text_form form);
void tw_verdict_tuning(FILE *out, const struct tw_comparison *c, enum tw_text_form form);

#endif
