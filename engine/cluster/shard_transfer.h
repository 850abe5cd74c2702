/* SPDX-License-Identifier: MIT */
/* Transfers shards of an experiment through the server of --cache-url, for nodes that share no
 * folder with this machine. */
#ifndef TW_ENGINE_CLUSTER_SHARD_TRANSFER_H
#define TW_ENGINE_CLUSTER_SHARD_TRANSFER_H

#include "cache/remote.h"
#include "study/gather.h"

/* Uploads the shard's file. If the server refuses it, the file remains in its folder only. */
void tw_compare_send_shard(struct tw_remote *remote, const struct tw_shard_origin *origin,
                           struct tw_shard_number shard, const char *path);
/* Downloads into the folder a shard that --shard uploaded; false if the server does not have it. */
bool tw_compare_fetch_shard(struct tw_remote *remote, const struct tw_shard_origin *origin,
                            struct tw_shard_number shard, const char *folder);

#endif
