/* SPDX-License-Identifier: MIT */
/* --events FILE: JSON Lines about a command while it works, one object a line and never half a
 * line, for a pipeline that shows progress. docs/json.md describes them. One stream a process;
 * without --events nothing happens here. The thread that runs the command. */
#ifndef TW_ENGINE_CONSOLE_EVENTS_H
#define TW_ENGINE_CONSOLE_EVENTS_H

#include "runner/runner.h"

/* Starts the stream, before anything is loaded. A file that is there already is replaced when it is
 * empty or a stream of events; TW_PATH for anything else, as a recipe. */
enum tw_status tw_events_open(const char *command, const char *path, struct tw_error *err);
/* Whether there is a stream. */
bool tw_events_are_open(void);

/* A graph that is about to run. */
struct tw_events_graph {
    const struct tw_recipe *recipe;
    const char *const *files; /* of the recipes that it is made of; copied */
    int32_t file_count;
    const double *expected; /* seconds by node, by earlier runs; NULL: not known */
    const char *folder;     /* of its exports; NULL for none */
};
/* For tw_run_request.observer, while that graph runs; NULL without a stream. What the graph points
 * to must outlive the run, but for `files`. */
const struct tw_run_observer *tw_events_observer(const struct tw_events_graph *graph);
/* A seed of an experiment is done. */
struct tw_events_seed {
    uint64_t seed;
    int32_t done, count; /* seeds so far, and of all */
    double left;         /* seconds to come; below 0: not known */
};
void tw_events_seed(const struct tw_events_seed *seed);
/* A warning, or an error. */
void tw_events_finding(bool fault, const struct tw_error *error);
/* The last line. TW_IO when the stream has not got all of them; it then ends with a whole line. */
enum tw_status tw_events_close(int code, struct tw_error *err);

#endif
