/* SPDX-License-Identifier: MIT */
/* Answers of people to a page of pictures, and what they say. */
#ifndef TW_ENGINE_CLI_COMMANDS_JUDGE_H
#define TW_ENGINE_CLI_COMMANDS_JUDGE_H

#include "report/judge_pairs.h"
#include "study/comparison.h"
#include "study/statistics/bradley_terry.h"

#include <stdio.h>

enum { TW_JUDGE_VARIANTS_MAX = 6 }; /* what a gallery holds */

/* How often a measure puts first what was chosen. */
struct tw_agreement {
    int32_t count; /* choices, without ties and without pairs that the measure puts level */
    double share, low, high;
};

struct tw_judgement {
    const struct tw_experiment *experiment;
    struct tw_choice_made *choices;
    int32_t *seeds; /* of the choices: indices */
    int32_t count, capacity, ties, files;
    struct tw_strength *strengths;  /* by variant */
    struct tw_agreement *agreement; /* by measure */
};

/* judge_answers.c: adds the answers in a file that the page saved. TW_INPUT, with the reason, when
 * it is not one, or one to another page. */
enum tw_status tw_judge_read(const char *path, struct tw_judgement *j, struct tw_error *err);
/* Ranks; `c` has the samples of the seeds that were shown. */
enum tw_status tw_judge_find(struct tw_judgement *j, const struct tw_comparison *c,
                             struct tw_error *err);
void tw_judge_text(FILE *out, const struct tw_judgement *j);
/* One object, format thalweg.judge/1. */
void tw_judge_json(const struct tw_judgement *j);
void tw_judge_release(struct tw_judgement *j);

#endif
