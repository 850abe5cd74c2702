/* SPDX-License-Identifier: MIT */
#include "cli/compare/ask.h"

#include "cli/cli.h"
#include "cli/compare/tables.h"
#include "study/trial.h"

#include <jansson.h>

/* Returns an option that asks for a report or for other machines; NULL for none. */
static const char *report_option(const struct tw_settings *settings)
{
    const struct {
        const char *name;
        bool given;
    } options[] = {{"--html", settings->html != NULL}, {tw_compare_tables_option(settings), true},
                   {"--gather", settings->gather},     {"--shard", settings->shard.of > 0},
                   {"--times", settings->times > 0},   {"--on", settings->on != TW_ON_HERE}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].name && options[i].given)
            return options[i].name;
    return NULL;
}

int tw_compare_check_ask(const struct tw_settings *settings)
{
    const char *option = settings->ask ? "--ask" : settings->tell ? "--tell" : NULL;
    const char *other = report_option(settings);
    if (!option || !other)
        return 0;
    return tw_console_usage("%s and %s exclude each other: %s writes no report", option, other,
                            option);
}

static json_t *range_json(double from, double to, bool whole)
{
    return json_pack("{s:f, s:f, s:b}", "from", from, "to", to, "whole", (int)whole);
}

static json_t *axes_json(const struct tw_axis *axes, int32_t count)
{
    json_t *ranges = json_object();
    for (int32_t i = 0; i < count; i++)
        json_object_set_new(ranges, axes[i].name,
                            range_json(axes[i].from, axes[i].to, axes[i].whole));
    return ranges;
}

/* The recipe's numbers that have both bounds. */
static enum tw_status bounded_json(const struct tw_experiment *e,
                                   const struct tw_load_options *load, json_t **ranges,
                                   struct tw_error *err)
{
    struct tw_variant variant;
    struct tw_recipe *recipe = NULL;
    struct tw_recipe_param param;
    const struct tw_experiment alone = tw_experiment_trial(e, NULL, 0, &variant);
    enum tw_status status =
        tw_experiment_recipe(&alone, 0, tw_experiment_seed(e, 0), load, &recipe, err);
    *ranges = json_object();
    for (int32_t i = 0; status == TW_OK && tw_recipe_param(recipe, i, &param); i++)
        if (param.is_number && param.has_min && param.has_max)
            json_object_set_new(*ranges, param.name, range_json(param.min, param.max, false));
    tw_recipe_release(recipe);
    return status;
}

int tw_compare_ask(const struct tw_experiment *e, const struct tw_load_options *load)
{
    struct tw_error error = {.status = TW_OK};
    enum tw_status status = TW_OK;
    json_t *ranges = NULL, *measures = json_array();
    if (e->tune.param_count > 0)
        ranges = axes_json(e->tune.params, e->tune.param_count);
    else if (e->sensitivity.factor_count > 0)
        ranges = axes_json(e->sensitivity.factors, e->sensitivity.factor_count);
    else
        status = bounded_json(e, load, &ranges, &error);
    for (int32_t m = 0; m < e->measure_count; m++)
        json_array_append_new(measures, json_string(e->measures[m].name));
    json_t *root = json_pack("{s:o, s:o, s:i}", "parameters", ranges, "measures", measures, "seeds",
                             (int)e->seed_count);
    if (status == TW_OK && (!root || json_dumpf(root, stdout, JSON_COMPACT) != 0))
        status = tw_error_set(&error, TW_MEMORY, "out of memory");
    json_decref(root);
    if (status != TW_OK)
        return tw_console_error(&error);
    fputs("\n", stdout);
    return fflush(stdout) == 0 ? 0 : tw_status_exit_code(TW_IO);
}
