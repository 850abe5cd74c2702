/* SPDX-License-Identifier: MIT */
/* The only file that uses libxxhash.
 *
 * The keyed digest hashes universally, then pseudorandomly (Carter and Wegman 1981; Bernstein 2005
 * for the polynomial). Poly1305 with a secret point turns each MiB into 16 bytes; SHA-256 over a
 * second secret, the tweak, the length and those bytes hides them. Any two different MiB, however
 * chosen, get equal 16 bytes for fewer than one in 2^86 secrets (8 * 2^16 / 2^106). The length
 * precedes the bytes that depend on it, so no input is a prefix of another. */
#define XXH_STATIC_LINKING_ONLY /* exposes the state's size, so that none is allocated */
#include "base/memory/digest.h"

#include "base/memory/byte_order.h"
#include "base/memory/crypto.h"

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

struct tw_sha256 tw_sha256_of(const void *data, size_t length)
{
    struct tw_sha256_state state;
    tw_sha256_begin(&state);
    tw_sha256_add(&state, data, length);
    return tw_sha256_end(&state);
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

enum { CHUNK = 1 << 20 };

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
    state->polynomial = tw_poly1305_create();
    state->failed = !state->polynomial;
    tw_sha256_begin(&state->hash);
    tw_sha256_add(&state->hash, secret->at + TW_POLY1305_KEY, sizeof secret->at - TW_POLY1305_KEY);
    absorb_number(&state->hash, tweak.at[0]);
    absorb_number(&state->hash, tweak.at[1]);
    absorb_number(&state->hash, length);
}

static bool end_chunk(struct tw_keyed_state *state)
{
    unsigned char tag[TW_POLY1305_TAG];
    if (!tw_poly1305_end(state->polynomial, tag))
        return false;
    tw_sha256_add(&state->hash, tag, sizeof tag);
    return true;
}

/* Adds bytes of a single chunk. */
static bool absorb(struct tw_keyed_state *state, const unsigned char *at, size_t length)
{
    if (state->room == 0) {
        state->room = CHUNK;
        if (!tw_poly1305_begin(state->polynomial, state->secret->at))
            return false;
    }
    state->room -= length;
    state->left -= length;
    return tw_poly1305_add(state->polynomial, at, length) &&
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
    tw_poly1305_free(state->polynomial);
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
