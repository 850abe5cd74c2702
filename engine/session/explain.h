/* SPDX-License-Identifier: MIT */
/* What a run did with each node, for people: --explain. */
#ifndef TW_ENGINE_SESSION_EXPLAIN_H
#define TW_ENGINE_SESSION_EXPLAIN_H

#include "runner/history.h"

#include <stdio.h>

/* A line a node: hit, or which parts of its key changed from what to what. */
void tw_cli_explain(FILE *out, const struct tw_recipe *recipe, const struct tw_run_summary *report,
                    struct tw_history *history, bool dry);

#endif
