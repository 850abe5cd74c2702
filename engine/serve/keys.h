/* SPDX-License-Identifier: MIT */
/* The key in the page's address and the token in the page. */
#ifndef TW_ENGINE_SERVE_KEYS_H
#define TW_ENGINE_SERVE_KEYS_H

#include "base/net/web_server.h"

struct tw_serve_keys {
    char key[TW_WEB_KEY_DIGITS + 1], token[TW_WEB_KEY_DIGITS + 1];
    bool last; /* they are the same when the server starts anew */
};

/* Derives both from the recipe's path, the port, and a secret in a file of the folder that only its
 * owner can read; it is made if need be. Without a folder, or such a file, they are random. False
 * if the system has no random bytes. */
bool tw_serve_keys_create(struct tw_serve_keys *keys, const char *folder, const char *recipe,
                          int32_t port);

#endif
