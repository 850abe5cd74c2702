/* SPDX-License-Identifier: MIT */
#include "serve/keys.h"

#include "base/memory/digest.h"
#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_secret(const char *path, struct tw_secret *secret)
{
    unsigned char *data = NULL;
    size_t length = 0;
    const enum tw_status status =
        tw_file_read_private(path, sizeof secret->at, &data, &length, NULL);
    const bool ok = status == TW_OK && length == sizeof secret->at;
    if (ok)
        memcpy(secret->at, data, sizeof secret->at);
    free(data);
    return ok;
}

/* Servers that start together agree on the secret that was written last. */
static bool keep_secret(const char *folder, struct tw_secret *secret)
{
    char path[4096];
    if (snprintf(path, sizeof path, "%s/serve.secret", folder) >= (int)sizeof path)
        return false;
    return read_secret(path, secret) ||
           (tw_file_make_folder(folder, NULL) == TW_OK && tw_secret_create(secret) &&
            tw_file_write_private(path, secret->at, sizeof secret->at, NULL) == TW_OK &&
            read_secret(path, secret));
}

static void derive(const struct tw_secret *secret, const char *what, const char *recipe,
                   int32_t port, char hex[TW_WEB_KEY_DIGITS + 1])
{
    char text[4200];
    snprintf(text, sizeof text, "%s\n%d\n%s", what, (int)port, recipe);
    const struct tw_sha256 digest = tw_hmac_of(secret, text, strlen(text));
    tw_hex(digest.at, TW_WEB_KEY_DIGITS / 2, hex);
}

bool tw_serve_keys_create(struct tw_serve_keys *keys, const char *folder, const char *recipe,
                          int32_t port)
{
    struct tw_secret secret;
    char real[4096];
    keys->last = folder && keep_secret(folder, &secret);
    if (!keys->last && !tw_secret_create(&secret))
        return false;
    if (!tw_file_real_path(recipe, real))
        snprintf(real, sizeof real, "%s", recipe);
    derive(&secret, "key", real, port, keys->key);
    derive(&secret, "token", real, port, keys->token);
    return true;
}
