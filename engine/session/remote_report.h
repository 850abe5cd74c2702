/* SPDX-License-Identifier: MIT */
/* Describes the use of the remote cache in reports of a run. */
#ifndef TW_ENGINE_SESSION_REMOTE_REPORT_H
#define TW_ENGINE_SESSION_REMOTE_REPORT_H

#include "runner/runner.h"

/* Returns "hit" with the place that it came from. */
const char *tw_run_hit_words(const struct tw_node_summary *node);
/* Builds an object of the counts; null without a remote cache. */
struct json_t *tw_run_remote_json(const struct tw_run_summary *report);
/* Returns "remote" or "home" for the source of an entry or value; NULL if it did not come from a
 * cache. */
const char *tw_run_source(bool known, bool remote);

#endif
