/* SPDX-License-Identifier: MIT */
/* JSON Schema (draft 7, the best supported by editors) of the recipe language with every node
 * type. */
#include "base/text/json.h"
#include "base/text/number.h"
#include "graph/graph.h"
#include "graph/library_page.h"
#include "node/describe.h"
#include "node/param.h"
#include "node/world.h"

#include <thalweg/thalweg.h>

#include <stdio.h>
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

/* Accepts `value`, or a substitution in its place. */
static json_t *substitutable(json_t *value)
{
    return json_pack("{s:[o, o]}", "anyOf", value, reference("substitution"));
}

/* To an editor, true, false or 16 without quotes are not strings. */
static void append_label(json_t *labels, const char *label, int length)
{
    json_t *word = json_stringn(label, (size_t)length);
    const char *text = json_string_value(word);
    bool yes = text && strcmp(text, "true") == 0, no = text && strcmp(text, "false") == 0;
    uint64_t number;
    json_array_append_new(labels, word);
    if (yes || no)
        json_array_append_new(labels, json_boolean(yes));
    if (text && tw_number_parse_whole(text, &number))
        json_array_append_new(labels, json_integer((json_int_t)number));
}

static json_t *enum_schema(const struct tw_param *row)
{
    json_t *labels = json_array();
    int length = 0;
    const char *label;
    for (int i = 0; (label = tw_param_label(row, i, &length)); i++)
        append_label(labels, label, length);
    return json_pack("{s:o}", "enum", labels);
}

/* The words of a table's column, or NULL if it has numbers. */
static json_t *word_schema(const struct tw_column *column)
{
    int length = 0;
    const char *word = tw_column_word(column, 0, &length);
    json_t *words = word ? json_array() : NULL;
    for (int i = 0; (word = tw_column_word(column, i, &length)); i++)
        append_label(words, word, length);
    return words ? json_pack("{s:o}", "enum", words) : NULL;
}

/* A number, optionally with a unit of the world: engine/graph/load/world_unit.c. */
static json_t *float_schema(const char *unit, double min, double max)
{
    json_t *number = number_schema("number", min, max);
    bool slope = tw_unit_takes_degrees(unit);
    if (!slope && !tw_unit_takes_metres(unit))
        return number;
    return json_pack("{s:[o, {s:s, s:s}]}", "anyOf", number, "type", "string", "pattern",
                     slope ? "^-?[0-9.]+ *deg$" : "^-?[0-9.]+ *m$");
}

/* A cell of a list: a number, or a word where the first column has words. */
static json_t *cell_schema(json_t *word)
{
    json_t *number = json_pack("{s:s}", "type", "number");
    return substitutable(word ? json_pack("{s:[o, o]}", "anyOf", number, word) : number);
}

/* A row: a mapping by column name, a list in column order, or the first column's word. */
static json_t *table_schema(const struct tw_described_param *param)
{
    json_t *properties = json_object(), *required = json_array();
    for (int32_t i = 0; i < param->column_count; i++) {
        const struct tw_described_column *column = &param->columns[i];
        json_t *word = word_schema(column->row);
        json_t *cell =
            substitutable(word ? word : float_schema(column->unit, column->min, column->max));
        json_object_set_new(cell, "description", json_string(column->help));
        json_object_set_new(properties, column->name, cell);
        if (column->required)
            json_array_append_new(required, json_string(column->name));
    }
    const struct tw_column *first = param->columns[0].row;
    json_t *rows = json_pack("[{s:s, s:o, s:o, s:b}, {s:s, s:o}]", "type", "object", "properties",
                             properties, "required", required, "additionalProperties", 0, "type",
                             "array", "items", cell_schema(word_schema(first)));
    json_t *word = word_schema(first);
    if (word)
        json_array_append_new(rows, substitutable(word));
    return json_pack("{s:s, s:{s:o}}", "type", "array", "items", "anyOf", rows);
}

/* Accepts `number`, or the row's word in its place. */
static json_t *or_word(json_t *number, const struct tw_param *row)
{
    return row->word ? json_pack("{s:[o, {s:s}]}", "anyOf", number, "const", row->word) : number;
}

