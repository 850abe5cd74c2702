/* SPDX-License-Identifier: MIT */
/* Counts and deletes cache entries. Invariant: only regular files whose folder and name match the
 * store's own pattern are touched, so foreign files in the folder survive gc and clear. Other
 * processes may add and delete meanwhile: a file that vanished counts as deleted. */
#include "cache/store_private.h"

#include "base/memory/tally.h"
#include "base/os/dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* No write takes longer, so an older temp file has no owner; nor has one from further in the
 * future, left by a wrong clock. */
#define TEMP_SECONDS 3600
/* The file with the folder's size at the last listing plus bytes written since, and the time of the
 * listing. A process that is killed, or finds the file locked, is not counted, so the folder is
 * listed at least once an hour. */
#define SIZE "size"
#define LISTED_SECONDS 3600
enum { BYTES, LISTED, NUMBERS };

enum kind { ACTION, BLOB_FILE, PACK, TEMP };

struct entry {
    char path[TW_STORE_PATH];
    enum kind kind;
    uint64_t size;
    int64_t seconds; /* last used */
    int32_t nanoseconds;
};

struct listing {
    struct entry *at;
    size_t count, capacity;
    enum kind kind; /* kind of entries in the folder being listed */
    const char *folder;
};

/* ---- listing ---- */

static bool own_name(enum kind kind, const char *folder, const char *name)
{
    size_t length = strlen(name);
    if (kind == TEMP) {
        size_t stem = strspn(name, "0123456789abcdef-");
        return stem > 0 && length <= 64 && strcmp(name + stem, ".tmp") == 0;
    }
    if (kind == PACK)
        return length == TW_PACK_NAME && strspn(name, "0123456789abcdef") == length;
    /* The folder's name must be the first two digits. */
    const char *digits = strrchr(folder, '/') + 1;
    /* Blobs of earlier versions have half the digits. */
    bool fits = length == 64 || (length == 32 && kind == BLOB_FILE);
    return fits && strspn(name, "0123456789abcdef") == length && strncmp(name, digits, 2) == 0;
}

static struct entry *add(struct listing *list)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 256 : 2 * list->capacity;
        struct entry *at = realloc(list->at, capacity * sizeof *at);
        if (at == NULL)
            return NULL;
        list->at = at;
        list->capacity = capacity;
    }
    return &list->at[list->count];
}

/* Adds one file of a folder unless it is foreign. */
static enum tw_status list_file(void *context, const char *name, const struct tw_file_info *info,
                                struct tw_error *err)
{
    struct listing *list = context;
    if (!own_name(list->kind, list->folder, name))
        return TW_OK;
    struct entry *entry = add(list);
    if (entry == NULL)
        return tw_error_set(err, TW_MEMORY, "no memory to list the cache");
    snprintf(entry->path, sizeof entry->path, "%.8s/%.64s", list->folder, name);
    entry->kind = list->kind;
    entry->size = info->size;
    entry->seconds = info->seconds;
    entry->nanoseconds = info->nanoseconds;
    list->count++;
    return TW_OK;
}

static enum tw_status list_folder(const struct tw_store *store, enum kind kind, const char *folder,
                                  struct listing *list, struct tw_error *err)
{
    list->kind = kind;
    list->folder = folder;
    return tw_dir_list(store->root, folder, list_file, list, err);
}

static enum tw_status list_all(const struct tw_store *store, struct listing *list,
                               struct tw_error *err)
{
    char folder[16];
    if (store->root < 0)
        return tw_error_set(err, TW_IO, "%s", tw_store_trouble(store));
    enum tw_status status = list_folder(store, TEMP, "tmp", list, err);
    if (status == TW_OK)
        status = list_folder(store, PACK, TW_PACK_FOLDER, list, err);
    for (unsigned i = 0; i < 256 && status == TW_OK; i++) {
        snprintf(folder, sizeof folder, "ac/%02x", i);
        status = list_folder(store, ACTION, folder, list, err);
        if (status != TW_OK)
            break;
        snprintf(folder, sizeof folder, "cas/%02x", i);
        status = list_folder(store, BLOB_FILE, folder, list, err);
    }
    return status;
}

/* Oldest first; a total order, since no two paths are equal. */
static int compare(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    if (left->seconds != right->seconds)
        return left->seconds < right->seconds ? -1 : 1;
    if (left->nanoseconds != right->nanoseconds)
        return left->nanoseconds < right->nanoseconds ? -1 : 1;
    return strcmp(left->path, right->path);
}

