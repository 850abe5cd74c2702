/* SPDX-License-Identifier: MIT */
/* `for:` of an export: the game engine that loads the file, and its requirements. */
#include "base/text/suggest.h"
#include "graph/load/load_private.h"
#include "node/param.h"

#include <stdio.h>
#include <string.h>

static bool refuse_ending(struct tw_loader *loader, const struct tw_yaml *value,
                          const struct tw_preset *preset, const char *endings, const char *ending)
{
    bool known = preset->refuses && strcmp(preset->refuses, ending) == 0;
    tw_fault_log_add(loader->log, TW_RECIPE, value->place, known ? preset->reason : NULL,
                     "%s is not a file for %s; expected %s", ending, preset->name, endings);
    return false;
}

/* Several masks suit a preset that has a format for them. */
static bool check_several(struct tw_loader *loader, const struct tw_export *item,
                          const struct tw_yaml *value)
{
    const struct tw_preset *preset = item->preset;
    const char *only_for = item->format->only_for;
    if (only_for && strcmp(only_for, preset->name) == 0)
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                     "'%s' is one of several; for: %s expects one heightmap%s", item->sources->name,
                     preset->name, preset->mask_endings ? " or mask" : "");
    return false;
}

static bool check_source(struct tw_loader *loader, const struct tw_export *item,
                         const struct tw_yaml *value)
{
    const struct tw_preset *preset = item->preset;
    const char *ending = item->format->ending;
    enum tw_type type = tw_source_type(loader->recipe, item->sources->source);
    if (item->several)
        return check_several(loader, item, value);
    if (!(TW_TYPE_BIT(type) & TW_HEIGHTS)) {
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                         "'%s' is %s; for: %s expects one heightmap%s", item->sources->name,
                         tw_type_name(type), preset->name, preset->mask_endings ? " or mask" : "");
        return false;
    }
    if (type == TW_MASK && preset->mask_endings)
        return tw_preset_takes(preset->mask_endings, ending) ||
               refuse_ending(loader, value, preset, preset->mask_endings, ending);
    return tw_preset_takes(preset->endings, ending) ||
           refuse_ending(loader, value, preset, preset->endings, ending);
}

bool tw_export_load_preset(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                           const struct tw_yaml *value)
{
    const char *name = value->kind == TW_YAML_SCALAR ? tw_substitute(loader, scope, value)
                                                     : tw_yaml_kind_name(value);
    if (!name)
        return false;
    item->preset = tw_preset_find(name);
    if (item->preset)
        return check_source(loader, item, value);
    struct tw_suggestion suggestion = {.unknown = name};
    for (const struct tw_preset *const *preset = tw_presets; *preset; preset++)
        tw_suggest_offer(&suggestion, (*preset)->name);
    tw_fault_log_add(loader->log, TW_RECIPE, value->place,
                     tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "for is '%.60s'; expected one of %s", name, suggestion.known);
    return false;
}

/* A layer's weights have 8 bits. */
static const char *setting_of(const struct tw_loader *loader, const struct tw_export *item,
                              const char *option)
{
    bool mask = tw_source_type(loader->recipe, item->sources->source) == TW_MASK;
    if (item->preset && mask && item->preset->mask_endings)
        return strcmp(option, "bits") == 0 ? "8" : NULL;
    return tw_preset_setting(item->preset, item->format->ending, option);
}

void tw_export_set_preset(struct tw_loader *loader, struct tw_export *item)
{
    char message[200];
    if (!item->preset)
        return;
    for (const struct tw_param *row = item->format->options; row && row->name; row++) {
        const char *value = setting_of(loader, item, row->name);
        if (value)
            tw_param_set(row, item->options, value, message, sizeof message);
    }
    if (item->preset->range && tw_source_type(loader->recipe, item->sources->source) != TW_MASK)
        item->range = item->preset->range(item->world);
}

void tw_export_check_preset(struct tw_loader *loader, const struct tw_export *item,
                            const struct tw_param *row, const struct tw_yaml *key)
{
    char text[100];
    const char *value = setting_of(loader, item, row->name);
    if (!value)
        return;
    tw_param_print(row, item->options, text, sizeof text);
    if (strcmp(text, value) != 0)
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, NULL, "%s is %s; for: %s expects %s",
                         row->name, text, item->preset->name, value);
}

/* "1009", "505 or 1009" */
static void print_sides(int32_t below, int32_t above, char *text, size_t size)
{
    if (below && above)
        snprintf(text, size, "%d or %d", (int)below, (int)above);
    else
        snprintf(text, size, "%d", (int)(below ? below : above));
}

static bool check_holds(struct tw_loader *loader, const struct tw_export *item, int32_t width,
                        int32_t height)
{
    struct tw_error why;
    if (!item->format->holds || item->format->holds(width, height, item->options, &why))
        return true;
    tw_fault_log_add(loader->log, TW_RECIPE, item->place, NULL, "%s: %s", item->entry, why.message);
    return false;
}

bool tw_export_check_sides(struct tw_loader *loader, const struct tw_export *item, int32_t width,
                           int32_t height, struct tw_place place)
{
    const struct tw_preset *preset = item->preset;
    int32_t below = 0, above = 0;
    char sides[40];
    if (!check_holds(loader, item, width, height))
        return false;
    if (!preset)
        return true;
    bool wide = tw_preset_fits(preset, width, &below, &above);
    int32_t side = wide ? height : width;
    if (wide && tw_preset_fits(preset, height, &below, &above)) {
        if (!preset->square || width == height)
            return true;
        tw_fault_log_add(loader->log, TW_RECIPE, place, NULL,
                         "%s has %d x %d cells; for: %s expects a square", item->entry, (int)width,
                         (int)height, preset->name);
        return false;
    }
    print_sides(below, above, sides, sizeof sides);
    tw_fault_log_add(loader->log, TW_RECIPE, place, NULL,
                     "%s has %d x %d cells; for: %s expects sides of %s, the nearest to %d",
                     item->entry, (int)width, (int)height, preset->name, sides, (int)side);
    return false;
}
