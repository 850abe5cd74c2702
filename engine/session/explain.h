/* SPDX-License-Identifier: MIT */
/* --explain: reports, for people, what a run did with each node. */
#ifndef TW_ENGINE_SESSION_EXPLAIN_H
#define TW_ENGINE_SESSION_EXPLAIN_H

#include "runner/history.h"

#include <stdio.h>

/* Prints one line per node: a hit, or the parts of its key that changed, with old and new value. */
void tw_run_explain_nodes(FILE *out, const struct tw_recipe *recipe,
                          const struct tw_run_summary *report, struct tw_history *history,
                          bool dry);

#endif
