/* SPDX-License-Identifier: MIT */
#include "serve/views.h"

#include "base/text/json.h"
#include "run/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The order in which views are computed. */
enum tier { WANTED, RECORDS, OUTPUTS, NODES, EXPORTS, UNSEEN };

/* A recipe while its views are listed. */
struct listing {
    struct tw_view_list *list;
    const struct tw_view_choice *choice;
    const struct tw_recipe *recipe;
    int32_t part;
    uint32_t *shown; /* by node: a bit per port that some view shows */
};

/* ---- which values ---- */

static void mark(const struct tw_recipe *recipe, uint32_t *ports, struct tw_source source)
{
    if (source.node >= 0 && source.node < recipe->count)
        ports[source.node] |= (uint32_t)1 << source.port;
}

/* Marks outputs, what exports take, and without `only` also what other nodes take. */
static void mark_used(const struct listing *listing)
{
    const struct tw_recipe *recipe = listing->recipe;
    const char *only = listing->choice->only;
    for (const struct tw_output *o = recipe->outputs; o; o = o->next)
        if (!only || strcmp(only, o->name) == 0)
            mark(recipe, listing->shown, o->source);
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        for (const struct tw_output *o = tw_run_selects(e, only) ? e->sources : NULL; o;
             o = o->next)
            mark(recipe, listing->shown, o->source);
    for (int32_t i = 0; !only && i < recipe->count; i++)
        for (int32_t k = 0; k < recipe->nodes[i].input_count; k++)
            mark(recipe, listing->shown, recipe->nodes[i].inputs[k]);
}

static bool is_wanted(const struct tw_view_choice *choice, const char *key)
{
    size_t i;
    json_t *wanted;
    json_array_foreach(choice->want, i,
                       wanted) if (strcmp(json_string_value(wanted), key) == 0) return true;
    return false;
}

/* Nodes that compute nothing have no views: they choose an input, take one, or judge. */
static bool computes(const struct tw_node *node)
{
    return node->type->run && !node->feed && !node->assertion;
}

/* A node that loading adds for an export, which has no name of its own in the recipe. */
static bool is_hidden(const struct tw_node *node) { return node->path[0] == '('; }

/* The export that is a picture by this node; NULL for none. */
static const struct tw_export *picture_of(const struct tw_recipe *recipe, int32_t i)
{
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        if (e->view && e->sources->source.node == i && tw_export_is_entry(e))
            return e;
    return NULL;
}

static bool is_shown(const struct listing *listing, int32_t i, int port, const char *key)
{
    const struct tw_node *node = &listing->recipe->nodes[i];
    const bool used = listing->shown[i] >> port & 1;
    if (!computes(node) || (is_hidden(node) && !picture_of(listing->recipe, i)))
        return false;
    if (listing->choice->only_wanted || listing->choice->only)
        return is_wanted(listing->choice, key) || (!listing->choice->only_wanted && used);
    return used || port == 0 || node->type->outputs[port].type == TW_RECORD ||
           is_wanted(listing->choice, key);
}

/* ---- the list ---- */

static void print_name(char *text, size_t size, const char *variant, const char *path,
                       const char *port)
{
    snprintf(text, size, "%s%s%s%s%s", variant, variant[0] ? "." : "", path, port ? "." : "",
             port ? port : "");
}

static bool add_names(struct tw_shown_view *view, const struct tw_recipe *recipe,
                      struct tw_source source)
{
    bool ok = (view->names = json_array()) && (view->files = json_array());
    for (const struct tw_output *o = recipe->outputs; ok && o; o = o->next)
        if (o->source.node == source.node && o->source.port == source.port)
            ok = json_array_append_new(view->names, json_string(o->name)) == 0;
    for (const struct tw_export *e = recipe->exports; ok && e; e = e->next)
        for (const struct tw_output *o = tw_export_is_entry(e) ? e->sources : NULL; ok && o;
             o = o->next) {
            if (o->source.node != source.node || o->source.port != source.port)
                continue;
            ok = json_array_append_new(view->files, tw_json_text(e->entry)) == 0;
            if (e->format->ranged && e->format->reread && !e->range.fit && !e->range.clip &&
                !e->several)
                view->limited = e;
        }
    return ok;
}

