/* SPDX-License-Identifier: MIT */
/* Every type has a snippet, and what it writes when nothing is changed in it is a node of that type
 * without a fault. */
#include "support/recipe.h"

#include "graph/library_page.h"
#include "graph/snippets.h"
#include "node/describe.h"
#include "node/param.h"
#include "node/rule.h"

#include <thalweg/thalweg.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* Writes what an editor inserts: places hold their defaults, choices their first word. */
static void expand(const char *body, char *text, size_t size)
{
    char *const last = text + size - 1;
    bool place = false, choice = false, skips = false;
    while (*body && text < last) {
        if (strncmp(body, "${", 2) == 0) {
            body += 2 + strcspn(body + 2, ":|");
            choice = *body++ == '|';
            place = true;
        } else if (strncmp(body, "$0", 2) == 0) {
            body += 2;
        } else if (place && (*body == '}' || *body == '|')) {
            body += choice ? 2 : 1;
            place = choice = skips = false;
        } else if (place && choice && (skips || *body == ',')) {
            skips = true;
            body++;
        } else {
            body += *body == '\\';
            *text++ = *body++;
        }
    }
    *text = 0;
}

static void places_expand_to_their_defaults(void **state)
{
    char text[100];
    (void)state;
    expand("${1:a}: {b: ${2|c,d,e|}, f: \"${3:\\$\\}x}\"}$0", text, sizeof text);
    assert_string_equal(text, "a: {b: c, f: \"$}x\"}");
}

/* Lists the required inputs as those of the recipe. */
static void list_inputs(const struct tw_description *description, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int32_t i = 0; i < description->input_count; i++) {
        const struct tw_described_port *port = &description->inputs[i];
        const bool any = strcmp(port->type_name, "any") == 0;
        if ((port->required || port->variadic) && port->type != TW_POLYMAP)
            used += (size_t)snprintf(text + used, size - used, "%s: %s, ", port->name,
                                     any ? "heightmap" : port->type_name);
    }
}

/* A polymap cannot be fed. */
static const char *polymap_of(const struct tw_description *description)
{
    return description->input_count > 0 && description->inputs[0].type == TW_POLYMAP
               ? "  in: {type: island.polygons, cells: 64}\n"
               : "";
}

/* What a node takes of files, and rows of tables, cannot be known here. */
static bool needs_more(const struct tw_description *description)
{
    const struct tw_node_type *type = description->type;
    void *params = calloc(1, type->params_size + 1);
    assert_non_null(params);
    tw_param_defaults(type->params, params);
    const bool broken = tw_rule_check(type, params).param != NULL;
    free(params);
    if (broken)
        return true;
    for (int32_t i = 0; i < description->param_count; i++)
        if (description->params[i].required && description->params[i].row &&
            description->params[i].row->kind == TW_KIND_FILE)
            return true;
    return false;
}

static int check_one(const json_t *snippets, const struct tw_description *description)
{
    char node[2000], inputs[500], text[3000];
    const char *name = description->type->name;
    const json_t *snippet = json_object_get(snippets, name);
    const struct tw_load_options options = {.feeds = true};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (!snippet)
        fail_msg("%s has no snippet", name);
    assert_string_equal(json_string_value(json_object_get(snippet, "prefix")), name);
    expand(json_string_value(json_object_get(snippet, "body")), node, sizeof node);
    list_inputs(description, inputs, sizeof inputs);
    int length = snprintf(text, sizeof text,
                          "thalweg: 1\nsize: 64\ninputs: {%s}\nnodes:\n%s  it_%s\n"
                          "outputs: {it: it_%.*s}\n",
                          inputs, polymap_of(description), node, (int)strcspn(node, ":"), node);
    if (needs_more(description))
        return 0;
    if (tw_recipe_parse(text, (size_t)length, "test.yaml", &options, &recipe, &error) != TW_OK)
        fail_msg("%s: %s\n%s", name, error.message, text);
    tw_recipe_release(recipe);
    return 1;
}

static void every_snippet_is_a_node(void **state)
{
    const struct tw_registry registry = {NULL};
    json_t *snippets = tw_snippets_json();
    struct tw_description description;
    struct tw_library_page page;
    int32_t position = 0;
    int loaded = 0;
    (void)state;
    assert_non_null(snippets);
    for (const struct tw_node_type *type; (type = tw_registry_next(&registry, &position));) {
        assert_true(tw_describe(type, &description));
        loaded += check_one(snippets, &description);
        tw_description_release(&description);
    }
    for (const struct tw_library_recipe *recipe = tw_library_table; recipe->name; recipe++) {
        assert_true(tw_library_page(recipe, &page));
        loaded += check_one(snippets, &page.description);
        tw_library_page_release(&page);
    }
    assert_true(loaded > 100);
    json_decref(snippets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_expand_to_their_defaults),
        cmocka_unit_test(every_snippet_is_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
