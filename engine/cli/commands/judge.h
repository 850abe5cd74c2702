/* SPDX-License-Identifier: MIT */
/* Reads people's answers to a page of pictures, and ranks variants and measures by them. */
#ifndef TW_ENGINE_CLI_COMMANDS_JUDGE_H
#define TW_ENGINE_CLI_COMMANDS_JUDGE_H

#include "report/judge/pairs.h"
#include "study/comparison.h"
#include "study/statistics/bradley_terry.h"

#include <stdio.h>

enum { TW_JUDGE_VARIANTS_MAX = 6 }; /* capacity of a gallery */

/* How often a measure prefers the variant that a person chose. */
struct tw_agreement {
    int32_t count; /* choices, without ties and without pairs of equal measure */
    double share, low, high;
};

struct tw_judgement {
    const struct tw_experiment *experiment;
    struct tw_choice_made *choices;
    int32_t *seeds; /* index of the seed of each choice */
    int32_t count, capacity, ties, files;
    struct tw_strength *strengths;  /* one per variant */
    struct tw_agreement *agreement; /* one per measure */
};

/* judge_answers.c: adds the answers in a file that the page saved. Fails with TW_INPUT if the file
 * is malformed or answers another page. */
enum tw_status tw_judge_read(const char *path, struct tw_judgement *j, struct tw_error *err);
/* Ranks the variants and rates the measures; `c` holds the samples of the seeds on the page. */
enum tw_status tw_judge_find(struct tw_judgement *j, const struct tw_comparison *c,
                             struct tw_error *err);
void tw_judge_text(FILE *out, const struct tw_judgement *j);
/* Answers with one object of format thalweg.judge/1. */
void tw_judge_json(const struct tw_judgement *j);
void tw_judge_release(struct tw_judgement *j);

#endif
