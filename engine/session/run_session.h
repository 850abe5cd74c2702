/* SPDX-License-Identifier: MIT */
/* One call of `run` or `serve`: loads, runs and reports its recipes, once or again after every
 * change of their files. */
#ifndef TW_ENGINE_SESSION_RUN_SESSION_H
#define TW_ENGINE_SESSION_RUN_SESSION_H

#include "session/recipe_set.h"

/* Receives the values of one recipe's outputs, which are then not exported. */
struct tw_run_viewer {
    void (*begin)(void *context); /* called before the recipe is loaded */
    /* Called after loading: makes the values to be shown the outputs of the graph. */
    enum tw_status (*choose)(void *context, const struct tw_recipe_entry *part,
                             struct tw_set_graph *graph, struct tw_error *err);
    void (*progress)(void *context, const char *node, double done);
    /* Called at the end of a run, with its exit code. `result` contains what could be computed;
     * NULL: nothing. */
    void (*end)(void *context, const struct tw_result *result, int code);
    void (*drop)(void *context); /* called instead of end(): the run ended early for a newer one */
    void *context;
};

struct tw_run_call {
    const struct tw_settings *settings;
    int32_t bands;                      /* see tw_run_request.bands */
    const struct tw_run_viewer *viewer; /* NULL: exports are written */
};

/* Runs the recipes once; returns the exit code. */
int tw_run_once(const struct tw_run_call *call, char **operands);
/* Runs one recipe repeatedly until stopped. When a file that a run has read changes, ends that run
 * early and starts the next one. */
int tw_run_on_changes(const struct tw_run_call *call, char **operands);

#endif
