/* SPDX-License-Identifier: MIT */
/* compare --against FILE: which means changed since an earlier `compare --json`, by the statistics
 * of paired differences over the seeds that both have. */
#ifndef TW_ENGINE_CLI_COMPARE_AGAINST_H
#define TW_ENGINE_CLI_COMPARE_AGAINST_H

#include "study/comparison.h"

#include <stdio.h>

struct json_t;

/* A variant's measure then and now. */
struct tw_against_row {
    int32_t variant, measure;
    double before, after;    /* means over the seeds that both have */
    struct tw_paired paired; /* after - before, corrected for all rows */
    int recipe;              /* 1: digests are equal, -1: they differ, 0: unknown */
};

struct tw_against {
    const char *path;    /* borrowed */
    struct json_t *root; /* the earlier answer */
    struct tw_against_row *rows;
    int32_t count;
    int32_t missing; /* variants' measures that the file lacks, or with no seed in common */
};

/* Reads the file: TW_INPUT if it is no answer of compare --json. */
enum tw_status tw_against_read(const char *path, struct tw_against *against, struct tw_error *err);
/* Finds the rows. Compares numbers as the file has them, with nine digits; leaves out `seconds`. */
enum tw_status tw_against_judge(struct tw_against *against, const struct tw_comparison *comparison,
                                struct tw_error *err);
/* Whether a mean got worse, or changed where no goal says what better is. */
bool tw_against_differs(const struct tw_against *against);
void tw_against_text(FILE *out, const struct tw_against *against,
                     const struct tw_comparison *comparison);
struct json_t *tw_against_json(const struct tw_against *against,
                               const struct tw_comparison *comparison);
void tw_against_release(struct tw_against *against);

#endif
