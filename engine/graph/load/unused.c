/* SPDX-License-Identifier: MIT */
/* What a recipe says and nothing uses: most often a name that was changed in one place only. */
#include "graph/load/load_private.h"

#include <string.h>

/* Enters the ids of the root's members that needed nodes belong to: "hills" for "hills/noise". */
static bool enter_needed(struct tw_loader *loader, const bool *needed, struct tw_names *ids)
{
    struct tw_recipe *recipe = loader->recipe;
    for (int32_t i = 0; i < recipe->count; i++) {
        const char *path = recipe->nodes[i].path;
        if (!needed[i])
            continue;
        const char *id = tw_arena_copy(&recipe->arena, path, strcspn(path, "/"));
        struct tw_name *entry = id ? tw_names_entry(ids, loader, id) : NULL;
        if (!entry)
            return false;
        entry->thing = recipe;
    }
    return true;
}

static void warn_of_nodes(struct tw_loader *loader, const struct tw_scope *root)
{
    const bool *needed = tw_graph_needed(loader->recipe);
    struct tw_names ids = {0};
    if (needed && enter_needed(loader, needed, &ids))
        for (const struct tw_member *member = root->members; member; member = member->next)
            if (!tw_names_find(&ids, loader, member->id))
                tw_report_warning(loader->report, member->place,
                                  "node '%s' is not used: no output or export is made from it",
                                  member->id);
    tw_names_release(&ids);
}

void tw_load_warn_unused(struct tw_loader *loader, const struct tw_scope *root)
{
    if (!loader->report->sink)
        return;
    warn_of_nodes(loader, root);
    for (const struct tw_binding *binding = root->params; binding; binding = binding->next)
        if (!*binding->used)
            tw_report_warning(loader->report, binding->place,
                              "parameter '%s' is not used: expected '${%s}' in a node",
                              binding->name, binding->name);
}
