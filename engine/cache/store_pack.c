/* SPDX-License-Identifier: MIT */
/* Finds and takes actions. Invariant: everything in the table lies within its pack's bytes and has
 * an action's length; decoding checks its contents. */
#include "cache/store_pack_private.h"

#include "base/memory/byte_order.h"

#include <stdlib.h>
#include <string.h>

enum { LOOSE_MAX = 32, SLOTS_MIN = 1024 };

#define WAITING_SECONDS 0.25 /* how much computing a killed process may lose */

bool tw_packs_begin(struct tw_packs *packs)
{
    *packs = (struct tw_packs){.open = -1};
    return uv_mutex_init(&packs->lock) == 0;
}

void tw_packs_end(struct tw_store *store)
{
    struct tw_packs *packs = &store->packs;
    for (int32_t i = 0; i < packs->count; i++) {
        tw_pack_touch(store, &packs->at[i]);
        free(packs->at[i].bytes);
    }
    free(packs->at);
    free(packs->table.slots);
    uv_mutex_destroy(&packs->lock);
}

int32_t tw_store_damaged_packs(struct tw_store *store)
{
    uv_mutex_lock(&store->packs.lock);
    int32_t damaged = store->packs.damaged;
    uv_mutex_unlock(&store->packs.lock);
    return damaged;
}

/* ---- the table ---- */

static const unsigned char *bytes_of(const struct tw_packs *packs, const struct tw_pack_slot *slot)
{
    return packs->at[slot->pack].bytes + slot->at;
}

struct tw_pack_slot *tw_pack_find(const struct tw_packs *packs, const unsigned char *name)
{
    const struct tw_pack_table *table = &packs->table;
    uint32_t mask = table->count - 1, at = tw_get_u32(name) & mask; /* a digest: use any bits */
    while (table->slots[at].size > 0 &&
           memcmp(bytes_of(packs, &table->slots[at]) + TW_ACTION_NAME_AT, name, 32) != 0)
        at = (at + 1) & mask;
    return &table->slots[at];
}

static bool grow(struct tw_packs *packs)
{
    const struct tw_pack_table old = packs->table;
    struct tw_pack_table larger = {.count = old.count ? 2 * old.count : SLOTS_MIN,
                                   .filled = old.filled};
    larger.slots = calloc(larger.count, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    packs->table = larger;
    for (uint32_t i = 0; i < old.count; i++)
        if (old.slots[i].size > 0)
            *tw_pack_find(packs, bytes_of(packs, &old.slots[i]) + TW_ACTION_NAME_AT) = old.slots[i];
    free(old.slots);
    return true;
}

/* Grows the table for one more entry. */
static bool make_room(struct tw_packs *packs)
{
    return 2 * packs->table.filled < packs->table.count || grow(packs);
}

static int count_held(const unsigned char *action)
{
    int count = 0;
    for (uint32_t held = tw_get_u32(action + TW_ACTION_HELD_AT) >> 16; held > 0; held &= held - 1)
        count++;
    return count;
}

bool tw_pack_add(struct tw_packs *packs, struct tw_pack_slot entry)
{
    if (!make_room(packs))
        return false;
    const unsigned char *bytes = bytes_of(packs, &entry);
    struct tw_pack_slot *slot = tw_pack_find(packs, bytes + TW_ACTION_NAME_AT);
    packs->table.filled += slot->size == 0;
    if (slot->size == 0 || count_held(bytes) >= count_held(bytes_of(packs, slot)))
        *slot = entry;
    return true;
}

/* ---- finding ---- */

static size_t copy(struct tw_packs *packs, const struct tw_sha256 *name, unsigned char *to)
{
    if (packs->table.count == 0)
        return 0;
    const struct tw_pack_slot *slot = tw_pack_find(packs, name->at);
    if (slot->size > 0) {
        packs->at[slot->pack].used = true;
        memcpy(to, bytes_of(packs, slot), slot->size);
    }
    return slot->size;
}

size_t tw_packs_find(struct tw_store *store, const struct tw_sha256 *name, bool load,
                     unsigned char *to)
{
    uv_mutex_lock(&store->packs.lock);
    if (load && !store->packs.loaded)
        tw_packs_load(store);
    size_t size = copy(&store->packs, name, to);
    uv_mutex_unlock(&store->packs.lock);
    return size;
}

/* ---- taking ---- */

/* Appends a record to the open pack, which must have space. */
static bool append(struct tw_packs *packs, const unsigned char *bytes, size_t size)
{
    if (!make_room(packs) || (packs->open < 0 && !tw_pack_open(packs)))
        return false;
    struct tw_pack *pack = &packs->at[packs->open];
    unsigned char *record = pack->bytes + pack->length;
    tw_put_u32(record, (uint32_t)size);
    memcpy(record + TW_RECORD_HEAD, bytes, size);
    if (!tw_pack_add(packs, (struct tw_pack_slot){(uint32_t)packs->open,
                                                  (uint32_t)pack->length + TW_RECORD_HEAD,
                                                  (uint32_t)size}))
        return false;
    pack->length += TW_RECORD_HEAD + size;
    return true;
}

bool tw_packs_take(struct tw_store *store, const unsigned char *bytes, size_t size, double seconds)
{
    struct tw_packs *packs = &store->packs;
    if (atomic_fetch_add(&packs->loose, 1) < LOOSE_MAX)
        return false;
    uv_mutex_lock(&packs->lock);
    bool taken = append(packs, bytes, size);
    packs->waiting += taken ? seconds : 0;
    if (taken && (packs->waiting >= WAITING_SECONDS || tw_pack_is_full(&packs->at[packs->open])))
        tw_packs_write(store);
    uv_mutex_unlock(&packs->lock);
    return taken;
}

void tw_packs_flush(struct tw_store *store)
{
    uv_mutex_lock(&store->packs.lock);
    if (store->packs.open >= 0)
        tw_packs_write(store);
    uv_mutex_unlock(&store->packs.lock);
}
