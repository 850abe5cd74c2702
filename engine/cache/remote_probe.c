/* SPDX-License-Identifier: MIT */
/* Tests whether a server works: sends an entry that no run uses, and receives it again. */
#include "cache/remote_private.h"

#include "cache/store_private.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

static bool answers(enum tw_http_outcome outcome)
{
    return outcome == TW_HTTP_DONE || outcome == TW_HTTP_ABSENT;
}

/* Only holders of the secret can compute the entry's text. */
void tw_remote_probe(struct tw_remote *remote, struct tw_remote_probe *probe)
{
    char path[TW_REMOTE_PATH];
    struct tw_sha256 key = tw_sha256_of("doctor", 6), back = {{0}};
    struct tw_sha256 name = tw_store_action_name(&remote->secret, &key);
    struct tw_sha256 text = tw_hmac_of(&remote->secret, name.at, sizeof name.at);
    struct tw_http_request sent = {
        .method = TW_HTTP_PUT, .path = path, .parts = {{text.at, sizeof text.at}}};
    struct tw_http_request asked = {
        .method = TW_HTTP_GET, .path = path, .parts = {{back.at, sizeof back.at}}};
    struct tw_remote_waiting waiting = {.remote = remote};
    bool sends = tw_remote_takes(remote);
    uint64_t start = uv_hrtime();
    *probe = (struct tw_remote_probe){.answers = false};
    tw_remote_path(path, "ac", &name);
    if (sends)
        probe->takes = tw_remote_perform(&waiting, &sent) == TW_HTTP_DONE;
    enum tw_http_outcome outcome = tw_remote_perform(&waiting, &asked);
    probe->seconds = (double)(uv_hrtime() - start) / 1e9;
    probe->answers = answers(outcome);
    probe->date = asked.date;
    if (!probe->answers)
        snprintf(probe->problem, sizeof probe->problem, "%s", asked.problem);
    else if (sends && !probe->takes)
        snprintf(probe->problem, sizeof probe->problem, "%s", sent.problem);
    else if (sends && (outcome != TW_HTTP_DONE || memcmp(back.at, text.at, sizeof text.at) != 0))
        snprintf(probe->problem, sizeof probe->problem, "what it answers is not what it was sent");
}
