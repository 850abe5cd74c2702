/* SPDX-License-Identifier: MIT */
/* The JSON Schema allows what the loader does. */
#include "support/harness.h"

#include "node/describe.h"
#include "node/param.h"
#include "node/registry.h"

#include <thalweg/thalweg.h>

#include <jansson.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static json_t *schema;

static int set_up(void **state)
{
    char *text = tw_schema_json(NULL);
    (void)state;
    schema = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return schema ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    json_decref(schema);
    return 0;
}

static json_t *property(const char *type, const char *name)
{
    json_t *definition = json_object_get(json_object_get(schema, "definitions"), type);
    json_t *found = json_object_get(json_object_get(definition, "properties"), name);
    if (!found)
        fail_msg("%s has no %s", type, name);
    return found;
}

static json_t *labels_of(const char *type, const struct tw_param *row)
{
    json_t *plain = json_array_get(json_object_get(property(type, row->name), "anyOf"), 0);
    return json_object_get(plain, "enum");
}

static bool has(const json_t *list, json_t *value)
{
    bool found = false;
    for (size_t i = 0; i < json_array_size(list); i++)
        found |= json_equal(json_array_get(list, i), value);
    json_decref(value);
    return found;
}

/* Cells of words: in rows by name, in rows in order, and alone. */
static void tables_have_words(void **state)
{
    (void)state;
    json_t *table =
        json_array_get(json_object_get(property("render.surface", "materials"), "anyOf"), 0);
    json_t *rows = json_object_get(json_object_get(table, "items"), "anyOf");
    json_t *name = json_object_get(json_object_get(json_array_get(rows, 0), "properties"), "name");
    json_t *words = json_object_get(json_array_get(json_object_get(name, "anyOf"), 0), "enum");
    json_t *alone = json_object_get(
        json_array_get(json_object_get(json_array_get(rows, 2), "anyOf"), 0), "enum");
    assert_int_equal(json_array_size(rows), 3);
    assert_true(has(words, json_string("snow")) && has(words, json_string("road")));
    assert_false(has(words, json_string("raod")));
    assert_true(json_equal(words, alone));
    table = json_array_get(json_object_get(property("shape.curve", "points"), "anyOf"), 0);
    assert_int_equal(json_array_size(json_object_get(json_object_get(table, "items"), "anyOf")), 2);
}

/* Required is what has no default and stands in the node's example; formulas are. */
static void required_parameters_have_no_default(void **state)
{
    (void)state;
    for (const struct tw_node_type *const *at = tw_node_table; *at; at++) {
        struct tw_description description;
        assert_true(tw_describe(*at, &description));
        json_t *definition = json_object_get(json_object_get(schema, "definitions"), (*at)->name);
        for (int32_t i = 0; i < description.param_count; i++) {
            const struct tw_described_param *param = &description.params[i];
            bool formula = param->row && param->row->kind == TW_KIND_FORMULA;
            if (param->required && (param->initial[0] || !strstr((*at)->example, param->name)))
                fail_msg("%s: %s is required", (*at)->name, param->name);
            if (formula && !param->required)
                fail_msg("%s: %s is not required", (*at)->name, param->name);
            if (has(json_object_get(definition, "required"), json_string(param->name)) !=
                param->required)
                fail_msg("%s: the schema says other things of %s", (*at)->name, param->name);
        }
        tw_description_release(&description);
    }
}

/* An input that shares its name with a table takes a reference or rows. */
static void a_reference_or_rows(void **state)
{
    (void)state;
    json_t *either = json_object_get(property("source.stamp", "points"), "anyOf");
    assert_int_equal(json_array_size(either), 2);
    json_t *reference = json_object_get(json_array_get(either, 0), "allOf");
    assert_true(has(reference, json_pack("{s:s}", "$ref", "#/definitions/reference")));
    json_t *rows = json_array_get(json_object_get(json_array_get(either, 1), "anyOf"), 0);
    assert_string_equal(json_string_value(json_object_get(rows, "type")), "array");
}

/* `tile: false` is a boolean to whoever reads the YAML before the schema is asked. */
static void labels_that_look_like_booleans_may_be_booleans(void **state)
{
    const struct tw_registry registry = {NULL};
    int32_t position = 0, seen = 0;
    (void)state;
    for (const struct tw_node_type *type; (type = tw_registry_next(&registry, &position));)
        for (const struct tw_param *row = type->params; row && row->name; row++) {
            int length = 0;
            size_t expected = 0;
            const char *label;
            json_t *labels = row->kind == TW_KIND_ENUM ? labels_of(type->name, row) : NULL;
            for (int i = 0; labels && (label = tw_param_label(row, i, &length)); i++) {
                bool yes = length == 4 && strncmp(label, "true", 4) == 0;
                bool no = length == 5 && strncmp(label, "false", 5) == 0;
                assert_true(has(labels, json_stringn(label, (size_t)length)));
                if (yes || no)
                    assert_true(has(labels, json_boolean(yes)));
                seen += yes || no;
                expected += yes || no || strspn(label, "0123456789") == (size_t)length ? 2 : 1;
            }
            assert_int_equal(json_array_size(labels), expected);
        }
    assert_true(seen >= 2);
}

