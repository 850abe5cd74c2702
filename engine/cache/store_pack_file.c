/* SPDX-License-Identifier: MIT */
/* The files of packs. Invariant: a pack's bytes are used only after its checksum matched and every
 * record was found to lie within them. */
#include "cache/store_pack_private.h"

#include "base/memory/byte_order.h"
#include "base/os/dir.h"
#include "base/os/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WRITTEN_MAX = 1 << 20, /* bytes per write: some 6,000 actions */
    PACKS_MAX = 16,        /* packs on disk; beyond that small ones are merged */
    SMALL = 4 << 20,
    TOTAL_MAX = 32 << 20, /* bytes of all packs, since a run that misses an action reads them all */
    READ_MAX = 64,        /* files: other processes may have added some since the last trim */
};

static void path_of(const struct tw_pack *pack, char path[TW_STORE_PATH])
{
    snprintf(path, TW_STORE_PATH, TW_PACK_FOLDER "/%s", pack->name);
}

static bool is_on_disk(const struct tw_pack *pack) { return pack->name[0] != 0; }

void tw_pack_touch(const struct tw_store *store, const struct tw_pack *pack)
{
    char path[TW_STORE_PATH];
    if (!pack->used || !is_on_disk(pack))
        return;
    path_of(pack, path);
    int fd = tw_dir_read_file(store->root, path);
    if (fd < 0)
        return;
    tw_file_touch(fd);
    (void)tw_file_close(fd);
}

/* ---- records ---- */

/* Returns the action of the record at *at and moves *at behind it; size 0 at the end. */
static struct tw_pack_slot next_record(const struct tw_packs *packs, int32_t pack, size_t *at)
{
    const struct tw_pack *from = &packs->at[pack];
    struct tw_pack_slot slot = {.pack = (uint32_t)pack};
    if (*at >= from->length)
        return slot;
    slot.at = (uint32_t)*at + TW_RECORD_HEAD;
    slot.size = tw_get_u32(from->bytes + *at);
    *at += TW_RECORD_HEAD + slot.size;
    return slot;
}

/* Returns whether records of actions' lengths fill `bytes` up to `end`. */
static bool has_records(const unsigned char *bytes, size_t end)
{
    size_t at = TW_PACK_HEAD;
    uint32_t left = tw_get_u32(bytes + 4);
    for (; left > 0 && end - at > TW_RECORD_HEAD; left--) {
        uint32_t size = tw_get_u32(bytes + at);
        if (size < TW_ACTION_HEAD + TW_ACTION_CHECK || size > TW_ACTION_MAX ||
            size > end - at - TW_RECORD_HEAD)
            return false;
        at += TW_RECORD_HEAD + size;
    }
    return left == 0 && at == end;
}

static bool is_pack(const unsigned char *bytes, size_t size)
{
    return size >= TW_PACK_HEAD + TW_PACK_CHECK && memcmp(bytes, "TWP1", 4) == 0 &&
           tw_get_u64(bytes + size - TW_PACK_CHECK) == tw_hash64(bytes, size - TW_PACK_CHECK, 0) &&
           has_records(bytes, size - TW_PACK_CHECK);
}

/* ---- the list ---- */

static struct tw_pack *add_pack(struct tw_packs *packs)
{
    if (packs->count == packs->capacity) {
        int32_t capacity = packs->capacity ? 2 * packs->capacity : PACKS_MAX;
        struct tw_pack *at = realloc(packs->at, (size_t)capacity * sizeof *at);
        if (!at)
            return NULL;
        packs->at = at;
        packs->capacity = capacity;
    }
    packs->at[packs->count] = (struct tw_pack){0};
    return &packs->at[packs->count++];
}

bool tw_pack_open(struct tw_packs *packs)
{
    unsigned char *bytes = malloc(WRITTEN_MAX);
    struct tw_pack *pack = bytes ? add_pack(packs) : NULL;
    if (!pack) {
        free(bytes);
        return false;
    }
    *pack = (struct tw_pack){.bytes = bytes, .length = TW_PACK_HEAD};
    packs->open = packs->count - 1;
    packs->waiting = 0;
    return true;
}

bool tw_pack_is_full(const struct tw_pack *pack)
{
    return pack->length + TW_RECORD_HEAD + TW_ACTION_MAX + TW_PACK_CHECK > WRITTEN_MAX;
}

