/* SPDX-License-Identifier: MIT */
/* Digests an exported file, while it is written or from the disk. */
#include "run/export_digest.h"

#include "base/os/file.h"

/* Small files are compared by SHA-256, which works without starting libcrypto; large ones by the
 * keyed digest, which is eight times as fast once libcrypto has started (1 ms). */
enum { SMALL_BYTES = 1 << 22, PIECE = 1 << 16 };

void tw_export_digest_begin(struct tw_export_digest *digest, const struct tw_secret *secret,
                            uint64_t length, bool for_people)
{
    const bool small = length <= SMALL_BYTES;
    digest->for_cache = secret != NULL;
    digest->has_keyed = secret && !small;
    digest->has_sha256 = for_people || (secret && small);
    if (digest->has_keyed)
        tw_keyed_begin(&digest->keyed, secret, (struct tw_tweak){{0, 0}}, length);
    if (digest->has_sha256)
        tw_sha256_begin(&digest->sha256);
}

void tw_export_digest_add(struct tw_export_digest *digest, const void *data, size_t length)
{
    const unsigned char *at = data;
    for (size_t size; length > 0; at += size, length -= size) {
        size = length < PIECE ? length : PIECE; /* in the CPU cache for the second digest */
        if (digest->has_keyed)
            tw_keyed_add(&digest->keyed, at, size);
        if (digest->has_sha256)
            tw_sha256_add(&digest->sha256, at, size);
    }
}

struct tw_export_identity tw_export_digest_end(struct tw_export_digest *digest)
{
    struct tw_export_identity identity = {.has_sha256 = digest->has_sha256};
    if (digest->has_sha256)
        identity.sha256 = tw_sha256_end(&digest->sha256);
    if (digest->has_keyed) {
        identity.has_content = tw_keyed_end(&digest->keyed, &identity.content);
    } else if (digest->for_cache) {
        identity.has_content = true;
        identity.content = identity.sha256;
    }
    return identity;
}

bool tw_export_identify(const char *path, const struct tw_secret *secret, bool for_people,
                        struct tw_export_identity *identity, uint64_t *length)
{
    unsigned char piece[PIECE];
    struct tw_export_digest digest;
    int descriptor = -1;
    if (tw_file_open_regular(path, (uint64_t)1 << 36, &descriptor, length, NULL) != TW_OK)
        return false;
    bool ok = true;
    tw_export_digest_begin(&digest, secret, *length, for_people);
    for (uint64_t left = *length; ok && left > 0;) {
        size_t size = left < sizeof piece ? (size_t)left : sizeof piece;
        ok = tw_file_read_all(descriptor, piece, size);
        tw_export_digest_add(&digest, piece, ok ? size : 0);
        left -= size;
    }
    *identity = tw_export_digest_end(&digest);
    (void)tw_file_close(descriptor);
    return ok;
}
