/* SPDX-License-Identifier: MIT */
/* The results of a recipe: `outputs:` by name and `export:` by file. */
#include "base/os/file.h"
#include "base/os/file_name.h"
#include "base/text/suggest.h"
#include "graph/file_claims.h"
#include "graph/load/expect.h"
#include "graph/load/load_private.h"

#include <string.h>

const struct tw_yaml *tw_load_output_reference(const struct tw_yaml *declared)
{
    return declared && declared->kind == TW_YAML_MAPPING ? tw_yaml_find(declared, "from")
                                                         : declared;
}

static bool load_output(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                        const struct tw_yaml *declared, struct tw_output ***tail)
{
    static const char *const known[] = {"from", "about", NULL};
    const struct tw_yaml *reference = tw_load_output_reference(declared);
    if (declared->kind == TW_YAML_MAPPING)
        tw_expect_keys(loader->log, &loader->recipe->arena, declared, "an output", known);
    if (!reference) {
        tw_fault_log_add(loader->log, TW_RECIPE, declared->place, NULL,
                         "output %.60s needs 'from': the node that gives it", name);
        return false;
    }
    struct tw_output *output = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *output);
    if (!output || !tw_resolve(loader, scope, reference, &output->source))
        return false;
    output->source = tw_load_chosen(loader->recipe, output->source);
    output->name = name;
    struct tw_name *entry = tw_names_entry(&loader->names, &loader->recipe->outputs, name);
    if (!entry)
        return false;
    entry->thing = output;
    **tail = output;
    *tail = &output->next;
    return true;
}

static const struct tw_yaml *find_from(struct tw_loader *loader, const struct tw_yaml *value)
{
    const struct tw_yaml *from = tw_yaml_find(value, "from"), *meant = value;
    if (from)
        return from;
    for (const struct tw_yaml_item *item = value->items; item && meant == value; item = item->next)
        if (tw_suggest_distance(item->key->text, "from", 2) <= 2)
            meant = item->key;
    tw_fault_log_add(loader->log, TW_RECIPE, meant->place,
                     meant != value ? "did you mean 'from'?" : NULL,
                     "an export needs 'from': the name of an output");
    return NULL;
}

enum { FILE_NAME_MAX = 1000 };

static bool is_inside(const char *file)
{
    if (tw_file_is_absolute(file) || file[0] == 0)
        return false;
    for (const char *at = file; at; at = strchr(at, '/'), at = at ? at + 1 : NULL)
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == 0))
            return false;
    return true;
}

/* Removes "./" and empty parts, so that equal files have equal names. */
static const char *plain_name(struct tw_loader *loader, const char *file)
{
    char *name = tw_arena_copy(&loader->recipe->arena, "", 0);
    for (size_t length; name && *file; file += length + (file[length] == '/')) {
        length = strcspn(file, "/");
        if (length > 0 && !(length == 1 && file[0] == '.'))
            name = tw_arena_print(&loader->recipe->arena, "%s%s%.*s", name, name[0] ? "/" : "",
                                  (int)length, file);
    }
    return name;
}

/* "a.png" and "./a.png" are one file; tiles and sidecars lie in the folder of their entry's
 * file. */
static void check_claim(struct tw_loader *loader, struct tw_file_claims *claims,
                        const struct tw_export *item)
{
    const void *claimed = NULL;
    enum tw_clash clash =
        tw_file_claim(claims, item->file, tw_export_is_entry(item), item, &claimed);
    const struct tw_export *other = claimed;
    if (clash == TW_CLASH_MEMORY)
        tw_fault_log_add(loader->log, TW_MEMORY, item->place, NULL, "out of memory");
    else if (clash == TW_CLASH_TWICE)
        tw_fault_log_add(loader->log, TW_RECIPE, item->place,
                         item->describes || other->describes
                             ? "a sidecar has that name: choose another, or sidecar: false"
                             : NULL,
                         "'%s' is written twice; the first is in line %d", item->file,
                         (int)other->place.line);
    else if (clash == TW_CLASH_CASE)
        tw_fault_log_add(loader->log, TW_RECIPE, item->place, NULL,
                         "'%s' and '%s' in line %d differ in case only; expected other names: "
                         "Windows and macOS see one",
                         item->file, other->file, (int)other->place.line);
    else if (clash != TW_CLASH_NONE) {
        const struct tw_export *file = clash == TW_CLASH_FILE ? item : other;
        const struct tw_export *inside = clash == TW_CLASH_FILE ? other : item;
        tw_fault_log_add(loader->log, TW_RECIPE, inside->place, NULL,
                         "'%s' lies in a folder that has the name of the file in line %d",
                         inside->file, (int)file->place.line);
    }
}

