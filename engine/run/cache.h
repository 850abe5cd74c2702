/* SPDX-License-Identifier: MIT */
/* Where the results of a run come from and where they go: memory first, then disk, either of which
 * may be missing. Nothing here fails: what cannot be kept or read is computed. */
#ifndef TW_ENGINE_RUN_CACHE_H
#define TW_ENGINE_RUN_CACHE_H

#include "run/memo.h"

struct tw_cache {
    struct tw_memo *memo;   /* NULL: nothing is kept in memory */
    struct tw_store *store; /* NULL: nothing is kept on disk */
    struct tw_memory *memory;
};

bool tw_cache_is_on(const struct tw_cache *cache);
/* What values are stamped with; NULL without a cache. */
const struct tw_secret *tw_cache_secret(const struct tw_cache *cache);

bool tw_cache_find(const struct tw_cache *cache, const struct tw_sha256 *key,
                   struct tw_action *action);
/* Output `port` of an action, its bytes counted in the run's memory; false for a miss. */
bool tw_cache_load(const struct tw_cache *cache, const struct tw_action *action, int port,
                   struct tw_value *value, bool *damaged);
/* `values` has one entry per output, data NULL where there is nothing to keep; it may be NULL.
 * `to_disk`: they are worth it. */
void tw_cache_save(const struct tw_cache *cache, const struct tw_sha256 *key,
                   const struct tw_action *action, const struct tw_value *values, bool to_disk);

#endif
