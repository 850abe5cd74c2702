/* SPDX-License-Identifier: MIT */
/* The variants of an experiment: parameters set, nodes replaced, another recipe, or a sweep. */
#include "experiment/experiment_private.h"

#include "base/suggest.h"

#include <string.h>

/* "name=value" for every entry, and one more for the parameter that is swept. */
static const char *const *read_set(struct tw_experiment_reader *reader,
                                   const struct tw_yaml *params, const char *swept)
{
    struct tw_arena *arena = &reader->experiment->arena;
    size_t count = 0;
    for (const struct tw_yaml_item *item = params ? params->items : NULL; item; item = item->next)
        count++;
    const char **set = tw_arena_alloc(arena, count + 2, sizeof *set);
    if (!set) {
        tw_experiment_no_memory(reader);
        return NULL;
    }
    count = 0;
    for (const struct tw_yaml_item *item = params ? params->items : NULL; item; item = item->next)
        if (tw_expect_kind(reader->report, item->value, TW_YAML_SCALAR, item->key->text))
            set[count++] = tw_arena_print(arena, "%s=%s", item->key->text, item->value->text);
    set[count] = swept;
    return set;
}

static void add_variant(struct tw_experiment_reader *reader, const char *name,
                        const struct tw_yaml *value, const char *swept)
{
    struct tw_experiment *experiment = reader->experiment;
    const struct tw_yaml *params = tw_yaml_find(value, "params");
    const struct tw_yaml *nodes = tw_yaml_find(value, "nodes");
    if (experiment->variant_count == TW_VARIANTS_MAX) {
        TW_EXPERIMENT_FAULT(reader, value->place, "more than %d variants", TW_VARIANTS_MAX);
        return;
    }
    if ((params && !tw_expect_kind(reader->report, params, TW_YAML_MAPPING, "params")) ||
        (nodes && !tw_expect_kind(reader->report, nodes, TW_YAML_MAPPING, "nodes")))
        return;
    const struct tw_yaml *recipe = tw_yaml_find(value, "recipe");
    struct tw_variant *variant = &experiment->variants[experiment->variant_count];
    *variant = (struct tw_variant){.name = name,
                                   .recipe = recipe ? tw_experiment_find_recipe(reader, recipe)
                                                    : reader->recipe,
                                   .set = read_set(reader, params, swept),
                                   .nodes = nodes,
                                   .place = value->place};
    tw_experiment_read_bounds(reader, experiment->variant_count, tw_yaml_find(value, "assert"));
    experiment->variant_count++;
}

/* sweep: {iterations: [0, 10, 20]}: one variant per value, named VARIANT/VALUE. */
static void sweep_variant(struct tw_experiment_reader *reader, const struct tw_yaml_item *item,
                          const struct tw_yaml *sweep)
{
    const struct tw_yaml_item *row = sweep->kind == TW_YAML_MAPPING ? sweep->items : NULL;
    if (!row || row->next || row->value->kind != TW_YAML_SEQUENCE) {
        TW_EXPERIMENT_FAULT(reader, sweep->place,
                            "sweep takes one parameter and a list of its values");
        return;
    }
    for (const struct tw_yaml_item *value = row->value->items; value; value = value->next) {
        if (!tw_expect_kind(reader->report, value->value, TW_YAML_SCALAR, row->key->text))
            return;
        struct tw_arena *arena = &reader->experiment->arena;
        const char *name = tw_arena_print(arena, "%s/%s", item->key->text, value->value->text);
        const char *set = tw_arena_print(arena, "%s=%s", row->key->text, value->value->text);
        if (name && set)
            add_variant(reader, name, item->value, set);
    }
}

void tw_experiment_read_variants(struct tw_experiment_reader *reader, const struct tw_yaml *mapping)
{
    static const char *const known[] = {"params", "nodes", "recipe", "sweep", "assert", NULL};
    reader->experiment->variants = tw_arena_alloc(&reader->experiment->arena, TW_VARIANTS_MAX,
                                                  sizeof *reader->experiment->variants);
    if (!reader->experiment->variants) {
        tw_experiment_no_memory(reader);
        return;
    }
    if (!tw_expect_kind(reader->report, mapping, TW_YAML_MAPPING, "variants"))
        return;
    for (const struct tw_yaml_item *item = mapping->items; item; item = item->next) {
        if (!tw_expect_kind(reader->report, item->value, TW_YAML_MAPPING, item->key->text))
            continue;
        tw_expect_keys(reader->report, &reader->experiment->arena, item->value, "a variant", known);
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
    if (!tw_expect_kind(reader->report, value, TW_YAML_SCALAR, "baseline"))
        return;
    struct tw_suggestion suggestion = {.unknown = value->text};
    for (int32_t i = 0; i < reader->experiment->variant_count; i++) {
        if (strcmp(reader->experiment->variants[i].name, value->text) == 0)
            reader->experiment->baseline = i;
        tw_suggest_offer(&suggestion, reader->experiment->variants[i].name);
    }
    if (reader->experiment->baseline < 0)
        tw_report_fault(reader->report, TW_RECIPE, value->place,
                        tw_suggest_hint(&suggestion, &reader->experiment->arena),
                        "baseline must name a variant");
}
