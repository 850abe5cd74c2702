/* SPDX-License-Identifier: MIT */
/* Finds and keeps the results of a run: first in memory, then on disk, then on a team's server; any
 * of these may be missing. Nothing here fails: what cannot be kept or read is computed. */
#ifndef TW_ENGINE_CACHE_CACHE_H
#define TW_ENGINE_CACHE_CACHE_H

#include "cache/memo.h"
#include "cache/remote.h"

struct tw_cache {
    struct tw_memo *memo;     /* NULL: no cache in memory */
    struct tw_store *store;   /* NULL: no cache on disk */
    struct tw_remote *remote; /* NULL: none; requires a store with the server's secret */
    struct tw_memory *memory;
};

bool tw_cache_is_on(const struct tw_cache *cache);
/* Returns the secret that values are stamped with; NULL without a cache. */
const struct tw_secret *tw_cache_secret(const struct tw_cache *cache);

/* Looks on this machine; sets *damaged as tw_store_find() does. */
bool tw_cache_find(const struct tw_cache *cache, const struct tw_sha256 *key,
                   struct tw_action *action, bool *damaged);
/* Returns whether there is a server, so that tw_cache_ask() may find more. */
bool tw_cache_asks(const struct tw_cache *cache);
/* Looks on the server and keeps the entry on this machine; called by workers. */
bool tw_cache_ask(const struct tw_cache *cache, const struct tw_sha256 *key,
                  struct tw_action *action);

struct tw_cache_note {
    bool damaged; /* an entry on this machine was damaged */
    bool fetched; /* the value came from the server */
    bool lost;    /* the server has the entry but not the value */
};
/* Loads output `port` of an action and counts its bytes in the run's memory; false for a miss. Sets
 * flags of the note. */
bool tw_cache_load(const struct tw_cache *cache, const struct tw_action *action, int port,
                   struct tw_value *value, struct tw_cache_note *note);
/* Keeps an action and its values in memory, and on disk with `to_disk`. `values` has one entry per
 * output, with NULL data for outputs not to be kept; it may be NULL. */
void tw_cache_save(const struct tw_cache *cache, const struct tw_sha256 *key,
                   const struct tw_action *action, const struct tw_value *values, bool to_disk);

#endif
