/* SPDX-License-Identifier: MIT */
/* Messages for libyaml's errors, at the place of the mistake instead of where it was noticed. */
#ifndef TW_ENGINE_GRAPH_LOAD_SYNTAX_H
#define TW_ENGINE_GRAPH_LOAD_SYNTAX_H

#include "base/memory/arena.h"
#include "base/text/fault_log.h"

struct tw_syntax_fault {
    const char *problem, *context; /* libyaml's words; context may be NULL */
    struct tw_place noticed;
    struct tw_place opened;   /* where the context began; line 0 if there is none */
    struct tw_place quoted;   /* the last quoted text of several lines; line 0 for none */
    int32_t quoted_last_line; /* where it ends */
};

void tw_syntax_report(struct tw_fault_log *log, struct tw_arena *arena,
                      const struct tw_syntax_fault *fault);

#endif
