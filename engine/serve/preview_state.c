/* SPDX-License-Identifier: MIT */
/* The state of a page, and the events that tell its changes. Invariant: only the thread that runs
 * recipes changes the state, under the lock; a request prints it under the lock. */
#include "serve/preview_private.h"

#include "base/os/file.h"
#include "base/text/json.h"
#include "console/answer.h"
#include "console/documents.h"
#include "serve/shown_value.h"

#include <thalweg/realism.h>

#include <stdlib.h>
#include <string.h>

/* ---- events ---- */

void tw_preview_send(const struct tw_preview *preview, const char *name, json_t *event)
{
    struct tw_bytes text = {0};
    if (tw_json_print(event, JSON_COMPACT | JSON_REAL_PRECISION(9), &text, NULL) == TW_OK &&
        tw_bytes_append(&text, "", 1, NULL) == TW_OK)
        tw_web_server_tell(preview->server, name, (const char *)text.at);
    free(text.at);
}

/* ---- at the start ---- */

static json_t *variants_json(const struct tw_preview *preview)
{
    json_t *list = json_array();
    for (int32_t p = 0; preview->count > 1 && p < preview->count; p++)
        json_array_append_new(list, TW_DOCUMENT(serve_variant, .name = preview->variants[p],
                                                .label = preview->recipes.labels[p]));
    return list;
}

static void join_frame(json_t *state, int code)
{
    json_t *frame = tw_answer_json(code);
    if (frame)
        json_object_update(state, frame);
    json_decref(frame);
}

static bool is_writable(const struct tw_preview *preview)
{
    bool any = false;
    for (int32_t p = 0; !preview->recipes.read_only && p < preview->count; p++)
        any |= tw_file_is_writable(preview->recipes.operands[p]);
    return any;
}

bool tw_preview_state_create(struct tw_preview *preview)
{
    json_t *state = TW_DOCUMENT(
        serve, .recipe = preview->recipes.operands[0], .about = "", .text = "", .running = true,
        .read_only = preview->recipes.read_only, .writable = is_writable(preview),
        .key_lasts = preview->keys.last, .world = json_null(), .size = tw_document_size(0, 0),
        .variants = variants_json(preview), .params = json_array(), .nodes = json_array(),
        .views = json_array(), .records = json_array(), .pending = json_incref(preview->pending),
        .diagnostics = "");
    preview->state = json_object();
    preview->rows = json_object();
    preview->facts = json_object();
    preview->shown = json_object();
    const bool ok = state && preview->state && preview->rows && preview->facts && preview->shown;
    if (ok) {
        join_frame(preview->state, 0);
        json_object_update(preview->state, state);
    }
    json_decref(state);
    return ok;
}

json_t *tw_preview_variant(const struct tw_preview *preview, int32_t p)
{
    return preview->count > 1 ? json_string(preview->variants[p]) : NULL;
}

void tw_preview_begin_run(struct tw_preview *preview, bool changed)
{
    preview->told = true;
    uv_mutex_lock(&preview->lock);
    json_object_set_new(preview->state, "writable", json_boolean(is_writable(preview)));
    json_object_set_new(preview->state, "revision", json_integer((json_int_t)preview->begun));
    json_object_set_new(preview->state, "running", json_true());
    json_object_set_new(preview->state, "draft", json_boolean(preview->viewer.draft));
    json_t *event = json_pack("{s:I, s:b, s:O}", "revision", (json_int_t)preview->begun, "draft",
                              (int)preview->viewer.draft, "pending", preview->values);
    static const char *const members[] = {"params", "nodes", "text", "about",
                                          "world",  "size",  "seed", "writable"};
    for (size_t i = 0; changed && i < sizeof members / sizeof *members; i++)
        json_object_set(event, members[i], json_object_get(preview->state, members[i]));
    tw_preview_send(preview, "begin", event);
    uv_mutex_unlock(&preview->lock);
}

/* ---- during a run ---- */

static json_t *find_named(const json_t *list, const char *key, const char *name)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item)
    {
        const char *own = json_string_value(json_object_get(item, key));
        if (own && strcmp(own, name) == 0)
            return item;
    }
    return NULL;
}

static void end_named(struct tw_preview *preview, const char *name, const char *outcome,
                      double seconds)
{
    json_t *node = find_named(json_object_get(preview->state, "nodes"), "name", name);
    if (node) {
        json_object_set_new(node, "outcome", json_string(outcome));
        json_object_set_new(node, "seconds", json_real(seconds));
    }
    tw_preview_send(preview, "node",
                    json_pack("{s:I, s:s, s:s, s:f, s:i}", "revision", (json_int_t)preview->begun,
                              "name", name, "outcome", outcome, "seconds", seconds, "left",
                              (int)(preview->node_count - preview->done_count)));
}

