/* SPDX-License-Identifier: MIT */
#include "session/remote_report.h"

#include <jansson.h>

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
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b}", "requests",
                     (json_int_t)counts.requests, "hits", (json_int_t)counts.hits, "misses",
                     (json_int_t)counts.misses, "damaged", (json_int_t)counts.damaged, "sent",
                     (json_int_t)counts.sent, "present", (json_int_t)counts.present, "failures",
                     (json_int_t)counts.failures, "bytes_in", (json_int_t)counts.bytes_in,
                     "bytes_out", (json_int_t)counts.bytes_out, "left", (int)counts.left);
}

json_t *tw_run_source_json(bool known, bool remote)
{
    return known ? json_string(remote ? "remote" : "home") : json_null();
}
