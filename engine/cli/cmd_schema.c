/* SPDX-License-Identifier: MIT */
/* thalweg schema: JSON Schema (draft 7, what editors read best) of the recipe language with every
 * node type, from the same descriptors as everything else. */
#include "cli/cli.h"
#include "field/field.h"
#include "node/param.h"
#include "node/registry.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *reference(const char *name)
{
    return json_pack("{s:s+}", "$ref", "#/definitions/", name);
}

static json_t *number_schema(const char *type, double min, double max)
{
    return json_pack("{s:s, s:f, s:f}", "type", type, "minimum", min, "maximum", max);
}

static json_t *enum_schema(const struct tw_param *row)
{
    json_t *labels = json_array();
    int length = 0;
    const char *label;
    for (int i = 0; (label = tw_param_label(row, i, &length)); i++)
        json_array_append_new(labels, json_stringn(label, (size_t)length));
    return json_pack("{s:o}", "enum", labels);
}

/* A row: a mapping by column name, or a list in column order. */
static json_t *table_schema(const struct tw_param *row)
{
    json_t *properties = json_object(), *required = json_array();
    for (const struct tw_column *column = row->columns; column->name; column++) {
        json_t *schema = number_schema("number", column->min, column->max);
        json_object_set_new(schema, "description", json_string(column->help));
        json_object_set_new(properties, column->name, schema);
        if (column->required)
            json_array_append_new(required, json_string(column->name));
    }
    return json_pack("{s:s, s:{s:[{s:s, s:o, s:o, s:b}, {s:s, s:{s:s}}]}}", "type", "array",
                     "items", "anyOf", "type", "object", "properties", properties, "required",
                     required, "additionalProperties", 0, "type", "array", "items", "type",
                     "number");
}

static json_t *plain_schema(const struct tw_param *row)
{
    switch (row->kind) {
    case TW_KIND_F32:
        return number_schema("number", row->min, row->max);
    case TW_KIND_I32:
        return number_schema("integer", row->min, row->max);
    case TW_KIND_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case TW_KIND_ENUM:
        return enum_schema(row);
    case TW_KIND_LIST:
        return json_pack("{s:s, s:o, s:i}", "type", "array", "items",
                         number_schema("number", row->min, row->max), "maxItems", 16);
    case TW_KIND_LABELS:
        return json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", enum_schema(row),
                         "minItems", 1, "maxItems", 16);
    case TW_KIND_TABLE:
        return table_schema(row);
    case TW_KIND_FILE:
        break;
    }
    return json_pack("{s:s}", "type", "string");
}

/* Every parameter may be a substitution instead. */
static json_t *param_schema(const struct tw_node_type *type, const struct tw_param *row)
{
    char initial[300] = "";
    void *params = calloc(1, type->params_size + 1);
    if (params) {
        tw_param_defaults(type, params);
        tw_param_print(row, params, initial, sizeof initial);
    }
    free(params);
    json_t *schema = json_pack("{s:[o, o]}", "anyOf", plain_schema(row), reference("substitution"));
    bool has_default = row->kind != TW_KIND_FILE && row->kind != TW_KIND_TABLE;
    bool has_unit = row->unit[0] && row->kind != TW_KIND_ENUM && row->kind != TW_KIND_LABELS;
    char text[700];
    snprintf(text, sizeof text, "%s%s%s%s%s", row->help, has_unit ? "; unit: " : "",
             has_unit ? row->unit : "", has_default ? "; default: " : "",
             has_default ? initial : "");
    json_object_set_new(schema, "description", json_string(text));
    return schema;
}

static json_t *input_schema(const struct tw_port *port)
{
    char text[400];
    json_t *schema = port->flags & TW_VARIADIC
                         ? json_pack("{s:[o, {s:s, s:o}]}", "anyOf", reference("reference"), "type",
                                     "array", "items", reference("reference"))
                         : json_pack("{s:[o]}", "allOf", reference("reference"));
    snprintf(text, sizeof text, "input (%s): %s", tw_type_name(port->type), port->help);
    json_object_set_new(schema, "description", json_string(text));
    return schema;
}

static json_t *node_schema(const struct tw_node_type *type)
{
    json_t *properties =
        json_pack("{s:{s:s, s:s}}", "type", "const", type->name, "description", type->summary);
    json_t *required = json_pack("[s]", "type");
    for (const struct tw_port *port = type->inputs; port && port->name; port++) {
        json_object_set_new(properties, port->name, input_schema(port));
        if (!(port->flags & (TW_OPTIONAL | TW_VARIADIC)))
            json_array_append_new(required, json_string(port->name));
    }
    for (const struct tw_param *row = type->params; row && row->name; row++) {
        json_object_set_new(properties, row->name, param_schema(type, row));
        if (row->kind == TW_KIND_FILE && row->min > 0)
            json_array_append_new(required, json_string(row->name));
    }
    if (type->random)
        json_object_set_new(properties, "seed",
                            json_pack("{s:[o], s:s}", "allOf", reference("seed"), "description",
                                      "the node's own random seed; default: from its name"));
    return json_pack("{s:s, s:s, s:o, s:o, s:b}", "type", "object", "description", type->summary,
                     "properties", properties, "required", required, "additionalProperties", 0);
}

