/* SPDX-License-Identifier: MIT */
/* What the library of recipes needs of the language: inputs with defaults, quantities as
 * parameters, `${round}` and `${side_m}`, versions; and the recipes of the library as nodes. */
#include "support/command.h"
#include "support/golden.h"
#include "support/recipe.h"

#include "base/memory/digest.h"
#include "graph/library_page.h"
#include "node/param.h"
#include "runner/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void file(const char *name, const char *text) { command_write(name, text, strlen(text)); }

#define WORLD "world: {side_m: 2000, height_m: 500}\n"
#define STEP                                                                                       \
    "thalweg: 1\ninputs:\n  in: heightmap\n  other: {type: heightmap, default: own}\n"             \
    "nodes:\n  own: {type: noise.midpoint}\n  mixed: {type: combine.mix, a: in, b: other}\n"       \
    "outputs: {in: mixed}\n"

static const char *use(const char *head, const char *node)
{
    static char text[600];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 16\n%snodes:\n  h: {type: noise.midpoint}\n  a: {%s}\n"
             "outputs: {out: a}\n",
             head, node);
    return text;
}

static const struct tw_node *source_of(const struct tw_recipe *recipe, const char *path, int input)
{
    return &recipe->nodes[recipe_node(recipe, path)->inputs[input].node];
}

static void an_input_without_a_value_takes_its_default(void **state)
{
    (void)state;
    file("step.yaml", STEP);
    struct tw_recipe *recipe = recipe_of(use("", "type: ./step.yaml, in: h"));
    assert_ptr_equal(source_of(recipe, "a/mixed", 1), recipe_node(recipe, "a/own"));
    tw_recipe_release(recipe);
    recipe = recipe_of(use("", "type: ./step.yaml, in: h, other: h"));
    assert_ptr_equal(source_of(recipe, "a/mixed", 1), recipe_node(recipe, "h"));
    tw_recipe_release(recipe);
    recipe = recipe_of(use("", "type: ./step.yaml, in: h, repeat: 2"));
    assert_ptr_equal(source_of(recipe, "a/2/mixed", 0), recipe_node(recipe, "a/1/mixed"));
    assert_ptr_equal(source_of(recipe, "a/2/mixed", 1), recipe_node(recipe, "a/2/own"));
    tw_recipe_release(recipe);
}

static void a_recipe_whose_inputs_have_defaults_runs_alone(void **state)
{
    (void)state;
    struct tw_recipe *recipe =
        recipe_of("thalweg: 1\nsize: 16\ninputs: {in: {type: heightmap, default: own}}\nnodes:\n"
                  "  own: {type: noise.midpoint}\n  x: {type: shape.invert, in: in}\n"
                  "outputs: {out: x}\n");
    assert_ptr_equal(source_of(recipe, "x", 0), recipe_node(recipe, "own"));
    tw_recipe_release(recipe);
}

static void faults_of_defaults_are_reported(void **state)
{
    (void)state;
    file("bad.yaml", "thalweg: 1\ninputs: {in: {type: mask, default: own}}\nnodes:\n"
                     "  own: {type: source.constant}\n"
                     "  x: {type: erosion.thermal, in: own, mask: in}\n"
                     "outputs: {out: x}\n");
    recipe_fault(use("", "type: ./bad.yaml"), "gives heightmap, but the input 'in' of");
    recipe_fault("thalweg: 1\ninputs: {in: {typ: mask}}\nnodes: {x: {type: source.constant}}\n"
                 "outputs: {o: x}\n",
                 "typ");
    recipe_fault("thalweg: 1\ninputs: {in: {type: mas, default: x}}\n"
                 "nodes: {x: {type: source.constant}}\noutputs: {o: x}\n",
                 "input in is 'mas'; expected a type");
    recipe_fault("thalweg: 1\ninputs: {in: {type: mask, default: y}}\n"
                 "nodes: {x: {type: shape.invert, in: in}}\noutputs: {o: x}\n",
                 "there is no node 'y'");
}

/* An input that a program may feed holds its default until then. */
static void a_program_may_feed_an_input_with_a_default(void **state)
{
    static float cells[16 * 16];
    const struct tw_load_options options = {.feeds = true};
    static const char text[] =
        "thalweg: 1\nsize: 16\ninputs: {in: {type: heightmap, default: own}}\nnodes:\n"
        "  own: {type: source.constant, value: 0.25}\n  x: {type: shape.invert, in: in}\n"
        "outputs: {out: x}\n";
    const struct tw_value fed = {TW_HEIGHTMAP, 16, 16, cells};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "t", &options, &recipe, &error), TW_OK);
    for (int round = 0; round < 2; round++) {
        struct tw_result *result = NULL;
        assert_int_equal(tw_recipe_run(recipe, NULL, &result, &error), TW_OK);
        const struct tw_value *out = tw_result_output(result, "out");
        assert_true(tw_floats(out)[0] == (round == 0 ? 0.75f : 1));
        tw_result_release(result);
        if (round == 0)
            assert_int_equal(tw_recipe_feed(recipe, "in", &fed, &error), TW_OK);
    }
    tw_recipe_release(recipe);
}

