/* SPDX-License-Identifier: MIT */
/* A task that looks at its node: it runs `doctor` there and reports what that finds, in a file of a
 * folder that the node sees, or by way of the server of --cache-url. */
#ifndef TW_ENGINE_CLUSTER_NODE_PROBE_H
#define TW_ENGINE_CLUSTER_NODE_PROBE_H

#include "console/settings.h"

#include <jansson.h>

struct tw_probe_report {
    int64_t sent, seen; /* when the task was, by this clock; seconds since 1970, as: */
    int64_t time;       /* that of the node */
    const char *host, *version;
    const char *witnessed; /* "shared" when the node sees this machine's cache folder */
    json_t *checks;        /* the node's, as of `doctor --json`; NULL when it could not run */
    char *text;            /* that the others point into */
};

/* Sends the task and waits for its report. `root`: the folder for script and report. TW_LIMIT when
 * it did not begin within `start_seconds` (0: no limit); else as of tw_batch_follow(). */
enum tw_status tw_node_probe(const struct tw_settings *settings, const char *root,
                             double start_seconds, struct tw_probe_report *report,
                             struct tw_error *err);
void tw_probe_report_release(struct tw_probe_report *report);
/* On the node: leaves what was found on the server under --report-as. */
enum tw_status tw_node_leave_report(const struct tw_settings *settings, json_t *checks,
                                    struct tw_error *err);

#endif
