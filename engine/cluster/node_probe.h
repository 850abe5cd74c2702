/* SPDX-License-Identifier: MIT */
/* A task that examines its node: it runs `doctor` there. The report arrives as a file in a folder
 * that the node sees, or through the server of --cache-url. */
#ifndef TW_ENGINE_CLUSTER_NODE_PROBE_H
#define TW_ENGINE_CLUSTER_NODE_PROBE_H

#include "console/settings.h"

#include <jansson.h>

struct tw_probe_report {
    int64_t sent, seen; /* the task and the report, by this clock; seconds since 1970 */
    int64_t time;       /* seconds since 1970 by the node's clock */
    const char *host, *version;
    const char *witnessed; /* "shared" if the node sees this machine's cache folder */
    json_t *checks; /* the node's, in the form of `doctor --json`; NULL if it could not run */
    char *text;     /* owns what the other members point into */
};

/* Sends the task and waits for its report. `root` is the folder for script and report. Returns
 * TW_LIMIT if the task did not start within `start_seconds` (0: no limit), else what
 * tw_batch_follow() returns. */
enum tw_status tw_node_probe(const struct tw_settings *settings, const char *root,
                             double start_seconds, struct tw_probe_report *report,
                             struct tw_error *err);
void tw_probe_report_release(struct tw_probe_report *report);
/* Runs on the node: uploads its checks to the server under the name of --report-as. */
enum tw_status tw_node_leave_report(const struct tw_settings *settings, json_t *checks,
                                    struct tw_error *err);

#endif
