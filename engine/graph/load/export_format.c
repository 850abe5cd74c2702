/* SPDX-License-Identifier: MIT */
/* Chooses the format of an export, by the file's ending and the types of its sources, and reads the
 * options that the format's row declares. */
#include "base/text/number.h"
#include "base/text/suggest.h"
#include "format/format.h"
#include "graph/load/load_private.h"
#include "node/param.h"

#include <string.h>

/* Returns a hint with the formats that can hold the type. */
static const char *formats_of(struct tw_loader *loader, enum tw_type type)
{
    char list[100];
    tw_format_list(type, false, list, sizeof list);
    return list[0] ? tw_arena_print(&loader->recipe->arena, "%s can be written as %s",
                                    tw_type_name(type), list)
                   : NULL;
}

static bool choose_for_one(struct tw_loader *loader, struct tw_export *item,
                           const struct tw_yaml *key)
{
    struct tw_source source = item->sources->source;
    enum tw_type type = tw_source_type(loader->recipe, source);
    const struct tw_node *node = &loader->recipe->nodes[source.node];
    const char *ending = tw_format_ending(item->file);
    item->format = tw_format_find(ending, type, false);
    if (!item->format)
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, formats_of(loader, type),
                         "%s.%s is %s, which cannot be written as %s", node->path,
                         node->type->outputs[source.port].name, tw_type_name(type), ending);
    return item->format != NULL;
}

/* Chooses by the first source; all others must fit that format. */
static bool choose_for_several(struct tw_loader *loader, struct tw_export *item,
                               const struct tw_yaml *key, const char *preset)
{
    const char *ending = tw_format_ending(item->file);
    enum tw_type first = tw_source_type(loader->recipe, item->sources->source);
    const struct tw_format *format = tw_format_find_several(ending, first, preset);
    if (!format)
        format = tw_format_find_several(ending, TW_TYPE_COUNT, preset);
    int32_t count = 0;
    for (const struct tw_output *o = format ? item->sources : NULL; o; o = o->next, count++) {
        enum tw_type type = tw_source_type(loader->recipe, o->source);
        if (format->several & TW_TYPE_BIT(type))
            continue;
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, formats_of(loader, type),
                         "'%s' is %s, which cannot share a %s with others", o->name,
                         tw_type_name(type), ending);
        return false;
    }
    if (!format)
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, NULL,
                         "a %s holds one value; expected one output in 'from', not a list", ending);
    else if (format->only_for && !(preset && strcmp(preset, format->only_for) == 0))
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, NULL,
                         "a %s of several masks is for one engine; expected 'for: %s'", ending,
                         format->only_for);
    else if (format->several_max > 0 && count > format->several_max)
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, NULL,
                         "%d values in one %s; expected %d at most", (int)count, ending,
                         (int)format->several_max);
    else
        item->format = format;
    return item->format != NULL;
}

/* Suggests ".png" for ".PNG" and ".tif" for ".tiff"; says that ".asc" can only be read. */
static const char *ending_hint(struct tw_loader *loader, const char *ending)
{
    char *lower = tw_arena_copy(&loader->recipe->arena, ending, strlen(ending));
    for (char *at = lower; at && *at; at++)
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
    for (const struct tw_format *const *format = tw_formats; lower && *format; format++)
        if (strncmp((*format)->ending, lower, strlen((*format)->ending)) == 0)
            return tw_arena_print(&loader->recipe->arena,
                                  (*format)->types || (*format)->several ? "did you mean '%s'?"
                                                                         : "'%s' is only read",
                                  (*format)->ending);
    return NULL;
}

bool tw_export_check_ending(struct tw_loader *loader, const struct tw_export *item,
                            const struct tw_yaml *key)
{
    const char *ending = tw_format_ending(item->file);
    char list[100];
    if (tw_format_find(ending, TW_TYPE_COUNT, false) || tw_format_find(ending, TW_TYPE_COUNT, true))
        return true;
    tw_format_list(TW_TYPE_COUNT, false, list, sizeof list);
    if (ending[0])
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, ending_hint(loader, ending),
                         "unknown export format '%s'; expected %s", ending, list);
    else
        tw_fault_log_add(loader->log, TW_RECIPE, key->place, NULL,
                         "'%.60s' has no ending that picks a format; expected %s", item->file,
                         list);
    return false;
}

/* Reads an end of range:, for a heightmap also in metres. False after a fault, and if it is no
 * number. */
static bool read_end(struct tw_loader *loader, struct tw_scope *scope, const struct tw_export *item,
                     const struct tw_yaml *value, double *end)
{
    bool mask = tw_source_type(loader->recipe, item->sources->source) == TW_MASK;
    const char *text = value->kind == TW_YAML_SCALAR ? tw_substitute(loader, scope, value) : NULL;
    if (text && !mask)
        text = tw_load_world_unit(loader, "export", "range", TW_UNIT_HEIGHT, text, &value->place);
    return text && tw_number_parse(text, end);
}

