/* SPDX-License-Identifier: MIT */
/* Loads a variant's recipe with one of the seeds. */
#include "study/experiment.h"

#include "base/text/suggest.h"
#include "node/param.h"
#include "study/map_measure.h"
#include "value/field.h"

#include <stdio.h>
#include <string.h>

enum tw_status tw_experiment_fault_at(const struct tw_experiment *experiment, struct tw_place place,
                                      struct tw_error *err)
{
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", experiment->file);
        err->line = place.line;
        err->column = place.column;
    }
    return TW_RECIPE;
}

/* Returns NULL if the recipe has no output of that name, with the nearest name in `suggestion`. */
static const struct tw_output *find_output(const struct tw_recipe *recipe, const char *name,
                                           struct tw_suggestion *suggestion)
{
    *suggestion = (struct tw_suggestion){.unknown = name};
    for (const struct tw_output *output = recipe->outputs; output; output = output->next) {
        if (strcmp(output->name, name) == 0)
            return output;
        tw_suggest_offer(suggestion, output->name);
    }
    return NULL;
}

/* Returns the range that a band of heights or slopes exceeds, or NULL. */
static const struct tw_param *exceeded_range(const struct tw_map_measure *map)
{
    if (map->kind != TW_MAP_SHARE)
        return NULL;
    const struct tw_param *low = tw_param_find(map->type->params, "low");
    return map->low < low->min || map->high > low->max ? low : NULL;
}

static enum tw_status check_measure(const struct tw_experiment *experiment,
                                    const struct tw_variant *variant,
                                    const struct tw_measure *measure,
                                    const struct tw_recipe *recipe, struct tw_error *err)
{
    const struct tw_param *range;
    struct tw_map_measure map;
    struct tw_suggestion suggestion;
    if (tw_measure_is_seconds(measure) && !recipe->outputs) {
        tw_error_set(err, TW_RECIPE,
                     "variant %s: seconds are those of a run of outputs, of which its recipe has "
                     "none; expected outputs:",
                     variant->name);
        return tw_experiment_fault_at(experiment, measure->place, err);
    }
    if (!measure->output)
        return TW_OK;
    const struct tw_output *output = find_output(recipe, measure->output, &suggestion);
    enum tw_type type = output ? tw_source_type(recipe, output->source) : TW_RECORD;
    if (output && type == TW_RECORD)
        return TW_OK;
    if (!output || (type != TW_HEIGHTMAP && type != TW_MASK))
        tw_error_set(err, TW_RECIPE, "variant %s: %s measures the output '%s', which %s",
                     variant->name, measure->name, measure->output,
                     output ? "is neither a record nor a map" : "its recipe does not have");
    else if (!tw_map_measure_find(measure->field, &map))
        tw_map_measure_explain(measure->name, measure->field, err);
    else if ((range = exceeded_range(&map)))
        tw_error_set(err, TW_RECIPE, "%s is about %g to %g; expected a band within %g to %g",
                     measure->name, map.low, map.high, range->min, range->max);
    else if ((map.kind == TW_MAP_DIFFERENCE || map.kind == TW_MAP_RMS) && experiment->baseline < 0)
        tw_error_set(err, TW_RECIPE,
                     "%s is about the baseline's map; expected baseline:", measure->name);
    else
        return TW_OK;
    if (!output)
        tw_suggest_to(&suggestion, err);
    return tw_experiment_fault_at(experiment, measure->place, err);
}

static enum tw_status check_measures(const struct tw_experiment *experiment,
                                     const struct tw_variant *variant,
                                     const struct tw_recipe *recipe, struct tw_error *err)
{
    enum tw_status status = TW_OK;
    for (int32_t i = 0; status == TW_OK && i < experiment->measure_count; i++)
        status = check_measure(experiment, variant, &experiment->measures[i], recipe, err);
    return status;
}

/* Pages shade maps, so the picture must be one. */
static enum tw_status check_picture(const struct tw_experiment *experiment,
                                    const struct tw_variant *variant,
                                    const struct tw_recipe *recipe, struct tw_error *err)
{
    struct tw_suggestion suggestion;
    if (!experiment->picture)
        return TW_OK;
    const struct tw_output *output = find_output(recipe, experiment->picture, &suggestion);
    enum tw_type type = output ? tw_source_type(recipe, output->source) : TW_RECORD;
    if (type == TW_HEIGHTMAP || type == TW_MASK || type == TW_IMAGE)
        return TW_OK;
    tw_error_set(err, TW_RECIPE,
                 "variant %s: the picture '%s' is %s; expected a heightmap, a mask or an image",
                 variant->name, experiment->picture,
                 output ? tw_type_name(type) : "not an output of its recipe");
    if (!output)
        tw_suggest_to(&suggestion, err);
    return tw_experiment_fault_at(experiment, experiment->picture_place, err);
}

/* ---- faults of its recipe ---- */

/* Passes on faults of a recipe, naming the variant whose parameters caused them. */
struct listener {
    const struct tw_experiment *experiment;
    const struct tw_variant *variant;
    const struct tw_load_options *options;
};

/* Whether the variant may have caused a fault of its recipe: another one would not have it. */
static bool changes_recipe(const struct tw_experiment *e, const struct tw_variant *variant)
{
    return variant->setting_count > 0 || variant->nodes || !e->recipe ||
           strcmp(variant->recipe, e->recipe) != 0;
}

static void on_fault(void *context, bool fault, const struct tw_error *error, const char *line)
{
    const struct listener *listener = context;
    const struct tw_variant *variant = listener->variant;
    struct tw_error own = *error;
    if (fault && changes_recipe(listener->experiment, variant) &&
        strcmp(own.file, listener->experiment->file) != 0) {
        size_t used = strlen(own.hint);
        snprintf(own.hint + used, sizeof own.hint - used, "%sin variant '%.80s', %.80s:%d:%d",
                 used ? "; " : "", variant->name, listener->experiment->file,
                 (int)variant->place.line, (int)variant->place.column);
    }
    listener->options->diagnostic(listener->options->context, fault, &own, line);
}

static void note_read(void *context, const char *path)
{
    const struct listener *listener = context;
    listener->options->reads(listener->options->context, path);
}

enum tw_status tw_experiment_recipe(const struct tw_experiment *experiment, int32_t variant,
                                    uint64_t seed, const struct tw_load_options *options,
                                    struct tw_recipe **recipe, struct tw_error *err)
{
    const struct tw_variant *row = &experiment->variants[variant];
    struct tw_load_options own = *options;
    const struct tw_load_changes changes = {
        .nodes = row->nodes, .settings = row->settings, .setting_count = row->setting_count};
    struct listener listener = {experiment, row, options};
    struct tw_recipe *loaded = NULL;
    own.diagnostic = options->diagnostic ? on_fault : NULL;
    own.reads = options->reads ? note_read : NULL;
    own.context = &listener;
    own.has_seed = true;
    own.seed = seed;
    if (own.width == 0) {
        own.width = row->side > 0 ? row->side : experiment->width;
        own.height = row->side > 0 ? row->side : experiment->height;
    }
    enum tw_status status = tw_recipe_load_with(row->recipe, &own, &changes, &loaded, err);
    if (status == TW_OK)
        status = check_measures(experiment, row, loaded, err);
    if (status == TW_OK)
        status = check_picture(experiment, row, loaded, err);
    if (status == TW_OK)
        *recipe = loaded;
    else
        tw_recipe_release(loaded);
    return status;
}
