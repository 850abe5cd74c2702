/* SPDX-License-Identifier: MIT */
/* Packs: many actions of cheap nodes in one file. Creating a file takes longer than such a node, so
 * of a run's cheap actions only the first few become files of their own.
 *
 * A pack is FOLDER/v1/pk/<32 hex of its bytes' XXH3-128> and never changes: it appears by rename,
 * is merged with others into a new one, and is deleted whole, when it is damaged or the least
 * recently used entry. Its bytes: "TWP1", the number of records, records (a length and an action as
 * in a file of its own), XXH3-64 of everything before it.
 *
 * A killed process loses the actions that wait to be written: within the bounds below, less than a
 * second of computing. Any thread may call all functions. */
#ifndef TW_ENGINE_CACHE_STORE_PACK_H
#define TW_ENGINE_CACHE_STORE_PACK_H

#include "base/memory/digest.h"

#include <stdatomic.h>
#include <uv.h>

struct tw_store;

#define TW_PACK_FOLDER "pk"
#define TW_PACK_NAME 32

/* The position of an action in a pack. */
struct tw_pack_slot {
    uint32_t pack, at, size; /* range of its bytes; size 0: an empty slot */
};

struct tw_pack {
    unsigned char *bytes;
    size_t length;
    char name[TW_PACK_NAME + 1]; /* empty: not on disk yet, or no longer */
    int64_t seconds;             /* last use before this process */
    bool used;                   /* used by this process */
};

struct tw_pack_table {
    struct tw_pack_slot *slots; /* hashed by name, never more than half full */
    uint32_t count, filled;     /* count is a power of two */
};

struct tw_packs {
    uv_mutex_t lock;
    bool loaded;      /* the packs on disk were read */
    int32_t damaged;  /* damaged packs, deleted */
    int32_t open;     /* index of the pack being filled; -1 for none */
    double waiting;   /* seconds that its actions took to compute */
    atomic_int loose; /* cheap actions so far */
    struct tw_pack *at;
    int32_t count, capacity;
    struct tw_pack_table table;
};

/* False when out of memory. */
bool tw_packs_begin(struct tw_packs *packs);
/* Drops waiting actions; marks packs that were used as most recently used. */
void tw_packs_end(struct tw_store *store);

/* Copies an action's bytes to `to` (TW_ACTION_MAX) and returns their number, 0 for a miss. With
 * `load`, first reads the packs on disk, once. */
size_t tw_packs_find(struct tw_store *store, const struct tw_sha256 *name, bool load,
                     unsigned char *to);
/* Takes an encoded action that took `seconds`; false for the first few of a store, and when out of
 * memory. */
bool tw_packs_take(struct tw_store *store, const unsigned char *bytes, size_t size, double seconds);
/* Writes the waiting actions. */
void tw_packs_flush(struct tw_store *store);
/* Returns the number of actions in a pack's file, from its header; 0 if that is invalid. */
uint32_t tw_pack_count(const struct tw_store *store, const char *path);

#endif
