/* SPDX-License-Identifier: MIT */
/* By libcrypto. */
#define OPENSSL_SUPPRESS_DEPRECATED /* the plain functions allocate nothing and never fail */
#include "base/memory/crypto.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

_Static_assert(sizeof(SHA256_CTX) <= sizeof(struct tw_sha256_state), "the state fits");

static SHA256_CTX *context_of(struct tw_sha256_state *state) { return (SHA256_CTX *)state->at; }

void tw_sha256_begin(struct tw_sha256_state *state) { SHA256_Init(context_of(state)); }

void tw_sha256_add(struct tw_sha256_state *state, const void *data, size_t length)
{
    SHA256_Update(context_of(state), data, length);
}

struct tw_sha256 tw_sha256_end(struct tw_sha256_state *state)
{
    struct tw_sha256 digest;
    SHA256_Final(digest.at, context_of(state));
    return digest;
}

bool tw_secret_create(struct tw_secret *secret)
{
    return RAND_bytes(secret->at, sizeof secret->at) == 1;
}

/* The context of the library itself. */
static EVP_MAC_CTX *mac_of(struct tw_poly1305 *polynomial) { return (EVP_MAC_CTX *)polynomial; }

struct tw_poly1305 *tw_poly1305_create(void)
{
    EVP_MAC *kind = EVP_MAC_fetch(NULL, "POLY1305", NULL);
    EVP_MAC_CTX *context = kind ? EVP_MAC_CTX_new(kind) : NULL;
    EVP_MAC_free(kind); /* the context keeps it */
    return (struct tw_poly1305 *)context;
}

void tw_poly1305_free(struct tw_poly1305 *polynomial) { EVP_MAC_CTX_free(mac_of(polynomial)); }

bool tw_poly1305_begin(struct tw_poly1305 *polynomial, const unsigned char key[TW_POLY1305_KEY])
{
    return EVP_MAC_init(mac_of(polynomial), key, TW_POLY1305_KEY, NULL) == 1;
}

bool tw_poly1305_add(struct tw_poly1305 *polynomial, const void *data, size_t length)
{
    return EVP_MAC_update(mac_of(polynomial), data, length) == 1;
}

bool tw_poly1305_end(struct tw_poly1305 *polynomial, unsigned char tag[TW_POLY1305_TAG])
{
    size_t written = 0;
    return EVP_MAC_final(mac_of(polynomial), tag, &written, TW_POLY1305_TAG) == 1;
}
