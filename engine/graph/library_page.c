/* SPDX-License-Identifier: MIT */
#include "graph/library_page.h"

#include "base/text/number.h"
#include "graph/load/load_private.h"
#include "graph/load/yaml.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static const char *text_of(const struct tw_yaml *mapping, const char *key, const char *otherwise)
{
    const struct tw_yaml *value = tw_yaml_find(mapping, key);
    return value && value->kind == TW_YAML_SCALAR ? value->text : otherwise;
}

static void describe_inputs(const struct tw_yaml *inputs, struct tw_description *description)
{
    for (const struct tw_yaml_item *item = inputs ? inputs->items : NULL;
         item && description->input_count < TW_PORTS_MAX; item = item->next) {
        struct tw_described_port *port = &description->inputs[description->input_count++];
        const struct tw_yaml *type = tw_load_input_type(item->value);
        *port = (struct tw_described_port){.name = item->key->text,
                                           .help = text_of(item->value, "about", ""),
                                           .type_name = type->text,
                                           .required = !tw_load_input_default(item->value)};
        (void)tw_load_find_type(type->text, &port->type);
        if (!port->required)
            snprintf(port->note, sizeof port->note, " (optional)");
    }
}

/* Appends "key: before.key" for each entry that is needed, as in "land: it.land, ". */
static const char *list_entries(struct tw_arena *arena, const struct tw_yaml *mapping,
                                const char *before, bool needed_only)
{
    const char *list = "";
    for (const struct tw_yaml_item *item = mapping ? mapping->items : NULL; item && list;
         item = item->next)
        if (!needed_only || !tw_load_input_default(item->value))
            list = tw_arena_print(arena, "%s%s: %s%s, ", list, item->key->text, before,
                                  item->key->text);
    return list;
}

static const char *list_input_types(struct tw_arena *arena, const struct tw_yaml *inputs)
{
    const char *list = "";
    for (const struct tw_yaml_item *item = inputs ? inputs->items : NULL; item && list;
         item = item->next)
        list = tw_arena_print(arena, "%sin_%s: %s, ", list, item->key->text,
                              tw_load_input_type(item->value)->text);
    return list;
}

/* Loads a recipe that uses the library's, whose outputs then have types. */
static struct tw_recipe *load_use(struct tw_arena *arena, const char *name,
                                  const struct tw_yaml *root)
{
    const struct tw_yaml *inputs = tw_yaml_find(root, "inputs");
    const struct tw_load_options options = {.width = 64, .height = 64, .feeds = true};
    const char *text = tw_arena_print(
        arena, "thalweg: 1\ninputs: {%s}\nnodes: {it: {type: %s, %s}}\noutputs: {%s}\n",
        list_input_types(arena, inputs), name, list_entries(arena, inputs, "in_", true),
        list_entries(arena, tw_yaml_find(root, "outputs"), "it.", false));
    struct tw_recipe *recipe = NULL;
    if (text)
        (void)tw_recipe_parse(text, strlen(text), "use.yaml", &options, &recipe, NULL);
    return recipe;
}

static void describe_outputs(const struct tw_yaml *outputs, const struct tw_recipe *recipe,
                             struct tw_description *description)
{
    struct tw_recipe_port found;
    for (int32_t i = 0; i < TW_PORTS_MAX && tw_recipe_output(recipe, i, &found); i++)
        description->outputs[description->output_count++] = (struct tw_described_port){
            .name = found.name,
            .help = text_of(tw_yaml_find(outputs, found.name), "about", ""),
            .type = found.type,
            .type_name = tw_type_name(found.type),
            .required = true,
        };
}

/* Returns a bound that is a plain number; a bound in metres or degrees depends on the world. */
static double bound_of(const struct tw_yaml *declared, const char *key, double otherwise)
{
    double bound;
    const char *text = text_of(declared, key, NULL);
    return text && tw_number_parse(text, &bound) ? bound : otherwise;
}