/* ---- counting and deleting ---- */

enum tw_status tw_store_stats(struct tw_store *store, struct tw_store_stats *stats,
                              struct tw_error *err)
{
    struct listing list = {0};
    *stats = (struct tw_store_stats){0};
    enum tw_status status = list_all(store, &list, err);
    for (size_t i = 0; i < list.count && status == TW_OK; i++) {
        const struct entry *entry = &list.at[i];
        stats->actions += entry->kind == ACTION;
        if (entry->kind == PACK)
            stats->actions += tw_pack_count(store, entry->path);
        stats->blobs += entry->kind == BLOB_FILE;
        /* Includes files being written at the moment, which look no different. */
        stats->stale += entry->kind == TEMP;
        stats->bytes += entry->kind == TEMP ? 0 : entry->size;
    }
    free(list.at);
    return status;
}

/* A file that another process deleted first does not count as freed by us. */
static enum tw_status drop(const struct tw_store *store, const struct entry *entry, uint64_t *freed,
                           struct tw_error *err)
{
    if (tw_dir_remove(store->root, entry->path))
        *freed += entry->size;
    else if (errno != ENOENT)
        return tw_error_set(err, TW_IO, "cannot delete %s from the cache: %s", entry->path,
                            strerror(errno));
    return TW_OK;
}

static bool has_owner(const struct entry *temp, int64_t now)
{
    return temp->seconds >= now - TEMP_SECONDS && temp->seconds <= now + TEMP_SECONDS;
}

/* Deletes old temp files, then the oldest entries; or, with `all`, everything. */
static enum tw_status shrink(const struct tw_store *store, uint64_t max_bytes, bool all,
                             uint64_t *freed, struct tw_error *err)
{
    struct listing list = {0};
    uint64_t total = 0;
    time_t now = time(NULL);
    enum tw_status status = list_all(store, &list, err);
    if (status != TW_OK)
        goto done;
    if (list.count > 0)
        qsort(list.at, list.count, sizeof *list.at, compare);
    for (size_t i = 0; i < list.count; i++)
        total += list.at[i].kind == TEMP ? 0 : list.at[i].size;
    for (size_t i = 0; i < list.count && status == TW_OK; i++) {
        const struct entry *entry = &list.at[i];
        bool temp = entry->kind == TEMP;
        bool keep = temp ? has_owner(entry, now) : total <= max_bytes;
        if (keep && !all)
            continue;
        status = drop(store, entry, freed, err);
        if (!temp)
            total -= entry->size;
    }
    if (status == TW_OK && !all)
        (void)tw_tally_set(store->root, SIZE, (uint64_t[]){total, (uint64_t)now}, NUMBERS);
done:
    free(list.at);
    return status;
}

enum tw_status tw_store_gc(struct tw_store *store, uint64_t max_bytes, uint64_t *freed,
                           struct tw_error *err)
{
    uint64_t sum = 0;
    atomic_store(&store->written, 0);
    enum tw_status status = shrink(store, max_bytes, false, &sum, err);
    if (freed != NULL)
        *freed = sum;
    return status;
}

/* Returns whether the folder may exceed its bound, judging by its size file. */
static bool may_be_full(const struct tw_store *store, uint64_t written)
{
    uint64_t numbers[NUMBERS] = {[BYTES] = written};
    if (!tw_tally_add(store->root, SIZE, numbers, NUMBERS) ||
        !tw_tally_read(store->root, SIZE, numbers, NUMBERS) || numbers[BYTES] > store->max_bytes)
        return true;
    const int64_t now = time(NULL), listed = (int64_t)numbers[LISTED];
    return listed > now || listed < now - LISTED_SECONDS;
}

void tw_store_keep_bound(struct tw_store *store)
{
    const uint64_t max = store->max_bytes, written = atomic_load(&store->written);
    if (max == 0 || written == 0 || !may_be_full(store, written)) /* 0 without a folder */
        return;
    /* Stays below the bound by the share that a run may write unnoticed, so that not every run
     * lists a full folder. */
    (void)tw_store_gc(store, max - max / TW_STORE_SHARE, NULL, NULL);
}

enum tw_status tw_store_clear(struct tw_store *store, struct tw_error *err)
{
    uint64_t freed = 0;
    tw_store_clear_counts(store);
    if (store->root >= 0)
        (void)tw_dir_remove(store->root, SIZE);
    return shrink(store, 0, true, &freed, err);
}
