/* SPDX-License-Identifier: MIT */
/* What reports of a run say of the remote cache. */
#ifndef TW_ENGINE_SESSION_REMOTE_REPORT_H
#define TW_ENGINE_SESSION_REMOTE_REPORT_H

#include "runner/runner.h"

/* "hit" and where it came from. */
const char *tw_cli_hit_words(const struct tw_node_summary *node);
/* An object of the counts; null without a remote cache. */
struct json_t *tw_cli_remote_json(const struct tw_run_summary *report);
/* "home", "remote", or null for what is not from a cache: of the entry and of the value. */
struct json_t *tw_cli_source_json(bool known, bool remote);

#endif
