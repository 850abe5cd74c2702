/* SPDX-License-Identifier: MIT */
/* Digests of bytes, and their text. */
#ifndef TW_ENGINE_BASE_MEMORY_DIGEST_H
#define TW_ENGINE_BASE_MEMORY_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* XXH3-128, big-endian. Tells values apart at memory speed, but bytes with a chosen digest can be
 * made: where someone might, SHA-256 decides. */
struct tw_digest {
    unsigned char at[16];
};
struct tw_digest tw_digest_of(const void *data, size_t length);

/* The same in pieces. */
struct tw_digest_state {
    _Alignas(64) unsigned char at[576]; /* the library's */
};
void tw_digest_begin(struct tw_digest_state *state);
void tw_digest_add(struct tw_digest_state *state, const void *data, size_t length);
struct tw_digest tw_digest_end(struct tw_digest_state *state);

struct tw_sha256 {
    unsigned char at[32];
};
struct tw_sha256 tw_sha256_of(const void *data, size_t length);

/* The same in pieces. */
struct tw_sha256_state {
    _Alignas(8) unsigned char at[112]; /* the library's */
};
void tw_sha256_begin(struct tw_sha256_state *state);
void tw_sha256_add(struct tw_sha256_state *state, const void *data, size_t length);
struct tw_sha256 tw_sha256_end(struct tw_sha256_state *state);

/* Makes a digest that no one without it can compute. */
struct tw_secret {
    unsigned char at[64];
};
/* False when the system has no random bytes. */
bool tw_secret_create(struct tw_secret *secret);

/* HMAC-SHA-256 (RFC 2104): only who has the secret can make it. */
struct tw_sha256 tw_hmac_of(const struct tw_secret *secret, const void *data, size_t length);

/* What a digest says of bytes besides them: two numbers, such as a type and a size. */
struct tw_tweak {
    uint64_t at[2];
};
/* Nobody without the secret can make two inputs meet, at memory speed. False without memory. */
bool tw_keyed_digest(const struct tw_secret *secret, struct tw_tweak tweak, const void *data,
                     size_t length, struct tw_sha256 *digest);

/* The same in pieces, of `length` bytes in all; the secret is borrowed. Every one that is begun is
 * ended, which says whether all went well: only with as many bytes as were announced. */
struct tw_keyed_state {
    const struct tw_secret *secret;
    struct tw_sha256_state hash;
    void *library, *polynomial; /* the library's; NULL: it has no memory */
    size_t room;                /* bytes that the chunk still takes */
    uint64_t left;              /* bytes to come */
    bool failed;
};
void tw_keyed_begin(struct tw_keyed_state *state, const struct tw_secret *secret,
                    struct tw_tweak tweak, uint64_t length);
void tw_keyed_add(struct tw_keyed_state *state, const void *data, size_t length);
bool tw_keyed_end(struct tw_keyed_state *state, struct tw_sha256 *digest);

/* XXH3-64: checksums, and hash tables, whose seed no one outside may know. */
uint64_t tw_hash64(const void *data, size_t length, uint64_t seed);

/* Lower-case hex of `length` bytes; `hex` holds 2 * length + 1. */
void tw_hex(const unsigned char *at, size_t length, char *hex);

#endif