void tw_preview_end_node(struct tw_preview *preview, int32_t i, const char *outcome, double seconds)
{
    const struct tw_recipe_set *parts = preview->parts;
    const struct tw_set_graph *graph = &parts->graphs[preview->graph];
    int32_t member = 0;
    uv_mutex_lock(&preview->lock);
    for (int32_t p = 0; p < parts->count; p++) {
        if (parts->at[p].graph != preview->graph)
            continue;
        const int32_t *node_of = graph->merged.node_of[member++];
        for (int32_t own = 0; own < parts->at[p].recipe->count; own++) {
            char name[600];
            if (node_of[own] != i)
                continue;
            snprintf(name, sizeof name, "%s%s", preview->prefixes[p],
                     parts->at[p].recipe->nodes[own].path);
            end_named(preview, name, outcome, seconds);
        }
    }
    uv_mutex_unlock(&preview->lock);
}

/* Replaces the item of the list with that key, or appends it. Takes the reference. */
static void put_named(json_t *list, const char *name, json_t *item)
{
    size_t i;
    json_t *old;
    json_array_foreach(list, i, old)
    {
        if (strcmp(json_string_value(json_object_get(old, "key")), name) == 0) {
            json_array_set_new(list, i, item);
            return;
        }
    }
    json_array_append_new(list, item);
}

static const char *kind_of(const struct tw_shown_view *view)
{
    if (view->type == TW_POLYMAP)
        return "image";
    return tw_shown_kind(view->measure && view->type == TW_HEIGHTMAP ? TW_MASK : view->type);
}

static json_t *view_json(const struct tw_preview *preview, const struct tw_shown_view *view,
                         const char *digest, const json_t *facts)
{
    json_t *json = TW_DOCUMENT(serve_view, .key = view->key,
                               .variant = tw_preview_variant(preview, view->part),
                               .node = view->node, .port = view->port, .kind = kind_of(view),
                               .names = json_incref(view->names), .files = json_incref(view->files),
                               .digest = digest, .draft = preview->viewer.draft);
    if (json)
        json_object_update(json, (json_t *)facts);
    return json;
}

/* The bands of real terrain for the numbers of measure.realism; NULL for other records. */
static json_t *bands_json(const struct tw_preview *preview, const struct tw_shown_view *view,
                          const json_t *entries)
{
    const struct tw_recipe *recipe = preview->parts->at[view->part].recipe;
    if (strcmp(recipe->nodes[view->own].type->name, "measure.realism") != 0)
        return NULL;
    const struct tw_realism_band *bands =
        tw_realism_bands(json_number_value(json_object_get(entries, "cell_m")));
    json_t *json = json_object();
    for (int i = 0; i < TW_REALISM_COUNT; i++)
        if (json_object_get(entries, bands[i].name))
            json_object_set_new(json, bands[i].name,
                                json_pack("[f, f, f]", bands[i].p5, bands[i].p50, bands[i].p95));
    return json;
}

static void show_record(struct tw_preview *preview, const struct tw_shown_view *view,
                        const json_t *facts)
{
    json_t *entries = json_object_get(facts, "entries");
    json_t *record =
        TW_DOCUMENT(serve_record, .key = view->key, .node = view->node,
                    .entries = json_incref(entries), .bands = bands_json(preview, view, entries));
    if (!record)
        return;
    if (!preview->viewer.draft)
        put_named(json_object_get(preview->state, "records"), view->key, json_incref(record));
    tw_preview_send(preview, "record", record);
}

void tw_preview_show(struct tw_preview *preview, int32_t output, const char *digest,
                     const json_t *facts)
{
    uv_mutex_lock(&preview->lock);
    for (int32_t v = 0; v < preview->views.count; v++) {
        const struct tw_shown_view *view = &preview->views.at[v];
        json_t *json = view->output == output ? view_json(preview, view, digest, facts) : NULL;
        if (!json)
            continue;
        json_object_set_new(preview->shown, view->key, json_true());
        if (!preview->viewer.draft)
            put_named(json_object_get(preview->state, "views"), view->key, json_incref(json));
        tw_preview_send(preview, "view", json);
        if (view->type == TW_RECORD)
            show_record(preview, view, facts);
    }
    uv_mutex_unlock(&preview->lock);
}

