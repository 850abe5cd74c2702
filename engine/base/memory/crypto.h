/* SPDX-License-Identifier: MIT */
/* Poly1305 (RFC 8439): a polynomial over the bytes, at a point that its key keeps secret. crypto.c,
 * and on Windows its counterpart, are the only files that use a library of cryptography: they also
 * define tw_sha256_begin(), _add() and _end(), and tw_secret_create() of base/memory/digest.h. */
#ifndef TW_ENGINE_BASE_MEMORY_CRYPTO_H
#define TW_ENGINE_BASE_MEMORY_CRYPTO_H

#include "base/memory/digest.h"

enum { TW_POLY1305_KEY = 32, TW_POLY1305_TAG = 16 };

/* One for any number of messages, one after the other; NULL when out of memory. */
struct tw_poly1305 *tw_poly1305_create(void);
void tw_poly1305_free(struct tw_poly1305 *polynomial);
bool tw_poly1305_begin(struct tw_poly1305 *polynomial, const unsigned char key[TW_POLY1305_KEY]);
bool tw_poly1305_add(struct tw_poly1305 *polynomial, const void *data, size_t length);
bool tw_poly1305_end(struct tw_poly1305 *polynomial, unsigned char tag[TW_POLY1305_TAG]);

#endif
