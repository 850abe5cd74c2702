/* SPDX-License-Identifier: MIT */
/* --events FILE: JSON Lines about a run while it runs, one object a line and never half a line, for
 * a pipeline that shows progress. docs/json.md describes them. One stream a process; without
 * --events nothing happens here. The thread that runs the command. */
#ifndef TW_ENGINE_CLI_EVENTS_H
#define TW_ENGINE_CLI_EVENTS_H

#include "cli/run_report.h"

/* Starts the stream; `guard` holds what it must not replace. */
enum tw_status tw_events_open(const char *path, const struct tw_overwrite_guard *guard,
                              struct tw_error *err);
/* For tw_run_request.observer, while graph `g` of the parts runs; NULL without a stream. */
const struct tw_run_observer *tw_events_observer(const struct tw_parts *parts, int32_t g);
/* A warning, or an error. */
void tw_events_finding(bool fault, const struct tw_error *error);
/* The last line. TW_IO when the stream has not got all of them; it then ends with a whole line. */
enum tw_status tw_events_close(int code, const struct tw_parts *parts, double seconds,
                               struct tw_error *err);

#endif