static bool reserve(struct tw_view_list *list)
{
    if (list->count < list->capacity)
        return true;
    const int32_t wider = list->capacity ? 2 * list->capacity : 64;
    struct tw_shown_view *moved = realloc(list->at, (size_t)wider * sizeof *moved);
    if (!moved)
        return false;
    list->at = moved;
    list->capacity = wider;
    return true;
}

static bool add_view(struct listing *listing, int32_t i, int port, const char *key)
{
    const struct tw_recipe *recipe = listing->recipe;
    const struct tw_node *node = &recipe->nodes[i];
    const char *variant = listing->choice->variants[listing->part];
    const struct tw_source source = {i, port};
    char name[600];
    if (!reserve(listing->list))
        return false;
    print_name(name, sizeof name, variant, node->path, NULL);
    struct tw_shown_view *view = &listing->list->at[listing->list->count++];
    *view = (struct tw_shown_view){.key = strdup(key),
                                   .node = strdup(name),
                                   .port = node->type->outputs[port].name,
                                   .variant = variant,
                                   .type = tw_source_type(recipe, source),
                                   .measure = strncmp(node->type->name, "measure.", 8) == 0,
                                   .part = listing->part,
                                   .own = i,
                                   .output = port}; /* until the graph has outputs */
    return view->key && view->node && add_names(view, recipe, source);
}

static bool list_views(struct listing *listing)
{
    const struct tw_recipe *recipe = listing->recipe;
    const char *variant = listing->choice->variants[listing->part];
    bool ok = (listing->shown = calloc((size_t)recipe->count + 1, sizeof(uint32_t))) != NULL;
    if (ok)
        mark_used(listing);
    for (int32_t i = 0; ok && i < recipe->count; i++) {
        const struct tw_port *ports = recipe->nodes[i].type->outputs;
        for (int port = 0; ok && ports[port].name; port++) {
            char key[700];
            const struct tw_export *picture = picture_of(recipe, i);
            print_name(key, sizeof key, variant, picture ? picture->entry : recipe->nodes[i].path,
                       picture ? NULL : ports[port].name);
            if (is_shown(listing, i, port, key))
                ok = add_view(listing, i, port, key);
        }
    }
    free(listing->shown);
    return ok;
}

/* ---- the graph ---- */

static enum tier tier_of(const struct tw_view_choice *choice, const struct tw_shown_view *view,
                         const struct tw_recipe *recipe)
{
    if (is_wanted(choice, view->key))
        return WANTED;
    if (picture_of(recipe, view->own))
        return EXPORTS;
    return view->type == TW_RECORD ? RECORDS : json_array_size(view->names) > 0 ? OUTPUTS : NODES;
}

/* The part's index among those of its graph. */
static int32_t member_of(const struct tw_recipe_set *parts, int32_t part)
{
    int32_t member = 0;
    for (int32_t p = 0; p < part; p++)
        member += parts->at[p].graph == parts->at[part].graph;
    return member;
}

/* Adds the output of a view; a map of polygons passes through a node that draws it. */
static bool add_output(struct tw_recipe *graph, int32_t number, enum tw_type type,
                       struct tw_source source)
{
    static const struct tw_registry registry = {NULL};
    char name[16];
    snprintf(name, sizeof name, "%d", (int)number);
    if (type == TW_POLYMAP)
        source = (struct tw_source){
            tw_merge_add_node(graph, tw_registry_find(&registry, "render.polymap"), &source, 1), 0};
    return source.node >= 0 && tw_merge_add_output(graph, name, source);
}

/* Equal values of several views are one output. `known` has a number per port of the graph's nodes,
 * 0 where there is none. */
static bool add_view_output(struct tw_view_list *list, struct tw_shown_view *view,
                            const struct tw_recipe_set *parts, struct tw_set_graph *graph,
                            int32_t *known)
{
    const int32_t port = view->output;
    const int32_t node = graph->merged.node_of[member_of(parts, view->part)][view->own];
    int32_t *number = &known[(size_t)node * TW_PORTS_MAX + (size_t)port];
    if (*number == 0) {
        if (!add_output(graph->recipe, list->outputs, view->type, (struct tw_source){node, port}))
            return false;
        *number = ++list->outputs;
    }
    view->output = *number - 1;
    return true;
}

