/* SPDX-License-Identifier: MIT */
/* Where the results of a run come from and where they go: memory first, then disk, then a server of
 * the team's, each of which may be missing. Nothing here fails: what cannot be kept or read is
 * computed. */
#ifndef TW_ENGINE_CACHE_CACHE_H
#define TW_ENGINE_CACHE_CACHE_H

#include "cache/memo.h"
#include "cache/remote.h"

struct tw_cache {
    struct tw_memo *memo;     /* NULL: nothing is kept in memory */
    struct tw_store *store;   /* NULL: nothing is kept on disk */
    struct tw_remote *remote; /* NULL: none; else there is a store with its secret */
    struct tw_memory *memory;
};

bool tw_cache_is_on(const struct tw_cache *cache);
/* What values are stamped with; NULL without a cache. */
const struct tw_secret *tw_cache_secret(const struct tw_cache *cache);

/* On this machine; *damaged as of tw_store_find(). */
bool tw_cache_find(const struct tw_cache *cache, const struct tw_sha256 *key,
                   struct tw_action *action, bool *damaged);
/* Whether there is a server, so that tw_cache_ask() may find more. */
bool tw_cache_asks(const struct tw_cache *cache);
/* On the server, by a worker; what is found is kept on this machine. */
bool tw_cache_ask(const struct tw_cache *cache, const struct tw_sha256 *key,
                  struct tw_action *action);

struct tw_cache_note {
    bool damaged; /* an entry on this machine was damaged */
    bool fetched; /* the value came from the server */
    bool lost;    /* the server does not have the value that belongs to its entry */
};
/* Output `port` of an action, its bytes counted in the run's memory; false for a miss. Adds to the
 * note. */
bool tw_cache_load(const struct tw_cache *cache, const struct tw_action *action, int port,
                   struct tw_value *value, struct tw_cache_note *note);
/* `values` has one entry per output, data NULL where there is nothing to keep; it may be NULL.
 * `to_disk`: keep them on disk, too. */
void tw_cache_save(const struct tw_cache *cache, const struct tw_sha256 *key,
                   const struct tw_action *action, const struct tw_value *values, bool to_disk);

#endif
