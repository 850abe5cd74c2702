/* SPDX-License-Identifier: MIT */
/* A variant's recipe, loaded with one of the seeds. */
#include "experiment/experiment.h"

#include "field/field.h"

#include <stdio.h>
#include <string.h>

static enum tw_status set_place(const struct tw_experiment *experiment,
                                const struct tw_variant *variant, struct tw_error *err)
{
    if (err) {
        snprintf(err->file, sizeof err->file, "%s", experiment->file);
        err->line = variant->place.line;
        err->column = variant->place.column;
    }
    return TW_RECIPE;
}

static enum tw_status check_measures(const struct tw_experiment *experiment,
                                     const struct tw_variant *variant,
                                     const struct tw_recipe *recipe, struct tw_error *err)
{
    for (int32_t i = 0; i < experiment->measure_count; i++) {
        const struct tw_output *output = recipe->outputs;
        while (output && strcmp(output->name, experiment->measures[i].output) != 0)
            output = output->next;
        if (output && tw_source_type(recipe, output->source) == TW_RECORD)
            continue;
        tw_error_set(err, TW_RECIPE, "variant %s: %s measures the output '%s', which %s",
                     variant->name, experiment->measures[i].name, experiment->measures[i].output,
                     output ? "is not a record" : "its recipe does not have");
        return set_place(experiment, variant, err);
    }
    return TW_OK;
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
                 "variant %s: the picture '%s' must be a heightmap, a mask or an image; it is %s",
                 variant->name, experiment->picture,
                 output ? tw_type_name(type) : "not an output of its recipe");
    return set_place(experiment, variant, err);
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
