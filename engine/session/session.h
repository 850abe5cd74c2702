/* SPDX-License-Identifier: MIT */
/* The state of a call of run_session.h, and what its files do with it. */
#ifndef TW_ENGINE_SESSION_SESSION_H
#define TW_ENGINE_SESSION_SESSION_H

#include "session/run_session.h"

struct tw_session {
    const struct tw_settings *settings;
    const struct tw_run_call *call;
    struct tw_run_options run;
    struct tw_memo *memo, *draft_memo; /* kept between the runs of one call */
    struct tw_recipe_set parts;
    struct tw_trace trace;
    int32_t graph;          /* index of the graph under way */
    double done, share;     /* progress: before this graph, and the graph's own fraction */
    int percent;            /* last printed, if standard error is not a terminal */
    enum tw_status failure; /* the worst failure so far that did not stop the other graphs */
    const char *changed;    /* a file that changed since the recipe was read; NULL: none */
    bool asked;             /* the viewer asked for another run meanwhile */
    bool gave_way;          /* the run ended early because of either */
};

/* Returns how long the recipes have been loading and running. */
double tw_session_seconds(const struct tw_session *session);

/* session_messages.c: what a run says while it runs. The context is the session. */
void tw_session_on_progress(void *context, const char *node, double done);
void tw_session_on_warning(void *context, const struct tw_error *warning);
/* Reports what failed for each recipe that has it, at its place there. */
void tw_session_on_failed(void *context, const struct tw_run_failure *failure);
/* Keeps the part's first fault, for its answer. */
void tw_session_keep_fault(struct tw_recipe_entry *part, const struct tw_error *error);
/* Reports a failure after which the other graphs go on. */
void tw_session_report_failure(struct tw_session *session, const struct tw_error *error);

/* session_graphs.c: checks all graphs of the joined recipes, runs them one after the other, here or
 * on a cluster, and writes the trace and the depfile. */
enum tw_status tw_session_run_graphs(struct tw_session *session, struct tw_error *err);

#endif
