/* SPDX-License-Identifier: MIT */
/* One call of `run` or `serve`: its recipes are loaded, run and reported, once, or again after
 * every change of what they read. */
#ifndef TW_ENGINE_SESSION_RUN_SESSION_H
#define TW_ENGINE_SESSION_RUN_SESSION_H

#include "session/recipe_set.h"

/* Who looks at the values of outputs instead of writing exports; of one recipe. */
struct tw_run_viewer {
    void (*begin)(void *context); /* before the recipe is loaded */
    /* The recipe is loaded: makes the graph's outputs what is to be seen. */
    enum tw_status (*choose)(void *context, const struct tw_recipe_entry *part,
                             struct tw_set_graph *graph, struct tw_error *err);
    void (*progress)(void *context, const char *node, double done);
    /* With the exit code, however it ended. `result` has what could be computed; NULL: nothing. */
    void (*end)(void *context, const struct tw_result *result, int code);
    void (*drop)(void *context); /* instead: the run gave way to another one */
    void *context;
};

struct tw_run_call {
    const struct tw_settings *settings;
    int32_t bands;                      /* as tw_run_request.bands */
    const struct tw_run_viewer *viewer; /* NULL: exports are written */
};

/* The exit code. */
int tw_run_once(const struct tw_run_call *call, char **operands);
/* Runs one recipe again and again, until stopped. When what a run has read changes, it gives way to
 * the next one. */
int tw_run_on_changes(const struct tw_run_call *call, char **operands);

#endif
