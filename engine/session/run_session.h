/* SPDX-License-Identifier: MIT */
/* One call of `run` or `serve`: loads, runs and reports its recipes, once or again after every
 * change of their files. */
#ifndef TW_ENGINE_SESSION_RUN_SESSION_H
#define TW_ENGINE_SESSION_RUN_SESSION_H

#include "session/recipe_set.h"

/* Takes the values of the recipes' nodes as they become ready; nothing is exported. It may ask for
 * runs while another is under way. */
struct tw_run_viewer {
    /* The watch that wakes the session, from the first run to the last; then NULL. */
    void (*follow)(void *context, struct tw_watch *watch);
    /* Called before the recipes are loaded. Returns the changes of each, valid until the end. */
    const struct tw_load_changes *(*begin)(void *context);
    /* Called after loading: merges graph g and gives it the values to be shown as outputs. */
    enum tw_status (*choose)(void *context, struct tw_recipe_set *parts, int32_t g,
                             struct tw_error *err);
    void (*start)(void *context, int32_t g); /* graph g runs next */
    struct tw_run_observer observer;
    struct tw_run_display display;
    /* Whether another run is asked for. From now until begin() it sets no flag to end a run. */
    bool (*asked)(void *context);
    /* Called at the end of a run, with its exit code. */
    void (*end)(void *context, const struct tw_recipe_set *parts, double seconds, int code);
    void (*drop)(void *context); /* called instead of end(): the run ended early for a newer one */
    /* The run under way is a draft: it does not give way, and leaves nothing behind. */
    bool draft;
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
