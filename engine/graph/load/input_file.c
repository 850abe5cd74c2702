/* SPDX-License-Identifier: MIT */
/* Checks a node's file before anything runs: it must exist, be a picture or a map, and suit the
 * node. Small files are decoded to find damage; of others only the header is read. */
#include "graph/load/load_private.h"
#include "graph/load/world_from.h"

#include "base/os/file.h"
#include "base/os/file_name.h"
#include "base/os/links.h"
#include "format/format.h"
#include "format/sidecar.h"
#include "format/voids.h"
#include "graph/node_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits of decoding while a recipe is loaded: cells per file, cells of all files, bytes per
 * file. */
enum { CELLS_MAX = 1 << 20, ALL_CELLS_MAX = 1 << 22, BYTES_MAX = 1 << 23 };

/* A file already checked. */
struct known_file {
    struct tw_node_file file;
    struct tw_georeference at;
    bool has_place;  /* the file gives its place: `at` */
    double greatest; /* height, where the world is from this file */
    struct tw_voids voids;
    bool linked;           /* a link leads to a sidecar of its tiles */
    struct tw_error error; /* status TW_OK if it can be read */
};

/* Decodes a small file to find damage. */
static enum tw_status decode(struct tw_loader *loader, const struct tw_format *format,
                             const char *path, const char *name, struct known_file *known,
                             const struct tw_codec_head *head, struct tw_error *error)
{
    struct tw_node_file *file = &known->file;
    int64_t cells = (int64_t)file->facts.width * file->facts.height;
    if (cells > CELLS_MAX || file->bytes > BYTES_MAX ||
        loader->decoded_cells + cells > ALL_CELLS_MAX)
        return TW_OK;
    loader->decoded_cells += cells;
    unsigned char *data = NULL;
    size_t length = 0;
    struct tw_value value = {0};
    enum tw_status status = tw_file_read(path, BYTES_MAX, &data, &length, error);
    if (status == TW_OK)
        status = head->layout ? tw_raw_decode(data, length, head->layout, head->wish, &value, error)
                 : file->by_rows ? tw_codec_decode(format->read_rows, data, length, NULL,
                                                   head->wish, &value, error)
                                 : tw_format_decode(data, length, name, &value, error);
    file->searched = status == TW_OK;
    if (status == TW_OK && value.type == TW_HEIGHTMAP)
        tw_voids_count(&known->voids, tw_floats(&value), tw_value_count(&value));
    tw_field_clear(&value);
    free(data);
    return status;
}

/* Reports both possible names of a sidecar (sidecar.h). */
static void note_sidecars(const struct tw_loader *loader, const struct tw_node *node,
                          const char *name)
{
    const char *ending = tw_format_ending(name);
    const size_t lengths[] = {strlen(name), strlen(name) - strlen(ending)};
    char sidecar[PATH_MAX];
    for (int i = 0; i < 2; i++)
        if (snprintf(sidecar, sizeof sidecar, "%.*s.json", (int)lengths[i], name) < PATH_MAX)
            tw_load_note(loader, node->folder, sidecar);
}

/* Returns whether a link leads to a file of the node, or to a sidecar read with it. */
static bool is_linked(const struct tw_loader *loader, const struct tw_node *node, const char *name)
{
    char joined[PATH_MAX];
    bool linked = false;
    if (!loader->options->suspects_links || tw_links_lead_from(node->folder, name, joined))
        return loader->options->suspects_links;
    (void)tw_sidecar_check_links(joined, &linked, NULL);
    return linked;
}

/* Reads the sidecar along with its file: a change of either is a change of the file. */
static enum tw_status find_layout(struct tw_loader *loader, const struct tw_node *node,
                                  uint64_t length, struct tw_raw_layout *layout,
                                  struct tw_error *error)
{
    struct tw_arena *arena = &loader->recipe->arena;
    char sidecar[PATH_MAX] = "";
    note_sidecars(loader, node, tw_node_file_name(node));
    enum tw_status status =
        tw_node_file_layout(loader->recipe, node, length, layout, sidecar, error);
    const char *kept = sidecar[0] ? tw_arena_copy(arena, sidecar, strlen(sidecar)) : "";
    if (!kept || (sidecar[0] && !tw_load_add_reading(loader, kept, node->path)))
        return tw_error_set(error, TW_MEMORY, "out of memory");
    return status;
}

/* Returns the layout that a node's parameters give a file without a header; empty for most
 * nodes. */
static struct tw_file_layout given_layout(const struct tw_node *node)
{
    return node->type->file_layout ? node->type->file_layout(node->params)
                                   : (struct tw_file_layout){0};
}

static bool is_given(struct tw_file_layout layout)
{
    return layout.width > 0 || layout.height > 0 || layout.flip || layout.big_endian ||
           layout.is_signed;
}

/* A file with a header contains its layout: parameters that give one would be ignored. */
static enum tw_status refuse_layout(const char *name, struct tw_file_layout given,
                                    struct tw_error *error)
{
    const char *option = given.width > 0    ? "width"
                         : given.height > 0 ? "height"
                         : given.flip       ? "flip"
                         : given.big_endian ? "endian"
                                            : "signed";
    return tw_error_set(error, TW_INPUT,
                        "%s has a header; expected no '%s', which is for files without one", name,
                        option);
}

