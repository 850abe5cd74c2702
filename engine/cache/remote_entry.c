/* SPDX-License-Identifier: MIT */
/* Entries on the server. Invariant: received data is used only after the checks of a local entry,
 * and of an action's authentication code. */
#include "base/os/file.h"
#include "cache/remote_private.h"
#include "cache/store_private.h"

#include <stdio.h>
#include <string.h>
#include <uv.h>

enum {
    DAMAGED_MAX = 3,
    ASK_FIRST = 1 << 16, /* larger blobs are sent only if the server lacks them */
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
           seconds * TW_REMOTE_BYTES_A_SECOND > (double)*bytes;
}

/* Checks a blob as a local one: size, head, content under the secret, finite numbers. */
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

/* Returns whether a server that keeps blobs in `known` may keep them there; tries both places while
 * that is unknown. */
static bool may_hold(int known, enum tw_remote_place place)
{
    return known == TW_REMOTE_UNKNOWN || known == (int)place;
}

static void blob_path(char path[TW_REMOTE_PATH], enum tw_remote_place place,
                      const struct tw_stamp *stamp)
{
    tw_remote_path(path, place == TW_REMOTE_IN_AC ? "ac" : "cas", &stamp->content);
}

static enum tw_http_outcome load_from(struct tw_remote *remote, enum tw_remote_place place,
                                      const struct tw_stamp *stamp, double seconds,
                                      struct tw_value *value, bool *ok)
{
    char path[TW_REMOTE_PATH];
    unsigned char head[TW_BLOB_HEAD];
    size_t bytes = tw_value_count(value) * tw_type_size(value->type);
    struct tw_remote_waiting waiting = {.remote = remote};
    struct tw_http_request request = {
        .method = TW_HTTP_GET, .path = path, .parts = {{head, sizeof head}, {value->data, bytes}}};
    blob_path(path, place, stamp);
    enum tw_http_outcome outcome = tw_remote_perform(&waiting, &request);
    *ok = outcome == TW_HTTP_DONE && request.received == sizeof head + bytes;
    if (*ok)
        tw_field_take_bytes(value);
    *ok = *ok && check_blob(remote, stamp, head, value);
    tw_remote_charge(&waiting, *ok ? nanoseconds(seconds) : 0);
    if (*ok)
        atomic_store(&remote->blobs, place);
    return outcome;
}

bool tw_remote_load(struct tw_remote *remote, const struct tw_stamp *stamp, double seconds,
                    struct tw_value *value, bool *lost)
{
    size_t bytes;
    bool ok = false;
    enum tw_http_outcome outcome = TW_HTTP_ABSENT;
    *lost = false;
    *value = (struct tw_value){0};
    if (!tw_remote_answers(remote) || !is_worth_moving(stamp, seconds, &bytes) ||
        tw_field_alloc(value, stamp->type, stamp->width, stamp->height, NULL) != TW_OK)
        return false;
    for (enum tw_remote_place place = TW_REMOTE_IN_CAS;
         place <= TW_REMOTE_IN_AC && outcome == TW_HTTP_ABSENT && tw_remote_answers(remote);
         place++)
        if (may_hold(atomic_load(&remote->blobs), place))
            outcome = load_from(remote, place, stamp, seconds, value, &ok);
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

static bool put(struct tw_remote *remote, struct tw_http_request *request, bool name_may_be_refused)
{
    struct tw_remote_waiting waiting = {.remote = remote,
                                        .name_may_be_refused = name_may_be_refused};
    request->method = TW_HTTP_PUT;
    bool sent = tw_remote_perform(&waiting, request) == TW_HTTP_DONE;
    if (sent)
        tw_remote_count(remote, TW_REMOTE_SENT, 1);
    return sent;
}

/* False if the server refuses the blob's name there. `known` is what the caller chose the place by:
 * another thread may have learnt more since, and a refusal is still no fault of the server's. */
static bool put_blob(struct tw_remote *remote, enum tw_remote_place place, int known,
                     struct tw_http_request *request)
{
    bool trial = place == TW_REMOTE_IN_CAS && known == TW_REMOTE_UNKNOWN;
    if (put(remote, request, trial)) {
        atomic_store(&remote->blobs, place);
        return true;
    }
    return !trial || !tw_remote_refuses_name(request);
}

static void send_blob(struct tw_remote *remote, struct tw_store *store,
                      const struct tw_stamp *stamp, bool replace)
{
    char path[TW_REMOTE_PATH];
    struct tw_http_request request = {.path = path};
    request.file = tw_store_open_blob(store, stamp, &request.length);
    if (request.file < 0)
        return;
    bool ask = !replace && request.length > ASK_FIRST;
    bool over = request.length >= atomic_load(&remote->size_max); /* the server refused this size */
    for (enum tw_remote_place place = TW_REMOTE_IN_CAS; place <= TW_REMOTE_IN_AC && !over;
         place++) {
        int known = atomic_load(&remote->blobs);
        if (!may_hold(known, place))
            continue;
        blob_path(path, place, stamp);
        over = ask && has_blob(remote, path);
        if (over)
            tw_remote_count(remote, TW_REMOTE_PRESENT, 1);
        over = over || !tw_remote_takes(remote) || put_blob(remote, place, known, &request);
    }
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
    (void)put(remote, &request, false);
}

void tw_remote_send(struct tw_remote *remote, struct tw_store *store, const struct tw_sha256 *key,
                    bool replace)
{
    struct tw_action action;
    size_t bytes;
    if (!tw_remote_takes(remote) || !tw_store_find(store, key, &action, NULL))
        return;
    for (int32_t i = 0; i < action.count && tw_remote_takes(remote); i++)
        if ((action.held >> i & 1) && is_worth_moving(&action.outputs[i], action.seconds, &bytes))
            send_blob(remote, store, &action.outputs[i], replace);
    if (tw_remote_takes(remote))
        send_action(remote, key, &action);
}
