/* SPDX-License-Identifier: MIT */
#include "cluster/shard_transfer.h"

#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>

/* The key of a shard on the server. */
static struct tw_sha256 key_of(const struct tw_shard_origin *origin, struct tw_shard_number shard)
{
    char hex[2 * sizeof(struct tw_sha256) + 1], text[sizeof hex + 64];
    tw_hex(origin->identity.at, sizeof origin->identity.at, hex);
    int length = snprintf(text, sizeof text, "shard %d/%d of %d seeds of %s", (int)shard.at,
                          (int)shard.of, (int)origin->experiment->seed_count, hex);
    return tw_sha256_of(text, (size_t)length);
}

void tw_compare_send_shard(struct tw_remote *remote, const struct tw_shard_origin *origin,
                           struct tw_shard_number shard, const char *path)
{
    struct tw_sha256 key = key_of(origin, shard);
    unsigned char *text = NULL;
    size_t length = 0;
    if (tw_file_read(path, TW_REMOTE_TEXT_MAX, &text, &length, NULL) == TW_OK)
        (void)tw_remote_give_text(remote, &key, text, length);
    free(text);
}

bool tw_compare_fetch_shard(struct tw_remote *remote, const struct tw_shard_origin *origin,
                            struct tw_shard_number shard, const char *folder)
{
    struct tw_sha256 key = key_of(origin, shard);
    struct tw_bytes text = {0};
    char path[4096];
    bool ok = tw_shard_path(folder, shard, path) && tw_remote_take_text(remote, &key, &text) &&
              tw_file_write(path, text.at, text.length, NULL) == TW_OK;
    free(text.at);
    return ok;
}
