/* SPDX-License-Identifier: MIT */
/* Further outputs that an entry of `export:` names beside `from:`, as in `color: picture` of a
 * mesh, and the files beside an .obj that hold them. */
#include "format/mesh/companions.h"
#include "graph/load/load_private.h"
#include "node/param.h"

#include <stdio.h>
#include <string.h>

static void unsuited(struct tw_loader *loader, const struct tw_format_part *part,
                     const struct tw_yaml *value, enum tw_type given)
{
    char expected[120] = "";
    for (int type = 0; type < TW_TYPE_COUNT; type++)
        if (part->types >> type & 1)
            snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%s%s",
                     expected[0] ? " or " : "", tw_type_name((enum tw_type)type));
    tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL, "'%.60s' is %s; %s: expects %s",
                     value->text, tw_type_name(given), part->name, expected);
}

bool tw_export_load_part(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                         const struct tw_yaml_item *entry)
{
    const struct tw_format_part *parts = item->format->parts;
    int32_t at = 0;
    while (parts && parts[at].name && strcmp(parts[at].name, entry->key->text) != 0)
        at++;
    if (!parts || !parts[at].name)
        return false;
    struct tw_output *source = tw_arena_alloc(&loader->recipe->arena, 1, sizeof *source);
    if (!source || !tw_export_find_source(loader, scope, entry->value, &source->source))
        return true; /* reported */
    const enum tw_type given = tw_source_type(loader->recipe, source->source);
    if (!(parts[at].types >> given & 1)) {
        unsuited(loader, &parts[at], entry->value, given);
        return true;
    }
    source->name = entry->value->text;
    source->part = at + 1;
    struct tw_output **tail = &item->sources;
    while (*tail)
        tail = &(*tail)->next;
    *tail = source;
    return true;
}

bool tw_export_check_parts(struct tw_loader *loader, const struct tw_export *item,
                           const struct tw_yaml *value)
{
    const struct tw_recipe *recipe = loader->recipe;
    const bool tiled = tw_yaml_find(value, "tiles") != NULL;
    int32_t width, height, own_width, own_height;
    tw_node_output_size(recipe, &recipe->nodes[item->sources->source.node], &width, &height);
    for (const struct tw_output *o = item->sources; o; o = o->next) {
        const struct tw_format_part *part = o->part > 0 ? &item->format->parts[o->part - 1] : NULL;
        if (!part || !(part->same_size || tiled))
            continue;
        tw_node_output_size(recipe, &recipe->nodes[o->source.node], &own_width, &own_height);
        if (own_width == width && own_height == height)
            continue;
        tw_fault_log_add(loader->log, TW_RECIPE, tw_yaml_find(value, part->name)->place, NULL,
                         "%s: has %d x %d cells; expected those of '%s', %d x %d%s", part->name,
                         (int)own_width, (int)own_height, item->sources->name, (int)width,
                         (int)height, part->same_size ? "" : ", to be cut into tiles");
        return false;
    }
    return true;
}

static struct tw_export *add_beside(struct tw_loader *loader, const struct tw_export *item,
                                    const struct tw_format *format, const char *part,
                                    struct tw_export ***tail)
{
    struct tw_arena *arena = &loader->recipe->arena;
    const int stem = (int)(tw_format_ending(item->file) - item->file);
    struct tw_export *beside = tw_export_copy(loader, item, tail);
    if (!beside)
        return NULL;
    beside->describes = item;
    beside->format = format;
    beside->file = tw_arena_print(arena, "%.*s%s%s%s", stem, item->file, part[0] ? "_" : "", part,
                                  format->ending);
    beside->options = tw_arena_alloc(arena, format->options_size + 1, 1);
    if (!beside->file || !beside->options)
        return NULL;
    tw_param_defaults(format->options, beside->options);
    return beside;
}

/* Adds a part's picture, whose only source it is. */
static bool add_picture(struct tw_loader *loader, const struct tw_export *item,
                        const struct tw_output *picture, struct tw_export ***tail)
{
    const struct tw_format *png = tw_format_find(".png", TW_IMAGE, false);
    struct tw_export *beside =
        add_beside(loader, item, png, item->format->parts[picture->part - 1].name, tail);
    if (!beside)
        return false;
    *beside->sources = (struct tw_output){picture->name, picture->source, NULL, 0};
    return true;
}

bool tw_export_load_companions(struct tw_loader *loader, struct tw_export *item,
                               struct tw_export ***tail)
{
    if (!item->format->companions)
        return true;
    for (; item && !item->describes; item = item->next) { /* files beside follow all tiles */
        bool any = false;
        for (const struct tw_output *o = item->sources; o; o = o->next) {
            if (o->part == 0 || !(item->format->parts[o->part - 1].types & TW_TYPE_BIT(TW_IMAGE)))
                continue;
            any = true;
            if (!add_picture(loader, item, o, tail))
                return false;
        }
        if (any && !add_beside(loader, item, &tw_format_mtl, "", tail))
            return false;
    }
    return true;
}
