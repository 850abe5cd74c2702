/* SPDX-License-Identifier: MIT */
/* Entries on the server. Invariant: nothing that is received is used before it was checked as an
 * entry at home is, and an action's code besides. */
#include "base/file.h"
#include "run/remote_private.h"
#include "run/store_private.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

#define NETWORK_BYTES_A_SECOND 1e8 /* gigabit Ethernet */
enum {
    DAMAGED_MAX = 3,
    ASK_FIRST = 1 << 16, /* a larger blob is sent when the server says that it is not there */
    CODE = sizeof(struct tw_sha256)
};

/* ---- finding and loading ---- */

void tw_remote_path(char path[TW_REMOTE_PATH], const char *folder, const struct tw_sha256 *name)
{
    char hex[2 * sizeof name->at + 1];
    tw_hex(name->at, sizeof name->at, hex);
    snprintf(path, TW_REMOTE_PATH, "%s/%s", folder, hex);
}

static bool settle(struct tw_remote *remote, enum tw_http_outcome outcome, bool ok)
{
    tw_remote_count(remote, ok ? TW_REMOTE_HITS : TW_REMOTE_MISSES, 1);
    if (ok || outcome != TW_HTTP_DONE)
        return ok;
    tw_remote_count(remote, TW_REMOTE_DAMAGED, 1);
    if (atomic_load(&remote->tallies[TW_REMOTE_DAMAGED]) >= DAMAGED_MAX)
        tw_remote_leave(remote, "what it answers is not what was stored");
    return false;
}

static uint64_t nanoseconds(double seconds) { return (uint64_t)(seconds * 1e9); }

bool tw_remote_find(struct tw_remote *remote, const struct tw_sha256 *key, struct tw_action *action)
{
    char path[TW_REMOTE_PATH];
    unsigned char bytes[TW_ACTION_MAX + CODE];
    struct tw_remote_waiting waiting = {.remote = remote};
    struct tw_http_request request = {
        .method = TW_HTTP_GET, .path = path, .parts = {{bytes, sizeof bytes}}};
    struct tw_sha256 name = tw_store_action_name(&remote->secret, key);
    *action = (struct tw_action){0};
    if (!tw_remote_answers(remote))
        return false;
    tw_remote_path(path, "ac", &name);
    enum tw_http_outcome outcome = tw_remote_perform(&waiting, &request);
    bool ok = outcome == TW_HTTP_DONE && request.received > CODE;
    size_t size = ok ? (size_t)request.received - CODE : 0;
    struct tw_sha256 code = tw_hmac_of(&remote->secret, bytes, size);
    ok = ok && memcmp(code.at, bytes + size, CODE) == 0 &&
         tw_store_decode_action(bytes, size, &name, action);
    if (!ok)
        *action = (struct tw_action){0};
    tw_remote_charge(&waiting, nanoseconds(action->seconds));
    return settle(remote, outcome, ok);
}

static bool is_worth_moving(const struct tw_stamp *stamp, double seconds, size_t *bytes)
{
    return tw_field_bytes(stamp->type, stamp->width, stamp->height, bytes) &&
           seconds * NETWORK_BYTES_A_SECOND > (double)*bytes;
}

/* As a blob at home is: size, head, content under the secret, finite numbers. */
static bool check_blob(const struct tw_remote *remote, const struct tw_stamp *stamp,
                       const unsigned char *head, const struct tw_value *value)
{
    unsigned char expected[TW_BLOB_HEAD];
    struct tw_sha256 content;
    tw_store_encode_head(expected, stamp);
    return memcmp(head, expected, sizeof expected) == 0 &&
           tw_field_content(value, &remote->secret, &content) &&
           memcmp(content.at, stamp->content.at, sizeof content.at) == 0 &&
           tw_field_is_valid(value);
}

