/* SPDX-License-Identifier: MIT */
/* Prints every node type as JSON, for tools: `thalweg nodes --json`. */
#include "base/text/json.h"
#include "graph/library_page.h"
#include "node/describe.h"

#include <thalweg/thalweg.h>

#include <stdlib.h>
#include <string.h>

static json_t *ports_json(const struct tw_described_port *ports, int32_t count)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < count; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:b, s:b, s:b, s:s}", "name",
                                              ports[i].name, "type", ports[i].type_name, "required",
                                              (int)ports[i].required, "variadic",
                                              (int)ports[i].variadic, "keeps_type",
                                              (int)ports[i].keeps_type, "help", ports[i].help));
    return list;
}

static json_t *columns_json(const struct tw_described_param *param)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < param->column_count; i++) {
        const struct tw_described_column *column = &param->columns[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:b, s:s}", "name",
                                              column->name, "allowed", column->allowed, "unit",
                                              column->unit, "default", column->initial, "required",
                                              (int)column->required, "help", column->help));
    }
    return list;
}

static json_t *params_json(const struct tw_description *description)
{
    static const char *const kinds[] = {"number", "integer", "boolean", "enum",   "list",
                                        "labels", "file",    "table",   "formula"};
    _Static_assert(sizeof kinds / sizeof kinds[0] == TW_KIND_FORMULA + 1, "a name for every kind");
    json_t *list = json_array();
    for (int32_t i = 0; i < description->param_count; i++) {
        const struct tw_described_param *param = &description->params[i];
        const struct tw_param *row = param->row;
        json_t *entry =
            json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:s}", "name", param->name, "kind",
                      row                                ? kinds[row->kind]
                      : strcmp(param->name, "seed") == 0 ? "seed"
                                                         : "word",
                      "allowed", param->allowed, "unit", param->unit, "default", param->initial,
                      "required", (int)param->required, "help", param->help);
        if (row && (row->kind == TW_KIND_F32 || row->kind == TW_KIND_I32)) {
            json_object_set_new(entry, "min", json_real(row->min));
            json_object_set_new(entry, "max", json_real(row->max));
            if (row->word)
                json_object_set_new(entry, "word", json_string(row->word));
        }
        if (row && row->usual_min < row->usual_max)
            json_object_set_new(entry, "usual",
                                json_pack("[f, f]", row->usual_min, row->usual_max));
        if (param->column_count > 0)
            json_object_set_new(entry, "columns", columns_json(param));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t *description_json(const struct tw_description *description)
{
    const struct tw_node_type *type = description->type;
    return json_pack("{s:s, s:i, s:s, s:s?, s:s?, s:s?, s:o, s:o, s:o, s:s?, s:s, s:s?}", "type",
                     type->name, "version", (int)type->version, "summary", type->summary, "detail",
                     type->detail, "keywords", type->keywords, "elsewhere", type->elsewhere,
                     "inputs", ports_json(description->inputs, description->input_count), "outputs",
                     ports_json(description->outputs, description->output_count), "params",
                     params_json(description), "example", type->example, "reach",
                     description->reach, "cite", type->cite);
}

static json_t *type_json(const struct tw_node_type *type)
{
    struct tw_description description;
    if (!tw_describe(type, &description))
        return NULL;
    json_t *root = description_json(&description);
    tw_description_release(&description);
    return root;
}

static json_t *library_json(const struct tw_library_recipe *recipe)
{
    struct tw_library_page page;
    if (!tw_library_page(recipe, &page))
        return NULL;
    json_t *root = description_json(&page.description);
    tw_library_page_release(&page);
    return root;
}

/* Returns a type or a recipe of the library; all of them if `name` is NULL. */
static json_t *find_json(const struct tw_registry *registry, const char *name)
{
    const struct tw_node_type *type = name ? tw_registry_find(registry, name) : NULL;
    const struct tw_library_recipe *recipe = name && !type ? tw_library_named(name) : NULL;
    int32_t position = 0;
    if (name)
        return type ? type_json(type) : recipe ? library_json(recipe) : NULL;
    json_t *all = json_array();
    while ((type = tw_registry_next(registry, &position)))
        json_array_append_new(all, type_json(type));
    for (recipe = tw_library_table; recipe->name; recipe++)
        json_array_append_new(all, library_json(recipe));
    return all;
}

char *tw_catalogue_json(const struct tw_node_type *const *types, const char *name)
{
    const struct tw_registry registry = {types};
    unsigned long failures = tw_json_failures();
    json_t *root = find_json(&registry, name);
    char *text = root ? json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(root);
    if (tw_json_failures() == failures)
        return text;
    free(text);
    return NULL;
}
