/* SPDX-License-Identifier: MIT */
/* What the bytes of an exported file are known by: for the cache by what tells whether the file is
 * still what a run wrote, for people by SHA-256, where somebody will see it. */
#ifndef TW_ENGINE_RUN_EXPORT_DIGEST_H
#define TW_ENGINE_RUN_EXPORT_DIGEST_H

#include "base/memory/digest.h"

struct tw_export_identity {
    struct tw_sha256 content; /* for the cache; decides under its secret only */
    struct tw_sha256 sha256;  /* of the bytes */
    bool has_content, has_sha256;
};

/* Of bytes that come in pieces, in order. Every one that is begun is ended. */
struct tw_export_digest {
    struct tw_keyed_state keyed;
    struct tw_sha256_state sha256;
    bool for_cache, has_keyed, has_sha256;
};
/* `secret` is the cache's, and borrowed; NULL: there is none. Without it and not for people nothing
 * is computed. */
void tw_export_digest_begin(struct tw_export_digest *digest, const struct tw_secret *secret,
                            uint64_t length, bool for_people);
void tw_export_digest_add(struct tw_export_digest *digest, const void *data, size_t length);
/* Without memory it has no content. */
struct tw_export_identity tw_export_digest_end(struct tw_export_digest *digest);

/* Of a file on the disk, and how long it is; false where there is none that can be read. */
bool tw_export_identify(const char *path, const struct tw_secret *secret, bool for_people,
                        struct tw_export_identity *identity, uint64_t *length);

#endif
