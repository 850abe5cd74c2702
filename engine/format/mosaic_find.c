/* SPDX-License-Identifier: MIT */
/* Which files a pattern names, and what the head of each says. */
#include "format/mosaic.h"

#include "base/os/dir.h"
#include "base/os/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

bool tw_mosaic_is(const char *name) { return strchr(last_part(name), '*') != NULL; }

/* Returns whether a name fits a pattern whose stars stand for any characters. Remembers only the
 * last star, since an earlier one never needs to take more. */
static bool fits(const char *pattern, const char *name)
{
    const char *star = NULL, *taken = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = pattern++;
            taken = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++taken;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == 0;
}

/* Names that begin with a dot need a pattern that does. */
static bool fits_visible(const char *pattern, const char *name)
{
    return fits(pattern, name) && (name[0] != '.' || pattern[0] == '.');
}

bool tw_mosaic_fits(const char *pattern, const char *path)
{
    const char *part = last_part(pattern), *name = last_part(path);
    const size_t folder = (size_t)(part - pattern);
    return folder == (size_t)(name - path) && memcmp(pattern, path, folder) == 0 &&
           fits_visible(part, name);
}

struct names {
    const char *part;
    uint64_t sum;
};

/* Sums hashes (FNV-1a, 64 bits), since a folder is listed in no order. */
static enum tw_status add_name(void *context, const char *name, const struct tw_file_info *info,
                               struct tw_error *err)
{
    struct names *names = context;
    uint64_t hash = 0xcbf29ce484222325u;
    (void)info, (void)err;
    if (!fits_visible(names->part, name))
        return TW_OK;
    for (const char *at = name; *at; at++)
        hash = (hash ^ (unsigned char)*at) * 0x100000001b3u;
    names->sum += hash;
    return TW_OK;
}

uint64_t tw_mosaic_names(const char *pattern)
{
    char folder[PATH_MAX];
    struct names names = {last_part(pattern), 0};
    const int length = (int)(names.part - pattern);
    if (length >= PATH_MAX)
        return 0;
    snprintf(folder, sizeof folder, "%.*s", length > 0 ? length : 1, length > 0 ? pattern : ".");
    const int dir = tw_dir_open(folder, false);
    if (dir < 0)
        return 0;
    (void)tw_dir_list(dir, ".", add_name, &names, NULL);
    (void)tw_file_close(dir);
    return names.sum;
}

struct listing {
    struct tw_mosaic *mosaic;
    const char *folder; /* as in the recipe, with its slash */
    const char *part;   /* the pattern without it */
    int32_t capacity;
};

static enum tw_status add(void *context, const char *name, const struct tw_file_info *info,
                          struct tw_error *err)
{
    struct listing *listing = context;
    struct tw_mosaic *mosaic = listing->mosaic;
    if (!fits_visible(listing->part, name))
        return TW_OK;
    if (mosaic->count == TW_MOSAIC_TILES_MAX)
        return tw_error_set(err, TW_LIMIT, "%s fits more than %d files; expected at most so many",
                            mosaic->pattern, TW_MOSAIC_TILES_MAX);
    if (info->size > TW_MOSAIC_BYTES_MAX - mosaic->bytes)
        return tw_error_set(err, TW_LIMIT, "the files of %s have more than %d GiB", mosaic->pattern,
                            (int)(TW_MOSAIC_BYTES_MAX >> 30));
    if (mosaic->count == listing->capacity) {
        const int32_t capacity = listing->capacity ? 4 * listing->capacity : 16;
        struct tw_mosaic_tile *grown =
            tw_arena_alloc(&mosaic->arena, (size_t)capacity, sizeof *grown);
        if (!grown)
            return tw_error_set(err, TW_MEMORY, "out of memory");
        if (mosaic->count > 0)
            memcpy(grown, mosaic->tiles, (size_t)mosaic->count * sizeof *grown);
        mosaic->tiles = grown;
        listing->capacity = capacity;
    }
    struct tw_mosaic_tile *tile = &mosaic->tiles[mosaic->count++];
    *tile = (struct tw_mosaic_tile){.bytes = info->size};
    tile->name = tw_arena_print(&mosaic->arena, "%s%s", listing->folder, name);
    mosaic->bytes += info->size;
    return tile->name ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tw_mosaic_tile *)a)->name,
                  ((const struct tw_mosaic_tile *)b)->name);
}

