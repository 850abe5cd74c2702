/* SPDX-License-Identifier: MIT */
/* Shared by store_pack.c (the table) and store_pack_file.c (the files). The caller holds the lock,
 * or is the last user of the store. */
#ifndef TW_ENGINE_CACHE_STORE_PACK_PRIVATE_H
#define TW_ENGINE_CACHE_STORE_PACK_PRIVATE_H

#include "cache/store_private.h"

enum {
    TW_ACTION_NAME_AT = 4, /* offset of the name in an encoded action */
    TW_ACTION_HELD_AT = 36,
    TW_RECORD_HEAD = 4, /* the length of an action */
    TW_PACK_HEAD = 8,   /* magic, number of records */
    TW_PACK_CHECK = 8,
};

/* Returns the slot of a name, or the empty slot for it. The table must have slots. */
struct tw_pack_slot *tw_pack_find(const struct tw_packs *packs, const unsigned char *name);
/* Adds an action to the table, unless one of that name holds more outputs; false when out of
 * memory. */
bool tw_pack_add(struct tw_packs *packs, struct tw_pack_slot entry);

/* Opens an empty pack to fill; false when out of memory. */
bool tw_pack_open(struct tw_packs *packs);
/* Returns whether another action may not fit. */
bool tw_pack_is_full(const struct tw_pack *pack);
/* Marks the file of a used pack as most recently used. */
void tw_pack_touch(const struct tw_store *store, const struct tw_pack *pack);
/* Reads the packs on disk and deletes damaged ones. */
void tw_packs_load(struct tw_store *store);
/* Writes the open pack, and keeps the packs on disk within their bounds. */
void tw_packs_write(struct tw_store *store);

#endif
