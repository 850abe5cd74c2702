/* SPDX-License-Identifier: MIT */
/* Which files of shards there are, and which seeds they have. */
#include "compare/gather.h"

#include "base/dir.h"
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct search {
    struct tw_shard_list *list;
    const struct tw_shard_origin *origin;
    const char *folder;
    bool strict;
};

static bool is_listed(const struct tw_shard_list *list, const char *path)
{
    for (int32_t i = 0; i < list->count; i++)
        if (strcmp(list->at[i].path, path) == 0)
            return true;
    return false;
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
    struct tw_shard_file file;
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
    bool known = is_listed(search->list, file.path), ok = false;
    if (!known) {
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

/* By first seed; of those the longest first, then by name, so that the choice is the same anywhere.
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

enum tw_status tw_shard_list_add(struct tw_shard_list *list, const struct tw_shard_origin *origin,
                                 const char *folder, bool strict, struct tw_error *err)
{
    struct search search = {list, origin, folder, strict};
    int dir = tw_dir_open(folder, false);
    if (dir < 0 && errno == ENOENT && !strict)
        return TW_OK;
    if (dir < 0)
        return tw_error_set(err, TW_INPUT, "cannot open the folder %s: %s", folder,
                            strerror(errno));
    enum tw_status status = tw_dir_list(dir, ".", on_file, &search, err);
    tw_file_close(dir);
    if (list->count > 0)
        qsort(list->at, (size_t)list->count, sizeof *list->at, by_seeds);
    return status;
}

void tw_shard_list_release(struct tw_shard_list *list)
{
    for (int32_t i = 0; i < list->count; i++)
        free(list->at[i].path);
    free(list->at);
    *list = (struct tw_shard_list){0};
}

const struct tw_shard_file *tw_shard_list_find(const struct tw_shard_list *list, int32_t number)
{
    const struct tw_shard_file *best = NULL;
    for (int32_t i = 0; i < list->count && list->at[i].seeds.from <= number; i++)
        if (list->at[i].seeds.to > number && (!best || list->at[i].seeds.to > best->seeds.to))
            best = &list->at[i];
    return best;
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
    int32_t next = count;
    for (int32_t i = 0; i < list->count; i++) {
        const struct tw_seed_range *seeds = &list->at[i].seeds;
        int32_t first = seeds->from > number ? seeds->from : number;
        if (first < seeds->to && first < next)
            next = first;
    }
    return next;
}