/* Reads range: [low, high] or fit. */
static void read_range(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                       const struct tw_yaml *value)
{
    const struct tw_yaml_item *low = value->items, *high = low ? low->next : NULL;
    struct tw_range *range = &item->range;
    int32_t faults = loader->log->faults;
    const char *word = value->kind == TW_YAML_SCALAR ? tw_substitute(loader, scope, value) : NULL;
    if (word && strcmp(word, "fit") == 0) {
        range->fit = true;
        return;
    }
    if (value->kind == TW_YAML_SEQUENCE && high && !high->next &&
        read_end(loader, scope, item, low->value, &range->low) &&
        read_end(loader, scope, item, high->value, &range->high) && range->low < range->high)
        return;
    if (loader->log->faults == faults)
        tw_fault_log_add(loader->log, TW_RECIPE, value->place, NULL,
                         "range is %s; expected [low, high] with low below high, or fit",
                         TW_YAML_FOUND(value));
}

/* Offers the rows of the nodes behind `as:`, and their inputs except the first. */
static void offer_options(const struct tw_node_type *type, struct tw_suggestion *suggestion)
{
    for (const struct tw_param *row = type ? type->params : NULL; row && row->name; row++)
        tw_suggest_offer(suggestion, row->name);
    for (const struct tw_port *row = type ? type->inputs + 1 : NULL; row && row->name; row++)
        tw_suggest_offer(suggestion, row->name);
}

/* Keys of any export that other functions read. */
static const char *const own_keys[] = {"from", "as", "for", "tiles", "sidecar", NULL};

static bool is_own_key(const char *key)
{
    for (const char *const *name = own_keys; *name; name++)
        if (strcmp(*name, key) == 0)
            return true;
    return false;
}

static void unknown_option(struct tw_loader *loader, const struct tw_export *item,
                           const struct tw_yaml *key)
{
    const struct tw_format *format = item->format;
    struct tw_suggestion suggestion = {.unknown = key->text};
    for (const char *const *name = own_keys; *name; name++)
        tw_suggest_offer(&suggestion, *name);
    if (format->ranged) {
        tw_suggest_offer(&suggestion, "range");
        tw_suggest_offer(&suggestion, tw_range_options->name);
    }
    for (const struct tw_param *row = format->options; row && row->name; row++)
        tw_suggest_offer(&suggestion, row->name);
    for (const struct tw_format_part *part = format->parts; part && part->name; part++)
        tw_suggest_offer(&suggestion, part->name);
    if (item->view) {
        offer_options(item->view, &suggestion);
        offer_options(tw_render_surface_of(loader, item->view), &suggestion);
    }
    tw_fault_log_add(loader->log, TW_RECIPE, key->place,
                     tw_suggest_hint(&suggestion, &loader->recipe->arena),
                     "an export as %s has no option '%s'",
                     item->view ? item->view->name : format->ending, key->text);
}

/* Reads {from: ..., as: ..., and the options of the format}. */
static bool read_options(struct tw_loader *loader, struct tw_scope *scope,
                         const struct tw_yaml *value, struct tw_export *item)
{
    const struct tw_format *format = item->format;
    item->options = tw_arena_alloc(&loader->recipe->arena, format->options_size + 1, 1);
    if (!item->options)
        return false;
    tw_param_defaults(format->options, item->options);
    tw_export_set_preset(loader, item);
    for (const struct tw_yaml_item *row = value->items; row; row = row->next) {
        const char *key = row->key->text;
        const struct tw_param *own = tw_param_find(format->options, key);
        const struct tw_param *common = tw_param_find(tw_range_options, key);
        if (is_own_key(key))
            continue;
        if (item->view && tw_render_has_option(loader, item->view, key))
            continue;
        if (own) {
            tw_load_param(loader, scope, "export", own, item->options, row->value);
            tw_export_check_preset(loader, item, own, row->key);
        } else if (format->ranged && strcmp(key, "range") == 0) {
            read_range(loader, scope, item, row->value);
        } else if (format->ranged && common) {
            tw_load_param(loader, scope, "export", common, &item->range, row->value);
        } else if (!tw_export_load_part(loader, scope, item, row)) {
            unknown_option(loader, item, row->key);
        }
    }
    return true;
}

static bool check_build(struct tw_loader *loader, const struct tw_export *item,
                        const struct tw_yaml *key)
{
    struct tw_error error;
    if (tw_format_check(item->format, &error) == TW_OK)
        return true;
    tw_fault_log_add(loader->log, TW_LIMIT, key->place, NULL, "%s", error.message);
    return false;
}

bool tw_export_load_format(struct tw_loader *loader, struct tw_scope *scope, struct tw_export *item,
                           const struct tw_yaml_item *entry)
{
    static const struct tw_yaml nothing = {.kind = TW_YAML_MAPPING};
    const struct tw_yaml *value = entry->value->kind == TW_YAML_MAPPING ? entry->value : &nothing;
    const struct tw_yaml *preset = tw_yaml_find(value, "for");
    const bool named = preset && preset->kind == TW_YAML_SCALAR;
    const char *engine = named && item->several ? tw_substitute(loader, scope, preset) : NULL;
    bool chosen = item->several ? choose_for_several(loader, item, entry->key, engine)
                                : choose_for_one(loader, item, entry->key);
    return chosen && check_build(loader, item, entry->key) &&
           (!preset || tw_export_load_preset(loader, scope, item, preset)) &&
           read_options(loader, scope, value, item);
}