/* The last output that is added is the graph's first. */
static bool add_outputs(struct tw_view_list *list, int32_t first, const struct tw_recipe_set *parts,
                        struct tw_set_graph *graph, int32_t *known)
{
    for (int32_t tier = UNSEEN; tier >= WANTED; tier--)
        for (int32_t v = list->count - 1; v >= first; v--)
            if (list->at[v].tier == tier &&
                !add_view_output(list, &list->at[v], parts, graph, known))
                return false;
    return true;
}

static bool arrange(const struct tw_view_list *list, int32_t first,
                    const struct tw_recipe_set *parts, struct tw_set_graph *graph)
{
    const int32_t count = graph->recipe->count;
    int32_t *tier = calloc((size_t)count + 1, sizeof *tier);
    int32_t *rank = calloc((size_t)count + 1, sizeof *rank);
    for (int32_t i = 0; tier && i < count; i++)
        tier[i] = UNSEEN;
    for (int32_t v = first; tier && v < list->count; v++) {
        const struct tw_shown_view *view = &list->at[v];
        const int32_t node = graph->merged.node_of[member_of(parts, view->part)][view->own];
        tier[node] = view->tier < tier[node] ? view->tier : tier[node];
    }
    const bool ok = tier && rank && tw_graph_arrange(graph->recipe, tier, rank);
    int32_t member = 0;
    for (int32_t p = 0; ok && p < parts->count; p++) {
        if (&parts->graphs[parts->at[p].graph] != graph)
            continue;
        int32_t *node_of = graph->merged.node_of[member++];
        for (int32_t i = 0; i < parts->at[p].recipe->count; i++)
            node_of[i] = rank[node_of[i]];
    }
    free(tier);
    free(rank);
    return ok;
}

static enum tw_status merge(struct tw_recipe_set *parts, int32_t g, int32_t spare,
                            struct tw_error *err)
{
    struct tw_set_graph *graph = &parts->graphs[g];
    struct tw_recipe **members = calloc((size_t)parts->count + 1, sizeof *members);
    int32_t count = 0;
    for (int32_t p = 0; members && p < parts->count; p++)
        if (parts->at[p].graph == g)
            members[count++] = parts->at[p].recipe;
    enum tw_status status = members ? tw_merge_all(&graph->merged, members, count, spare, err)
                                    : tw_error_set(err, TW_MEMORY, "out of memory");
    free(members);
    if (status == TW_OK)
        graph->recipe = graph->merged.recipe;
    return status;
}

enum tw_status tw_views_choose(struct tw_view_list *list, const struct tw_view_choice *choice,
                               struct tw_recipe_set *parts, int32_t g, struct tw_error *err)
{
    const int32_t first = list->count;
    bool ok = true;
    for (int32_t p = 0; ok && p < parts->count; p++) {
        struct listing listing = {list, choice, parts->at[p].recipe, p, NULL};
        ok = parts->at[p].graph != g || list_views(&listing);
    }
    if (!ok)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    for (int32_t v = first; v < list->count; v++)
        list->at[v].tier =
            (int32_t)tier_of(choice, &list->at[v], parts->at[list->at[v].part].recipe);
    enum tw_status status = merge(parts, g, list->count - first, err);
    if (status != TW_OK)
        return status;
    struct tw_set_graph *graph = &parts->graphs[g];
    int32_t *known = calloc((size_t)graph->recipe->count + 1, TW_PORTS_MAX * sizeof *known);
    ok = known && add_outputs(list, first, parts, graph, known) &&
         arrange(list, first, parts, graph);
    free(known);
    return ok ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}

void tw_views_release(struct tw_view_list *list)
{
    for (int32_t i = 0; i < list->count; i++) {
        free(list->at[i].key);
        free(list->at[i].node);
        json_decref(list->at[i].names);
        json_decref(list->at[i].files);
    }
    free(list->at);
    *list = (struct tw_view_list){0};
}
