/* SPDX-License-Identifier: MIT */
/* Draws the views of a recipe. The outputs of a preview's graph have numbers as names: the indices
 * of its views. */
#include "console/documents.h"
#include "serve/preview.h"

#include "base/memory/digest.h"
#include "base/text/json.h"
#include "format/codec.h"
#include "format/format.h"
#include "report/value_picture.h"
#include "run/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_SIDE = 1024 /* pixels: a picture on the page is smaller than this on most screens */ };

/* ---- choosing the views ---- */

static struct tw_views_item *find_source(const struct tw_views *views, struct tw_source source)
{
    for (int32_t i = 0; i < views->count; i++)
        if (views->at[i].source.node == source.node && views->at[i].source.port == source.port)
            return &views->at[i];
    return NULL;
}

/* Appends a view; the caller has reserved space. */
static struct tw_views_item *add_view(struct tw_views *views, const struct tw_recipe *recipe,
                                      const char *name, struct tw_source source)
{
    struct tw_views_item *view = &views->at[views->count];
    *view = (struct tw_views_item){.name = strdup(name),
                                   .files = json_array(),
                                   .type = tw_source_type(recipe, source),
                                   .source = source};
    view->grey = view->type == TW_HEIGHTMAP &&
                 strncmp(recipe->nodes[source.node].type->name, "measure.", 8) == 0;
    views->count++;
    return view->name && view->files ? view : NULL;
}

static const struct tw_views_item *find_name(const struct tw_views *views, const char *name)
{
    for (int32_t i = 0; i < views->count; i++)
        if (strcmp(views->at[i].name, name) == 0)
            return &views->at[i];
    return NULL;
}

/* Lists the export in the view of each source. Views that are new get the name of the export, with
 * that of its record if there are several; the page identifies views by name. */
static bool add_export(struct tw_views *views, const struct tw_recipe *recipe,
                       const struct tw_export *item)
{
    char name[300];
    for (const struct tw_output *o = item->sources; o; o = o->next) {
        struct tw_views_item *view = find_source(views, o->source);
        snprintf(name, sizeof name, "%s%s%s", item->entry, item->several ? ": " : "",
                 item->several ? o->name : "");
        if (!view && find_name(views, name))
            snprintf(name, sizeof name, "%s, the file", item->entry);
        if (!view)
            view = add_view(views, recipe, name, o->source);
        if (!view || json_array_append_new(view->files, tw_json_text(item->entry)) != 0)
            return false;
    }
    return true;
}

static size_t count_sources(const struct tw_recipe *recipe)
{
    size_t count = 0;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next)
        count++;
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        for (const struct tw_output *o = e->sources; o; o = o->next)
            count++;
    return count;
}

static bool list_views(struct tw_views *views, const struct tw_recipe *recipe, const char *only)
{
    bool ok = (views->at = calloc(count_sources(recipe) + 1, sizeof *views->at)) != NULL;
    for (const struct tw_output *o = recipe->outputs; ok && o; o = o->next)
        if (!only || strcmp(only, o->name) == 0)
            ok = add_view(views, recipe, o->name, o->source) != NULL;
    for (const struct tw_export *e = recipe->exports; ok && e; e = e->next)
        if (tw_export_is_entry(e) && tw_run_selects(e, only))
            ok = add_export(views, recipe, e);
    return ok;
}

/* Adds the output of a view; a map of polygons passes through a node that draws it. */
static bool add_output(struct tw_recipe *graph, int32_t number, enum tw_type type,
                       struct tw_source source)
{
    const struct tw_registry registry = {NULL};
    char name[16];
    snprintf(name, sizeof name, "%d", (int)number);
    if (type == TW_POLYMAP)
        source = (struct tw_source){
            tw_merge_add_node(graph, tw_registry_find(&registry, "render.polymap"), &source, 1), 0};
    return source.node >= 0 && tw_merge_add_output(graph, name, source);
}

enum tw_status tw_views_choose(struct tw_views *views, const struct tw_recipe_entry *part,
                               struct tw_set_graph *graph, const char *only, struct tw_error *err)
{
    struct tw_recipe *const members[] = {part->recipe};
    if (!list_views(views, part->recipe, only))
        return tw_error_set(err, TW_MEMORY, "out of memory");
    enum tw_status status = tw_merge_all(&graph->merged, members, 1, views->count, err);
    if (status != TW_OK)
        return status;
    graph->recipe = graph->merged.recipe;
    for (int32_t i = 0; i < views->count; i++) {
        const struct tw_source from = views->at[i].source;
        const struct tw_source source = {graph->merged.node_of[0][from.node], from.port};
        if (!add_output(graph->recipe, i, views->at[i].type, source))
            return tw_error_set(err, TW_MEMORY, "out of memory");
    }
    return TW_OK;
}

