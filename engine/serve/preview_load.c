/* SPDX-License-Identifier: MIT */
/* What the state says of the recipes: their nodes, and the values that can be set. */
#include "serve/preview_private.h"

#include "base/text/json.h"
#include "console/documents.h"
#include "node/registry.h"
#include "serve/steer.h"

#include <stdlib.h>
#include <string.h>

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
    return TW_DOCUMENT(serve_node, .name = name, .variant = tw_preview_variant(preview, p),
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
                 TW_DOCUMENT(serve_node, .name = name, .variant = tw_preview_variant(preview, p),
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

/* Of all that a run tells when it begins. The texts stand for what no row has, such as the world.
 */
static struct tw_digest structure_of(const struct tw_preview *preview, const json_t *params,
                                     const json_t *nodes)
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
        for (int32_t p = 0; p < preview->count; p++)
            tw_digest_add(&state, &preview->texts[p].digest, sizeof preview->texts[p].digest);
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
    const struct tw_digest structure = structure_of(preview, params, nodes);
    const bool changed = memcmp(&structure, &preview->structure, sizeof structure) != 0;
    preview->structure = structure;
    preview->loaded = true;
    set_recipe(preview, parts->at[0].recipe, params, nodes);
    tw_preview_begin_run(preview, changed);
    return true;
}
