/* SPDX-License-Identifier: MIT */
/* The only file that uses libxxhash and libcrypto.
 *
 * The keyed digest hashes universally, then pseudorandomly (Carter and Wegman 1981; Bernstein 2005
 * for the polynomial). Poly1305 with a secret point turns each MiB into 16 bytes; SHA-256 over a
 * second secret, the tweak, the length and those bytes hides them. Any two different MiB, however
 * chosen, get equal 16 bytes for fewer than one in 2^86 secrets (8 * 2^16 / 2^106). The length
 * precedes the bytes that depend on it, so no input is a prefix of another. */
#define OPENSSL_SUPPRESS_DEPRECATED /* the plain functions allocate nothing and never fail */
#define XXH_STATIC_LINKING_ONLY     /* exposes the state's size, so that none is allocated */
#include "base/memory/digest.h"

#include "base/memory/byte_order.h"

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

/* A secret is as long as a block of SHA-256, so it serves as the key unchanged. */
static struct tw_sha256 hash_padded(const struct tw_secret *secret, unsigned char pad,
                                    const void *data, size_t length)
{
    struct tw_sha256_state state;
    unsigned char key[sizeof secret->at];
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)(secret->at[i] ^ pad);
    tw_sha256_begin(&state);
    tw_sha256_add(&state, key, sizeof key);
    tw_sha256_add(&state, data, length);
    return tw_sha256_end(&state);
}

struct tw_sha256 tw_hmac_of(const struct tw_secret *secret, const void *data, size_t length)
{
    struct tw_sha256 inner = hash_padded(secret, 0x36, data, length);
    return hash_padded(secret, 0x5c, inner.at, sizeof inner.at);
}

enum { CHUNK = 1 << 20, POINT = 32, TAG = 16 };

static void absorb_number(struct tw_sha256_state *state, uint64_t number)
{
    unsigned char bytes[8];
    tw_put_u64(bytes, number);
    tw_sha256_add(state, bytes, sizeof bytes);
}

void tw_keyed_begin(struct tw_keyed_state *state, const struct tw_secret *secret,
                    struct tw_tweak tweak, uint64_t length)
{
    *state = (struct tw_keyed_state){.secret = secret, .left = length};
    state->library = EVP_MAC_fetch(NULL, "POLY1305", NULL);
    state->polynomial = state->library ? EVP_MAC_CTX_new(state->library) : NULL;
    state->failed = !state->polynomial;
    tw_sha256_begin(&state->hash);
    tw_sha256_add(&state->hash, secret->at + POINT, sizeof secret->at - POINT);
    absorb_number(&state->hash, tweak.at[0]);
    absorb_number(&state->hash, tweak.at[1]);
    absorb_number(&state->hash, length);
}

static bool end_chunk(struct tw_keyed_state *state)
{
    unsigned char tag[TAG];
    size_t written = 0;
    if (EVP_MAC_final(state->polynomial, tag, &written, sizeof tag) != 1)
        return false;
    tw_sha256_add(&state->hash, tag, sizeof tag);
    return true;
}

/* Adds bytes of a single chunk. */
static bool absorb(struct tw_keyed_state *state, const unsigned char *at, size_t length)
{
    if (state->room == 0) {
        state->room = CHUNK;
        if (EVP_MAC_init(state->polynomial, state->secret->at, POINT, NULL) != 1)
            return false;
    }
    state->room -= length;
    state->left -= length;
    return EVP_MAC_update(state->polynomial, at, length) == 1 &&
           ((state->room > 0 && state->left > 0) || end_chunk(state));
}

void tw_keyed_add(struct tw_keyed_state *state, const void *data, size_t length)
{
    const unsigned char *at = data;
    state->failed |= length > state->left;
    for (size_t size; !state->failed && length > 0; at += size, length -= size) {
        size_t room = state->room > 0 ? state->room : CHUNK;
        size = length < room ? length : room;
        state->failed = !absorb(state, at, size);
    }
}

bool tw_keyed_end(struct tw_keyed_state *state, struct tw_sha256 *digest)
{
    *digest = tw_sha256_end(&state->hash);
    EVP_MAC_CTX_free(state->polynomial);
    EVP_MAC_free(state->library);
    return !state->failed && state->left == 0;
}

bool tw_keyed_digest(const struct tw_secret *secret, struct tw_tweak tweak, const void *data,
                     size_t length, struct tw_sha256 *digest)
{
    struct tw_keyed_state state;
    tw_keyed_begin(&state, secret, tweak, length);
    tw_keyed_add(&state, data, length);
    return tw_keyed_end(&state, digest);
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
