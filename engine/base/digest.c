/* SPDX-License-Identifier: MIT */
/* The only file that knows libxxhash and libcrypto. */
#define OPENSSL_SUPPRESS_DEPRECATED /* the plain functions: they allocate nothing, never fail */
#include "base/digest.h"

#include <openssl/sha.h>
#include <string.h>
#include <xxhash.h>

struct tw_digest tw_digest_of(const void *data, size_t length)
{
    struct tw_digest digest;
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(data, length));
    memcpy(digest.at, &canonical, sizeof digest.at);
    return digest;
}

struct tw_sha256 tw_sha256_of(const void *data, size_t length)
{
    struct tw_sha256 digest;
    SHA256_CTX context;
    SHA256_Init(&context);
    SHA256_Update(&context, data, length);
    SHA256_Final(digest.at, &context);
    return digest;
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