static void check_names(struct tw_loader *loader)
{
    struct tw_file_claims claims = {0};
    struct tw_file_name_fault fault;
    const char *refused = NULL;       /* of an entry: reported once for all its tiles */
    if (loader->recipe->arena.failed) /* a tile or sidecar may have no name */
        return;
    for (const struct tw_export *item = loader->recipe->exports; item; item = item->next) {
        if (item->entry != refused && !tw_file_name_check(item->file, &fault)) {
            refused = item->entry;
            tw_fault_log_add(loader->log, TW_PATH, item->place, NULL,
                             "a file of an export is '%s', %s", item->file, fault.message);
        }
        check_claim(loader, &claims, item);
    }
    tw_file_claims_release(&claims);
}

/* Returns whether the part of the name before the dot is a node or an input; call if no output has
 * the name. */
static bool is_member(struct tw_loader *loader, struct tw_scope *scope, const char *name)
{
    char id[TW_ID_MAX + 1];
    size_t length = strcspn(name, ".");
    if (length > TW_ID_MAX)
        return false;
    memcpy(id, name, length);
    id[length] = 0;
    return tw_names_find(&loader->names, scope, id) ||
           tw_yaml_find(tw_yaml_find(scope->root, "inputs"), id);
}

static bool unknown_source(struct tw_loader *loader, struct tw_scope *scope,
                           const struct tw_yaml *from)
{
    struct tw_suggestion suggestion = {.unknown = from->text};
    struct tw_fault_log *log = loader->log;
    const struct tw_yaml *outputs = tw_yaml_find(scope->root, "outputs");
    bool named = outputs && outputs->kind == TW_YAML_MAPPING; /* including those with a fault */
    for (const struct tw_yaml_item *o = named ? outputs->items : NULL;
         o && tw_fault_log_may_suggest(log); o = o->next)
        tw_suggest_offer(&suggestion, o->key->text);
    for (struct tw_member *m = suggestion.best ? NULL : scope->members;
         m && tw_fault_log_may_suggest(log); m = m->next)
        if (tw_member_has_id(m) && !tw_yaml_find(outputs, m->id)) /* already offered */
            tw_suggest_offer(&suggestion, m->id);
    tw_fault_log_add(loader->log, TW_RECIPE, from->place,
                     tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "there is no output or node '%.60s'", from->text);
    return false;
}

bool tw_export_find_source(struct tw_loader *loader, struct tw_scope *scope,
                           const struct tw_yaml *from, struct tw_source *source)
{
    const char *name = from->kind == TW_YAML_SCALAR ? from->text : "";
    const struct tw_output *output = tw_names_find(&loader->names, &loader->recipe->outputs, name);
    if (output) {
        *source = output->source;
        return true;
    }
    if (tw_yaml_find(tw_yaml_find(scope->root, "outputs"), name))
        return false; /* its fault was reported already */
    if (from->kind == TW_YAML_SCALAR && !strstr(name, "${") && !is_member(loader, scope, name))
        return unknown_source(loader, scope, from);
    if (!tw_resolve(loader, scope, from, source))
        return false;
    *source = tw_load_chosen(loader->recipe, *source);
    return true;
}

static bool add_source(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                       const struct tw_yaml *from, struct tw_output ***tail)
{
    struct tw_output *source = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *source);
    if (!source || !tw_export_find_source(loader, scope, from, &source->source))
        return false;
    source->name = name ? name : from->text;
    **tail = source;
    *tail = &source->next;
    return true;
}

/* Reads one reference, a list of them, or a mapping of names to references. */
static bool read_sources(struct tw_loader *loader, struct tw_scope *scope,
                         const struct tw_yaml *from, struct tw_export *item)
{
    struct tw_output **tail = &item->sources;
    bool ok = true;
    item->several = from->kind != TW_YAML_SCALAR;
    if (!from->items && (item->several || tw_yaml_is_empty(from)))
        tw_fault_log_add(loader->log, TW_RECIPE, from->place, NULL,
                         "an export needs at least one output");
    else if (!item->several)
        return add_source(loader, scope, NULL, from, &tail);
    for (const struct tw_yaml_item *row = from->items; row; row = row->next)
        ok &= add_source(loader, scope, row->key ? row->key->text : NULL, row->value, &tail);
    return ok && item->sources;
}

