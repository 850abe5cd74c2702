/* SPDX-License-Identifier: MIT */
/* The only file that knows libxxhash and libcrypto.
 *
 * The keyed digest hashes universally, then pseudorandomly (Carter and Wegman 1981; Bernstein 2005
 * for the polynomial): Poly1305 with a secret point makes 16 bytes of each MiB, and SHA-256 over a
 * second secret, the tweak, the length and those hides them. Two different MiB get the same 16
 * bytes for fewer than one in 2^86 secrets (8 * 2^16 / 2^106), whoever chose them. The length comes
 * before what it decides, so that no input is the beginning of another. */
#define OPENSSL_SUPPRESS_DEPRECATED /* the plain functions: they allocate nothing, never fail */
#define XXH_STATIC_LINKING_ONLY     /* the size of its state, so that none is allocated */
#include "base/digest.h"

#include "base/byte_order.h"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <string.h>
#include <xxhash.h>

static struct tw_digest digest_from(XXH128_hash_t hash)
{
    struct tw_digest digest;
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, hash);
    memcpy(digest.at, &canonical, sizeof digest.at);
    return digest;
}

struct tw_digest tw_digest_of(const void *data, size_t length)
{
    return digest_from(XXH3_128bits(data, length));
}

_Static_assert(sizeof(XXH3_state_t) <= sizeof(struct tw_digest_state), "the state fits");

static XXH3_state_t *xxh3_of(struct tw_digest_state *state) { return (XXH3_state_t *)state->at; }

void tw_digest_begin(struct tw_digest_state *state) { XXH3_128bits_reset(xxh3_of(state)); }

void tw_digest_add(struct tw_digest_state *state, const void *data, size_t length)
{
    XXH3_128bits_update(xxh3_of(state), data, length);
}

struct tw_digest tw_digest_end(struct tw_digest_state *state)
{
    return digest_from(XXH3_128bits_digest(xxh3_of(state)));
}

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

struct tw_sha256 tw_sha256_of(const void *data, size_t length)
{
    struct tw_sha256_state state;
    tw_sha256_begin(&state);
    tw_sha256_add(&state, data, length);
    return tw_sha256_end(&state);
}

bool tw_secret_create(struct tw_secret *secret)
{
    return RAND_bytes(secret->at, sizeof secret->at) == 1;
}

enum { CHUNK = 1 << 20, POINT = 32, TAG = 16 };

static void absorb_number(struct tw_sha256_state *state, uint64_t number)
{
    unsigned char bytes[8];
    tw_put_u64(bytes, number);
    tw_sha256_add(state, bytes, sizeof bytes);
}

static bool absorb_chunks(struct tw_sha256_state *state, EVP_MAC_CTX *polynomial,
                          const struct tw_secret *secret, const unsigned char *at, size_t length)
{
    for (size_t size; length > 0; at += size, length -= size) {
        unsigned char tag[TAG];
        size_t written = 0;
        size = length < CHUNK ? length : CHUNK;
        if (EVP_MAC_init(polynomial, secret->at, POINT, NULL) != 1 ||
            EVP_MAC_update(polynomial, at, size) != 1 ||
            EVP_MAC_final(polynomial, tag, &written, sizeof tag) != 1)
            return false;
        tw_sha256_add(state, tag, sizeof tag);
    }
    return true;
}

bool tw_keyed_digest(const struct tw_secret *secret, struct tw_tweak tweak, const void *data,
                     size_t length, struct tw_sha256 *digest)
{
    struct tw_sha256_state state;
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "POLY1305", NULL);
    EVP_MAC_CTX *polynomial = mac ? EVP_MAC_CTX_new(mac) : NULL;
    tw_sha256_begin(&state);
    tw_sha256_add(&state, secret->at + POINT, sizeof secret->at - POINT);
    absorb_number(&state, tweak.at[0]);
    absorb_number(&state, tweak.at[1]);
    absorb_number(&state, length);
    bool ok = polynomial && absorb_chunks(&state, polynomial, secret, data, length);
    *digest = tw_sha256_end(&state);
    EVP_MAC_CTX_free(polynomial);
    EVP_MAC_free(mac);
    return ok;
}

uint64_t tw_hash64(const void *data, size_t length, uint64_t seed)
{
    return XXH3_64bits_withSeed(data, length, seed);
}

void tw_hex(const unsigned char *at, size_t length, char *hex)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        hex[2 * i] = digits[at[i] >> 4];
        hex[2 * i + 1] = digits[at[i] & 15];
    }
    hex[2 * length] = 0;
}
