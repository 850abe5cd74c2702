/* SPDX-License-Identifier: MIT */
/* Draws which pairs of pictures a judge sees, in which order and on which side: by counter from the
 * experiment and a number, so that a page need not reveal what it shows. */
#ifndef TW_ENGINE_REPORT_JUDGE_PAIRS_H
#define TW_ENGINE_REPORT_JUDGE_PAIRS_H

#include "study/experiment.h"

enum { TW_JUDGE_PAIRS_MAX = 1000, TW_JUDGE_SEEDS_MAX = 100 };

struct tw_judge_pair {
    int32_t seed;        /* index of the experiment's seeds */
    int32_t left, right; /* variants */
};

struct tw_judge_pairs {
    struct tw_judge_pair *at;
    int32_t count;
    int32_t seeds;     /* how many of the experiment's first seeds have pictures */
    int32_t *picture;  /* [seed][variant]: its place in the page, which reveals nothing */
    char identity[17]; /* of variants, seeds and draw: answers to another page do not match */
};

/* Draws at most `count` different pairs, each of one seed. tw_judge_pairs_release(). */
enum tw_status tw_judge_pairs_draw(const struct tw_experiment *e, int32_t count, uint64_t draw,
                                   struct tw_judge_pairs *pairs, struct tw_error *err);
void tw_judge_pairs_release(struct tw_judge_pairs *pairs);

#endif
