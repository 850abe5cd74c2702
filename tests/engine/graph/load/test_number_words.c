/* SPDX-License-Identifier: MIT */
/* Words that stand for numbers: in a node, by way of `params:`, in every message, and for programs
 * that ask what there is. */
#include "support/recipe.h"

#include "node/param.h"

#include <thalweg/thalweg.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#define HEAD "thalweg: 1\nsize: 8\n"
#define NODES                                                                                      \
    "nodes:\n  land: {type: noise.perlin}\n  image: {type: mask.height, in: land}\n"               \
    "  out: {type: feature.shadow, in: land, image: image, "
#define TAIL "}\noutputs: {h: out}\n"

static void expect_azimuth(const char *head, const char *entries, const char *const *set,
                           const char *expected)
{
    char text[600], azimuth[40];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const struct tw_load_options load = {.set = set};
    int length = snprintf(text, sizeof text, HEAD "%s" NODES "%s" TAIL, head, entries);
    if (tw_recipe_parse(text, (size_t)length, "test.yaml", &load, &recipe, &error) != TW_OK)
        fail_msg("%s: %s", entries, error.message);
    const struct tw_node *node = recipe_node(recipe, "out");
    tw_param_print(tw_node_find_param(node->type, "azimuth"), node->params, azimuth,
                   sizeof azimuth);
    assert_string_equal(azimuth, expected);
    tw_recipe_release(recipe);
}

static void a_node_takes_the_word_or_a_number(void **state)
{
    (void)state;
    expect_azimuth("", "azimuth: auto", NULL, "auto");
    expect_azimuth("", "azimuth: 'auto'", NULL, "auto");
    expect_azimuth("", "tilt: 45", NULL, "auto");
    expect_azimuth("", "azimuth: 0", NULL, "0");
    expect_azimuth("", "azimuth: 359.5", NULL, "359.5");
}

static void other_words_and_its_number_are_refused(void **state)
{
    (void)state;
    recipe_fault(HEAD NODES "azimuth: -1" TAIL,
                 "feature.shadow.azimuth is -1; allowed auto or 0 to 360");
    recipe_fault(HEAD NODES "azimuth: none" TAIL,
                 "feature.shadow.azimuth is 'none'; expected auto or a number from 0 to 360");
    recipe_fault(HEAD NODES "azimuth: autp" TAIL, "did you mean 'auto'?");
    recipe_fault(HEAD NODES "azimuth: [auto]" TAIL, "azimuth is a list; expected one value");
    recipe_fault(HEAD NODES "tilt: auto" TAIL, "tilt is 'auto'; expected a number from 5 to 85");
}

static void a_parameter_may_be_the_word(void **state)
{
    const char *const north[] = {"light=0", NULL}, *const word[] = {"light=auto", NULL};
    (void)state;
    expect_azimuth("params: {light: auto}\n", "azimuth: \"${light}\"", NULL, "auto");
    expect_azimuth("params: {light: auto}\n", "azimuth: \"${light}\"", north, "0");
    expect_azimuth("params: {light: {default: auto, min: 0, max: 360}}\n", "azimuth: \"${light}\"",
                   NULL, "auto");
    expect_azimuth("params: {light: {default: auto, min: 0, max: 360}}\n", "azimuth: \"${light}\"",
                   north, "0");
    expect_azimuth("params: {light: {default: auto, min: 0, max: 360}}\n", "azimuth: \"${light}\"",
                   word, "auto");
}

static void expect_refused(const char *params, const char *const *set, const char *message)
{
    char text[600];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const struct tw_load_options load = {.set = set};
    int length = snprintf(text, sizeof text, HEAD "%s" NODES "azimuth: \"${light}\"" TAIL, params);
    assert_int_not_equal(tw_recipe_parse(text, (size_t)length, "test.yaml", &load, &recipe, &error),
                         TW_OK);
    assert_string_equal(error.message, message);
}

static void a_parameter_keeps_its_bounds(void **state)
{
    const char *const wide[] = {"light=400", NULL}, *const word[] = {"light=auto", NULL};
    const char *const other[] = {"light=none", NULL};
    (void)state;
    expect_refused("params: {light: {default: auto, min: 0, max: 180}}\n", wide,
                   "parameter light is '400'; expected auto or a number from 0 to 180");
    expect_refused("params: {light: {default: auto, max: 180}}\n", other,
                   "parameter light is 'none'; expected auto or a number not above 180");
    expect_refused("params: {light: {default: 90, min: 0, max: 180}}\n", word,
                   "parameter light is 'auto'; expected a number from 0 to 180");
    expect_refused("params: {light: auto}\n", wide,
                   "feature.shadow.azimuth is 400; allowed auto or 0 to 360");
}

static void programs_see_the_default_of_a_parameter(void **state)
{
    struct tw_recipe *recipe =
        recipe_of(HEAD "params: {light: {default: auto, min: 0, max: 360}}\n" NODES
                       "azimuth: \"${light}\"" TAIL);
    struct tw_recipe_param param;
    (void)state;
    assert_true(tw_recipe_param(recipe, 0, &param));
    assert_string_equal(param.initial, "auto");
    assert_string_equal(param.value, "auto");
    assert_true(param.is_number && param.has_min && param.has_max && param.max == 360);
    tw_recipe_release(recipe);
}

static const json_t *member(const json_t *list, const char *name)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(list, i), "name")), name) == 0)
            return json_array_get(list, i);
    fail_msg("there is no %s", name);
    return NULL;
}

static void the_catalogue_names_the_word(void **state)
{
    char *text = tw_catalogue_json(NULL, "feature.shadow");
    json_t *type = json_loads(text, 0, NULL);
    const json_t *azimuth = member(json_object_get(type, "params"), "azimuth");
    (void)state;
    assert_string_equal(json_string_value(json_object_get(azimuth, "word")), "auto");
    assert_string_equal(json_string_value(json_object_get(azimuth, "default")), "auto");
    assert_string_equal(json_string_value(json_object_get(azimuth, "allowed")),
                        "auto or 0 to 360 degrees");
    assert_true(json_real_value(json_object_get(azimuth, "min")) == 0);
    assert_null(json_object_get(member(json_object_get(type, "params"), "tilt"), "word"));
    json_decref(type);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_takes_the_word_or_a_number),
        cmocka_unit_test(other_words_and_its_number_are_refused),
        cmocka_unit_test(a_parameter_may_be_the_word),
        cmocka_unit_test(a_parameter_keeps_its_bounds),
        cmocka_unit_test(programs_see_the_default_of_a_parameter),
        cmocka_unit_test(the_catalogue_names_the_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