bool tw_remote_load(struct tw_remote *remote, const struct tw_stamp *stamp, double seconds,
                    struct tw_value *value, bool *lost)
{
    char path[TW_REMOTE_PATH];
    unsigned char head[TW_BLOB_HEAD];
    size_t bytes;
    struct tw_remote_waiting waiting = {.remote = remote, .saved = nanoseconds(seconds)};
    *lost = false;
    *value = (struct tw_value){0};
    if (!tw_remote_answers(remote) || !is_worth_moving(stamp, seconds, &bytes) ||
        tw_field_alloc(value, stamp->type, stamp->width, stamp->height, NULL) != TW_OK)
        return false;
    struct tw_http_request request = {
        .method = TW_HTTP_GET, .path = path, .parts = {{head, sizeof head}, {value->data, bytes}}};
    tw_remote_path(path, "cas", &stamp->content);
    enum tw_http_outcome outcome = tw_remote_perform(&waiting, &request);
    bool ok = outcome == TW_HTTP_DONE && request.received == sizeof head + bytes;
    if (ok)
        tw_field_take_bytes(value);
    ok = ok && check_blob(remote, stamp, head, value);
    tw_remote_charge(&waiting, ok ? waiting.saved : 0);
    *lost = outcome == TW_HTTP_ABSENT || (outcome == TW_HTTP_DONE && !ok);
    if (!ok) {
        tw_field_clear(value);
        *value = (struct tw_value){0};
    }
    return settle(remote, outcome, ok);
}

/* ---- sending ---- */

static bool has_blob(struct tw_remote *remote, const char *path)
{
    struct tw_remote_waiting waiting = {.remote = remote};
    struct tw_http_request request = {.method = TW_HTTP_HEAD, .path = path};
    return tw_remote_perform(&waiting, &request) == TW_HTTP_DONE;
}

static void put(struct tw_remote *remote, struct tw_http_request *request)
{
    struct tw_remote_waiting waiting = {.remote = remote};
    request->method = TW_HTTP_PUT;
    if (tw_remote_perform(&waiting, request) == TW_HTTP_DONE)
        tw_remote_count(remote, TW_REMOTE_SENT, 1);
}

static void send_blob(struct tw_remote *remote, struct tw_store *store,
                      const struct tw_stamp *stamp, bool replace)
{
    char path[TW_REMOTE_PATH];
    struct tw_http_request request = {.path = path};
    request.file = tw_store_open_blob(store, stamp, &request.length);
    if (request.file < 0)
        return;
    tw_remote_path(path, "cas", &stamp->content);
    bool ask = !replace && request.length > ASK_FIRST;
    if (request.length >= atomic_load(&remote->size_max))
        ; /* the server said so */
    else if (ask && has_blob(remote, path))
        tw_remote_count(remote, TW_REMOTE_PRESENT, 1);
    else if (tw_remote_takes(remote))
        put(remote, &request);
    (void)tw_file_close(request.file);
}

static void send_action(struct tw_remote *remote, const struct tw_sha256 *key,
                        const struct tw_action *action)
{
    char path[TW_REMOTE_PATH];
    unsigned char bytes[TW_ACTION_MAX + CODE];
    struct tw_sha256 name = tw_store_action_name(&remote->secret, key);
    size_t size = tw_store_encode_action(bytes, &name, action);
    struct tw_sha256 code = tw_hmac_of(&remote->secret, bytes, size);
    memcpy(bytes + size, code.at, sizeof code.at);
    struct tw_http_request request = {.path = path, .parts = {{bytes, size + CODE}}};
    tw_remote_path(path, "ac", &name);
    put(remote, &request);
}

void tw_remote_send(struct tw_remote *remote, struct tw_store *store, const struct tw_sha256 *key,
                    bool replace)
{
    struct tw_action action;
    size_t bytes;
    if (!tw_remote_takes(remote) || !tw_store_find(store, key, &action))
        return;
    for (int32_t i = 0; i < action.count && tw_remote_takes(remote); i++)
        if ((action.held >> i & 1) && is_worth_moving(&action.outputs[i], action.seconds, &bytes))
            send_blob(remote, store, &action.outputs[i], replace);
    if (tw_remote_takes(remote))
        send_action(remote, key, &action);
}

/* ---- whether it works ---- */

static bool answers(enum tw_http_outcome outcome)
{
    return outcome == TW_HTTP_DONE || outcome == TW_HTTP_ABSENT;
}

/* The text that the entry has is known to those only who have the secret. */
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
    if (!probe->answers)
        snprintf(probe->problem, sizeof probe->problem, "%s", asked.problem);
    else if (sends && !probe->takes)
        snprintf(probe->problem, sizeof probe->problem, "%s", sent.problem);
    else if (sends && (outcome != TW_HTTP_DONE || memcmp(back.at, text.at, sizeof text.at) != 0))
        snprintf(probe->problem, sizeof probe->problem, "what it answers is not what it was sent");
}
