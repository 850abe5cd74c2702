/* SPDX-License-Identifier: MIT */
/* The content-addressed cache on disk: an action table (key -> description of the node's outputs)
 * and a blob store (digest -> bytes). Any number of processes may share a folder: files appear by
 * rename, equal names hold equal bytes, and anything missing, short or damaged counts as a miss. */
#ifndef TW_ENGINE_CACHE_STORE_H
#define TW_ENGINE_CACHE_STORE_H

#include "value/field.h"

#include <thalweg/node.h>

struct tw_action {
    int32_t count; /* number of the node's outputs */
    uint32_t held; /* one bit per output that was computed */
    struct tw_stamp outputs[TW_PORTS_MAX];
    double seconds; /* cost of computing them */
};

/* The file below the folder with the secret that keys its entries. */
#define TW_STORE_SECRET "v1/secret"

struct tw_store; /* several threads may use it at once after opening */

/* Creates the folder if it is missing. A folder that cannot be created or written is no error: the
 * store then finds what it can and stores nothing, and tw_store_trouble() says why. */
enum tw_status tw_store_open(const char *folder, uint64_t max_bytes, struct tw_store **store,
                             struct tw_error *err);
/* Opens a store with a team's secret in place of the folder's own: entries written under another
 * secret are misses. NULL: the folder's own. */
enum tw_status tw_store_open_shared(const char *folder, uint64_t max_bytes,
                                    const struct tw_secret *secret, struct tw_store **store,
                                    struct tw_error *err);
void tw_store_close(struct tw_store *store);
/* False if the folder is unusable: every lookup misses. */
bool tw_store_is_open(const struct tw_store *store);
/* Returns the secret for stamps: tw_field_content() keys the contents of values with it. */
const struct tw_secret *tw_store_secret(const struct tw_store *store);
/* Returns NULL, or one line about why nothing could be stored (read-only, full). */
const char *tw_store_trouble(const struct tw_store *store);

/* Returns how many packs of cheap actions were found damaged and deleted; lookups of their actions,
 * which are unknown, miss. */
int32_t tw_store_damaged_packs(struct tw_store *store);

/* Finds an action; false for a miss. Deletes a damaged entry, sets *damaged (may be NULL) and
 * returns false. */
bool tw_store_find(struct tw_store *store, const struct tw_sha256 *key, struct tw_action *action,
                   bool *damaged);
bool tw_store_has(struct tw_store *store, const struct tw_stamp *stamp);
/* Reads and verifies a blob into a new value (tw_field_clear() it). Deletes a damaged blob, sets
 * *damaged and returns false. */
bool tw_store_load(struct tw_store *store, const struct tw_stamp *stamp, struct tw_value *value,
                   bool *damaged);
/* Opens the file of a blob without checking it, for tw_file_close(); -1 if there is none. */
int tw_store_open_blob(struct tw_store *store, const struct tw_stamp *stamp, uint64_t *size);
/* store_spill.c. Opens a file that holds the value, for this run only; the caller closes it with
 * tw_file_close(). -1 with errno. If the store has the value's blob, opens that and sets *written
 * to 0; else creates a file of *written bytes without a name, which no other process can delete and
 * which vanishes with this process. */
int tw_store_spill(struct tw_store *store, const struct tw_stamp *stamp,
                   const struct tw_value *value, uint64_t *written);
/* Reads and verifies a spilled value, any number of times; false if it is damaged or out of
 * memory. */
bool tw_store_read_spilled(const struct tw_store *store, int file, const struct tw_stamp *stamp,
                           struct tw_value *value);
/* Stores a value, best effort: failures are remembered for tw_store_trouble(), never returned. */
void tw_store_put(struct tw_store *store, const struct tw_stamp *stamp,
                  const struct tw_value *value);
/* Stores an action, merged with the outputs of an existing entry of this key, so that entries only
 * grow. Of many actions that took less than a millisecond most are written together, some later. */
void tw_store_save(struct tw_store *store, const struct tw_sha256 *key,
                   const struct tw_action *action);
/* Returns whether an action that took so long is written together with others. */
bool tw_store_is_cheap(double seconds);
/* Flushes queued writes, as tw_store_close() does. */
void tw_store_flush(struct tw_store *store);

/* Requests by runs to one tier of the cache. */
struct tw_tier_counts {
    uint64_t requests;
    uint64_t hits, misses;        /* entries; on a server also values */
    uint64_t bytes_in, bytes_out; /* of values locally, of bodies on a server */
};
enum tw_store_event {
    TW_STORE_HIT,     /* an entry was found */
    TW_STORE_MISS,    /* no entry was found */
    TW_STORE_READ,    /* bytes of values */
    TW_STORE_WRITTEN, /* bytes of entries and values */
    TW_STORE_EVENTS
};
/* Counts an event; any thread. Closing adds these to the folder's counts. */
void tw_store_note(struct tw_store *store, enum tw_store_event event, uint64_t number);
void tw_store_note_server(struct tw_store *store, const struct tw_tier_counts *counts);
/* Reads the counts of all runs with the folder since it was cleared. If processes end at the same
 * moment, one may go uncounted. */
void tw_store_read_counts(const struct tw_store *store, struct tw_tier_counts *home,
                          struct tw_tier_counts *server);

struct tw_store_stats {
    uint64_t actions, blobs, bytes, stale; /* stale: temp files left by a killed process */
};
enum tw_status tw_store_stats(struct tw_store *store, struct tw_store_stats *stats,
                              struct tw_error *err);
/* Deletes least recently used entries until at most max_bytes remain, and temp files older than an
 * hour. `clear` deletes all of the store's own files and nothing else. */
enum tw_status tw_store_gc(struct tw_store *store, uint64_t max_bytes, uint64_t *freed,
                           struct tw_error *err);
enum tw_status tw_store_clear(struct tw_store *store, struct tw_error *err);

#endif