/* ---- bounds ---- */

/* Totals over the packs on disk. */
struct sum {
    int32_t count, oldest; /* oldest: -1 for none */
    size_t bytes;
};

static struct sum sum_of(const struct tw_packs *packs)
{
    struct sum sum = {.oldest = -1};
    for (int32_t i = 0; i < packs->count; i++) {
        const struct tw_pack *pack = &packs->at[i];
        if (!is_on_disk(pack))
            continue;
        sum.count++;
        sum.bytes += pack->length;
        if (sum.oldest < 0 || pack->seconds < packs->at[sum.oldest].seconds)
            sum.oldest = i;
    }
    return sum;
}

static void remove_file(const struct tw_store *store, struct tw_pack *pack)
{
    char path[TW_STORE_PATH];
    path_of(pack, path);
    (void)tw_dir_remove(store->root, path);
    pack->name[0] = 0;
}

/* ---- reading ---- */

/* Drops the least recently used packs that were listed but not read, beyond the bounds, so that a
 * folder of any number of files takes bounded memory and time. */
static void bound_listed(struct tw_store *store)
{
    struct tw_packs *packs = &store->packs;
    for (;;) {
        const struct sum sum = sum_of(packs);
        if (sum.count <= READ_MAX && sum.bytes <= TOTAL_MAX)
            return;
        if (tw_store_storing(store))
            remove_file(store, &packs->at[sum.oldest]);
        packs->at[sum.oldest] = packs->at[--packs->count];
    }
}

static enum tw_status list_pack(void *context, const char *name, const struct tw_file_info *info,
                                struct tw_error *err)
{
    struct tw_store *store = context;
    size_t length = strlen(name);
    (void)err;
    if (length != TW_PACK_NAME || strspn(name, "0123456789abcdef") != length ||
        info->size > TOTAL_MAX)
        return TW_OK;
    struct tw_pack *pack = add_pack(&store->packs);
    if (!pack)
        return TW_MEMORY;
    memcpy(pack->name, name, length + 1);
    pack->length = (size_t)info->size;
    pack->seconds = info->seconds;
    bound_listed(store);
    return TW_OK;
}

/* Reads a pack's bytes without the checksum. Leaves an unreadable one alone and ignores it from
 * then on. */
static void read_pack(struct tw_store *store, struct tw_pack *pack)
{
    char path[TW_STORE_PATH];
    uint64_t size = 0;
    size_t length = pack->length;
    path_of(pack, path);
    pack->length = 0;
    int fd = tw_dir_read_file(store->root, path);
    if (fd < 0) {
        pack->name[0] = 0;
        return;
    }
    unsigned char *bytes = malloc(length + 1);
    bool read =
        bytes && tw_file_size(fd, &size) && size == length && tw_file_read_all(fd, bytes, length);
    (void)tw_file_close(fd);
    if (read && is_pack(bytes, length)) {
        pack->bytes = bytes;
        pack->length = length - TW_PACK_CHECK;
        return;
    }
    free(bytes);
    if (read) {
        (void)tw_dir_remove(store->root, path);
        store->packs.damaged++;
    }
    pack->name[0] = 0;
}

static void add_actions(struct tw_packs *packs, int32_t pack)
{
    size_t at = TW_PACK_HEAD;
    for (struct tw_pack_slot slot; (slot = next_record(packs, pack, &at)).size > 0;)
        if (!tw_pack_add(packs, slot))
            return;
}

void tw_packs_load(struct tw_store *store)
{
    struct tw_packs *packs = &store->packs;
    int32_t first = packs->count;
    packs->loaded = true;
    if (store->root < 0)
        return;
    (void)tw_dir_list(store->root, TW_PACK_FOLDER, list_pack, store, NULL);
    for (int32_t i = first; i < packs->count; i++) {
        read_pack(store, &packs->at[i]);
        add_actions(packs, i);
    }
}

uint32_t tw_pack_count(const struct tw_store *store, const char *path)
{
    unsigned char head[TW_PACK_HEAD];
    int fd = tw_dir_read_file(store->root, path);
    bool ok = fd >= 0 && tw_file_read_all(fd, head, sizeof head) && memcmp(head, "TWP1", 4) == 0;
    if (fd >= 0)
        (void)tw_file_close(fd);
    return ok ? tw_get_u32(head + 4) : 0;
}