static json_t *value_schema(const struct tw_described_param *param)
{
    const struct tw_param *row = param->row;
    switch (row->kind) {
    case TW_KIND_F32:
        return or_word(float_schema(row->unit, row->min, row->max), row);
    case TW_KIND_I32:
        return or_word(number_schema("integer", row->min, row->max), row);
    case TW_KIND_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case TW_KIND_ENUM:
        return enum_schema(row);
    case TW_KIND_LIST:
        return json_pack("{s:[o, {s:s, s:o, s:i}]}", "anyOf",
                         float_schema(row->unit, row->min, row->max), "type", "array", "items",
                         substitutable(float_schema(row->unit, row->min, row->max)), "maxItems",
                         16);
    case TW_KIND_LABELS:
        return json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items",
                         substitutable(enum_schema(row)), "minItems", 1, "maxItems", 16);
    case TW_KIND_TABLE:
        return row->text
                   ? json_pack("{s:[o, {s:s}]}", "anyOf", table_schema(param), "type", "string")
                   : table_schema(param);
    case TW_KIND_FORMULA: /* a plain number is also a formula */
        return json_pack("{s:[s, s]}", "type", "string", "number");
    case TW_KIND_FILE:
        break;
    }
    return json_pack("{s:s}", "type", "string");
}

/* Accepts a substitution for every parameter. */
static json_t *param_schema(const struct tw_described_param *param)
{
    char text[800];
    const bool is_seed = strcmp(param->name, "seed") == 0;
    json_t *schema = param->row ? substitutable(value_schema(param))
                     : is_seed  ? json_pack("{s:[o]}", "allOf", reference("seed"))
                                : json_pack("{s:s}", "type", "string");
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", param->help, param->unit[0] ? "; unit: " : "",
             param->unit, param->usual[0] ? "; usual: " : "", param->usual,
             param->initial[0] ? "; default: " : "", param->initial);
    json_object_set_new(schema, "description", json_string(text));
    if (param->row && param->row->usual_min < param->row->usual_max)
        json_object_set_new(schema, "x-usual",
                            json_pack("[f, f]", param->row->usual_min, param->row->usual_max));
    return schema;
}

static json_t *input_schema(const struct tw_described_port *port)
{
    char text[400];
    json_t *schema = port->variadic
                         ? json_pack("{s:[o, {s:s, s:o}]}", "anyOf", reference("reference"), "type",
                                     "array", "items", reference("reference"))
                         : json_pack("{s:[o]}", "allOf", reference("reference"));
    snprintf(text, sizeof text, "input (%s): %s", port->type_name, port->help);
    json_object_set_new(schema, "description", json_string(text));
    return schema;
}

/* Adds a parameter; where an input has its name, recipes give either. */
static void add_param(json_t *properties, const struct tw_described_param *param)
{
    json_t *input = json_object_get(properties, param->name), *schema = param_schema(param);
    if (input)
        schema = json_pack("{s:[O, o]}", "anyOf", input, schema);
    json_object_set_new(properties, param->name, schema);
}

static json_t *description_schema(const struct tw_description *description)
{
    const struct tw_node_type *type = description->type;
    json_t *properties =
        json_pack("{s:{s:s, s:s}}", "type", "const", type->name, "description", type->summary);
    json_t *required = json_pack("[s]", "type");
    for (int32_t i = 0; i < description->input_count; i++) {
        const struct tw_described_port *port = &description->inputs[i];
        json_object_set_new(properties, port->name, input_schema(port));
        if (port->required)
            json_array_append_new(required, json_string(port->name));
    }
    for (int32_t i = 0; i < description->param_count; i++) {
        const struct tw_described_param *param = &description->params[i];
        add_param(properties, param);
        if (param->required)
            json_array_append_new(required, json_string(param->name));
    }
    return json_pack("{s:s, s:s, s:o, s:o, s:b}", "type", "object", "description", type->summary,
                     "properties", properties, "required", required, "additionalProperties", 0);
}

static json_t *node_schema(const struct tw_node_type *type)
{
    struct tw_description description;
    if (!tw_describe(type, &description))
        return NULL;
    json_t *schema = description_schema(&description);
    tw_description_release(&description);
    return schema;
}