static double talus_of(const char *head, const char *talus)
{
    char text[600], number[40];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 16\n%snodes:\n  h: {type: noise.midpoint}\n"
             "  x: {type: erosion.thermal, in: h, talus: \"%s\"}\noutputs: {o: x}\n",
             head, talus);
    struct tw_recipe *recipe = recipe_of(text);
    const struct tw_node *node = recipe_node(recipe, "x");
    tw_param_print(tw_param_find(node->type->params, "talus"), node->params, number, sizeof number);
    tw_recipe_release(recipe);
    return strtod(number, NULL);
}

static void expect_slope(double slope, double degrees)
{
    const double expected = tan(degrees * acos(-1) / 180) * 4;
    assert_true(fabs(slope - expected) < 1e-5 * (1 + fabs(expected)));
}

#define PARAMS(text) WORLD "params: {" text "}\n"

static void quantities_keep_their_unit(void **state)
{
    (void)state;
    expect_slope(talus_of(PARAMS("rest: {default: 35 deg, min: 1 deg, max: 89 deg}"), "${rest}"),
                 35);
    expect_slope(talus_of(PARAMS("rest: 30 deg"), "${rest * 1.5}"), 45);
    expect_slope(talus_of(PARAMS("a: 30 deg, b: 10 deg"), "${max(a, b) + b / 2 - 1 * b}"), 25);
    expect_slope(talus_of(PARAMS("a: 30 deg, b: 10 deg"), "${a / b} deg"), 3);
    assert_true(talus_of(PARAMS("a: 60 m, b: 20 m"), "${a / b}") == 3);
}

static void fault_of(const char *params, const char *talus, const char *words)
{
    char text[600];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 16\n%snodes:\n  h: {type: noise.midpoint}\n"
             "  x: {type: erosion.thermal, in: h, talus: \"%s\"}\noutputs: {o: x}\n",
             params, talus);
    recipe_fault(text, words);
}

static void units_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    fault_of(PARAMS("a: 30 deg, b: 10 m"), "${a + b}", "this joins degrees and metres");
    fault_of(PARAMS("a: 30 deg"), "${a + 1}", "this joins degrees and a plain number");
    fault_of(PARAMS("a: 30 deg"), "${1 / a}", "this joins a plain number and degrees");
    fault_of(PARAMS("a: 30 deg"), "${a * a}", "this joins degrees and degrees");
    fault_of(PARAMS("a: {default: 30 deg, max: 20 deg}"), "${a}",
             "'30 deg'; expected a number not above 20 deg");
    fault_of(PARAMS("a: {default: 30 deg, min: 1 deg, max: 20 m}"), "${a}",
             "max is 20 m and min is 1 deg; expected both in one unit");
    fault_of(PARAMS("a: {default: 2, min: 1 deg}"), "${a}", "'2'; expected a number not below");
    fault_of(PARAMS("a: {default: few, unit: height}"), "${a}", "'few'; expected a number");
    fault_of(PARAMS("a: {default: 2, unit: slope}"), "${a}", "unit is 'slope'; expected one of");
}

static void a_declared_unit_converts(void **state)
{
    (void)state;
    static const char declared[] =
        PARAMS("a: {default: 30 deg, min: 0, max: 80 deg, unit: rise per map side}");
    expect_slope(talus_of(declared, "${a}"), 30);
    const double doubled = talus_of(declared, "${a * 2}"), once = talus_of(declared, "${a}");
    assert_true(fabs(doubled - 2 * once) < 1e-5);
    assert_true(talus_of(PARAMS("a: {default: 250 m, unit: height}"), "${a + 1}") == 1.5);
    fault_of("params: {a: {default: 250 m, unit: height}}\n", "${a}",
             "a is given in metres; expected 'world:");
}

static void metres_of_the_world_have_names(void **state)
{
    (void)state;
    assert_true(talus_of(WORLD, "${side_m / height_m}") == 4);
    fault_of("", "${side_m / height_m}", "${side_m} needs 'world: {");
    fault_of("", "${height_m}", "${height_m} needs 'world: {");
}

static void rounds_are_counted(void **state)
{
    char number[40];
    (void)state;
    file("round.yaml", "thalweg: 1\ninputs: {in: heightmap}\nnodes:\n"
                       "  t: {type: erosion.thermal, in: in, talus: \"${round * 2}\"}\n"
                       "outputs: {out: t}\n");
    struct tw_recipe *recipe = recipe_of(use("", "type: ./round.yaml, in: h, repeat: 3"));
    static const char *const paths[] = {"a/1/t", "a/2/t", "a/3/t"};
    for (int i = 0; i < 3; i++) {
        const struct tw_node *node = recipe_node(recipe, paths[i]);
        tw_param_print(tw_param_find(node->type->params, "talus"), node->params, number,
                       sizeof number);
        assert_true(strtod(number, NULL) == 2 * (i + 1));
    }
    tw_recipe_release(recipe);
}

