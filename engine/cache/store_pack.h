/* SPDX-License-Identifier: MIT */
/* Packs: actions of nodes that took little to compute, many to a file. Creating a file takes longer
 * than such a node, so of a run's cheap actions only the first few become files of their own.
 *
 * A pack is FOLDER/v1/pk/<32 hex of its bytes' XXH3-128> and never changes: it appears by rename,
 * is merged with others into a new one, and is deleted as a whole, when it is damaged or the least
 * recently used entry. Its bytes: "TWP1", the number of records, records (a length and an action as
 * in a file of its own), XXH3-64 of all before it.
 *
 * Actions that wait to be written are lost when the process is killed: by the bounds below, less
 * than a second of computing. All functions may be called by any thread. */
#ifndef TW_ENGINE_CACHE_STORE_PACK_H
#define TW_ENGINE_CACHE_STORE_PACK_H

#include "base/memory/digest.h"

#include <stdatomic.h>
#include <uv.h>

struct tw_store;

#define TW_PACK_FOLDER "pk"
#define TW_PACK_NAME 32

/* An action among the packs. */
struct tw_pack_slot {
    uint32_t pack, at, size; /* where its bytes are; size 0: an empty slot */
};

struct tw_pack {
    unsigned char *bytes;
    size_t length;
    char name[TW_PACK_NAME + 1]; /* empty: not on disk yet, or not any more */
    int64_t seconds;             /* last used before this process */
    bool used;                   /* by this process */
};

struct tw_pack_table {
    struct tw_pack_slot *slots; /* hashed by name, never more than half full */
    uint32_t count, filled;     /* count is a power of two */
};

struct tw_packs {
    uv_mutex_t lock;
    bool loaded;      /* those on disk were read */
    int32_t damaged;  /* of them, deleted */
    int32_t open;     /* the pack that is being filled; -1 for none */
    double waiting;   /* seconds that its actions took */
    atomic_int loose; /* cheap actions so far */
    struct tw_pack *at;
    int32_t count, capacity;
    struct tw_pack_table table;
};

/* False without memory. */
bool tw_packs_begin(struct tw_packs *packs);
/* Drops actions that wait; packs that were used become the most recently used entries. */
void tw_packs_end(struct tw_store *store);

/* Copies an action's bytes to `to` (TW_ACTION_MAX); returns their number, 0 for a miss. Packs on
 * disk are read when `load`, once. */
size_t tw_packs_find(struct tw_store *store, const struct tw_sha256 *name, bool load,
                     unsigned char *to);
/* Takes an encoded action that took `seconds`; false for the first ones of a store, and without
 * memory. */
bool tw_packs_take(struct tw_store *store, const unsigned char *bytes, size_t size, double seconds);
/* Writes the actions that wait. */
void tw_packs_flush(struct tw_store *store);
/* Actions of a pack's file, by its header; 0 when it has none. */
uint32_t tw_pack_count(const struct tw_store *store, const char *path);

#endif
