/* SPDX-License-Identifier: MIT */
/* Pictures of heights: `as: perspective` and its options create nodes, which recipes need not
 * declare. Views of a lit surface share one surface per map and light, created by the first. */
#include "base/text/suggest.h"
#include "graph/load/load_private.h"
#include "node/param.h"

#include <string.h>

/* Accepts a render type that takes any number of masks first, and requires nothing else. */
static bool renders_masks(const struct tw_node_type *type)
{
    return type && type->inputs && type->inputs[0].name && type->inputs[0].type == TW_MASK &&
           (type->inputs[0].flags & TW_VARIADIC) && type->outputs[0].type == TW_IMAGE;
}

/* Accepts a render type that requires a height map and nothing else. */
static bool renders_heights(const struct tw_node_type *type)
{
    if (!type || !type->inputs || !type->inputs[0].name || type->inputs[0].type != TW_HEIGHTMAP ||
        type->outputs[0].type != TW_IMAGE)
        return false;
    for (int i = 1; type->inputs[i].name; i++)
        if (!(type->inputs[i].flags & (TW_OPTIONAL | TW_VARIADIC)))
            return false;
    return true;
}

static void unknown_renderer(struct tw_loader *loader, const struct tw_yaml *as)
{
    const char *found = as->kind == TW_YAML_SCALAR ? as->text : tw_yaml_kind_name(as);
    struct tw_suggestion suggestion = {.unknown = found};
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++)
        if (strncmp((*type)->name, "render.", 7) == 0 &&
            (renders_heights(*type) || renders_masks(*type)))
            tw_suggest_offer(&suggestion, (*type)->name + 7);
    tw_fault_log_add(
        loader->log, TW_RECIPE, as->place, tw_suggest_hint(&suggestion, &loader->recipe->arena),
        "as is '%.60s'; expected a renderer of height maps or masks: %s", found, suggestion.known);
}

static const struct tw_node_type *surface_type(const struct tw_loader *loader)
{
    return tw_registry_find(&loader->registry, "render.surface");
}

static bool has_key(const struct tw_node_type *type, const char *key)
{
    return type && (tw_node_find_param(type, key) || tw_node_find_port(type->inputs, key) > 0);
}

/* Returns the input of a view that takes a lit surface, or -1. */
static int surface_port(const struct tw_node_type *type)
{
    for (int i = 1; type->inputs[i].name; i++)
        if (type->inputs[i].type == TW_SURFACE)
            return i;
    return -1;
}

const struct tw_node_type *tw_render_surface_of(const struct tw_loader *loader,
                                                const struct tw_node_type *view)
{
    return surface_port(view) > 0 ? surface_type(loader) : NULL;
}

bool tw_render_has_option(const struct tw_loader *loader, const struct tw_node_type *type,
                          const char *key)
{
    return has_key(type, key) || has_key(tw_render_surface_of(loader, type), key);
}

/* Returns the entries of an export that belong to a type, and adds the mood if the export has
 * none. */
static const struct tw_yaml *entries_of(struct tw_loader *loader, const struct tw_yaml *value,
                                        const struct tw_node_type *type, const char *mood)
{
    static const struct tw_yaml mood_key = {.kind = TW_YAML_SCALAR, .text = "mood"};
    struct tw_arena *arena = &loader->recipe->arena;
    struct tw_yaml *entries = tw_arena_alloc(arena, 1, sizeof *entries);
    struct tw_yaml_item *rows = tw_arena_alloc(arena, (size_t)value->count + 1, sizeof *rows);
    struct tw_yaml *word = tw_arena_alloc(arena, 1, sizeof *word);
    if (!entries || !rows || !word)
        return NULL;
    *entries = (struct tw_yaml){.kind = TW_YAML_MAPPING, .place = value->place};
    struct tw_yaml_item **tail = &entries->items;
    for (const struct tw_yaml_item *item = value->items; item; item = item->next) {
        if (!has_key(type, item->key->text))
            continue;
        *rows = (struct tw_yaml_item){NULL, item->key, item->value};
        *tail = rows;
        tail = &rows++->next;
        entries->count++;
    }
    if (mood && has_key(type, "mood")) {
        *word = (struct tw_yaml){.kind = TW_YAML_SCALAR, .text = mood, .place = value->place};
        *rows = (struct tw_yaml_item){NULL, &mood_key, word};
        *tail = rows;
        entries->count++;
    }
    return entries;
}

