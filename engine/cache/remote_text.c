/* SPDX-License-Identifier: MIT */
/* A text is stored among the actions, under a name that requires the secret, and ends with an
 * authentication code over its name and itself, so one stored under another name is a miss. */
#include "cache/remote_private.h"

#include "cache/store_private.h"

#include <stdlib.h>
#include <string.h>

enum { CODE = sizeof(struct tw_sha256) };

/* Computes the code over the name and the text, which follows space for the name in `block`. */
static struct tw_sha256 code_of(const struct tw_remote *remote, const struct tw_sha256 *name,
                                unsigned char *block, size_t length)
{
    memcpy(block, name->at, CODE);
    return tw_hmac_of(&remote->secret, block, CODE + length);
}

bool tw_remote_give_text(struct tw_remote *remote, const struct tw_sha256 *key, const void *text,
                         size_t length)
{
    char path[TW_REMOTE_PATH];
    struct tw_remote_waiting waiting = {.remote = remote};
    struct tw_sha256 name = tw_store_action_name(&remote->secret, key);
    unsigned char *block = NULL;
    if (tw_remote_takes(remote) && length <= TW_REMOTE_TEXT_MAX)
        block = malloc(CODE + length);
    if (!block)
        return false;
    memcpy(block + CODE, text, length);
    struct tw_sha256 code = code_of(remote, &name, block, length);
    struct tw_http_request request = {
        .method = TW_HTTP_PUT, .path = path, .parts = {{block + CODE, length}, {code.at, CODE}}};
    tw_remote_path(path, "ac", &name);
    bool sent = tw_remote_perform(&waiting, &request) == TW_HTTP_DONE;
    free(block);
    if (sent)
        tw_remote_count(remote, TW_REMOTE_SENT, 1);
    return sent;
}

bool tw_remote_take_text(struct tw_remote *remote, const struct tw_sha256 *key,
                         struct tw_bytes *text)
{
    char path[TW_REMOTE_PATH];
    struct tw_remote_waiting waiting = {.remote = remote};
    struct tw_sha256 name = tw_store_action_name(&remote->secret, key);
    unsigned char *block = tw_remote_answers(remote) ? malloc(TW_REMOTE_TEXT_MAX + 2 * CODE) : NULL;
    if (!block)
        return false;
    struct tw_http_request request = {
        .method = TW_HTTP_GET, .path = path, .parts = {{block + CODE, TW_REMOTE_TEXT_MAX + CODE}}};
    tw_remote_path(path, "ac", &name);
    bool ok = tw_remote_perform(&waiting, &request) == TW_HTTP_DONE && request.received >= CODE;
    size_t length = ok ? (size_t)request.received - CODE : 0;
    struct tw_sha256 code = {{0}};
    if (ok)
        code = code_of(remote, &name, block, length);
    ok = ok && memcmp(code.at, block + CODE + length, CODE) == 0 &&
         tw_bytes_append(text, block + CODE, length, NULL) == TW_OK;
    tw_remote_count(remote, ok ? TW_REMOTE_HITS : TW_REMOTE_MISSES, 1);
    free(block);
    return ok;
}
