/* SPDX-License-Identifier: MIT */
/* The content-addressed cache on disk: an action table (key -> what the node's outputs were) beside
 * a blob store (digest -> bytes). Any number of processes may share a folder: files appear by
 * rename, equal names hold equal bytes, and whatever is missing, short or damaged is a miss. */
#ifndef TW_ENGINE_CACHE_STORE_H
#define TW_ENGINE_CACHE_STORE_H

#include "value/field.h"

#include <thalweg/node.h>

struct tw_action {
    int32_t count; /* outputs of the node */
    uint32_t held; /* one bit per output that was computed */
    struct tw_stamp outputs[TW_PORTS_MAX];
    double seconds; /* what computing cost */
};

/* Below the folder: what entries are keyed with. */
#define TW_STORE_SECRET "v1/secret"

struct tw_store; /* safe to use from several threads at once after opening */

/* Creates the folder when it is missing. A folder that cannot be created or written is not an
 * error: the store then answers what it can and stores nothing; tw_store_trouble() says so. */
enum tw_status tw_store_open(const char *folder, uint64_t max_bytes, struct tw_store **store,
                             struct tw_error *err);
/* The same, with a secret that is a team's instead of the folder's own: entries that were written
 * under another are misses. NULL: the folder's own. */
enum tw_status tw_store_open_shared(const char *folder, uint64_t max_bytes,
                                    const struct tw_secret *secret, struct tw_store **store,
                                    struct tw_error *err);
void tw_store_close(struct tw_store *store);
/* False when the folder cannot be used at all: everything is a miss. */
bool tw_store_is_open(const struct tw_store *store);
/* What the contents of values are keyed with: stamps come from tw_field_content() with it. */
const struct tw_secret *tw_store_secret(const struct tw_store *store);
/* NULL, or one line about why nothing could be stored (read-only, full). */
const char *tw_store_trouble(const struct tw_store *store);

/* Packs of cheap actions that were found damaged so far, and deleted: what they held is a miss, and
 * not known. */
int32_t tw_store_damaged_packs(struct tw_store *store);

/* False for a miss. A damaged entry is deleted, *damaged set, and counts as none; NULL: nobody
 * asks.
 */
bool tw_store_find(struct tw_store *store, const struct tw_sha256 *key, struct tw_action *action,
                   bool *damaged);
bool tw_store_has(struct tw_store *store, const struct tw_stamp *stamp);
/* Reads and verifies a blob into a new value (tw_field_clear() it). A damaged blob is deleted,
 * *damaged set, and counts as a miss. */
bool tw_store_load(struct tw_store *store, const struct tw_stamp *stamp, struct tw_value *value,
                   bool *damaged);
/* The file of a blob, unchecked, for tw_file_close(); -1 when there is none. */
int tw_store_open_blob(struct tw_store *store, const struct tw_stamp *stamp, uint64_t *size);
/* store_spill.c. Opens a file that holds the value, for this run alone; the caller ends it with
 * tw_file_close(); -1 with errno. It is the value's blob where the store has that, and *written is
 * 0; else a new file of *written bytes without a name, which no other process can delete and which
 * disappears with this one. */
int tw_store_spill(struct tw_store *store, const struct tw_stamp *stamp,
                   const struct tw_value *value, uint64_t *written);
/* Reads and verifies it, as often as needed; false for damage, and without memory. */
bool tw_store_read_spilled(const struct tw_store *store, int file, const struct tw_stamp *stamp,
                           struct tw_value *value);
/* Writes are best effort: a failure is remembered for tw_store_trouble(), never returned. */
void tw_store_put(struct tw_store *store, const struct tw_stamp *stamp,
                  const struct tw_value *value);
/* Also keeps what an entry of the same key holds beyond `action`, so that entries only grow. Of
 * many actions that took less than a millisecond most are written together, some later. */
void tw_store_save(struct tw_store *store, const struct tw_sha256 *key,
                   const struct tw_action *action);
/* Whether an action that took so long is one of these. */
bool tw_store_is_cheap(double seconds);
/* Flushes queued writes, as tw_store_close() does. */
void tw_store_flush(struct tw_store *store);

/* What runs asked of a tier of the cache. */
struct tw_tier_counts {
    uint64_t requests;
    uint64_t hits, misses;        /* entries, and of a server values, too */
    uint64_t bytes_in, bytes_out; /* of values at home, of bodies on a server */
};
enum tw_store_event {
    TW_STORE_HIT,     /* an entry was found */
    TW_STORE_MISS,    /* or not */
    TW_STORE_READ,    /* bytes of values */
    TW_STORE_WRITTEN, /* bytes of entries and values */
    TW_STORE_EVENTS
};
/* Any thread. Closing adds what was noted to the counts of the folder. */
void tw_store_note(struct tw_store *store, enum tw_store_event event, uint64_t number);
void tw_store_note_server(struct tw_store *store, const struct tw_tier_counts *counts);
/* Of all runs with the folder since it was cleared. Of processes that end in the same moment one
 * may not be counted. */
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