/* ---- filling the views ---- */

static json_t *entries_json(const struct tw_value *record)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < record->width; i++) {
        const struct tw_entry *entry = &tw_entries(record)[i];
        char name[sizeof entry->name + 1];
        snprintf(name, sizeof name, "%.*s", (int)sizeof entry->name, entry->name);
        json_array_append_new(list,
                              TW_DOCUMENT(serve_entry, .name = name, .number = entry->number));
    }
    return list;
}

static json_t *facts_json(const struct tw_value *value)
{
    float low, high;
    if (value->type == TW_RECORD)
        return TW_DOCUMENT(serve_facts, .entries = entries_json(value));
    if (!tw_type_is_grid(value->type))
        return TW_DOCUMENT(serve_facts, .count = json_integer(value->width));
    json_t *size = tw_document_size(value->width, value->height);
    if (value->type != TW_HEIGHTMAP && value->type != TW_MASK)
        return TW_DOCUMENT(serve_facts, .size = size);
    tw_value_range(value, &low, &high);
    return TW_DOCUMENT(serve_facts, .size = size, .least = json_real((double)low),
                       .greatest = json_real((double)high));
}

static enum tw_status encode_one(const struct tw_value *image, struct tw_shared **png,
                                 struct tw_error *err)
{
    const struct tw_export_range any = {0, 1, true, 8};
    struct tw_bytes bytes = {0};
    enum tw_status status = tw_png_encode(image, &any, &bytes, err);
    *png = status == TW_OK ? tw_shared_create(&bytes) : NULL;
    if (status == TW_OK && !*png)
        status = tw_error_set(err, TW_MEMORY, "out of memory");
    free(bytes.at);
    return status;
}

static enum tw_status encode(struct tw_views_item *view, const struct tw_value *image,
                             struct tw_error *err)
{
    struct tw_value reduced = {.type = TW_IMAGE};
    if (image->width <= PAGE_SIDE && image->height <= PAGE_SIDE)
        return encode_one(image, &view->png, err);
    enum tw_status status = tw_value_reduce(image, PAGE_SIDE, &reduced, err);
    if (status == TW_OK)
        status = encode_one(&reduced, &view->png, err);
    if (status == TW_OK)
        status = encode_one(image, &view->full_png, err);
    tw_field_clear(&reduced);
    return status;
}

static enum tw_status draw(struct tw_views_item *view, const struct tw_value *value,
                           const struct tw_run_options *run, struct tw_error *err)
{
    struct tw_value image = {.type = TW_IMAGE};
    if (!tw_value_is_drawable(value->type))
        return TW_OK;
    enum tw_status status = tw_value_draw(value, run, &image, err);
    if (status == TW_OK)
        status = encode(view, &image, err);
    tw_field_clear(&image);
    return status;
}

static void copy_view(struct tw_views_item *view, const struct tw_views_item *from)
{
    memcpy(view->content, from->content, sizeof view->content);
    view->facts = json_incref(from->facts);
    view->png = tw_shared_keep(from->png);
    view->full_png = tw_shared_keep(from->full_png);
}

static const struct tw_views_item *find_content(const struct tw_views *views, const char *content)
{
    for (int32_t i = 0; i < views->count; i++)
        if (strcmp(views->at[i].content, content) == 0)
            return &views->at[i];
    return NULL;
}

/* Fills one view; `value` is NULL if the run did not compute it. */
static enum tw_status fill_view(struct tw_views_item *view, const struct tw_views *before,
                                const struct tw_value *value, const struct tw_run_options *run,
                                struct tw_error *err)
{
    const struct tw_views_item *known = value ? NULL : find_name(before, view->name);
    struct tw_value shown = value ? *value : (struct tw_value){.data = NULL};
    char content[sizeof view->content];
    if (view->grey)
        shown.type = TW_MASK;
    if (value) {
        struct tw_digest digest = tw_field_digest(&shown);
        tw_hex(digest.at, sizeof digest.at, content);
        known = find_content(before, content);
    }
    view->stale = !value;
    if (known)
        copy_view(view, known);
    if (known || !value)
        return TW_OK;
    memcpy(view->content, content, sizeof view->content);
    view->facts = facts_json(&shown);
    return view->facts ? draw(view, &shown, run, err)
                       : tw_error_set(err, TW_MEMORY, "out of memory");
}