static enum tw_status check_contents(struct tw_loader *loader, const struct tw_node *node,
                                     const char *path, const char *name, struct known_file *known,
                                     struct tw_error *error)
{
    struct tw_node_file *file = &known->file;
    struct tw_codec_head head = {.path = path};
    struct tw_raw_layout layout = {.ranged = false};
    unsigned char *data = NULL;
    const struct tw_format *format = tw_format_bare(name);
    head.layout = format ? &layout : NULL;
    enum tw_status status =
        tw_file_read_head(path, TW_CODEC_HEAD_BYTES, &data, &head.length, &file->bytes, error);
    head.at = data;
    head.file_length = (size_t)file->bytes;
    head.wish = tw_node_file_wish(node);
    if (status == TW_OK && (!format || format->describe) && is_given(given_layout(node)))
        status = refuse_layout(name, given_layout(node), error);
    if (status == TW_OK && tw_node_file_is_described(node))
        status = find_layout(loader, node, file->bytes, &layout, error);
    if (status == TW_OK)
        status = tw_format_probe(&head, name, &format, &file->facts, error);
    if (status == TW_OK && file->facts.type != TW_HEIGHTMAP && file->facts.type != TW_IMAGE)
        status = tw_error_set(
            error, TW_INPUT, "%s is a control map of Terrain3D; expected heights or colours", name);
    tw_node_file_scale(node, &layout, &file->facts);
    file->by_rows = status == TW_OK && tw_format_has_rows(format, &head, &file->held);
    known->has_place =
        status == TW_OK && format->read_place && format->read_place(&head, &known->at);
    if (status == TW_OK)
        status = decode(loader, format, path, name, known, &head, error);
    if (status == TW_OK)
        status = tw_world_read_heights(loader, node, path, format, &head, &file->facts,
                                       &known->greatest, error);
    free(data);
    return status;
}

/* ---- tiles ---- */

/* Every file is an input of its own, with its sidecar. */
static bool note_tiles(struct tw_loader *loader, const struct tw_node *node,
                       const struct tw_mosaic *tiles, struct known_file *known)
{
    struct tw_arena *arena = &loader->recipe->arena;
    bool ok = true;
    for (int32_t i = 0; ok && i < tiles->count; i++) {
        const char *path = tiles->tiles[i].path;
        if (path && loader->options->suspects_links)
            (void)tw_sidecar_check_links(path, &known->linked, NULL);
        const char *kept = path ? tw_arena_copy(arena, path, strlen(path)) : NULL;
        tw_load_note(loader, node->folder, tiles->tiles[i].name);
        note_sidecars(loader, node, tiles->tiles[i].name);
        ok = !path || (kept && tw_load_add_reading(loader, kept, node->path));
    }
    return ok;
}

struct search {
    struct tw_voids *voids;
    int32_t width;
};

static enum tw_status begin_search(void *context, const struct tw_file_facts *facts,
                                   struct tw_error *err)
{
    ((struct search *)context)->width = facts->width;
    (void)err;
    return TW_OK;
}

static enum tw_status search_row(void *context, int32_t y, const void *row, struct tw_error *err)
{
    const struct search *search = context;
    (void)y, (void)err;
    tw_voids_count(search->voids, row, (size_t)search->width);
    return TW_OK;
}

/* Reads small maps to find damage. */
static enum tw_status search_tiles(struct tw_loader *loader, const struct tw_mosaic *tiles,
                                   struct known_file *known, struct tw_error *error)
{
    const int64_t cells = (int64_t)tiles->facts.width * tiles->facts.height;
    struct search search = {.voids = &known->voids};
    const struct tw_row_sink sink = {.begin = begin_search, .row = search_row, .context = &search};
    if (cells > CELLS_MAX || tiles->bytes > BYTES_MAX ||
        loader->decoded_cells + cells > ALL_CELLS_MAX)
        return TW_OK;
    loader->decoded_cells += cells;
    known->file.searched = true;
    return tw_mosaic_read_rows(tiles, &sink, NULL, error);
}

static enum tw_status check_tiles(struct tw_loader *loader, const struct tw_node *node,
                                  struct known_file *known, struct tw_error *error)
{
    struct tw_mosaic tiles;
    enum tw_status status = tw_node_file_tiles(loader->recipe, node, &tiles, error);
    tw_load_note(loader, node->folder, tw_node_file_name(node)); /* tiles may be added */
    if (!note_tiles(loader, node, &tiles, known))
        status = tw_error_set(error, TW_MEMORY, "out of memory");
    known->file = (struct tw_node_file){
        .facts = tiles.facts, .bytes = tiles.bytes, .by_rows = true, .held = tiles.held};
    known->file.facts.may_have_gaps |= given_layout(node).gaps;
    known->at = tiles.at;
    known->has_place = tiles.has_place;
    if (status == TW_OK)
        status = search_tiles(loader, &tiles, known, error);
    if (status == TW_OK)
        status = tw_world_read_tiles(loader, node, &tiles, &known->greatest, error);
    tw_mosaic_release(&tiles);
    return status;
}

