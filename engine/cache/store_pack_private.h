/* SPDX-License-Identifier: MIT */
/* What store_pack.c (the table) and store_pack_file.c (the files) share. The caller holds the lock,
 * or is the last to use the store. */
#ifndef TW_ENGINE_CACHE_STORE_PACK_PRIVATE_H
#define TW_ENGINE_CACHE_STORE_PACK_PRIVATE_H

#include "cache/store_private.h"

enum {
    TW_ACTION_NAME_AT = 4, /* in an encoded action */
    TW_ACTION_HELD_AT = 36,
    TW_RECORD_HEAD = 4, /* the length of an action */
    TW_PACK_HEAD = 8,   /* magic, number of records */
    TW_PACK_CHECK = 8,
};

/* The slot of a name, or the empty one where it belongs. The table has slots. */
struct tw_pack_slot *tw_pack_find(const struct tw_packs *packs, const unsigned char *name);
/* Adds an action to the table, unless there is one of that name that holds more outputs; false
 * without memory. */
bool tw_pack_add(struct tw_packs *packs, struct tw_pack_slot entry);

/* An empty pack to fill; false without memory. */
bool tw_pack_open(struct tw_packs *packs);
/* Whether another action may not fit. */
bool tw_pack_is_full(const struct tw_pack *pack);
/* Makes the file of a pack that was used the most recently used. */
void tw_pack_touch(const struct tw_store *store, const struct tw_pack *pack);
/* Reads the packs on disk. What is damaged is deleted. */
void tw_packs_load(struct tw_store *store);
/* Writes the open pack, and keeps those on disk within their bounds. */
void tw_packs_write(struct tw_store *store);

#endif
