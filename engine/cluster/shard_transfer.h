/* SPDX-License-Identifier: MIT */
/* Shards of an experiment by way of the server of --cache-url, for nodes that see no folder of this
 * machine. */
#ifndef TW_ENGINE_CLUSTER_SHARD_TRANSFER_H
#define TW_ENGINE_CLUSTER_SHARD_TRANSFER_H

#include "cache/remote.h"
#include "study/gather.h"

/* Sends the shard's file; one that the server does not take is only in its folder. */
void tw_compare_send_shard(struct tw_remote *remote, const struct tw_shard_origin *origin,
                           struct tw_shard_number shard, const char *path);
/* A shard's file from the server, to which --shard sends it, into the folder. False when it is not
 * there. */
bool tw_compare_fetch_shard(struct tw_remote *remote, const struct tw_shard_origin *origin,
                            struct tw_shard_number shard, const char *folder);

#endif