/* Adds one file, or one per tile, after checking that its format holds and its engine loads that
 * size. */
static bool load_files(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                       const struct tw_yaml *value, struct tw_export ***tail)
{
    const struct tw_yaml *tiles = tw_yaml_find(value, "tiles"),
                         *preset = tw_yaml_find(value, "for");
    int32_t width, height;
    if (tiles)
        return tw_export_load_tiles(loader, scope, item, tiles, tail);
    tw_node_output_size(loader->recipe, &loader->recipe->nodes[item->sources->source.node], &width,
                        &height);
    return tw_export_check_sides(loader, item, width, height, preset ? preset->place : item->place);
}

static bool check_name(struct tw_loader *loader, const struct tw_yaml *key)
{
    struct tw_file_name_fault fault;
    size_t length = strlen(key->text);
    if (length > FILE_NAME_MAX)
        tw_fault_log_add(loader->log, TW_LIMIT, key->place, NULL,
                         "the name of an export has %zu bytes; expected at most %d", length,
                         FILE_NAME_MAX);
    else if (!is_inside(key->text))
        tw_fault_log_add(loader->log, TW_PATH, key->place, NULL,
                         "an export is '%s'; expected a path within the output folder", key->text);
    else if (!tw_file_name_check(key->text, &fault))
        tw_fault_log_add(loader->log, TW_PATH, tw_yaml_place_within(key, fault.at), NULL,
                         "an export is '%s', %s", key->text, fault.message);
    else
        return true;
    return false;
}

static bool load_export(struct tw_loader *loader, struct tw_scope *scope,
                        const struct tw_yaml_item *entry, struct tw_export ***tail)
{
    struct tw_export *item = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *item);
    if (!item)
        return false;
    *item = (struct tw_export){.file = entry->key->text,
                               .range = {.high = 1},
                               .world = &loader->recipe->world,
                               .provenance = &loader->recipe->provenance};
    item->place = entry->key->place;
    if (!check_name(loader, entry->key))
        return false;
    item->file = plain_name(loader, item->file);
    item->entry = item->file;
    if (!item->file)
        return false;
    bool mapping = entry->value->kind == TW_YAML_MAPPING;
    const struct tw_yaml *from = mapping ? find_from(loader, entry->value) : entry->value;
    if (!tw_export_check_ending(loader, item, entry->key) || !from ||
        !read_sources(loader, scope, from, item) ||
        (mapping && !tw_load_render(loader, scope, entry->value, item)))
        return false;
    **tail = item;
    *tail = &item->next;
    int32_t files = 0;
    bool ok = tw_export_load_format(loader, scope, item, entry) &&
              tw_export_check_parts(loader, item, entry->value) &&
              tw_export_load_layers(loader, item, &files, tail);
    struct tw_export *layer = item;
    for (int32_t i = 0; ok && i < files; i++, layer = layer->next)
        ok = load_files(loader, scope, layer, entry->value, tail);
    return ok && tw_export_load_companions(loader, item, tail) &&
           tw_export_load_sidecars(loader, scope, item, entry->value, tail);
}

bool tw_load_outputs(struct tw_loader *loader, struct tw_scope *scope)
{
    const struct tw_yaml *outputs = tw_yaml_find(scope->root, "outputs");
    const struct tw_yaml *exports = tw_yaml_find(scope->root, "export");
    struct tw_output **output = &loader->recipe->outputs;
    struct tw_export **item = &loader->recipe->exports;
    bool ok = true;
    if (outputs && tw_expect_kind(loader->log, outputs, TW_YAML_MAPPING, "outputs"))
        for (const struct tw_yaml_item *row = outputs->items; row; row = row->next)
            ok &= load_output(loader, scope, row->key->text, row->value, &output);
    if (exports && tw_expect_kind(loader->log, exports, TW_YAML_MAPPING, "export"))
        for (const struct tw_yaml_item *row = exports->items; row; row = row->next)
            ok &= load_export(loader, scope, row, &item);
    check_names(loader);
    return ok;
}
