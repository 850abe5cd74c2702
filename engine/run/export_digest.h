/* SPDX-License-Identifier: MIT */
/* Digests of exported files: one for the cache, which tells whether the file is still what a run
 * wrote, and SHA-256 for reports that people read. */
#ifndef TW_ENGINE_RUN_EXPORT_DIGEST_H
#define TW_ENGINE_RUN_EXPORT_DIGEST_H

#include "base/memory/digest.h"

struct tw_export_identity {
    struct tw_sha256 content; /* for the cache; valid under its secret only */
    struct tw_sha256 sha256;  /* of the bytes */
    bool has_content, has_sha256;
};

/* Digests bytes that arrive in pieces, in order. Every digest that begins must end. */
struct tw_export_digest {
    struct tw_keyed_state keyed;
    struct tw_sha256_state sha256;
    bool for_cache, has_keyed, has_sha256;
};
/* `secret` is the cache's, borrowed; NULL without a cache. Computes nothing if it is NULL and
 * `for_people` is false. */
void tw_export_digest_begin(struct tw_export_digest *digest, const struct tw_secret *secret,
                            uint64_t length, bool for_people);
void tw_export_digest_add(struct tw_export_digest *digest, const void *data, size_t length);
/* If memory runs out, the identity has no content digest. */
struct tw_export_identity tw_export_digest_end(struct tw_export_digest *digest);

/* Digests a file on disk and sets its length; false if it cannot be read. */
bool tw_export_identify(const char *path, const struct tw_secret *secret, bool for_people,
                        struct tw_export_identity *identity, uint64_t *length);

#endif
