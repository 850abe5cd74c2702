/* SPDX-License-Identifier: MIT */
/* Digests of bytes, and their text. */
#ifndef TW_ENGINE_BASE_DIGEST_H
#define TW_ENGINE_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/* XXH3-128, big-endian. Tells values apart at memory speed, but bytes with a chosen digest can be
 * made: where someone might, SHA-256 decides. */
struct tw_digest {
    unsigned char at[16];
};
struct tw_digest tw_digest_of(const void *data, size_t length);

struct tw_sha256 {
    unsigned char at[32];
};
struct tw_sha256 tw_sha256_of(const void *data, size_t length);

/* XXH3-64: checksums, and hash tables, whose seed no one outside may know. */
uint64_t tw_hash64(const void *data, size_t length, uint64_t seed);

/* Lower-case hex of `length` bytes; `hex` holds 2 * length + 1. */
void tw_hex(const unsigned char *at, size_t length, char *hex);

#endif
