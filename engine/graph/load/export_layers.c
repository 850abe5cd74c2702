/* SPDX-License-Identifier: MIT */
/* Splits an export of several values into several files, where a file holds fewer: splat_0.png,
 * splat_1.png, or layers_grass.png. Each keeps all sources, since weights are shares of all, and is
 * an entry of its own to locks and reports. */
#include "graph/load/load_private.h"

#include <string.h>

/* Maps of other sizes have no cells in common. */
static bool check_sizes(struct tw_loader *loader, const struct tw_export *item)
{
    const struct tw_recipe *recipe = loader->recipe;
    int32_t width = 0, height = 0, wide, high;
    for (const struct tw_output *o = item->sources; o; o = o->next) {
        if (!tw_type_is_grid(tw_source_type(recipe, o->source)))
            return true; /* lists, which have no size */
        tw_node_output_size(recipe, &recipe->nodes[o->source.node], &wide, &high);
        if (o != item->sources && (wide != width || high != height)) {
            tw_fault_log_add(loader->log, TW_RECIPE, item->place, NULL,
                             "'%.60s' has %d x %d cells; expected %d x %d, as '%.60s'", o->name,
                             (int)wide, (int)high, (int)width, (int)height, item->sources->name);
            return false;
        }
        width = wide;
        height = high;
    }
    return true;
}

static const char *layer_name(struct tw_loader *loader, const struct tw_export *entry,
                              const char *whole, int32_t number)
{
    struct tw_arena *arena = &loader->recipe->arena;
    const char *ending = tw_format_ending(whole);
    const int stem = (int)(ending - whole);
    const struct tw_output *o = entry->sources;
    if (!entry->format->by_name)
        return tw_arena_print(arena, "%.*s_%d%s", stem, whole, (int)number, ending);
    for (int32_t i = 0; i < number; i++)
        o = o->next;
    if (!strchr(o->name, '/'))
        return tw_arena_print(arena, "%.*s_%s%s", stem, whole, o->name, ending);
    tw_fault_log_add(loader->log, TW_PATH, entry->place, NULL,
                     "a layer is '%.60s', which names its file; expected no '/'", o->name);
    return NULL;
}

bool tw_export_load_layers(struct tw_loader *loader, struct tw_export *item, int32_t *files,
                           struct tw_export ***tail)
{
    const int32_t most = item->format->file_max;
    const char *whole = item->file;
    int32_t count = 0;
    *files = 1;
    for (const struct tw_output *o = item->sources; o; o = o->next)
        count++;
    if (!item->several || !check_sizes(loader, item))
        return !item->several;
    if (most == 0 || (count <= most && !item->format->by_name))
        return true;
    *files = (count + most - 1) / most;
    struct tw_export *layer = item;
    for (int32_t i = 0; i < *files; i++) {
        layer = i == 0 ? item : tw_export_copy(loader, item, tail);
        const char *name = layer ? layer_name(loader, item, whole, i) : NULL;
        if (!name)
            return false;
        layer->file = layer->entry = name;
        layer->first = i * most;
        layer->taken = count - layer->first < most ? count - layer->first : most;
    }
    return true;
}