static bool is_substitutable(const json_t *value)
{
    json_t *expected = json_pack("{s:s}", "$ref", "#/definitions/substitution");
    return has(json_object_get(value, "anyOf"), expected);
}

/* A number, its word, or a substitution. */
static void words_stand_for_numbers(void **state)
{
    static const char *const names[][3] = {{"feature.shadow", "azimuth", "auto"},
                                           {"feature.edges", "profile", "none"},
                                           {"erosion.olsen", "side", "auto"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        json_t *all = json_object_get(property(names[i][0], names[i][1]), "anyOf");
        json_t *value = json_object_get(json_array_get(all, 0), "anyOf");
        const json_t *number = json_array_get(value, 0);
        assert_non_null(json_object_get(number, "minimum"));
        assert_true(has(value, json_pack("{s:s}", "const", names[i][2])));
        assert_true(is_substitutable(property(names[i][0], names[i][1])));
    }
    json_t *sea = json_object_get(property("render.relief", "sea"), "anyOf");
    json_t *value = json_object_get(json_array_get(sea, 0), "anyOf");
    assert_true(has(value, json_pack("{s:s}", "const", "none")));
    assert_int_equal(json_array_size(json_object_get(json_array_get(value, 0), "anyOf")), 2);
}

static void inputs_parameters_and_seeds_are_properties(void **state)
{
    const struct tw_registry registry = {NULL};
    int32_t position = 0;
    (void)state;
    for (const struct tw_node_type *type; (type = tw_registry_next(&registry, &position));) {
        for (const struct tw_port *port = type->inputs; port && port->name; port++)
            property(type->name, port->name);
        for (const struct tw_param *row = type->params; row && row->name; row++)
            property(type->name, row->name);
        if (type->random)
            property(type->name, "seed");
    }
}

static void substitutions_may_stand_for_items_of_lists(void **state)
{
    json_t *either = json_array_get(json_object_get(property("shape.remap", "from"), "anyOf"), 0);
    json_t *plain = json_array_get(json_object_get(either, "anyOf"), 1); /* the list */
    json_t *definitions = json_object_get(schema, "definitions");
    json_t *pattern = json_object_get(json_object_get(definitions, "substitution"), "pattern");
    regex_t regex;
    (void)state;
    assert_true(is_substitutable(property("shape.remap", "from")));
    assert_true(is_substitutable(json_object_get(plain, "items")));
    assert_int_equal(regcomp(&regex, json_string_value(pattern), REG_EXTENDED | REG_NOSUB), 0);
    assert_int_equal(regexec(&regex, "${K}", 0, NULL, 0), 0);
    assert_int_equal(regexec(&regex, "${talus}", 0, NULL, 0), 0);
    assert_int_equal(regexec(&regex, "talus", 0, NULL, 0), REG_NOMATCH);
    regfree(&regex);
}

/* What `as:` takes, with the rows of the nodes that it stands for. */
static void options_of_views_are_properties_of_exports(void **state)
{
    json_t *exports = json_object_get(json_object_get(schema, "properties"), "export");
    json_t *png = json_object_get(json_object_get(exports, "patternProperties"), "\\.png$");
    json_t *mapping = json_array_get(json_object_get(png, "anyOf"), 1);
    static const char *const names[] = {"as",   "bits",  "mood",  "sea",
                                        "size", "pitch", "lakes", "ramp"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!json_object_get(json_object_get(mapping, "properties"), names[i]))
            fail_msg("an export as .png has no property '%s'", names[i]);
}

/* Further outputs, such as those of a mesh, whether the file holds one value or several. */
static void parts_of_formats_are_properties_of_exports(void **state)
{
    static const char *const parts[][2] = {{"\\.exr$", "holes"}, {"\\.glb$", "color"}};
    json_t *exports = json_object_get(json_object_get(schema, "properties"), "export");
    json_t *patterns = json_object_get(exports, "patternProperties");
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        json_t *choices = json_object_get(json_object_get(patterns, parts[i][0]), "anyOf");
        json_t *properties = json_object_get(json_array_get(choices, 1), "properties");
        assert_non_null(json_object_get(properties, parts[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_words),
        cmocka_unit_test(required_parameters_have_no_default),
        cmocka_unit_test(a_reference_or_rows),
        cmocka_unit_test(labels_that_look_like_booleans_may_be_booleans),
        cmocka_unit_test(substitutions_may_stand_for_items_of_lists),
        cmocka_unit_test(words_stand_for_numbers),
        cmocka_unit_test(inputs_parameters_and_seeds_are_properties),
        cmocka_unit_test(options_of_views_are_properties_of_exports),
        cmocka_unit_test(parts_of_formats_are_properties_of_exports),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
