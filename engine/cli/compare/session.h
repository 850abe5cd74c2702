/* SPDX-License-Identifier: MIT */
/* What one call of thalweg compare works on, and what the study reports to it while it runs. */
#ifndef TW_ENGINE_CLI_COMPARE_SESSION_H
#define TW_ENGINE_CLI_COMPARE_SESSION_H

#include "cli/compare/against.h"
#include "cli/compare/tables.h"
#include "console/compare_progress.h"
#include "runner/overwrite.h"
#include "study/experiment_run.h"
#include "study/tuning.h"

#define TW_COMPARE_WARNINGS_MAX 32

struct tw_compare_session {
    const struct tw_settings *settings;
    struct tw_load_options load;
    struct tw_run_options run;
    struct tw_overwrite_guard guard; /* protects files that the variants read */
    struct tw_compare_tables tables;
    struct tw_compare_line line;                        /* shows progress */
    struct tw_sha256 warnings[TW_COMPARE_WARNINGS_MAX]; /* digests of those printed so far */
    int32_t warning_count;
    int32_t seeds_done; /* reported to --events */
    const struct tw_experiment *experiment;
    char **folders; /* that hold shards */
    struct tw_tuning tuning;
    struct tw_against against;       /* of --against */
    char (*digests)[TW_DIGEST_TEXT]; /* [variant] */
    bool fault_reported; /* a recipe's fault with its line, or the failure of every seed */
};

/* Prints faults and warnings of recipes, those that repeat once; a callback of load options whose
 * context is the session. */
void tw_compare_session_diagnostic(void *context, bool fault, const struct tw_error *error,
                                   const char *source_line);
/* A request whose callbacks open the outputs, write samples, and show progress and failures. It
 * borrows the session. */
struct tw_compare_request tw_compare_session_request(struct tw_compare_session *session);

/* answer.c: computes the comparison and shows it; after a signal, the seeds computed before it.
 * Returns the exit code. */
int tw_compare_answer(struct tw_compare_session *session);

#endif