/* ---- entries ---- */

/* Names an entry by path and by whatever else decides the contents: the node's layout for a file
 * without a header, the choice of heights or colours, and the sidecar for heights. */
static const char *name_entry(struct tw_arena *arena, const struct tw_node *node, const char *path)
{
    const struct tw_file_layout given = given_layout(node);
    if (node->type->file_colours)
        return tw_arena_print(arena, "%s\ncolours", path);
    return tw_node_file_is_described(node)
               ? tw_arena_print(arena, "%s\n%d x %d %d %d %d %d %d %d %d %d", path,
                                (int)given.width, (int)given.height, given.flip, given.big_endian,
                                given.is_signed, given.counts, (int)given.band,
                                node->type->file_gaps, (int)given.overlap, given.south_first)
               : tw_arena_copy(arena, path, strlen(path));
}

/* Returns the entry of a path, checked only once for all nodes that read it; NULL when out of
 * memory. */
static const struct known_file *find_checked(struct tw_loader *loader, const struct tw_node *node,
                                             const char *path, const char *name)
{
    struct tw_arena *arena = &loader->recipe->arena;
    const char *key = name_entry(arena, node, path);
    const struct known_file *known = key ? tw_names_find(&loader->names, loader, key) : NULL;
    if (known)
        return known;
    struct known_file *file = tw_arena_alloc(arena, 1, sizeof *file);
    const char *kept = tw_arena_copy(arena, path, strlen(path));
    struct tw_name *entry =
        file && key && kept ? tw_names_entry(&loader->names, loader, key) : NULL;
    const bool tiled = tw_node_file_is_tiled(node);
    if (!entry || (!tiled && !tw_load_add_reading(loader, kept, node->path)))
        return NULL;
    entry->thing = file;
    file->error.status = tiled ? check_tiles(loader, node, file, &file->error)
                               : check_contents(loader, node, path, name, file, &file->error);
    return file;
}

/* Warns of oddities in a file that a node reads heights from. */
static void warn(struct tw_loader *loader, const struct tw_node *node,
                 const struct known_file *known, const char *name, struct tw_place place)
{
    if (known->voids.count > 0)
        tw_fault_log_warn(loader->log, place, TW_VOIDS_WARNING, name, (long long)known->voids.count,
                          known->voids.count == 1 ? "" : "s", (double)known->voids.value);
    if (known->has_place)
        tw_load_check_georeference(loader, node, &known->at, &known->file.facts, place);
}

static void check_found(struct tw_loader *loader, struct tw_node *node, const char *path,
                        const char *name, struct tw_place place, struct tw_error *error)
{
    const struct tw_recipe *recipe = loader->recipe;
    const struct known_file *file = tw_load_add_link(loader, node->folder, name)
                                        ? find_checked(loader, node, path, name)
                                        : NULL;
    const struct tw_node_type *type = node->type;
    node->hides = is_linked(loader, node, name) || (file && file->linked);
    if (file && file->error.status == TW_OK)
        tw_world_settle(loader, node, &file->file.facts, &file->at, file->greatest);
    if (!file)
        tw_error_set(error, TW_MEMORY, "out of memory");
    else if (file->error.status != TW_OK)
        *error = file->error;
    else if (!type->check_file || type->check_file(node->params, &file->file.facts, recipe->width,
                                                   recipe->height, error) == TW_OK)
        node->file = file->file;
    if (node->file.facts.width > 0 && type->file_layout && !node->hides)
        warn(loader, node, file, name, place);
    if (error->status != TW_OK && error->status != TW_MEMORY && node->hides)
        tw_links_hide(error);
}

void tw_load_warn_name(struct tw_loader *loader, const char *name, struct tw_place place)
{
    struct tw_file_name_fault fault;
    if (!tw_file_name_check_relative(name, &fault))
        tw_fault_log_warn(loader->log, place, "an input is '%s', %s", name, fault.message);
}

void tw_load_check_file(struct tw_loader *loader, struct tw_node *node, const char *name,
                        struct tw_place place)
{
    struct tw_error error = {.status = TW_OK};
    char path[PATH_MAX];
    if (tw_mosaic_is(name) && !tw_node_file_is_tiled(node))
        error.status = tw_error_set(
            &error, TW_INPUT, "%s stands for several files; tiles are for source.heightmap", name);
    else if (!tw_node_file_is_tiled(node))
        error.status = tw_load_resolve(loader, node->folder, name, path, &error);
    else if (snprintf(path, sizeof path, "%s/%s", node->folder, name) >= PATH_MAX)
        error.status = tw_error_set(&error, TW_PATH, "the path is too long");
    if (error.status == TW_OK)
        check_found(loader, node, path, name, place, &error);
    if (error.status == TW_OK && !tw_mosaic_is(name))
        tw_load_warn_name(loader, name, place);
    if (error.status != TW_OK)
        tw_fault_log_add(loader->log, tw_file_as_input(error.status, NULL), place, error.hint, "%s",
                         error.message);
}