/* Returns the surface's own mood if the export names none but has options of the surface only. */
static const char *implied_mood(struct tw_loader *loader, const struct tw_yaml *value,
                                const struct tw_node_type *view)
{
    const struct tw_node_type *surface = surface_type(loader);
    const struct tw_param *row = tw_param_find(surface->params, "mood");
    int length = 0;
    const char *label = row ? tw_param_label(row, (int)row->initial, &length) : NULL;
    if (!label || tw_yaml_find(value, "mood"))
        return NULL;
    for (const struct tw_yaml_item *item = value->items; item; item = item->next)
        if (has_key(surface, item->key->text) && !has_key(view, item->key->text))
            return tw_arena_copy(&loader->recipe->arena, label, (size_t)length);
    return NULL;
}

/* Requires a surface to have its view's mood. */
static bool has_mood(const struct tw_node_type *surface, const struct tw_node *view)
{
    const struct tw_param *own = tw_param_find(view->type->params, "mood");
    const struct tw_param *row = tw_param_find(surface->params, "mood");
    char mood[TW_LABEL_BYTES_MAX + 1];
    int length = 0;
    const char *label;
    if (!own || !row)
        return true;
    tw_param_print(own, view->params, mood, sizeof mood);
    for (int i = 0; (label = tw_param_label(row, i, &length)); i++)
        if ((int)strlen(mood) == length && strncmp(label, mood, (size_t)length) == 0)
            return true;
    return false;
}

static bool same_value(const struct tw_param *row, const void *a, const void *b)
{
    char left[512], right[512];
    const struct tw_table *x = (const struct tw_table *)((const unsigned char *)a + row->offset);
    const struct tw_table *y = (const struct tw_table *)((const unsigned char *)b + row->offset);
    if (row->kind == TW_KIND_TABLE)
        return x->rows == y->rows && x->columns == y->columns &&
               (x->rows == 0 ||
                memcmp(x->at, y->at, (size_t)x->rows * (size_t)x->columns * sizeof *x->at) == 0);
    tw_param_print(row, a, left, sizeof left);
    tw_param_print(row, b, right, sizeof right);
    return strcmp(left, right) == 0;
}

/* Compares surfaces by everything but the parameter `size`, as long as the resulting sizes are
 * equal. */
static bool same_surface(const struct tw_recipe *recipe, const struct tw_node *a,
                         const struct tw_node *b)
{
    int32_t width[2], height[2];
    tw_node_output_size(recipe, a, &width[0], &height[0]);
    tw_node_output_size(recipe, b, &width[1], &height[1]);
    if (width[0] != width[1] || height[0] != height[1] || a->input_count != b->input_count)
        return false;
    for (int32_t i = 0; i < a->input_count; i++)
        if (a->inputs[i].node != b->inputs[i].node || a->inputs[i].port != b->inputs[i].port)
            return false;
    for (const struct tw_param *row = a->type->params; row->name; row++)
        if (strcmp(row->name, "size") != 0 && !same_value(row, a->params, b->params))
            return false;
    return true;
}

static bool keep_surface(struct tw_loader *loader, int32_t node)
{
    if (loader->surface_count == loader->surface_capacity) {
        int32_t capacity = loader->surface_capacity ? 2 * loader->surface_capacity : 16;
        int32_t *all = tw_arena_alloc(&loader->recipe->arena, (size_t)capacity, sizeof *all);
        if (!all)
            return false;
        if (loader->surface_count > 0)
            memcpy(all, loader->surfaces, (size_t)loader->surface_count * sizeof *all);
        loader->surfaces = all;
        loader->surface_capacity = capacity;
    }
    loader->surfaces[loader->surface_count++] = node;
    return true;
}

/* Connects a node to the export's source and to the references in the entries. */
static bool connect(struct tw_loader *loader, struct tw_scope *scope, int32_t index,
                    const struct tw_yaml *entries, const struct tw_export *item)
{
    struct tw_node *node = &loader->recipe->nodes[index];
    int32_t faults = loader->log->faults;
    node->place = item->place;
    node->inputs[0] = item->sources->source;
    if (!tw_resolve_inputs(loader, scope, node, entries))
        return false;
    tw_resolve_check_types(loader);
    return loader->log->faults == faults;
}

/* Returns the surface for these entries: one of an earlier export, or a new one. -1 after a
 * fault. */
static int32_t find_surface(struct tw_loader *loader, struct tw_scope *scope,
                            const struct tw_yaml *entries, const struct tw_export *item)
{
    struct tw_recipe *recipe = loader->recipe;
    const char *id = tw_arena_print(&recipe->arena, "(surface of %s)", item->file);
    int32_t faults = loader->log->faults;
    int32_t index =
        id && entries ? tw_load_hidden_node(loader, scope, surface_type(loader), id, entries) : -1;
    if (index < 0 || loader->log->faults > faults)
        return -1;
    if (!connect(loader, scope, index, entries, item))
        return -1;
    const struct tw_node *node = &recipe->nodes[index];
    for (int32_t i = 0; i < loader->surface_count; i++)
        if (same_surface(recipe, node, &recipe->nodes[loader->surfaces[i]])) {
            recipe->count--; /* it was the last */
            return loader->surfaces[i];
        }
    return keep_surface(loader, index) ? index : -1;
}

