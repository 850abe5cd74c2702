/* SPDX-License-Identifier: MIT */
#include "graph/snippets.h"

#include "base/text/number.h"
#include "graph/library_page.h"
#include "node/describe.h"
#include "node/param.h"
#include "node/rule.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMS_SHOWN = 4 }; /* besides those that are required */

struct body {
    char text[2000];
    size_t used;
    int stop; /* number of the last place to fill in */
};

static void put(struct body *body, const char *format, ...) TW_PRINTF(2, 3);
static void put(struct body *body, const char *format, ...)
{
    va_list arguments;
    const size_t left = sizeof body->text - body->used;
    va_start(arguments, format);
    const int length = vsnprintf(body->text + body->used, left, format, arguments);
    va_end(arguments);
    body->used += length < (int)left ? (size_t)length : left - 1;
}

/* Puts a place to fill in, in which '$', '}' and '\' are escaped. */
static void put_place(struct body *body, const char *text)
{
    put(body, "${%d:", ++body->stop);
    for (; *text; text++)
        put(body, strchr("$}\\", *text) ? "\\%c" : "%c", *text);
    put(body, "}");
}

/* A choice between words: "${3|cells,distance|}", the default first. */
static void put_choice(struct body *body, const struct tw_param *row, const char *initial)
{
    const size_t size = strlen(initial);
    int length = 0;
    const char *label;
    put(body, "${%d|%s", ++body->stop, initial);
    for (int i = 0; (label = tw_param_label(row, i, &length)); i++)
        if ((size_t)length != size || strncmp(label, initial, size) != 0)
            put(body, ",%.*s", length, label);
    put(body, "|}");
}

/* The id of a new node: stream_power, noise_turned. */
static void put_id(struct body *body, const char *type)
{
    char id[80];
    const char *end = strrchr(type, '.'), *slash = strrchr(type, '/');
    snprintf(id, sizeof id, "%s", end ? end + 1 : slash ? slash + 1 : type);
    for (char *at = id; *at; at++)
        *at = (char)(*at == '-' ? '_' : *at);
    put_place(body, id);
}

/* Parameters that one would set at once: words, and numbers whose default is one, in no unit of a
 * world that the recipe may not have. */
static bool is_shown(const struct tw_described_param *param)
{
    const struct tw_param *row = param->row;
    double number;
    if (!row || strcmp(param->name, "border") == 0)
        return false;
    return row->kind == TW_KIND_ENUM || ((row->kind == TW_KIND_F32 || row->kind == TW_KIND_I32) &&
                                         tw_number_parse(param->initial, &number));
}

static void put_param(struct body *body, const struct tw_described_param *param)
{
    const bool is_formula = param->row && param->row->kind == TW_KIND_FORMULA;
    const bool is_text = is_formula || (param->row && param->row->kind == TW_KIND_FILE);
    put(body, ", %s: %s", param->name, is_text ? "\"" : "");
    if (param->row && param->row->kind == TW_KIND_ENUM)
        put_choice(body, param->row, param->initial);
    else
        put_place(body, is_formula ? "x" : param->required ? param->name : param->initial);
    put(body, "%s", is_text ? "\"" : "");
}

static void put_input(struct body *body, const struct tw_described_port *port)
{
    put(body, ", %s: %s", port->name, port->variadic ? "[" : "");
    put_place(body, port->name);
    put(body, "%s", port->variadic ? "]" : "");
}

/* Puts a list to fill in where the defaults alone are not enough. */
static void put_missing(struct body *body, const struct tw_node_type *type)
{
    void *params = calloc(1, type->params_size + 1);
    if (!params)
        return;
    tw_param_defaults(type->params, params);
    const struct tw_rule rule = tw_rule_check(type, params);
    if (rule.param) {
        put(body, ", %s: [", rule.param);
        put_place(body, "");
        put(body, "]");
    }
    free(params);
}

static json_t *snippet(const struct tw_description *description)
{
    const struct tw_node_type *type = description->type;
    struct body body = {.used = 0};
    int shown = 0;
    put_id(&body, type->name);
    put(&body, ": {type: %s", type->name);
    for (int32_t i = 0; i < description->input_count; i++)
        if (description->inputs[i].required || description->inputs[i].variadic)
            put_input(&body, &description->inputs[i]);
    for (int32_t i = 0; i < description->param_count; i++) {
        const struct tw_described_param *param = &description->params[i];
        if (param->required || (is_shown(param) && shown++ < PARAMS_SHOWN))
            put_param(&body, param);
    }
    put_missing(&body, type);
    put(&body, "}$0");
    return json_pack("{s:s, s:s, s:s, s:s}", "prefix", type->name, "scope", "yaml", "description",
                     type->summary, "body", body.text);
}

static json_t *recipe_snippet(void)
{
    return json_pack("{s:s, s:s, s:s, s:[s, s, s, s, s, s, s, s]}", "prefix", "recipe", "scope",
                     "yaml", "description", "a new recipe", "body", "thalweg: 1", "size: ${1:512}",
                     "seed: ${2:1}", "world: {side_m: ${3:4096}, height_m: ${4:600}}",
                     "nodes:", "  ${5:land}: {type: ${6:noise.perlin}}$0",
                     "outputs: {height: ${5:land}}",
                     "export: {height.png: {from: height, range: fit}}");
}

json_t *tw_snippets_json(void)
{
    const struct tw_registry registry = {NULL};
    json_t *all = json_pack("{s:o}", "recipe", recipe_snippet());
    int32_t position = 0;
    for (const struct tw_node_type *type; (type = tw_registry_next(&registry, &position));) {
        struct tw_description description;
        if (!tw_describe(type, &description)) {
            json_decref(all);
            return NULL;
        }
        json_object_set_new(all, type->name, snippet(&description));
        tw_description_release(&description);
    }
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++) {
        struct tw_library_page page;
        if (!tw_library_page(recipe, &page)) {
            json_decref(all);
            return NULL;
        }
        json_object_set_new(all, recipe->name, snippet(&page.description));
        tw_library_page_release(&page);
    }
    return all;
}