/* Every file is resolved by itself: the folder may be replaced meanwhile. */
static enum tw_status resolve(const struct tw_raw_place *place, struct tw_mosaic *mosaic,
                              struct tw_error *err)
{
    enum tw_status status = TW_OK;
    char path[PATH_MAX];
    for (int32_t i = 0; status == TW_OK && i < mosaic->count; i++) {
        struct tw_mosaic_tile *tile = &mosaic->tiles[i];
        tile->number = i;
        status = tw_file_resolve(place->folder, tile->name, place->allow, path, err);
        tile->path = status == TW_OK ? tw_arena_copy(&mosaic->arena, path, strlen(path)) : NULL;
        if (status == TW_OK && !tile->path)
            status = tw_error_set(err, TW_MEMORY, "out of memory");
    }
    return status;
}

/* Opens the folder, after checking that a file in it would be allowed; -1 with the error. */
static int open_folder(const struct tw_raw_place *place, const char *folder, struct tw_error *err)
{
    char path[PATH_MAX], ignored[PATH_MAX];
    const char *base = tw_file_is_absolute(folder) || !place->folder[0] ? "" : place->folder;
    struct tw_error why = {.status = TW_OK};
    if (tw_file_resolve(place->folder, place->name, place->allow, ignored, &why) == TW_PATH) {
        if (err)
            *err = why;
        return -1;
    }
    const int length =
        snprintf(path, sizeof path, "%s%s%s", base, base[0] ? "/" : "", folder[0] ? folder : ".");
    const int dir = length < PATH_MAX ? tw_dir_open(path, false) : -1;
    if (dir < 0)
        tw_error_set(err, TW_INPUT, "cannot list %s: %s", folder[0] ? folder : ".",
                     length < PATH_MAX ? strerror(errno) : "the path is too long");
    return dir;
}

enum tw_status tw_mosaic_find(const struct tw_raw_place *place, struct tw_mosaic *mosaic,
                              struct tw_error *err)
{
    const char *part = last_part(place->name);
    *mosaic = (struct tw_mosaic){.count = 0};
    mosaic->pattern = tw_arena_copy(&mosaic->arena, place->name, strlen(place->name));
    const char *folder = tw_arena_copy(&mosaic->arena, place->name, (size_t)(part - place->name));
    struct listing listing = {mosaic, folder, part, 0};
    if (!mosaic->pattern || !folder)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    const int dir = open_folder(place, folder, err);
    if (dir < 0)
        return err ? err->status : TW_INPUT;
    enum tw_status status = tw_dir_list(dir, ".", add, &listing, err);
    (void)tw_file_close(dir);
    if (status == TW_OK && mosaic->count == 0)
        status = tw_error_set(err, TW_INPUT, "no file fits %s; links are left out", place->name);
    if (status != TW_OK)
        return status;
    qsort(mosaic->tiles, (size_t)mosaic->count, sizeof *mosaic->tiles, by_name);
    return resolve(place, mosaic, err);
}

void tw_mosaic_release(struct tw_mosaic *mosaic)
{
    tw_arena_release(&mosaic->arena);
    *mosaic = (struct tw_mosaic){.count = 0};
}

/* ---- heads ---- */

enum tw_status tw_mosaic_blame(const struct tw_mosaic_tile *tile, enum tw_status status,
                               struct tw_error *err)
{
    char message[sizeof err->message];
    if (status == TW_OK || !err || strstr(err->message, tile->name))
        return status;
    snprintf(message, sizeof message, "%s", err->message);
    (void)snprintf(err->message, sizeof err->message, "%.400s: %.1000s", tile->name, message);
    return status;
}

static enum tw_status refuse_layout(const struct tw_file_layout *given, struct tw_error *err)
{
    const char *option = given->width > 0    ? "width"
                         : given->height > 0 ? "height"
                         : given->flip       ? "flip"
                         : given->big_endian ? "endian"
                         : given->is_signed  ? "signed"
                                             : NULL;
    return !option ? TW_OK
                   : tw_error_set(err, TW_INPUT,
                                  "the file has a header; expected no '%s', which is for files "
                                  "without one",
                                  option);
}