/* Returns whether a renderer takes a source of the export; reports a fault if not. */
static bool is_accepted(struct tw_loader *loader, const struct tw_yaml *value,
                        const struct tw_output *from, unsigned types, const char *expected)
{
    const struct tw_yaml *as = tw_yaml_find(value, "as");
    enum tw_type given = tw_source_type(loader->recipe, from->source);
    if (types & TW_TYPE_BIT(given))
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, as->place, NULL, "'%.60s' is %s; as: %s expects %s",
                     from->name, tw_type_name(given), as->text, expected);
    return false;
}

/* Makes the picture that a node draws the export's content. */
static void show_node(struct tw_export *item, int32_t index, const struct tw_node_type *type)
{
    item->sources->source = (struct tw_source){index, 0};
    item->view = type;
}

/* Creates the view's node, and the surface that it shows. */
static bool add_view(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *value,
                     const struct tw_node_type *type, struct tw_export *item)
{
    struct tw_recipe *recipe = loader->recipe;
    int port = surface_type(loader) ? surface_port(type) : -1;
    const char *mood = port > 0 ? implied_mood(loader, value, type) : NULL;
    const struct tw_yaml *entries = entries_of(loader, value, type, mood);
    const char *id = tw_arena_print(&recipe->arena, "(%s as %s)", item->file, tw_node_kind(type));
    int32_t faults = loader->log->faults;
    int32_t index = id && entries ? tw_load_hidden_node(loader, scope, type, id, entries) : -1;
    if (index < 0 || loader->log->faults > faults)
        return false;
    if (!connect(loader, scope, index, entries, item))
        return false;
    if (port > 0 && recipe->nodes[index].inputs[port].node < 0 &&
        has_mood(surface_type(loader), &recipe->nodes[index])) {
        int32_t surface = find_surface(loader, scope,
                                       entries_of(loader, value, surface_type(loader), mood), item);
        if (surface < 0)
            return false;
        recipe->nodes[index].inputs[port] = (struct tw_source){surface, 0};
    }
    show_node(item, index, type);
    return true;
}

/* Connects a renderer of masks to all sources of the export. */
static bool add_masks(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *value,
                      const struct tw_node_type *type, struct tw_export *item)
{
    const char *id =
        tw_arena_print(&loader->recipe->arena, "(%s as %s)", item->file, tw_node_kind(type));
    const struct tw_yaml *entries = entries_of(loader, value, type, NULL);
    int32_t faults = loader->log->faults, index = -1, count = 0;
    for (const struct tw_output *from = item->sources; from; from = from->next, count++)
        if (!is_accepted(loader, value, from, TW_TYPE_BIT(TW_MASK), "masks"))
            return false;
    if (count > TW_INPUTS_MAX)
        tw_fault_log_add(loader->log, TW_LIMIT, item->place, NULL,
                         "%d inputs are more than the %d a node may have", (int)count,
                         TW_INPUTS_MAX);
    else if (id && entries)
        index = tw_load_hidden_node(loader, scope, type, id, entries);
    if (index < 0 || !item->sources || loader->log->faults > faults)
        return false;
    struct tw_node *node = &loader->recipe->nodes[index];
    node->place = item->place;
    for (const struct tw_output *from = item->sources; from; from = from->next)
        node->inputs[node->input_count++] = from->source;
    item->sources->next = NULL;
    item->several = false;
    show_node(item, index, type);
    return true;
}

bool tw_load_render(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *value,
                    struct tw_export *item)
{
    const struct tw_yaml *as = tw_yaml_find(value, "as");
    if (!as)
        return true;
    const struct tw_node_type *type =
        as->kind == TW_YAML_SCALAR ? tw_registry_find_renderer(&loader->registry, as->text) : NULL;
    if (renders_masks(type))
        return add_masks(loader, scope, value, type, item);
    if (!renders_heights(type)) {
        unknown_renderer(loader, as);
        return false;
    }
    return is_accepted(loader, value, item->sources,
                       TW_TYPE_BIT(TW_HEIGHTMAP) | TW_TYPE_BIT(TW_MASK), "a heightmap or a mask") &&
           add_view(loader, scope, value, type, item);
}
