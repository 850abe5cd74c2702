/* SPDX-License-Identifier: MIT */
/* --events FILE: JSON Lines that report a command's progress while it works, one object per line
 * and only complete lines, for a pipeline that displays it. docs/json.md describes them. One stream
 * per process; without --events all calls do nothing. Call them only from the command's thread. */
#ifndef TW_ENGINE_CONSOLE_EVENTS_H
#define TW_ENGINE_CONSOLE_EVENTS_H

#include "runner/runner.h"

/* Starts the stream, before anything is loaded. Replaces an existing file if it is empty or a
 * stream of events; returns TW_PATH for any other, such as a recipe. */
enum tw_status tw_events_open(const char *command, const char *path, struct tw_error *err);
/* Returns true if --events has opened a stream. */
bool tw_events_are_open(void);

/* Describes a graph that is about to run. */
struct tw_events_graph {
    const struct tw_recipe *recipe;
    const char *const *files; /* the recipes that the graph was built from; copied */
    int32_t file_count;
    const double *expected; /* seconds by node, from earlier runs; NULL: not known */
    const char *folder;     /* folder of its exports; NULL for none */
};
/* Returns the value for tw_run_request.observer while that graph runs; NULL without a stream. All
 * that the graph points to, except `files`, must outlive the run. */
const struct tw_run_observer *tw_events_observer(const struct tw_events_graph *graph);
/* Describes a finished seed of an experiment. */
struct tw_events_seed {
    uint64_t seed;
    int32_t done, count; /* seeds finished so far, and their total */
    double left;         /* estimated seconds to the end; negative: not known */
};
void tw_events_seed(const struct tw_events_seed *seed);
/* Reports a warning or, with `fault`, an error. */
void tw_events_finding(bool fault, const struct tw_error *error);
/* Writes the last line and closes the stream. Returns TW_IO if a line was lost; the file then still
 * ends with a complete line. */
enum tw_status tw_events_close(int code, struct tw_error *err);

#endif