/* A recipe of the library also takes what every recipe used as a node does. */
static json_t *library_schema(const struct tw_library_recipe *recipe)
{
    struct tw_library_page page;
    if (!tw_library_page(recipe, &page))
        return NULL;
    json_t *schema = description_schema(&page.description);
    json_t *properties = json_object_get(schema, "properties");
    json_object_set_new(properties, "seed", reference("seed"));
    json_object_set_new(properties, "repeat", reference("repeat"));
    tw_library_page_release(&page);
    return schema;
}

/* A recipe used as a node: its inputs and parameters are unknown here. */
static json_t *recipe_node_schema(void)
{
    return json_pack("{s:s, s:s, s:{s:{s:s, s:s}, s:o, s:o}, s:[s]}", "type", "object",
                     "description", "another recipe used as a node", "properties", "type", "type",
                     "string", "pattern", "^\\.\\.?/|\\.yaml$", "seed", reference("seed"), "repeat",
                     reference("repeat"), "required", "type");
}

/* What nodes' parameters and inputs refer to has comments, not descriptions, which editors would
 * show in place of the parameter's own. */
static const char fixed[] =
    "{"
    "\"substitution\": {\"type\": \"string\", \"pattern\": \"\\\\$\\\\{[^{}]+\\\\}\","
    "  \"$comment\": \"a parameter, or arithmetic over parameters: + - * / ( ) min max round\"},"
    "\"reference\": {\"type\": \"string\", \"$comment\": \"node, or node.port\","
    "  \"pattern\": \"^[a-z][a-z0-9_]*(\\\\.[a-z][a-z0-9_]*)?$\"},"
    "\"seed\": {\"anyOf\": [{\"type\": \"integer\", \"minimum\": 0},"
    "  {\"$ref\": \"#/definitions/substitution\"}]},"
    "\"repeat\": {\"description\": \"how many times, its output fed back\", \"anyOf\": ["
    "  {\"type\": \"integer\", \"minimum\": 1, \"maximum\": 1000},"
    "  {\"$ref\": \"#/definitions/substitution\"}]},"
    "\"setting\": {\"type\": [\"number\", \"string\", \"boolean\"]},"
    "\"sources\": {\"anyOf\": [{\"$ref\": \"#/definitions/reference\"},"
    "  {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/reference\"}},"
    "  {\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/definitions/reference\"}}]},"
    "\"height\": {\"anyOf\": [{\"type\": \"number\"}, {\"$ref\": \"#/definitions/substitution\"},"
    "  {\"type\": \"string\", \"pattern\": \"^-?[0-9.]+ *m$\"}]},"
    "\"range\": {\"anyOf\": [{\"const\": \"fit\"}, {\"type\": \"array\","
    "  \"items\": {\"$ref\": \"#/definitions/height\"}, \"minItems\": 2, \"maxItems\": 2}]}"
    "}";

