/* SPDX-License-Identifier: MIT */
#include "session/remote_report.h"

#include "console/documents.h"

const char *tw_run_hit_words(const struct tw_node_summary *node)
{
    if (node->fetched)
        return node->remote ? "hit in the remote cache, its value was received"
                            : "hit, its value was received from the remote cache";
    if (node->remote)
        return node->loaded ? "hit in the remote cache, its value was read"
                            : "hit in the remote cache";
    return node->loaded ? "hit, its value was read" : "hit";
}

json_t *tw_run_remote_json(const struct tw_run_summary *report)
{
    if (!report || !report->has_remote)
        return json_null();
    const struct tw_remote_counts counts = report->remote;
    return TW_DOCUMENT(remote, .requests = (int64_t)counts.requests, .hits = (int64_t)counts.hits,
                       .misses = (int64_t)counts.misses, .damaged = (int64_t)counts.damaged,
                       .sent = (int64_t)counts.sent, .present = (int64_t)counts.present,
                       .failures = (int64_t)counts.failures, .bytes_in = (int64_t)counts.bytes_in,
                       .bytes_out = (int64_t)counts.bytes_out, .left = counts.left);
}

const char *tw_run_source(bool known, bool remote)
{
    return !known ? NULL : remote ? "remote" : "home";
}
