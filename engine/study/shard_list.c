/* SPDX-License-Identifier: MIT */
/* Lists the files of shards, and which seeds they have. */
#include "study/gather.h"

#include "base/os/dir.h"
#include "base/os/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct search {
    struct tw_shard_list *list;
    const struct tw_shard_origin *origin;
    const char *folder;
    bool strict;
    const char **known; /* paths listed before, sorted */
    int32_t known_count;
};

static int by_path(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* A folder has each name once, so only files of earlier searches can be duplicates. */
static enum tw_status find_known(struct search *search, struct tw_error *err)
{
    const struct tw_shard_list *list = search->list;
    search->known = malloc(((size_t)list->count + 1) * sizeof *search->known);
    if (!search->known)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < list->count; i++)
        search->known[i] = list->at[i].path;
    search->known_count = list->count;
    qsort(search->known, (size_t)list->count, sizeof *search->known, by_path);
    return TW_OK;
}

static bool is_known(const struct search *search, const char *path)
{
    return bsearch(&path, search->known, (size_t)search->known_count, sizeof *search->known,
                   by_path) != NULL;
}

static enum tw_status append(struct tw_shard_list *list, const struct tw_shard_file *file,
                             struct tw_error *err)
{
    if (list->count == list->capacity) {
        int32_t capacity = list->capacity > 0 ? 2 * list->capacity : 64;
        struct tw_shard_file *at = realloc(list->at, (size_t)capacity * sizeof *at);
        if (!at)
            return tw_error_set(err, TW_MEMORY, "out of memory");
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count++] = *file;
    return TW_OK;
}

static enum tw_status on_file(void *context, const char *name, const struct tw_file_info *info,
                              struct tw_error *err)
{
    static const char start[] = "shard-", end[] = ".jsonl";
    const struct search *search = context;
    struct tw_shard_reader reader = {0};
    struct tw_shard_file file = {.furthest = 0};
    size_t length = strlen(name), size = strlen(search->folder) + length + 2;
    (void)info;
    if (strncmp(name, start, sizeof start - 1) != 0 || length < sizeof start + sizeof end ||
        strcmp(name + length - (sizeof end - 1), end) != 0 || search->list->count >= TW_SHARDS_MAX)
        return TW_OK;
    file.path = malloc(size);
    if (!file.path)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    snprintf(file.path, size, "%s/%s", search->folder, name);
    enum tw_status status = TW_OK;
    bool ok = false;
    if (!is_known(search, file.path)) {
        status = tw_shard_open(&reader, search->origin, file.path, err);
        ok = status == TW_OK;
        file.shard = reader.shard;
        file.seeds = reader.seeds;
        tw_shard_close(&reader);
    }
    if (ok)
        status = append(search->list, &file, err);
    if (!ok || status != TW_OK)
        free(file.path);
    return status == TW_INPUT && !search->strict ? TW_OK : status;
}

/* By first seed, then the longest first, then by name, so that every machine makes the same choice.
 */
static int by_seeds(const void *a, const void *b)
{
    const struct tw_shard_file *x = a, *y = b;
    if (x->seeds.from != y->seeds.from)
        return x->seeds.from < y->seeds.from ? -1 : 1;
    if (x->seeds.to != y->seeds.to)
        return x->seeds.to > y->seeds.to ? -1 : 1;
    return strcmp(x->path, y->path);
}

static void sort(struct tw_shard_list *list)
{
    if (list->count > 0)
        qsort(list->at, (size_t)list->count, sizeof *list->at, by_seeds);
    for (int32_t i = 0, furthest = 0; i < list->count; i++) {
        furthest = list->at[i].seeds.to > list->at[furthest].seeds.to ? i : furthest;
        list->at[i].furthest = furthest;
    }
}

enum tw_status tw_shard_list_add(struct tw_shard_list *list, const struct tw_shard_origin *origin,
                                 const char *folder, bool strict, struct tw_error *err)
{
    struct search search = {.list = list, .origin = origin, .folder = folder, .strict = strict};
    int dir = tw_dir_open(folder, false);
    if (dir < 0 && errno == ENOENT && !strict)
        return TW_OK;
    if (dir < 0)
        return tw_error_set(err, TW_INPUT, "cannot open the folder %s: %s", folder,
                            strerror(errno));
    enum tw_status status = find_known(&search, err);
    if (status == TW_OK)
        status = tw_dir_list(dir, ".", on_file, &search, err);
    tw_file_close(dir);
    free((void *)search.known);
    sort(list);
    return status;
}

void tw_shard_list_release(struct tw_shard_list *list)
{
    for (int32_t i = 0; i < list->count; i++)
        free(list->at[i].path);
    free(list->at);
    *list = (struct tw_shard_list){0};
}

/* Counts the files that begin at or before that seed. */
static int32_t count_begun(const struct tw_shard_list *list, int32_t number)
{
    int32_t low = 0, high = list->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (list->at[middle].seeds.from <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct tw_shard_file *tw_shard_list_find(const struct tw_shard_list *list, int32_t number)
{
    int32_t begun = count_begun(list, number);
    const struct tw_shard_file *best = begun > 0 ? &list->at[list->at[begun - 1].furthest] : NULL;
    return best && best->seeds.to > number ? best : NULL;
}

int32_t tw_shard_list_gap(const struct tw_shard_list *list, int32_t number, int32_t count)
{
    const struct tw_shard_file *file;
    while (number < count && (file = tw_shard_list_find(list, number)))
        number = file->seeds.to;
    return number < count ? number : count;
}

int32_t tw_shard_list_next(const struct tw_shard_list *list, int32_t number, int32_t count)
{
    int32_t i = count_begun(list, number);
    if (tw_shard_list_find(list, number))
        return number < count ? number : count;
    while (i < list->count && list->at[i].seeds.to == list->at[i].seeds.from)
        i++; /* no seeds: there were more shards than seeds */
    return i < list->count && list->at[i].seeds.from < count ? list->at[i].seeds.from : count;
}
