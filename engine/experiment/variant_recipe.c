/* SPDX-License-Identifier: MIT */
/* A variant's recipe, loaded with one of the seeds. */
#include "experiment/experiment.h"

#include "experiment/map_measure.h"
#include "field/field.h"
#include "node/param.h"

#include <stdio.h>
#include <string.h>

static enum tw_status set_place(const struct tw_experiment *experiment, struct tw_place place,
                                struct tw_error *err)
{
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", experiment->file);
        err->line = place.line;
        err->column = place.column;
    }
    return TW_RECIPE;
}

/* The range that a band of heights or slopes leaves, or NULL. */
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
    const struct tw_output *output = recipe->outputs;
    const struct tw_param *range;
    struct tw_map_measure map;
    if (!measure->output)
        return TW_OK;
    while (output && strcmp(output->name, measure->output) != 0)
        output = output->next;
    enum tw_type type = output ? tw_source_type(recipe, output->source) : TW_RECORD;
    if (output && type == TW_RECORD)
        return TW_OK;
    if (!output || (type != TW_HEIGHTMAP && type != TW_MASK))
        tw_error_set(err, TW_RECIPE, "variant %s: %s measures the output '%s', which %s",
                     variant->name, measure->name, measure->output,
                     output ? "is neither a record nor a map" : "its recipe does not have");
    else if (!tw_map_measure_find(measure->field, &map))
        tw_error_set(err, TW_RECIPE, "%s: '%s' cannot be measured of a map; expected %s",
                     measure->name, measure->field, tw_map_measure_expected);
    else if ((range = exceeded_range(&map)))
        tw_error_set(err, TW_RECIPE, "%s is about %g to %g; expected a band within %g to %g",
                     measure->name, map.low, map.high, range->min, range->max);
    else if ((map.kind == TW_MAP_DIFFERENCE || map.kind == TW_MAP_RMS) && experiment->baseline < 0)
        tw_error_set(err, TW_RECIPE,
                     "%s is about the baseline's map; expected baseline:", measure->name);
    else
        return TW_OK;
    return set_place(experiment, output ? measure->place : variant->place, err);
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

/* Pages shade maps: a value of another shape must not get that far. */
static enum tw_status check_picture(const struct tw_experiment *experiment,
                                    const struct tw_variant *variant,
                                    const struct tw_recipe *recipe, struct tw_error *err)
{
    const struct tw_output *output = recipe->outputs;
    if (!experiment->picture)
        return TW_OK;
    while (output && strcmp(output->name, experiment->picture) != 0)
        output = output->next;
    enum tw_type type = output ? tw_source_type(recipe, output->source) : TW_RECORD;
    if (type == TW_HEIGHTMAP || type == TW_MASK || type == TW_IMAGE)
        return TW_OK;
    tw_error_set(err, TW_RECIPE,
                 "variant %s: the picture '%s' is %s; expected a heightmap, a mask or an image",
                 variant->name, experiment->picture,
                 output ? tw_type_name(type) : "not an output of its recipe");
    return set_place(experiment, variant->place, err);
}

enum tw_status tw_experiment_recipe(const struct tw_experiment *experiment, int32_t variant,
                                    uint64_t seed, const struct tw_load_options *options,
                                    struct tw_recipe **recipe, struct tw_error *err)
{
    const struct tw_variant *row = &experiment->variants[variant];
    struct tw_load_options own = *options;
    const struct tw_load_changes changes = {row->nodes, row->settings, row->setting_count};
    struct tw_recipe *loaded = NULL;
    own.has_seed = true;
    own.seed = seed;
    if (experiment->width > 0 && own.width == 0) {
        own.width = experiment->width;
        own.height = experiment->height;
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
