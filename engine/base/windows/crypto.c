/* SPDX-License-Identifier: MIT */
/* By libsodium (docs/decisions/windows.md), without sodium_init(): of what is used here that would
 * choose another Poly1305, which is no faster. Random bytes are the system's, RtlGenRandom(). */
#include "base/memory/crypto.h"

#include <sodium.h>
#include <stdlib.h>

_Static_assert(sizeof(crypto_hash_sha256_state) <= sizeof(struct tw_sha256_state), "it fits");

static crypto_hash_sha256_state *context_of(struct tw_sha256_state *state)
{
    return (crypto_hash_sha256_state *)state->at;
}

void tw_sha256_begin(struct tw_sha256_state *state)
{
    (void)crypto_hash_sha256_init(context_of(state));
}

void tw_sha256_add(struct tw_sha256_state *state, const void *data, size_t length)
{
    (void)crypto_hash_sha256_update(context_of(state), data, length);
}

struct tw_sha256 tw_sha256_end(struct tw_sha256_state *state)
{
    struct tw_sha256 digest;
    (void)crypto_hash_sha256_final(context_of(state), digest.at);
    return digest;
}

bool tw_secret_create(struct tw_secret *secret)
{
    randombytes_buf(secret->at, sizeof secret->at); /* ends the process without any */
    return true;
}

struct tw_poly1305 {
    crypto_onetimeauth_poly1305_state state;
};

struct tw_poly1305 *tw_poly1305_create(void) { return malloc(sizeof(struct tw_poly1305)); }

void tw_poly1305_free(struct tw_poly1305 *polynomial) { free(polynomial); }

bool tw_poly1305_begin(struct tw_poly1305 *polynomial, const unsigned char key[TW_POLY1305_KEY])
{
    return crypto_onetimeauth_poly1305_init(&polynomial->state, key) == 0;
}

bool tw_poly1305_add(struct tw_poly1305 *polynomial, const void *data, size_t length)
{
    return crypto_onetimeauth_poly1305_update(&polynomial->state, data, length) == 0;
}

bool tw_poly1305_end(struct tw_poly1305 *polynomial, unsigned char tag[TW_POLY1305_TAG])
{
    return crypto_onetimeauth_poly1305_final(&polynomial->state, tag) == 0;
}