/* A recipe used as a node: its inputs and parameters are not known here. */
static json_t *recipe_node_schema(void)
{
    return json_pack("{s:s, s:s, s:{s:{s:s, s:s}}, s:[s]}", "type", "object", "description",
                     "another recipe used as a node", "properties", "type", "type", "string",
                     "pattern", "^\\.\\.?/|\\.yaml$", "required", "type");
}

static const char fixed[] =
    "{"
    "\"substitution\": {\"type\": \"string\", \"pattern\": \"\\\\$\\\\{[a-z][a-z0-9_]*\\\\}\"},"
    "\"reference\": {\"type\": \"string\", \"description\": \"node, or node.port\","
    "  \"pattern\": \"^[a-z][a-z0-9_]*(\\\\.[a-z][a-z0-9_]*)?$\"},"
    "\"seed\": {\"anyOf\": [{\"type\": \"integer\", \"minimum\": 0},"
    "  {\"$ref\": \"#/definitions/substitution\"}]},"
    "\"sources\": {\"anyOf\": [{\"$ref\": \"#/definitions/reference\"},"
    "  {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/reference\"}},"
    "  {\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/reference\"}}]},"
    "\"export\": {\"anyOf\": [{\"$ref\": \"#/definitions/reference\"},"
    "  {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/reference\"}}, {\"type\": "
    "\"object\","
    "  \"properties\": {\"from\": {\"$ref\": \"#/definitions/sources\"},"
    "   \"as\": {\"type\": \"string\", \"description\": \"a renderer, such as hillshade\"},"
    "   \"range\": {\"anyOf\": [{\"const\": \"fit\"}, {\"type\": \"array\","
    "     \"items\": {\"type\": \"number\"}, \"minItems\": 2, \"maxItems\": 2}]},"
    "   \"clip\": {\"type\": \"boolean\"}, \"bits\": {\"enum\": [8, 16]}},"
    "  \"required\": [\"from\"], \"additionalProperties\": false}]}"
    "}";

static const char top[] =
    "{"
    "\"thalweg\": {\"const\": 1, \"description\": \"version of the language\"},"
    "\"about\": {\"type\": \"string\"},"
    "\"size\": {\"description\": \"cells per side, or [width, height]\","
    "  \"anyOf\": [{\"$ref\": \"#/definitions/side\"}, {\"type\": \"array\","
    "  \"items\": {\"$ref\": \"#/definitions/side\"}, \"minItems\": 2, \"maxItems\": 2}]},"
    "\"seed\": {\"type\": \"integer\", \"minimum\": 0},"
    "\"world\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {"
    "  \"side_m\": {\"type\": \"number\", \"description\": \"metres along the map's side\"},"
    "  \"height_m\": {\"type\": \"number\", \"description\": \"metres of height 1\"},"
    "  \"sea_level\": {\"type\": \"number\", \"description\": \"height of the sea\"}}},"
    "\"borders\": {\"enum\": [\"wrap\", \"closed\"], \"description\":"
    "  \"the world: a torus, or ground that ends; default: wrap when all sources wrap\"},"
    "\"params\": {\"type\": \"object\", \"description\": \"what -s NAME=VALUE may set\"},"
    "\"inputs\": {\"type\": \"object\", \"description\": \"name: type; of a recipe used as a "
    "node\"},"
    "\"outputs\": {\"type\": \"object\","
    "  \"additionalProperties\": {\"$ref\": \"#/definitions/reference\"}},"
    "\"export\": {\"type\": \"object\","
    "  \"additionalProperties\": {\"$ref\": \"#/definitions/export\"}}"
    "}";

static json_t *build(void)
{
    json_t *definitions = json_loads(fixed, 0, NULL), *properties = json_loads(top, 0, NULL);
    json_t *kinds = json_array();
    json_object_set_new(
        definitions, "side",
        json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 1, "maximum", TW_SIDE_MAX));
    for (const struct tw_node_type *const *type = tw_node_table; *type; type++) {
        json_object_set_new(definitions, (*type)->name, node_schema(*type));
        json_array_append_new(kinds, reference((*type)->name));
    }
    json_array_append_new(kinds, recipe_node_schema());
    json_object_set_new(properties, "nodes",
                        json_pack("{s:s, s:{s:o}, s:b, s:{s:s}}", "type", "object",
                                  "patternProperties", "^[a-z][a-z0-9_]*$",
                                  json_pack("{s:o}", "oneOf", kinds), "additionalProperties", 0,
                                  "propertyNames", "pattern", "^[a-z][a-z0-9_]*$"));
    return json_pack("{s:s, s:s, s:s, s:o, s:[s, s], s:b, s:o}", "$schema",
                     "http://json-schema.org/draft-07/schema#", "title", "Thalweg recipe", "type",
                     "object", "properties", properties, "required", "thalweg", "nodes",
                     "additionalProperties", 0, "definitions", definitions);
}

int tw_cmd_schema(const struct tw_settings *settings, char **operands)
{
    (void)settings;
    (void)operands;
    json_t *schema = build();
    if (!schema)
        return tw_cli_usage("out of memory");
    json_dumpf(schema, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    json_decref(schema);
    puts("");
    return fflush(stdout) == 0 ? 0 : tw_status_exit_code(TW_IO);
}
