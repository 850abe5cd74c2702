/* SPDX-License-Identifier: MIT */
/* The state of a page, and the events that tell its changes. Invariant: only the thread that runs
 * recipes changes the state, under the lock; a request prints it under the lock. */
#include "serve/preview_private.h"

#include "base/text/json.h"
#include "console/answer.h"
#include "console/documents.h"
#include "node/registry.h"
#include "serve/shown_value.h"
#include "serve/steer.h"

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

bool tw_preview_state_create(struct tw_preview *preview)
{
    json_t *state = TW_DOCUMENT(
        serve, .recipe = preview->recipes.operands[0], .about = "", .text = "",
        .read_only = preview->recipes.read_only, .key_lasts = preview->keys.last,
        .world = json_null(), .size = tw_document_size(0, 0), .variants = variants_json(preview),
        .params = json_array(), .nodes = json_array(), .views = json_array(),
        .records = json_array(), .pending = json_incref(preview->pending), .diagnostics = "");
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

/* ---- params and nodes ---- */

static json_t *inputs_json(const struct tw_recipe *recipe, const struct tw_node *node,
                           const char *prefix)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < node->input_count; i++) {
        const struct tw_source source = node->inputs[i];
        char from[700];
        if (source.node < 0)
            continue;
        const struct tw_node *user = &recipe->nodes[source.node];
        snprintf(from, sizeof from, "%s%s.%s", prefix, user->path,
                 user->type->outputs[source.port].name);
        json_array_append_new(
            list, TW_DOCUMENT(serve_input, .port = tw_input_port(node, i)->name, .from = from));
    }
    return list;
}

static json_t *outputs_json(const struct tw_node *node)
{
    json_t *list = json_array();
    for (int32_t port = 0; node->type->outputs[port].name; port++)
        json_array_append_new(list,
                              TW_DOCUMENT(serve_output, .port = node->type->outputs[port].name,
                                          .type = tw_type_name(tw_output_type(node, port))));
    return list;
}

static json_t *variant_json(const struct tw_preview *preview, int32_t p)
{
    return preview->count > 1 ? json_string(preview->variants[p]) : NULL;
}

/* Rows belong to the nodes of the recipe's own file, which no variant replaces. */
static json_t *rows_of(const struct tw_preview *preview, int32_t p, const struct tw_yaml *root,
                       const struct tw_node *node)
{
    const struct tw_yaml *replaced = preview->changes[p].nodes;
    const bool own = root && !strchr(node->path, '/') && !tw_yaml_find(replaced, node->path);
    return own ? tw_steer_node(root, node->folder, node->path, preview->prefixes[p]) : json_array();
}

static json_t *node_json(const struct tw_preview *preview, int32_t p,
                         const struct tw_recipe *recipe, const struct tw_node *node,
                         const struct tw_yaml *root)
{
    char name[600];
    snprintf(name, sizeof name, "%s%s", preview->prefixes[p], node->path);
    const bool own = strcmp(node->place.file, recipe->file) == 0;
    return TW_DOCUMENT(serve_node, .name = name, .variant = variant_json(preview, p),
                       .type = node->type->name, .line = node->place.line,
                       .file = own ? NULL : node->place.file, .outcome = "waiting",
                       .inputs = inputs_json(recipe, node, preview->prefixes[p]),
                       .outputs = outputs_json(node), .params = rows_of(preview, p, root, node));
}

/* Adds a node for each recipe that is used as one: it has values to set, and what it computes are
 * the nodes whose names begin with its own. */
static bool add_used_recipes(const struct tw_preview *preview, int32_t p,
                             const struct tw_yaml *root, const char *folder, json_t *nodes)
{
    static const struct tw_registry registry = {NULL};
    const struct tw_yaml *all = tw_yaml_find(root, "nodes");
    bool ok = true;
    for (const struct tw_yaml_item *item = all ? all->items : NULL; ok && item; item = item->next) {
        const struct tw_yaml *type = tw_yaml_find(item->value, "type");
        char name[600];
        if (!type || type->kind != TW_YAML_SCALAR || tw_registry_find(&registry, type->text))
            continue;
        snprintf(name, sizeof name, "%s%s", preview->prefixes[p], item->key->text);
        ok = json_array_append_new(
                 nodes,
                 TW_DOCUMENT(serve_node, .name = name, .variant = variant_json(preview, p),
                             .type = type->text, .line = item->key->place.line,
                             .outcome = "waiting", .inputs = json_array(), .outputs = json_array(),
                             .params = tw_steer_node(root, folder, item->key->text,
                                                     preview->prefixes[p]))) == 0;
    }
    return ok;
}

static bool load_part(const struct tw_preview *preview, int32_t p, const struct tw_recipe *recipe,
                      json_t *params, json_t *nodes)
{
    struct tw_arena arena = {0};
    struct tw_fault_log log = {.sink = NULL};
    const struct tw_bytes *text = &preview->texts[p].file;
    const struct tw_yaml *root =
        text->at ? tw_yaml_parse(&arena, &log, recipe->file, (const char *)text->at, text->length)
                 : NULL;
    json_t *own = root ? tw_steer_params(root, preview->prefixes[p]) : json_array();
    bool ok = own && json_array_extend(params, own) == 0;
    for (int32_t i = 0; ok && i < recipe->count; i++)
        if (!recipe->nodes[i].assertion && !recipe->nodes[i].feed)
            ok = json_array_append_new(nodes,
                                       node_json(preview, p, recipe, &recipe->nodes[i], root)) == 0;
    if (ok && root && recipe->count > 0)
        ok = add_used_recipes(preview, p, root, recipe->nodes[0].folder, nodes);
    json_decref(own);
    tw_arena_release(&arena);
    return ok;
}