static enum tw_status probe(const struct tw_raw_given *given, struct tw_file_wish wish,
                            struct tw_mosaic_tile *tile, struct tw_error *err)
{
    unsigned char *data = NULL;
    const struct tw_format *bare = tw_format_bare(tile->name);
    struct tw_codec_head head = {.path = tile->path, .wish = wish};
    enum tw_status status =
        tw_file_read_head(tile->path, TW_CODEC_HEAD_BYTES, &data, &head.length, &tile->bytes, err);
    head.at = data;
    head.file_length = (size_t)tile->bytes;
    head.layout = bare ? &tile->layout : NULL;
    if (status == TW_OK && (!bare || bare->describe))
        status = refuse_layout(&given->layout, err);
    if (status == TW_OK)
        status = tw_format_probe(&head, tile->name, &tile->format, &tile->facts, err);
    if (status == TW_OK && !bare)
        tw_raw_layout_scale(&tile->layout, &tile->facts);
    tile->by_rows = status == TW_OK && tw_format_has_rows(tile->format, &head, &tile->held);
    tile->has_place = status == TW_OK && tile->format->read_place &&
                      tile->format->read_place(&head, &tile->at) && tile->facts.place.known;
    free(data);
    return status;
}

static enum tw_status find_layout(const struct tw_raw_place *place,
                                  const struct tw_raw_given *given, struct tw_mosaic_tile *tile,
                                  struct tw_error *err)
{
    const struct tw_raw_place at = {place->folder, tile->name, place->allow};
    char sidecar[PATH_MAX];
    return tw_raw_layout_find(tw_format_bare(tile->name), &at, given, tile->bytes, &tile->layout,
                              sidecar, err);
}

static enum tw_status open_tile(const struct tw_raw_place *place, const struct tw_raw_given *given,
                                struct tw_file_wish wish, struct tw_mosaic_tile *tile,
                                struct tw_error *err)
{
    enum tw_status status = find_layout(place, given, tile, err);
    if (status == TW_OK)
        status = probe(given, wish, tile, err);
    if (status == TW_OK && tile->facts.type != TW_HEIGHTMAP)
        status = tw_error_set(err, TW_INPUT, "a colour picture; tiles of a height map are grey");
    const uint64_t cells = (uint64_t)tile->facts.width * (uint64_t)tile->facts.height;
    if (status == TW_OK && !tile->by_rows)
        tile->held = tile->bytes + cells * sizeof(float);
    return tw_mosaic_blame(tile, status, err);
}

enum tw_status tw_mosaic_open(const struct tw_raw_place *place, const struct tw_raw_given *given,
                              struct tw_file_wish wish, struct tw_mosaic *mosaic,
                              struct tw_error *err)
{
    enum tw_status status = tw_mosaic_find(place, mosaic, err);
    mosaic->wish = wish;
    for (int32_t i = 0; status == TW_OK && i < mosaic->count; i++)
        status = open_tile(place, given, wish, &mosaic->tiles[i], err);
    return status == TW_OK ? tw_mosaic_place(mosaic, &given->layout, err) : status;
}

enum tw_status tw_mosaic_sha256(const struct tw_raw_place *place, const struct tw_raw_given *given,
                                const struct tw_mosaic *mosaic, struct tw_sha256 *digest,
                                struct tw_error *err)
{
    struct tw_sha256_state state;
    struct tw_sha256 bytes;
    enum tw_status status = TW_OK;
    tw_sha256_begin(&state);
    for (int32_t i = 0; status == TW_OK && i < mosaic->count; i++) {
        struct tw_mosaic_tile tile = mosaic->tiles[i];
        status = tw_file_sha256(tile.path, TW_MOSAIC_BYTES_MAX, &bytes, &tile.bytes, err);
        if (status == TW_OK)
            status = find_layout(place, given, &tile, err);
        if (status == TW_OK)
            tw_mosaic_add_digest(&state, &tile, &bytes);
        status = tw_mosaic_blame(&tile, status, err);
    }
    *digest = tw_sha256_end(&state);
    return status;
}
