/* SPDX-License-Identifier: MIT */
/* Reads the variants of an experiment: parameters set, nodes replaced, another recipe, or a sweep.
 */
#include "study/experiment_private.h"

#include "base/text/suggest.h"

#include <string.h>

const char *tw_variant_value(const struct tw_variant *variant, const char *parameter)
{
    for (int32_t i = variant->setting_count; i-- > 0;)
        if (strcmp(variant->settings[i].name, parameter) == 0)
            return variant->settings[i].text;
    return NULL;
}

/* Limits names, since every table and page repeats them, and a matrix builds them from other texts.
 */
bool tw_experiment_check_name(struct tw_experiment_reader *reader, struct tw_place place,
                              size_t length)
{
    if (length <= TW_VARIANT_NAME_MAX)
        return true;
    TW_EXPERIMENT_FAULT(reader, place,
                        "the name of a variant has %zu bytes or more; expected at most %d", length,
                        TW_VARIANT_NAME_MAX);
    return false;
}

/* Allocates from the arena; doubles the list when it is full. */
bool tw_experiment_add_variant(struct tw_experiment_reader *reader,
                               const struct tw_variant *variant)
{
    struct tw_experiment *e = reader->experiment;
    if (e->run_count == TW_VARIANTS_MAX) {
        TW_EXPERIMENT_FAULT(reader, variant->place, "more than %d variants", TW_VARIANTS_MAX);
        return false;
    }
    if (!tw_experiment_check_name(reader, variant->place, strlen(variant->name)))
        return false;
    if (e->run_count == e->variant_capacity) {
        int32_t capacity = e->variant_capacity > 0 ? 2 * e->variant_capacity : 16;
        struct tw_variant *more = tw_arena_alloc(&e->arena, (size_t)capacity, sizeof *more);
        if (!more)
            return tw_experiment_no_memory(reader);
        if (e->run_count > 0)
            memcpy(more, e->variants, (size_t)e->run_count * sizeof *more);
        e->variants = more;
        e->variant_capacity = capacity;
    }
    e->variants[e->run_count++] = *variant;
    return true;
}

/* Reads params:, and adds the value of the swept parameter. */
static bool read_settings(struct tw_experiment_reader *reader, const struct tw_yaml *params,
                          const struct tw_setting *swept, struct tw_variant *variant)
{
    size_t count = params ? (size_t)params->count : 0;
    struct tw_setting *settings =
        tw_arena_alloc(&reader->experiment->arena, count + 1, sizeof *settings);
    if (!settings)
        return tw_experiment_no_memory(reader);
    for (const struct tw_yaml_item *item = params ? params->items : NULL; item; item = item->next)
        if (tw_expect_kind(reader->log, item->value, TW_YAML_SCALAR, item->key->text))
            settings[variant->setting_count++] =
                (struct tw_setting){item->key->text, item->value->text, item->value->place};
    if (swept)
        settings[variant->setting_count++] = *swept;
    variant->settings = settings;
    return true;
}

/* Returns false after a fault that would repeat for all other values of a sweep. */
static bool add_variant(struct tw_experiment_reader *reader, const char *name,
                        const struct tw_yaml *value, const struct tw_setting *swept)
{
    int32_t faults = reader->log->faults;
    const struct tw_yaml *params = tw_yaml_find(value, "params");
    const struct tw_yaml *nodes = tw_yaml_find(value, "nodes");
    const struct tw_yaml *recipe = tw_yaml_find(value, "recipe");
    struct tw_variant variant = {.name = name, .nodes = nodes, .place = value->place};
    if ((params && !tw_expect_kind(reader->log, params, TW_YAML_MAPPING, "params")) ||
        (nodes && !tw_expect_kind(reader->log, nodes, TW_YAML_MAPPING, "nodes")))
        return false;
    variant.recipe = recipe ? tw_experiment_find_recipe(reader, recipe) : reader->recipe;
    tw_experiment_read_bounds(reader, reader->experiment->run_count, tw_yaml_find(value, "assert"));
    return read_settings(reader, params, swept, &variant) &&
           tw_experiment_add_variant(reader, &variant) && reader->log->faults == faults;
}

/* Reads sweep: {iterations: [0, 10, 20]}: one variant per value, named VARIANT/VALUE. */
static void sweep_variant(struct tw_experiment_reader *reader, const struct tw_yaml_item *item,
                          const struct tw_yaml *sweep)
{
    const struct tw_yaml_item *row = sweep->kind == TW_YAML_MAPPING ? sweep->items : NULL;
    if (row && row->next) {
        tw_fault_log_add(reader->log, TW_RECIPE, row->next->key->place,
                         "matrix: combines the values of several parameters",
                         "sweep has a second parameter, '%.60s'; expected one",
                         row->next->key->text);
        return;
    }
    if (!row || row->value->kind != TW_YAML_SEQUENCE) {
        TW_EXPERIMENT_FAULT(reader, sweep->place,
                            "sweep is %s; expected one parameter with a list of its values",
                            TW_YAML_FOUND(sweep));
        return;
    }
    struct tw_arena *arena = &reader->experiment->arena;
    struct tw_axis axis;
    if (!tw_axis_read(reader->log, arena, row, &axis) ||
        !tw_axis_check_values(reader->log, arena, &axis))
        return;
    for (int32_t i = 0; i < axis.count; i++) {
        const struct tw_setting *swept = &axis.values[i];
        if (!tw_experiment_check_name(reader, swept->place,
                                      strlen(item->key->text) + 1 + strlen(swept->text)))
            return;
        const char *name = tw_arena_print(arena, "%s/%s", item->key->text, swept->text);
        if (!name || !add_variant(reader, name, item->value, swept))
            return;
    }
}

void tw_experiment_read_variants(struct tw_experiment_reader *reader, const struct tw_yaml *mapping)
{
    static const char *const known[] = {"params", "nodes", "recipe", "sweep", "assert", NULL};
    if (!mapping || !tw_expect_kind(reader->log, mapping, TW_YAML_MAPPING, "variants"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        if (!tw_expect_kind(reader->log, item->value, TW_YAML_MAPPING, item->key->text))
            continue;
        tw_expect_keys(reader->log, &reader->experiment->arena, item->value, "a variant", known);
        const struct tw_yaml *sweep = tw_yaml_find(item->value, "sweep");
        if (sweep)
            sweep_variant(reader, item, sweep);
        else
            add_variant(reader, item->key->text, item->value, NULL);
    }
    if (!mapping->items)
        TW_EXPERIMENT_FAULT(reader, mapping->place, "an experiment needs at least one variant");
}

void tw_experiment_read_baseline(struct tw_experiment_reader *reader, const struct tw_yaml *value)
{
    if (!tw_expect_kind(reader->log, value, TW_YAML_SCALAR, "baseline"))
        return;
    struct tw_suggestion suggestion = {.unknown = value->text};
    for (int32_t i = 0; i < reader->experiment->level_variants; i++) {
        if (strcmp(reader->experiment->variants[i].name, value->text) == 0)
            reader->experiment->baseline = i;
        tw_suggest_offer(&suggestion, reader->experiment->variants[i].name);
    }
    if (reader->experiment->baseline < 0)
        tw_fault_log_add(reader->log, TW_RECIPE, value->place,
                         tw_suggest_hint(&suggestion, &reader->experiment->arena),
                         "baseline is %s; expected the name of a variant", TW_YAML_FOUND(value));
}
