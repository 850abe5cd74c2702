/* SPDX-License-Identifier: MIT */
/* `sidecar:` of an export adds a `.json` next to every file of the entry. By default, files for a
 * game engine have one, as people type in its numbers, and files without a header, as they cannot
 * be read without their size. Each sidecar is an export of its own. */
#include "format/sidecar.h"
#include "graph/load/load_private.h"

#include <string.h>

const struct tw_param tw_export_options[] = {
    TW_PARAM_BOOL(struct tw_export_options, sidecar, false,
                  "a `.json` beside the file; by default with `for:` and for .r16, .raw, .r32"),
    TW_PARAM_END,
};

static const char *sidecar_name(struct tw_loader *loader, const struct tw_export *item)
{
    const char *ending = tw_format_ending(item->file);
    bool stem = item->preset && item->preset->stem_sidecar && item->format->bare_bits > 0;
    int length = (int)(stem ? (size_t)(ending - item->file) : strlen(item->file));
    return tw_arena_print(&loader->recipe->arena, "%.*s.json", length, item->file);
}

static bool add_sidecar(struct tw_loader *loader, const struct tw_export *item,
                        struct tw_export ***tail)
{
    struct tw_export *sidecar = tw_export_copy(loader, item, tail);
    if (!sidecar)
        return false;
    sidecar->describes = item;
    sidecar->format = &tw_format_sidecar;
    sidecar->file = sidecar_name(loader, item);
    return sidecar->file != NULL;
}

bool tw_export_load_sidecars(struct tw_loader *loader, struct tw_scope *scope,
                             struct tw_export *item, const struct tw_yaml *value,
                             struct tw_export ***tail)
{
    struct tw_export_options options = {.sidecar = item->preset || item->format->bare_bits > 0};
    const struct tw_yaml *key = tw_yaml_find(value, tw_export_options->name);
    if (key)
        tw_load_param(loader, scope, "export", tw_export_options, &options, key);
    if (!options.sidecar)
        return true;
    for (; item && !tw_export_is_sidecar(item); item = item->next) /* sidecars follow the files */
        if (!item->describes && !add_sidecar(loader, item, tail))
            return false;
    return true;
}