static const char top[] =
    "{"
    "\"thalweg\": {\"const\": 1, \"description\": \"version of the language\"},"
    "\"about\": {\"type\": \"string\"},"
    "\"keywords\": {\"type\": \"string\", \"description\": \"further words to find it by\"},"
    "\"version\": {\"type\": \"integer\", \"minimum\": 1, \"description\":"
    "  \"the recipe's own version\"},"
    "\"size\": {\"description\": \"cells per side, or [width, height]\","
    "  \"anyOf\": [{\"$ref\": \"#/definitions/side\"}, {\"type\": \"array\","
    "  \"items\": {\"$ref\": \"#/definitions/side\"}, \"minItems\": 2, \"maxItems\": 2}]},"
    "\"seed\": {\"type\": \"integer\", \"minimum\": 0},"
    "\"world\": {\"type\": \"object\", \"additionalProperties\": false, \"properties\": {}},"
    "\"borders\": {\"enum\": [\"wrap\", \"closed\"], \"description\":"
    "  \"the world: a torus, or ground that ends; default: wrap when all sources wrap\"},"
    "\"params\": {\"type\": \"object\", \"description\": \"what -s NAME=VALUE may set\","
    "  \"additionalProperties\": {\"anyOf\": [{\"$ref\": \"#/definitions/setting\"},"
    "  {\"type\": \"object\", \"required\": [\"default\"], \"additionalProperties\": false,"
    "  \"properties\": {\"default\": {\"$ref\": \"#/definitions/setting\"},"
    "  \"min\": {\"$ref\": \"#/definitions/setting\"},"
    "  \"max\": {\"$ref\": \"#/definitions/setting\"},"
    "  \"usual\": {\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2,"
    "  \"items\": {\"$ref\": \"#/definitions/setting\"},"
    "  \"description\": \"what is worth a try, for sliders\"},"
    "  \"unit\": {\"enum\": [\"height\", \"map sides\", \"north-south sides\","
    "  \"longer sides\", \"rise per map side\", \"rise over run\"]},"
    "  \"about\": {\"type\": \"string\"}}}]}},"
    "\"inputs\": {\"type\": \"object\", \"description\": \"name: type; of a recipe used as a "
    "node\"},"
    "\"outputs\": {\"type\": \"object\", \"additionalProperties\": {\"anyOf\": ["
    "  {\"$ref\": \"#/definitions/reference\"}, {\"type\": \"object\","
    "  \"required\": [\"from\"], \"additionalProperties\": false, \"properties\": {"
    "  \"from\": {\"$ref\": \"#/definitions/reference\"}, \"about\": {\"type\": \"string\"}}}]}},"
    "\"assert\": {\"type\": \"object\", \"description\": \"output.field: {min, max}\","
    "  \"additionalProperties\": {\"type\": \"object\", \"additionalProperties\": false,"
    "  \"minProperties\": 1, \"properties\": {\"min\": {\"type\": \"number\"},"
    "  \"max\": {\"type\": \"number\"}}}},"
    "\"export\": {\"type\": \"object\", \"patternProperties\": {}, \"additionalProperties\": false}"
    "}";

static void add_rows(const struct tw_param *rows, size_t size, json_t *properties)
{
    struct tw_described_param param;
    for (const struct tw_param *row = rows; row && row->name; row++)
        if (tw_describe_param(rows, size, row, &param))
            json_object_set_new(properties, row->name, param_schema(&param));
}

/* Adds the options of `as:`: rows and further inputs of the views, and of the surface they show. */
static void add_views(const struct tw_registry *registry, json_t *properties)
{
    int32_t position = 0;
    for (const struct tw_node_type *type; (type = tw_registry_next(registry, &position));) {
        struct tw_description description;
        bool drawn = type->outputs->type == TW_IMAGE || type->outputs->type == TW_SURFACE;
        bool view = drawn && type->inputs && type->inputs->name &&
                    (type->inputs->type == TW_HEIGHTMAP || type->inputs->flags & TW_VARIADIC) &&
                    strncmp(type->name, "render.", 7) == 0;
        if (!view || !tw_describe(type, &description))
            continue;
        for (int32_t i = 1; i < description.input_count; i++)
            json_object_set_new(properties, description.inputs[i].name,
                                input_schema(&description.inputs[i]));
        for (int32_t i = 0; i < description.param_count; i++)
            json_object_set_new(properties, description.params[i].name,
                                param_schema(&description.params[i]));
        tw_description_release(&description);
    }
}

/* `tiles:`: a tile's side, or a mapping. */
static json_t *tiling_schema(void)
{
    json_t *properties = json_pack("{s:{s:s, s:s}}", "pattern", "type", "string", "description",
                                   "what follows the name, with %x% and %y%; or a program's name");
    add_rows(tw_tiling_options, sizeof(struct tw_tiling), properties);
    json_t *cells = json_deep_copy(json_object_get(properties, "cells"));
    return json_pack("{s:[o, {s:s, s:o, s:[s], s:b}]}", "anyOf", cells, "type", "object",
                     "properties", properties, "required", "cells", "additionalProperties", 0);
}

/* Adds keys common to exports of maps: the game engine, tiles, a sidecar. */
static void add_files(const struct tw_format *format, json_t *properties)
{
    json_t *names = json_array();
    for (const struct tw_preset *const *preset = tw_presets; *preset; preset++)
        if (tw_preset_takes((*preset)->endings, format->ending))
            json_array_append_new(names, json_string((*preset)->name));
    if (json_array_size(names) > 0)
        json_object_set_new(properties, "for",
                            json_pack("{s:o, s:s}", "enum", json_incref(names), "description",
                                      "the engine that takes the file"));
    json_decref(names);
    if ((format->types | format->several) & TW_GRIDS)
        json_object_set_new(properties, "tiles", tiling_schema());
    add_rows(tw_export_options, sizeof(struct tw_export_options), properties);
}