/* ---- the end of a run ---- */

static bool is_listed(const struct tw_preview *preview, const char *key)
{
    for (int32_t v = 0; v < preview->views.count; v++)
        if (strcmp(preview->views.at[v].key, key) == 0)
            return true;
    return false;
}

/* Removes what the recipe no longer has, and marks what this run has not shown. */
static void settle_views(struct tw_preview *preview, json_t *list, bool marks)
{
    for (size_t i = json_array_size(list); i-- > 0;) {
        json_t *view = json_array_get(list, i);
        const char *key = json_string_value(json_object_get(view, "key"));
        const bool shown = json_object_get(preview->shown, key) != NULL;
        if (preview->loaded && !shown && !is_listed(preview, key))
            json_array_remove(list, i);
        else if (marks)
            json_object_set_new(view, "stale", json_boolean(!shown));
    }
}

/* Nodes without an outcome have failed, or were left when the run ended. A recipe that is used as a
 * node has what its nodes have. */
static void settle_nodes(const json_t *nodes, bool failed)
{
    size_t i, k;
    json_t *node, *inner;
    json_array_foreach(nodes, i, node)
    {
        const char *outcome = json_string_value(json_object_get(node, "outcome"));
        const char *name = json_string_value(json_object_get(node, "name"));
        const size_t length = strlen(name);
        double seconds = 0;
        bool computed = false, kept = false;
        if (strcmp(outcome, "waiting") != 0)
            continue;
        json_array_foreach(nodes, k, inner)
        {
            const char *own = json_string_value(json_object_get(inner, "name"));
            const char *result = json_string_value(json_object_get(inner, "outcome"));
            if (strncmp(own, name, length) != 0 || own[length] != '/')
                continue;
            computed |= strcmp(result, "computed") == 0;
            kept |= strcmp(result, "kept") == 0;
            seconds += json_real_value(json_object_get(inner, "seconds"));
        }
        json_object_set_new(node, "outcome",
                            json_string(computed ? "computed"
                                        : kept   ? "kept"
                                        : failed ? "failed"
                                                 : "left"));
        json_object_set_new(node, "seconds", json_real(seconds));
    }
}

static void pin_views(struct tw_preview *preview)
{
    size_t i;
    json_t *view;
    tw_body_store_turn(preview->bodies);
    json_array_foreach(json_object_get(preview->state, "views"), i, view)(void) tw_shown_is_there(
        json_string_value(json_object_get(view, "digest")), view, preview->bodies);
}

/* Forgets values whose bodies have gone. */
static void forget_facts(struct tw_preview *preview)
{
    const char *digest;
    json_t *facts;
    void *next;
    json_object_foreach_safe(preview->facts, next, digest, facts)
    {
        if (!tw_shown_is_there(digest, facts, preview->bodies))
            json_object_del(preview->facts, digest);
    }
}

static void set_end(struct tw_preview *preview, int code, double seconds, const char *diagnostics)
{
    json_t *state = preview->state;
    const bool draft = preview->viewer.draft;
    join_frame(state, code);
    json_object_set_new(state, "running", json_false());
    json_object_set_new(state, "code", json_integer(code));
    json_object_set_new(state, "diagnostics", json_string(diagnostics));
    json_object_set_new(state, "seconds", json_real(seconds));
    json_object_set_new(state, "computed", json_integer(preview->computed));
    json_object_set_new(state, "kept", json_integer(preview->kept));
    settle_nodes(json_object_get(state, "nodes"), code != 0);
    if (draft)
        return;
    settle_views(preview, json_object_get(state, "views"), true);
    settle_views(preview, json_object_get(state, "records"), false);
    pin_views(preview);
}

enum { FACTS_MAX = 4096 };

void tw_preview_end_run(struct tw_preview *preview, int code, double seconds,
                        const char *diagnostics)
{
    if (!preview->told)
        tw_preview_begin_run(preview, false);
    uv_mutex_lock(&preview->lock);
    set_end(preview, code, seconds, diagnostics);
    uv_mutex_unlock(&preview->lock);
    if (json_object_size(preview->facts) > FACTS_MAX)
        forget_facts(preview);
    tw_preview_send(preview, "end",
                    json_pack("{s:i, s:I, s:b, s:s, s:f, s:i, s:i}", "code", code, "revision",
                              (json_int_t)preview->begun, "draft", (int)preview->viewer.draft,
                              "diagnostics", diagnostics, "seconds", seconds, "computed",
                              (int)preview->computed, "kept", (int)preview->kept));
}
