/* SPDX-License-Identifier: MIT */
/* Digests of bytes, and their hexadecimal text. */
#ifndef TW_ENGINE_BASE_MEMORY_DIGEST_H
#define TW_ENGINE_BASE_MEMORY_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* XXH3-128, big-endian. Distinguishes values at memory speed, but an attacker can construct bytes
 * with a given digest: use SHA-256 where that matters. */
struct tw_digest {
    unsigned char at[16];
};
struct tw_digest tw_digest_of(const void *data, size_t length);

/* A tw_digest in progress, over bytes that arrive in pieces. */
struct tw_digest_state {
    _Alignas(64) unsigned char at[576]; /* the library's state */
};
void tw_digest_begin(struct tw_digest_state *state);
void tw_digest_add(struct tw_digest_state *state, const void *data, size_t length);
struct tw_digest tw_digest_end(struct tw_digest_state *state);

struct tw_sha256 {
    unsigned char at[32];
};
struct tw_sha256 tw_sha256_of(const void *data, size_t length);

/* A tw_sha256 in progress, over bytes that arrive in pieces. */
struct tw_sha256_state {
    _Alignas(8) unsigned char at[112]; /* the library's state */
};
void tw_sha256_begin(struct tw_sha256_state *state);
void tw_sha256_add(struct tw_sha256_state *state, const void *data, size_t length);
struct tw_sha256 tw_sha256_end(struct tw_sha256_state *state);

/* The secret of a keyed digest, which cannot be computed without it. */
struct tw_secret {
    unsigned char at[64];
};
/* Creates a random secret. False when the system has no random bytes. */
bool tw_secret_create(struct tw_secret *secret);

/* HMAC-SHA-256 (RFC 2104), which only holders of the secret can compute. */
struct tw_sha256 tw_hmac_of(const struct tw_secret *secret, const void *data, size_t length);

/* Two numbers hashed along with the bytes, such as a type and a size. */
struct tw_tweak {
    uint64_t at[2];
};
/* Digests bytes at memory speed; without the secret, two inputs with equal digests cannot be
 * constructed. False when out of memory. */
bool tw_keyed_digest(const struct tw_secret *secret, struct tw_tweak tweak, const void *data,
                     size_t length, struct tw_sha256 *digest);

struct tw_poly1305;

/* A tw_keyed_digest() in progress, over `length` bytes that arrive in pieces; borrows the secret.
 * Each one begun must be ended, which returns whether it succeeded: only if exactly `length` bytes
 * were added. */
struct tw_keyed_state {
    const struct tw_secret *secret;
    struct tw_sha256_state hash;
    struct tw_poly1305 *polynomial; /* NULL: out of memory */
    size_t room;                    /* bytes that still fit into the chunk */
    uint64_t left;                  /* bytes still expected */
    bool failed;
};
void tw_keyed_begin(struct tw_keyed_state *state, const struct tw_secret *secret,
                    struct tw_tweak tweak, uint64_t length);
void tw_keyed_add(struct tw_keyed_state *state, const void *data, size_t length);
bool tw_keyed_end(struct tw_keyed_state *state, struct tw_sha256 *digest);

/* XXH3-64, for checksums and hash tables; a table's seed must stay secret from its input's
 * author. */
uint64_t tw_hash64(const void *data, size_t length, uint64_t seed);

/* Writes `length` bytes as lower-case hex; `hex` holds 2 * length + 1. */
void tw_hex(const unsigned char *at, size_t length, char *hex);

#endif
