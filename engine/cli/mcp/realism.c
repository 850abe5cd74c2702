/* SPDX-License-Identifier: MIT */
/* The tool `realism`: nine numbers of a heightmap beside those of real mountains. */
#include "cli/mcp/mcp.h"

#include "graph/merge.h"
#include "runner/runner.h"

#include <thalweg/realism.h>

#include <string.h>

static const char measured[] = "realism";

/* Finds the named output, or the first heightmap. */
static const struct tw_output *find_output(const struct tw_recipe *recipe, const char *name)
{
    const struct tw_output *output = recipe->outputs;
    while (output && (name ? strcmp(output->name, name) != 0
                           : tw_source_type(recipe, output->source) != TW_HEIGHTMAP))
        output = output->next;
    if (!output)
        tw_mcp_fault(TW_USAGE, NULL, "the recipe has no %s%.100s",
                     name ? "output " : "output that is a heightmap", name ? name : "");
    else if (tw_source_type(recipe, output->source) != TW_HEIGHTMAP) {
        tw_mcp_fault(TW_USAGE, NULL, "output %.100s is a %s; expected a heightmap", output->name,
                     tw_type_name(tw_source_type(recipe, output->source)));
        output = NULL;
    }
    return output;
}

/* Runs the recipe's graph with a node that measures the output. */
static enum tw_status measure(const struct tw_mcp *mcp, struct tw_recipe *recipe,
                              struct tw_source source, struct tw_result **result,
                              struct tw_error *err)
{
    const struct tw_registry registry = {NULL};
    const struct tw_node_type *type = tw_registry_find(&registry, "measure.realism");
    const struct tw_run_request request = {.options = &mcp->run, .memo = mcp->memo};
    struct tw_merged merged = {.recipe = NULL};
    enum tw_status status = tw_merge_all(&merged, &recipe, 1, 1, err);
    if (status == TW_OK) {
        source.node = merged.node_of[0][source.node];
        const int32_t node = tw_merge_add_node(merged.recipe, type, &source, 1);
        if (node < 0 || !tw_merge_add_output(merged.recipe, measured, (struct tw_source){node, 0}))
            status = tw_error_set(err, TW_MEMORY, "out of memory");
    }
    if (status == TW_OK)
        status = tw_run_execute(merged.recipe, &request, result, err);
    tw_merged_release(&merged);
    return status;
}

static double number_of(const struct tw_value *record, const char *name)
{
    const double *number = tw_record_find(record, name);
    return number ? *number : 0;
}

static json_t *numbers_json(const struct tw_value *record, const struct tw_realism_band *bands)
{
    static const char *const verdicts[] = {"below", "inside", "above"};
    json_t *list = json_array();
    for (int i = 0; i < TW_REALISM_COUNT; i++) {
        const double number = number_of(record, bands[i].name);
        json_array_append_new(
            list, json_pack("{s:s, s:f, s:s, s:f, s:f, s:f}", "name", bands[i].name, "number",
                            number, "verdict", verdicts[1 + tw_realism_verdict(&bands[i], number)],
                            "p5", bands[i].p5, "median", bands[i].p50, "p95", bands[i].p95));
    }
    return list;
}

static json_t *realism_json(const char *output, const struct tw_value *record)
{
    const double cell_m = number_of(record, "cell_m");
    return json_pack("{s:s, s:f, s:i, s:f, s:f, s:o}", "output", output, "inside",
                     number_of(record, "inside"), "of", (int)TW_REALISM_COUNT, "distance",
                     number_of(record, "distance"), "cell_m", cell_m, "numbers",
                     numbers_json(record, tw_realism_bands(cell_m)));
}

json_t *tw_mcp_realism(void *context, const json_t *arguments)
{
    const struct tw_mcp *mcp = context;
    const json_t *named = json_object_get(arguments, "output");
    const struct tw_output *output = NULL;
    struct tw_error error = {.status = TW_OK};
    struct tw_recipe *recipe;
    struct tw_result *result = NULL;
    json_t *fields = NULL;
    const bool loaded = tw_mcp_load(mcp, arguments, "recipe", "recipe.yaml", &recipe);
    if (loaded && named && !json_is_string(named))
        tw_mcp_fault(TW_USAGE, NULL, "output: expected the name of an output");
    else if (loaded)
        output = find_output(recipe, json_string_value(named));
    if (output && measure(mcp, recipe, output->source, &result, &error) != TW_OK)
        tw_mcp_fault_of(&error);
    else if (output)
        fields = realism_json(output->name, tw_result_output(result, measured));
    tw_result_release(result);
    tw_recipe_release(recipe);
    return tw_mcp_result(mcp, fields);
}