static void outputs_may_say_what_they_are(void **state)
{
    (void)state;
    file("said.yaml", "thalweg: 1\nnodes: {n: {type: noise.midpoint}}\n"
                      "outputs: {out: {from: n, about: noise}}\n");
    struct tw_recipe *recipe = recipe_of(use("", "type: ./said.yaml"));
    assert_ptr_equal(&recipe->nodes[recipe->outputs->source.node], recipe_node(recipe, "a/n"));
    tw_recipe_release(recipe);
    recipe_fault("thalweg: 1\nnodes: {n: {type: noise.midpoint}}\noutputs: {o: {about: x}}\n",
                 "output o needs 'from'");
    recipe_fault("thalweg: 1\nnodes: {n: {type: noise.midpoint}}\n"
                 "outputs: {o: {from: n, abuot: x}}\n",
                 "abuot");
}

/* ---- the library ---- */

static void faults_in_the_library_name_the_user(void **state)
{
    (void)state;
    recipe_fault(use("", "type: thalweg/forst, land: h"), "the library has no recipe");
    recipe_fault(use("", "type: thalweg/forest, land: h"), "thalweg/forest needs the input");
    recipe_fault(use("", "type: thalweg/beach, land: h, rise: 30 deg"),
                 "rise is given in degrees; expected 'world:");
    recipe_fault(use("", "type: thalweg/beach, land: h, width: 7"), "parameter width is '7'");
    recipe_fault(use("", "type: thalweg/beach, land: h, widht: 7"),
                 "thalweg/beach has no input or parameter 'widht'");
    recipe_fault(use("", "type: beach, in: h"), "there is no node type 'beach'");
}

static void the_library_takes_a_size_without_a_world(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of(use("", "type: thalweg/beach, land: h"));
    assert_string_equal(recipe_node(recipe, "a/sea")->library, "thalweg/beach 1");
    assert_null(recipe_node(recipe, "h")->library);
    for (const struct tw_reading *r = recipe->readings; r; r = r->next)
        assert_null(strstr(r->path, "beach"));
    tw_recipe_release(recipe);
    tw_recipe_release(recipe_of(use(WORLD, "type: thalweg/beach, land: h, rise: 3 deg")));
}

/* A recipe whose text changes is a line that changes here: raise its `version:` if its results
 * change with it. */
static void versions_go_with_texts(void **state)
{
    struct golden golden;
    struct tw_library_page page;
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/library.txt");
    for (const struct tw_library_recipe *r = tw_library_table; r->name; r++) {
        char hex[2 * sizeof(struct tw_sha256) + 1], line[200];
        struct tw_sha256 digest = tw_sha256_of(r->text, r->length);
        assert_true(tw_library_page(r, &page));
        tw_hex(digest.at, sizeof digest.at, hex);
        snprintf(line, sizeof line, "%s %d %.32s\n", r->name, (int)page.type.version, hex);
        golden_line(&golden, line);
        tw_library_page_release(&page);
    }
    golden_end(&golden);
}

/* Every recipe of the library says what it, its inputs and its parameters are for. */
static void every_recipe_is_described(void **state)
{
    struct tw_library_page page;
    (void)state;
    for (const struct tw_library_recipe *r = tw_library_table; r->name; r++) {
        assert_ptr_equal(tw_library_named(r->name), r);
        assert_true(tw_library_page(r, &page));
        assert_true(page.type.summary[0] && page.type.version >= 1 && page.type.keywords);
        assert_true(page.description.output_count > 0);
        for (int32_t i = 0; i < page.description.param_count; i++)
            assert_true(page.description.params[i].help[0]);
        for (int32_t i = 0; i < page.description.input_count; i++)
            assert_true(page.description.inputs[i].help[0]);
        for (int32_t i = 0; i < page.description.output_count; i++)
            assert_true(page.description.outputs[i].help[0]);
        tw_library_page_release(&page);
        tw_recipe_release(recipe_of(r->example));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_input_without_a_value_takes_its_default),
        cmocka_unit_test(a_recipe_whose_inputs_have_defaults_runs_alone),
        cmocka_unit_test(faults_of_defaults_are_reported),
        cmocka_unit_test(a_program_may_feed_an_input_with_a_default),
        cmocka_unit_test(quantities_keep_their_unit),
        cmocka_unit_test(units_that_do_not_fit_are_refused),
        cmocka_unit_test(a_declared_unit_converts),
        cmocka_unit_test(metres_of_the_world_have_names),
        cmocka_unit_test(rounds_are_counted),
        cmocka_unit_test(outputs_may_say_what_they_are),
        cmocka_unit_test(faults_in_the_library_name_the_user),
        cmocka_unit_test(the_library_takes_a_size_without_a_world),
        cmocka_unit_test(every_recipe_is_described),
        cmocka_unit_test(versions_go_with_texts),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