/* ---- writing ---- */

static bool is_small(const struct tw_pack *pack)
{
    return is_on_disk(pack) && pack->bytes && pack->length < SMALL;
}

/* Moves the actions that the table finds in one pack to another, which must have space for them. */
static void move_actions(struct tw_packs *packs, int32_t from, int32_t to)
{
    size_t at = TW_PACK_HEAD;
    struct tw_pack *pack = &packs->at[to];
    for (struct tw_pack_slot record; (record = next_record(packs, from, &at)).size > 0;) {
        const unsigned char *action = packs->at[from].bytes + record.at;
        struct tw_pack_slot *slot = tw_pack_find(packs, action + TW_ACTION_NAME_AT);
        if (slot->pack != record.pack || slot->at != record.at)
            continue;
        memcpy(pack->bytes + pack->length, action - TW_RECORD_HEAD, TW_RECORD_HEAD + record.size);
        *slot = (struct tw_pack_slot){(uint32_t)to, (uint32_t)pack->length + TW_RECORD_HEAD,
                                      record.size};
        pack->length += TW_RECORD_HEAD + record.size;
    }
}

/* Merges the small packs and the open one, which then contains them all. Changes nothing when out
 * of memory. */
static void merge(struct tw_packs *packs)
{
    size_t length = packs->at[packs->open].length + TW_PACK_CHECK;
    for (int32_t i = 0; i < packs->count; i++)
        length += is_small(&packs->at[i]) ? packs->at[i].length : 0;
    unsigned char *bytes = malloc(length);
    struct tw_pack *merged = bytes ? add_pack(packs) : NULL;
    if (!merged) {
        free(bytes);
        return;
    }
    *merged = (struct tw_pack){.bytes = bytes, .length = TW_PACK_HEAD};
    const int32_t old = packs->open, last = packs->count - 1;
    for (int32_t i = 0; i < last; i++) {
        struct tw_pack *pack = &packs->at[i];
        if (i != old && !is_small(pack))
            continue;
        move_actions(packs, i, last);
        free(pack->bytes);
        pack->bytes = NULL; /* its file is removed once the new one exists */
        pack->length = 0;
    }
    packs->open = last;
}

/* Completes the bytes, which must have space for the checksum, and names the pack by them. */
static size_t seal(const struct tw_packs *packs, struct tw_pack *pack)
{
    uint32_t records = 0;
    size_t at = TW_PACK_HEAD, size = pack->length + TW_PACK_CHECK;
    while (next_record(packs, packs->open, &at).size > 0)
        records++;
    memcpy(pack->bytes, "TWP1", 4);
    tw_put_u32(pack->bytes + 4, records);
    tw_put_u64(pack->bytes + pack->length, tw_hash64(pack->bytes, pack->length, 0));
    tw_hex(tw_digest_of(pack->bytes, size).at, sizeof(struct tw_digest), pack->name);
    return size;
}

/* Removes files whose actions were merged, then the least recently used ones beyond the bounds;
 * this process still finds what it has read. */
static void trim(struct tw_store *store)
{
    struct tw_packs *packs = &store->packs;
    for (int32_t i = 0; i < packs->count; i++)
        if (is_on_disk(&packs->at[i]) && !packs->at[i].bytes && packs->at[i].length == 0)
            remove_file(store, &packs->at[i]);
    for (;;) {
        const struct sum sum = sum_of(packs);
        if (sum.count <= PACKS_MAX && sum.bytes <= TOTAL_MAX)
            return;
        remove_file(store, &packs->at[sum.oldest]);
    }
}

void tw_packs_write(struct tw_store *store)
{
    struct tw_packs *packs = &store->packs;
    char path[TW_STORE_PATH];
    if (!packs->loaded)
        tw_packs_load(store);
    if (sum_of(packs).count >= PACKS_MAX)
        merge(packs);
    struct tw_pack *pack = &packs->at[packs->open];
    size_t size = seal(packs, pack);
    path_of(pack, path);
    pack->seconds = INT64_MAX; /* packs of this process are the newest */
    packs->open = -1;
    if (!tw_store_storing(store) || !tw_store_publish(store, path, pack->bytes, size, NULL))
        pack->name[0] = 0;
    else
        trim(store);
}
