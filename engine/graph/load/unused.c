/* SPDX-License-Identifier: MIT */
/* Finds parts of a recipe that nothing uses: most often a name was changed in one place only. */
#include "base/text/suggest.h"
#include "graph/load/load_private.h"

#include <string.h>

/* Enters the ids of the root's members with used nodes: "hills" for "hills/noise". */
static bool enter_used(struct tw_loader *loader, const bool *used, struct tw_names *ids)
{
    struct tw_recipe *recipe = loader->recipe;
    for (int32_t i = 0; i < recipe->count; i++) {
        const char *path = recipe->nodes[i].path;
        if (!used[i])
            continue;
        const char *id = tw_arena_copy(&recipe->arena, path, strcspn(path, "/"));
        struct tw_name *entry = id ? tw_names_entry(ids, loader, id) : NULL;
        if (!entry)
            return false;
        entry->thing = recipe;
    }
    return true;
}

/* Returns the needed nodes, and those that choosing nodes would need with other parameters. In the
 * recipe's arena; NULL when out of memory. */
static const bool *find_used(struct tw_recipe *recipe)
{
    const bool *needed = tw_graph_needed(recipe);
    bool *used = tw_arena_alloc(&recipe->arena, (size_t)recipe->count + 1, sizeof *used);
    for (int32_t i = needed && used ? recipe->count - 1 : -1; i >= 0; i--) {
        const struct tw_node *node = &recipe->nodes[i];
        used[i] |= needed[i] || node->is_used;
        for (int32_t input = 0; used[i] && input < node->input_count; input++)
            if (node->inputs[input].node >= 0)
                used[node->inputs[input].node] = true;
    }
    return needed ? used : NULL;
}

/* Returns the node that a variant probably meant to replace when it added one that nothing uses;
 * NULL for none. */
static const char *meant_node(struct tw_loader *loader, const struct tw_scope *root, const char *id)
{
    const struct tw_yaml *nodes = tw_yaml_find(root->root, "nodes");
    struct tw_suggestion suggestion = {.unknown = id};
    if (!tw_yaml_find(loader->changes->nodes, id) || tw_yaml_find(nodes, id))
        return NULL;
    for (const struct tw_yaml_item *item = nodes ? nodes->items : NULL;
         item && tw_fault_log_may_suggest(loader->log); item = item->next)
        tw_suggest_offer(&suggestion, item->key->text);
    return suggestion.best;
}

static void warn_of_node(struct tw_loader *loader, const struct tw_scope *root,
                         const struct tw_member *member)
{
    const char *meant = meant_node(loader, root, member->id);
    const struct tw_load_subject outer = tw_load_enter(loader, "", member->id);
    tw_fault_log_warn(loader->log, member->place,
                      "node '%s' is not used: no output or export is made from it%s%s%s",
                      member->id, meant ? "; did you mean to replace '" : "", meant ? meant : "",
                      meant ? "'?" : "");
    tw_load_leave(loader, outer);
}

static void warn_of_nodes(struct tw_loader *loader, const struct tw_scope *root)
{
    const bool *used = find_used(loader->recipe);
    struct tw_names ids = {0};
    if (used && enter_used(loader, used, &ids))
        for (const struct tw_member *member = root->members; member; member = member->next)
            if (!tw_names_find(&ids, loader, member->id))
                warn_of_node(loader, root, member);
    tw_names_release(&ids);
}

static void use_scope(struct tw_loader *loader, struct tw_scope *scope)
{
    if (!scope || scope->is_used)
        return;
    scope->is_used = true;
    for (const struct tw_member *member = scope->members; member; member = member->next) {
        if (member->node >= 0)
            loader->recipe->nodes[member->node].is_used = true;
        use_scope(loader, member->scope);
    }
}

/* Marks what a scalar names as used: a parameter, as "${talus}", or a node, as "hills.out". */
static void use_name(struct tw_loader *loader, const struct tw_scope *root, const char *name)
{
    const struct tw_binding *binding = tw_names_find(&loader->names, tw_scope_bindings(root), name);
    const struct tw_member *member = tw_names_find(&loader->names, root, name);
    if (binding)
        *binding->used = true;
    if (member && member->node >= 0)
        loader->recipe->nodes[member->node].is_used = true;
    if (member)
        use_scope(loader, member->scope);
}

static void use_names(struct tw_loader *loader, const struct tw_scope *root,
                      const struct tw_yaml *value)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char *at = value->kind == TW_YAML_SCALAR ? value->text : "";
    while (*(at += strcspn(at, letters))) {
        char name[TW_ID_MAX + 1] = "";
        size_t length = strspn(at, letters);
        memcpy(name, at, length <= TW_ID_MAX ? length : 0);
        use_name(loader, root, name);
        at += length;
    }
    for (const struct tw_yaml_item *item = value->items; item; item = item->next)
        use_names(loader, root, item->value);
}

void tw_load_use_replaced(struct tw_loader *loader, const struct tw_scope *root)
{
    const struct tw_yaml *replacements = loader->changes->nodes;
    const struct tw_yaml *nodes = tw_yaml_find(root->root, "nodes");
    for (const struct tw_yaml_item *item = replacements ? replacements->items : NULL; item;
         item = item->next) {
        const struct tw_yaml *replaced = tw_yaml_find(nodes, item->key->text);
        if (replaced)
            use_names(loader, root, replaced);
    }
}

void tw_load_warn_unused(struct tw_loader *loader, const struct tw_scope *root)
{
    if (!loader->log->sink)
        return;
    warn_of_nodes(loader, root);
    for (const struct tw_binding *binding = root->params; binding; binding = binding->next)
        if (!*binding->used)
            tw_fault_log_warn(loader->log, binding->place,
                              "parameter '%s' is not used: expected '${%s}' in a node",
                              binding->name, binding->name);
}