static json_t *world_json(const struct tw_recipe *recipe)
{
    return recipe->world.given ? TW_DOCUMENT(serve_world, .side_m = recipe->world.side_m,
                                             .height_m = recipe->world.height_m,
                                             .sea_level = recipe->world.sea_level)
                               : json_null();
}

static void index_rows(json_t *index, const json_t *rows)
{
    size_t i;
    json_t *row;
    json_array_foreach(rows, i, row)
        json_object_set(index, json_string_value(json_object_get(row, "path")), row);
}

static void index_all(struct tw_preview *preview, const json_t *params, const json_t *nodes)
{
    size_t i;
    json_t *node;
    json_object_clear(preview->rows);
    index_rows(preview->rows, params);
    json_array_foreach(nodes, i, node) index_rows(preview->rows, json_object_get(node, "params"));
}

void tw_preview_set_values(struct tw_preview *preview)
{
    size_t i;
    json_t *node;
    tw_steer_set_values(json_object_get(preview->state, "params"), preview->pending);
    json_array_foreach(json_object_get(preview->state, "nodes"), i, node)
        tw_steer_set_values(json_object_get(node, "params"), preview->pending);
}

/* Takes the references; size and world stay those of the last run in full. */
static void set_recipe(struct tw_preview *preview, const struct tw_recipe *recipe, json_t *params,
                       json_t *nodes)
{
    json_t *state = preview->state;
    char text[33];
    tw_hex(preview->texts[0].digest.at, sizeof preview->texts[0].digest.at, text);
    uv_mutex_lock(&preview->lock);
    index_all(preview, params, nodes);
    json_object_set_new(state, "params", params);
    json_object_set_new(state, "nodes", nodes);
    tw_preview_set_values(preview);
    json_object_set_new(state, "about", tw_json_text(recipe->about ? recipe->about : ""));
    json_object_set_new(state, "text", json_string(text));
    json_object_set_new(state, "world", world_json(recipe));
    json_object_set_new(state, "seed", json_integer((json_int_t)recipe->seed));
    if (!preview->viewer.draft)
        json_object_set_new(state, "size", tw_document_size(recipe->width, recipe->height));
    uv_mutex_unlock(&preview->lock);
}

static struct tw_digest structure_of(const json_t *params, const json_t *nodes)
{
    struct tw_digest digest = {{0}};
    char *text =
        json_dumps(json_array_get(nodes, 0) ? nodes : params, JSON_COMPACT | JSON_ENCODE_ANY);
    char *other = json_dumps(params, JSON_COMPACT);
    struct tw_digest_state state;
    if (text && other) {
        tw_digest_begin(&state);
        tw_digest_add(&state, text, strlen(text));
        tw_digest_add(&state, other, strlen(other));
        digest = tw_digest_end(&state);
    }
    free(text);
    free(other);
    return digest;
}

bool tw_preview_load_state(struct tw_preview *preview, struct tw_recipe_set *parts)
{
    json_t *params = json_array(), *nodes = json_array();
    bool ok = params && nodes;
    for (int32_t p = 0; ok && p < parts->count; p++)
        ok = load_part(preview, p, parts->at[p].recipe, params, nodes);
    if (!ok) {
        json_decref(params);
        json_decref(nodes);
        return false;
    }
    const struct tw_digest structure = structure_of(params, nodes);
    const bool changed = memcmp(&structure, &preview->structure, sizeof structure) != 0;
    preview->structure = structure;
    preview->loaded = true;
    set_recipe(preview, parts->at[0].recipe, params, nodes);
    tw_preview_begin_run(preview, changed);
    return true;
}

void tw_preview_begin_run(struct tw_preview *preview, bool changed)
{
    preview->told = true;
    uv_mutex_lock(&preview->lock);
    json_object_set_new(preview->state, "revision", json_integer((json_int_t)preview->begun));
    json_object_set_new(preview->state, "running", json_true());
    json_object_set_new(preview->state, "draft", json_boolean(preview->viewer.draft));
    json_t *event = json_pack("{s:I, s:b, s:O}", "revision", (json_int_t)preview->begun, "draft",
                              (int)preview->viewer.draft, "pending", preview->pending);
    static const char *const members[] = {"params", "nodes", "text", "about",
                                          "world",  "size",  "seed"};
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
    json_t *json =
        TW_DOCUMENT(serve_view, .key = view->key, .variant = variant_json(preview, view->part),
                    .node = view->node, .port = view->port, .kind = kind_of(view),
                    .names = json_incref(view->names), .files = json_incref(view->files),
                    .digest = digest, .draft = preview->viewer.draft);
    if (json)
        json_object_update(json, (json_t *)facts);
    return json;
}

static void show_record(struct tw_preview *preview, const struct tw_shown_view *view,
                        const json_t *facts)
{
    json_t *record = TW_DOCUMENT(serve_record, .key = view->key, .node = view->node,
                                 .entries = json_incref(json_object_get(facts, "entries")));
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
