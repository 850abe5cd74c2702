/* SPDX-License-Identifier: MIT */
/* An embedder's node types are found wherever those of the table are. */
#include "support/harness.h"

#include <thalweg/node.h>
#include <thalweg/thalweg.h>

#include <stdlib.h>
#include <string.h>

static enum tw_status run(struct tw_task *task) { return tw_task_fail(task, "never run"); }

static const struct tw_port heights[] = {{"in", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};
static const struct tw_port records[] = {{"in", TW_RECORD, 0, "record"}, TW_PORT_END};
static const struct tw_port image[] = {{"out", TW_IMAGE, 0, "picture"}, TW_PORT_END};
static const struct tw_port mask[] = {{"out", TW_MASK, 0, "where"}, TW_PORT_END};
static const struct tw_node_type ink = {.name = "studio.ink",
                                        .version = 1,
                                        .summary = "ink",
                                        .inputs = heights,
                                        .outputs = image,
                                        .run = run};
static const struct tw_node_type chart = {.name = "studio.chart",
                                          .version = 1,
                                          .summary = "chart",
                                          .inputs = records,
                                          .outputs = mask,
                                          .run = run};
static struct tw_rule never(const void *params)
{
    (void)params;
    return TW_RULE("pressure", "less of it"); /* which is no parameter */
}
static const struct tw_node_type press = {.name = "studio.press",
                                          .version = 1,
                                          .summary = "press",
                                          .inputs = heights,
                                          .outputs = mask,
                                          .check = never,
                                          .run = run};
static const struct tw_node_type *const types[] = {&ink, &chart, &press, NULL};

static enum tw_status load(const char *text, struct tw_error *error)
{
    const struct tw_load_options options = {.types = types};
    struct tw_recipe *recipe = NULL;
    enum tw_status status =
        tw_recipe_parse(text, strlen(text), "own.yaml", &options, &recipe, error);
    tw_recipe_release(recipe);
    return status;
}

#define HEAD "thalweg: 1\nsize: 8\nnodes:\n  a: {type: noise.midpoint}\n"

static void exports_render_with_them(void **state)
{
    struct tw_error error;
    (void)state;
    error.message[0] = 0;
    if (load(HEAD "export: {a.png: {from: a, as: studio.ink}}\n", &error) != TW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(load(HEAD "export: {a.png: {from: a, as: studio.chart}}\n", &error),
                     TW_RECIPE);
    assert_int_equal(load(HEAD "export: {a.png: {from: a, as: shape.blur}}\n", &error), TW_RECIPE);
}

static void hints_name_them(void **state)
{
    struct tw_error error;
    (void)state;
    assert_int_equal(load(HEAD "  b: {type: studio.inc, in: a}\noutputs: {b: b}\n", &error),
                     TW_RECIPE);
    assert_non_null(strstr(error.hint, "studio.ink"));
    assert_int_equal(load(HEAD "  s: {type: measure.score, in: a}\n"
                               "  m: {type: combine.blend, a: a, b: a, mask: s}\noutputs: {m: m}\n",
                          &error),
                     TW_RECIPE);
    if (!strstr(error.hint, "studio.chart"))
        fail_msg("%s: %s", error.message, error.hint);
}

static void a_rule_of_no_parameter_is_reported(void **state)
{
    struct tw_error error;
    (void)state;
    assert_int_equal(load(HEAD "  b: {type: studio.press, in: a}\noutputs: {b: b}\n", &error),
                     TW_RECIPE);
    assert_string_equal(error.message, "studio.press.pressure breaks a rule; expected less of it");
    assert_int_equal(error.line, 5);
}

static void schema_and_catalogue_have_them(void **state)
{
    char *with = tw_schema_json(types), *without = tw_schema_json(NULL);
    char *all = tw_catalogue_json(types, NULL), *one = tw_catalogue_json(types, "studio.ink");
    (void)state;
    assert_non_null(strstr(with, "\"studio.ink\""));
    assert_non_null(strstr(with, "\"erosion.olsen\""));
    assert_null(strstr(without, "studio"));
    assert_non_null(strstr(all, "\"type\": \"studio.chart\""));
    assert_non_null(strstr(all, "\"type\": \"erosion.olsen\""));
    assert_non_null(strstr(one, "\"type\": \"studio.ink\""));
    assert_null(strstr(one, "studio.chart"));
    assert_null(tw_catalogue_json(types, "studio.inc"));
    free(with);
    free(without);
    free(all);
    free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports_render_with_them),
        cmocka_unit_test(hints_name_them),
        cmocka_unit_test(a_rule_of_no_parameter_is_reported),
        cmocka_unit_test(schema_and_catalogue_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