enum tw_status tw_views_fill(struct tw_views *views, const struct tw_views *before,
                             const struct tw_result *result, const struct tw_run_options *run,
                             struct tw_error *err)
{
    char number[16];
    enum tw_status status = TW_OK;
    for (int32_t i = 0; i < views->count; i++) {
        snprintf(number, sizeof number, "%d", (int)i);
        const struct tw_value *value = result ? tw_result_output(result, number) : NULL;
        bool first = status == TW_OK;
        enum tw_status own = fill_view(&views->at[i], before, value, run, first ? err : NULL);
        status = first ? own : status;
    }
    return status;
}

/* Returns true if the export has a fixed range that heights may exceed. */
static bool is_limited(const struct tw_export *item)
{
    return item->format->ranged && item->format->reread && !item->range.fit && !item->range.clip &&
           tw_export_is_entry(item) && !item->several;
}

static enum tw_status check_export(const struct tw_export *item, const struct tw_value *value,
                                   struct tw_error *err)
{
    const struct tw_encoding encoding = tw_export_encoding(item, &value);
    struct tw_sha256 unused;
    enum tw_status status = tw_format_sha256(item->format, &encoding, &unused, err);
    if (status == TW_NODE)
        tw_export_locate(item, err);
    return status;
}

enum tw_status tw_views_check_exports(const struct tw_views *views, const struct tw_recipe *recipe,
                                      const struct tw_result *result, struct tw_error *err)
{
    char number[16];
    enum tw_status status = TW_OK;
    for (const struct tw_export *e = recipe->exports; status == TW_OK && e; e = e->next) {
        const struct tw_views_item *view = find_source(views, e->sources->source);
        if (!view || !is_limited(e) || !tw_type_is_grid(view->type))
            continue;
        snprintf(number, sizeof number, "%d", (int)(view - views->at));
        const struct tw_value *value = tw_result_output(result, number);
        if (value && (value->type == TW_HEIGHTMAP || value->type == TW_MASK))
            status = check_export(e, value, err);
    }
    return status;
}

enum tw_status tw_views_repeat(struct tw_views *views, const struct tw_views *before,
                               struct tw_error *err)
{
    views->at = calloc((size_t)before->count + 1, sizeof *views->at);
    if (!views->at)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < before->count; i++) {
        struct tw_views_item *view = &views->at[views->count++];
        *view = (struct tw_views_item){.name = strdup(before->at[i].name),
                                       .files = json_incref(before->at[i].files),
                                       .type = before->at[i].type,
                                       .stale = true};
        if (!view->name)
            return tw_error_set(err, TW_MEMORY, "out of memory");
        copy_view(view, &before->at[i]);
    }
    return TW_OK;
}

/* ---- JSON ---- */

static const char *path_of(const struct tw_views_item *view, bool full, char path[80])
{
    snprintf(path, 80, "/picture/%s%s.png", view->content, full ? "-full" : "");
    return path;
}

static json_t *view_json(const struct tw_views_item *view)
{
    char path[80], full[80];
    json_t *object = TW_DOCUMENT(serve_view, .name = view->name, .type = tw_type_name(view->type),
                                 .stale = view->stale, .files = json_incref(view->files));
    if (object && view->facts)
        json_object_update(object, view->facts);
    if (object && view->png)
        json_object_update_new(object,
                               TW_DOCUMENT(serve_picture, .picture = path_of(view, false, path),
                                           .full = path_of(view, view->full_png, full)));
    return object;
}

/* Omits views that were never computed. */
json_t *tw_views_json(const struct tw_views *views)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < views->count; i++)
        if (views->at[i].content[0])
            json_array_append_new(list, view_json(&views->at[i]));
    return list;
}

struct tw_shared *tw_views_picture(const struct tw_views *views, const char *path)
{
    char own[80];
    for (int32_t i = 0; i < views->count; i++) {
        const struct tw_views_item *view = &views->at[i];
        if (view->png && strcmp(path_of(view, false, own), path) == 0)
            return view->png;
        if (view->full_png && strcmp(path_of(view, true, own), path) == 0)
            return view->full_png;
    }
    return NULL;
}

void tw_views_release(struct tw_views *views)
{
    for (int32_t i = 0; i < views->count; i++) {
        free(views->at[i].name);
        json_decref(views->at[i].files);
        json_decref(views->at[i].facts);
        tw_shared_release(views->at[i].png);
        tw_shared_release(views->at[i].full_png);
    }
    free(views->at);
    *views = (struct tw_views){0};
}
