/* SPDX-License-Identifier: MIT */
/* What a run did, for people (--explain) and for programs (--json). */
#ifndef TW_ENGINE_CLI_EXPLAIN_H
#define TW_ENGINE_CLI_EXPLAIN_H

#include "run/history.h"

#include <stdio.h>

/* A line a node: hit, or which parts of its key changed from what to what. */
void tw_cli_explain(FILE *out, const struct tw_recipe *recipe, const struct tw_run_report *report,
                    const struct tw_history *history, bool dry);

/* One object, format thalweg.run/1: see docs/cli.md. `error` is NULL after success; `recipe` and
 * `report` are NULL when the recipe of that file could not be loaded or the run was abandoned. */
void tw_cli_run_json(FILE *out, const char *file, const struct tw_recipe *recipe,
                     const struct tw_run_report *report, const struct tw_error *error,
                     double seconds);

#endif