/* Says what is usual as the declaration does; in the row, too, where it is plain numbers. */
static void describe_usual(const struct tw_yaml *declared, struct tw_param *row,
                           struct tw_described_param *param)
{
    const struct tw_yaml *usual = tw_yaml_find(declared, "usual");
    if (!usual || usual->kind != TW_YAML_SEQUENCE || usual->count != 2)
        return;
    const char *low = usual->items->value->text, *high = usual->last->value->text;
    double from, to;
    snprintf(param->usual, sizeof param->usual, "%s to %s", low, high);
    if (tw_number_parse(low, &from) && tw_number_parse(high, &to)) {
        row->usual_min = from;
        row->usual_max = to;
    }
}

static struct tw_param row_of(const char *name, const char *initial, const struct tw_yaml *declared)
{
    double number = 0;
    enum tw_quantity quantity;
    const bool yes = strcmp(initial, "true") == 0, no = strcmp(initial, "false") == 0;
    struct tw_param row = {.name = name, .kind = TW_KIND_ENUM, .unit = "", .help = ""};
    if (yes || no) {
        row.kind = TW_KIND_BOOL;
    } else if (tw_load_quantity(initial, &number, &quantity)) {
        row.kind = TW_KIND_F32;
        row.initial = number;
        row.unit = text_of(declared, "unit", "");
        row.min = bound_of(declared, "min", -FLT_MAX);
        row.max = bound_of(declared, "max", FLT_MAX);
    }
    return row;
}

static void describe_param(const struct tw_yaml_item *item, struct tw_param *row,
                           struct tw_described_param *param)
{
    const struct tw_yaml *declared = item->value;
    const char *initial =
        declared->kind == TW_YAML_SCALAR ? declared->text : text_of(declared, "default", "");
    const char *min = text_of(declared, "min", NULL), *max = text_of(declared, "max", NULL);
    *row = row_of(item->key->text, initial, declared);
    param->row = row->kind == TW_KIND_ENUM ? NULL : row;
    param->name = item->key->text;
    param->help = text_of(declared, "about", "");
    param->unit = text_of(declared, "unit", "");
    snprintf(param->initial, sizeof param->initial, "%s", initial);
    describe_usual(declared, row, param);
    snprintf(param->allowed, sizeof param->allowed, "%s%s%s%s%s", min ? min : "",
             min && max ? " to "
             : max      ? "at most "
                        : "",
             max ? max : "", param->unit[0] && (min || max) ? " " : "", param->unit);
}

static bool describe_params(const struct tw_yaml *params, struct tw_library_page *page)
{
    struct tw_description *description = &page->description;
    const size_t count = (size_t)(params ? params->count : 0) + 1;
    page->rows = tw_arena_alloc(&page->arena, count, sizeof *page->rows);
    description->params = tw_arena_alloc(&page->arena, count, sizeof *description->params);
    if (!page->rows || !description->params)
        return false;
    for (const struct tw_yaml_item *item = params ? params->items : NULL; item; item = item->next) {
        const int32_t i = description->param_count++;
        describe_param(item, &page->rows[i], &description->params[i]);
    }
    return true;
}

bool tw_library_page(const struct tw_library_recipe *recipe, struct tw_library_page *page)
{
    struct tw_fault_log log = {.sink = NULL};
    double version = 1;
    *page = (struct tw_library_page){.recipe = NULL};
    const struct tw_yaml *root =
        tw_yaml_parse(&page->arena, &log, recipe->name, recipe->text, recipe->length);
    page->recipe = root ? load_use(&page->arena, recipe->name, root) : NULL;
    if (!page->recipe) {
        tw_library_page_release(page);
        return false;
    }
    (void)tw_number_parse(text_of(root, "version", "1"), &version);
    page->type = (struct tw_node_type){.name = recipe->name,
                                       .version = (int)version,
                                       .summary = text_of(root, "about", ""),
                                       .keywords = text_of(root, "keywords", NULL),
                                       .example = recipe->example};
    page->description.type = &page->type;
    snprintf(page->description.reach, sizeof page->description.reach, "a recipe of the library");
    describe_inputs(tw_yaml_find(root, "inputs"), &page->description);
    describe_outputs(tw_yaml_find(root, "outputs"), page->recipe, &page->description);
    if (describe_params(tw_yaml_find(root, "params"), page))
        return true;
    tw_library_page_release(page);
    return false;
}

void tw_library_page_release(struct tw_library_page *page)
{
    tw_recipe_release(page->recipe);
    tw_arena_release(&page->arena);
}