/* Exports with this ending: a reference, several if a format holds them, or a mapping with the
 * options of all formats of the ending. */
static json_t *export_schema(const struct tw_registry *registry, const char *ending)
{
    bool several = false;
    json_t *properties = json_pack("{s:{s:s, s:s}}", "as", "type", "string", "description",
                                   "a renderer of heights or masks, such as hillshade");
    for (const struct tw_format *const *format = tw_formats; *format; format++) {
        if (strcmp((*format)->ending, ending) != 0)
            continue;
        add_rows((*format)->options, (*format)->options_size, properties);
        for (const struct tw_format_part *part = (*format)->parts; part && part->name; part++)
            json_object_set_new(properties, part->name, reference("reference"));
        several |= (*format)->several != 0;
        add_files(*format, properties);
        if ((*format)->types & TW_TYPE_BIT(TW_IMAGE))
            add_views(registry, properties);
        if ((*format)->ranged) {
            add_rows(tw_range_options, sizeof(struct tw_range), properties);
            json_object_set_new(properties, "range", reference("range"));
        }
    }
    json_t *from = reference(several ? "sources" : "reference");
    json_object_set(properties, "from", from);
    return json_pack("{s:[o, {s:s, s:o, s:[s], s:b}]}", "anyOf", from, "type", "object",
                     "properties", properties, "required", "from", "additionalProperties", 0);
}

static void add_exports(const struct tw_registry *registry, json_t *properties)
{
    json_t *patterns = json_object_get(json_object_get(properties, "export"), "patternProperties");
    for (const struct tw_format *const *format = tw_formats; *format; format++) {
        char pattern[32];
        snprintf(pattern, sizeof pattern, "\\%s$", (*format)->ending);
        if (((*format)->types | (*format)->several) && !json_object_get(patterns, pattern))
            json_object_set_new(patterns, pattern, export_schema(registry, (*format)->ending));
    }
}

static void add_world(json_t *properties)
{
    json_t *numbers = json_object_get(json_object_get(properties, "world"), "properties");
    json_object_set_new(numbers, "from",
                        json_pack("{s:s, s:s}", "type", "string", "description",
                                  "the source.heightmap whose file gives the size of the world"));
    for (const struct tw_world_row *row = tw_world_rows; row->name; row++)
        json_object_set_new(numbers, row->name,
                            json_pack("{s:s, s:f, s:f, s:f, s:s}", "type",
                                      row->whole ? "integer" : "number", "minimum", row->min,
                                      "maximum", row->max, "default", row->initial, "description",
                                      row->help));
}

static json_t *build(const struct tw_registry *registry)
{
    json_t *definitions, *properties;
    (void)tw_json_load(fixed, strlen(fixed), 0, &definitions, NULL); /* NULL: out of memory */
    (void)tw_json_load(top, strlen(top), 0, &properties, NULL);
    json_t *kinds = json_array();
    add_world(properties);
    add_exports(registry, properties);
    json_object_set_new(
        definitions, "side",
        json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 1, "maximum", TW_SIDE_MAX));
    int32_t position = 0;
    for (const struct tw_node_type *type; (type = tw_registry_next(registry, &position));) {
        json_object_set_new(definitions, type->name, node_schema(type));
        json_array_append_new(kinds, reference(type->name));
    }
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++) {
        json_object_set_new(definitions, recipe->name, library_schema(recipe));
        json_array_append_new(kinds, json_pack("{s:s+}", "$ref", "#/definitions/thalweg~1",
                                               recipe->name + sizeof TW_LIBRARY_PREFIX - 1));
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

char *tw_schema_json(const struct tw_node_type *const *types)
{
    const struct tw_registry registry = {types};
    unsigned long failures = tw_json_failures();
    json_t *schema = build(&registry);
    char *text = schema ? json_dumps(schema, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(schema);
    if (tw_json_failures() == failures)
        return text;
    free(text);
    return NULL;
}
