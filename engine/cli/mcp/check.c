/* SPDX-License-Identifier: MIT */
/* The tool `check`: every fault of a recipe, or what it has. */
#include "cli/mcp/mcp.h"

#include "console/documents.h"

#include <inttypes.h>
#include <stdio.h>

static json_t *outputs_json(const struct tw_recipe *recipe)
{
    json_t *list = json_array();
    struct tw_recipe_port port;
    for (int32_t i = 0; tw_recipe_output(recipe, i, &port); i++) {
        json_t *output =
            json_pack("{s:s, s:s}", "name", port.name, "type", tw_type_name(port.type));
        if (port.width > 0)
            json_object_set_new(output, "size", tw_document_size(port.width, port.height));
        json_array_append_new(list, output);
    }
    return list;
}

static json_t *params_json(const struct tw_recipe *recipe)
{
    json_t *list = json_array();
    struct tw_recipe_param param;
    for (int32_t i = 0; tw_recipe_param(recipe, i, &param); i++) {
        json_t *entry = json_pack("{s:s, s:s, s:s, s:s}", "name", param.name, "value", param.value,
                                  "default", param.initial, "about", param.about);
        if (param.has_min)
            json_object_set_new(entry, "min", json_real(param.min));
        if (param.has_max)
            json_object_set_new(entry, "max", json_real(param.max));
        if (param.has_usual)
            json_object_set_new(entry, "usual",
                                json_pack("[f, f]", param.usual_min, param.usual_max));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *facts_json(const struct tw_recipe *recipe)
{
    char seed[24];
    json_t *exports = json_array();
    for (const struct tw_export *e = recipe->exports; e; e = e->next)
        if (tw_export_is_entry(e))
            json_array_append_new(exports, json_string(e->entry));
    snprintf(seed, sizeof seed, "%" PRIu64, recipe->seed);
    return json_pack("{s:o, s:s, s:s, s:i, s:o, s:o, s:o}", "size",
                     tw_document_size(recipe->width, recipe->height), "seed", seed, "borders",
                     tw_borders_name(recipe->borders), "nodes", (int)recipe->count, "outputs",
                     outputs_json(recipe), "params", params_json(recipe), "exports", exports);
}

json_t *tw_mcp_check(void *context, const json_t *arguments)
{
    const struct tw_mcp *mcp = context;
    struct tw_recipe *recipe;
    json_t *facts = NULL;
    if (tw_mcp_load(mcp, arguments, "recipe", "recipe.yaml", &recipe))
        facts = facts_json(recipe);
    tw_recipe_release(recipe);
    return tw_mcp_result(mcp, facts);
}
