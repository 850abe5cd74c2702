/* SPDX-License-Identifier: MIT */
/* What programs that embed the library rely on beyond loading and running: other parameters and
 * arrays without loading again, values of any node, the facts of a recipe and of a run. */
#include "support/harness.h"

#include <thalweg/thalweg.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "thalweg: 1\n"
    "size: [12, 8]\n"
    "world: {side_m: 240, height_m: 50, sea_level: 0.25}\n"
    "borders: closed\n"
    "inputs: {ground: heightmap}\n"
    "params:\n"
    "  factor: {default: 2, min: 0, max: 9}\n"
    "  edge: recipe\n"
    "nodes:\n"
    "  scaled: {type: combine.formula, a: ground, formula: \"a * ${factor}\"}\n"
    "  worn: {type: erosion.olsen, in: scaled, border: \"${edge}\"}\n"
    "outputs: {scaled: scaled}\n";

enum { CELLS = 12 * 8 };

static struct tw_recipe *load(const struct tw_load_options *options)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (tw_recipe_parse(text, strlen(text), "scaled.yaml", options, &recipe, &error) != TW_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return recipe;
}

static struct tw_recipe *load_fed(float *cells)
{
    const struct tw_load_options options = {.size = sizeof options, .feeds = true};
    struct tw_recipe *recipe = load(&options);
    const struct tw_value ground = {TW_HEIGHTMAP, 12, 8, cells};
    for (int i = 0; i < CELLS; i++)
        cells[i] = (float)i;
    assert_int_equal(tw_recipe_feed(recipe, "ground", &ground, NULL), TW_OK);
    return recipe;
}

/* Expects the output to be `factor` times cell numbers from `first` on. */
static void expect_scaled(struct tw_recipe *recipe, float factor, float first)
{
    struct tw_result *result = NULL;
    assert_int_equal(tw_recipe_run(recipe, NULL, &result, NULL), TW_OK);
    const float *cells = tw_floats(tw_result_output(result, "scaled"));
    for (int i = 0; i < CELLS; i++)
        assert_true(cells[i] == factor * ((float)i + first));
    tw_result_release(result);
}

static void a_parameter_changes_and_what_was_fed_stays(void **state)
{
    float cells[CELLS];
    struct tw_recipe *recipe = load_fed(cells);
    struct tw_recipe_param param;
    struct tw_error error;
    (void)state;
    expect_scaled(recipe, 2, 0);
    assert_int_equal(tw_recipe_set(recipe, "factor", "3", NULL), TW_OK);
    assert_int_equal(tw_recipe_set(recipe, "factor", "4", NULL), TW_OK);
    expect_scaled(recipe, 4, 0);
    assert_true(tw_recipe_param(recipe, 0, &param));
    assert_string_equal(param.value, "4");
    assert_string_equal(param.initial, "2");
    assert_int_equal(tw_recipe_set(recipe, "factor", "10", &error), TW_RECIPE);
    assert_non_null(strstr(error.message, "expected a number from 0 to 9"));
    assert_int_equal(tw_recipe_set(recipe, "facter", "1", &error), TW_USAGE);
    assert_string_equal(error.hint, "did you mean 'factor'?");
    expect_scaled(recipe, 4, 0);
    assert_int_equal(tw_recipe_set(recipe, "factor", NULL, NULL), TW_OK);
    expect_scaled(recipe, 2, 0);
    tw_recipe_release(recipe);
}

static int returned; /* values that the recipe has given back */

static void on_release(void *context, void *data)
{
    assert_ptr_equal(context, data);
    returned++;
}

static void a_borrowed_array_is_given_back_once(void **state)
{
    float cells[CELLS], other[CELLS];
    struct tw_recipe *recipe = load_fed(cells);
    struct tw_value ground = {TW_HEIGHTMAP, 12, 8, other};
    (void)state;
    for (int i = 0; i < CELLS; i++)
        other[i] = (float)(i + 100);
    returned = 0;
    assert_int_equal(tw_recipe_feed_borrowed(recipe, "ground", &ground, on_release, other, NULL),
                     TW_OK);
    expect_scaled(recipe, 2, 100);
    assert_int_equal(tw_recipe_set(recipe, "factor", "3", NULL), TW_OK);
    expect_scaled(recipe, 3, 100);
    assert_int_equal(returned, 0);
    ground.width = 11; /* refused: nothing is borrowed, and the earlier loan stays */
    assert_int_equal(tw_recipe_feed_borrowed(recipe, "ground", &ground, on_release, other, NULL),
                     TW_USAGE);
    assert_int_equal(returned, 0);
    ground = (struct tw_value){TW_HEIGHTMAP, 12, 8, cells};
    assert_int_equal(tw_recipe_feed(recipe, "ground", &ground, NULL), TW_OK);
    assert_int_equal(returned, 1);
    expect_scaled(recipe, 3, 0);
    ground.data = other;
    assert_int_equal(tw_recipe_feed_borrowed(recipe, "ground", &ground, on_release, other, NULL),
                     TW_OK);
    tw_recipe_release(recipe);
    assert_int_equal(returned, 2);
    assert_int_equal(tw_recipe_feed_borrowed(NULL, "ground", &ground, NULL, NULL, NULL), TW_USAGE);
}

static void any_node_can_be_an_output(void **state)
{
    static const char *const further[] = {"worn", "worn.out", "scaled", NULL};
    static const char *const unknown[] = {"wurn", NULL};
    const struct tw_load_options options = {.feeds = true, .outputs = further};
    const struct tw_load_options wrong = {.feeds = true, .outputs = unknown};
    struct tw_recipe *recipe = load(&options);
    struct tw_recipe_port port;
    struct tw_error error;
    (void)state;
    assert_true(tw_recipe_output(recipe, 0, &port));
    assert_string_equal(port.name, "scaled");
    assert_true(tw_recipe_output(recipe, 1, &port));
    assert_string_equal(port.name, "worn");
    assert_true(tw_recipe_output(recipe, 2, &port));
    assert_string_equal(port.name, "worn.out");
    assert_false(tw_recipe_output(recipe, 3, &port));
    assert_int_equal(tw_recipe_set(recipe, "factor", "3", NULL), TW_OK);
    assert_true(tw_recipe_output(recipe, 2, &port));
    tw_recipe_release(recipe);
    assert_int_equal(tw_recipe_parse(text, strlen(text), "x", &wrong, &recipe, &error), TW_RECIPE);
    assert_string_equal(error.hint, "did you mean 'worn'?");
}

static void facts_of_the_recipe(void **state)
{
    struct tw_recipe_facts facts = {.size = sizeof facts};
    const struct tw_load_options options = {.feeds = true, .has_seed = true, .seed = 9};
    struct tw_recipe *recipe = load(&options);
    struct tw_recipe_param param;
    (void)state;
    tw_recipe_facts(recipe, &facts);
    assert_int_equal(facts.width, 12);
    assert_int_equal(facts.height, 8);
    assert_int_equal(facts.seed, 9);
    assert_false(facts.wraps);
    assert_true(facts.has_world);
    assert_true(facts.side_m == 240 && facts.height_m == 50 && facts.sea_level == 0.25);
    assert_true(facts.cell_m == 20);
    assert_true(tw_recipe_param(recipe, 0, &param));
    assert_null(param.words);
    assert_true(tw_recipe_param(recipe, 1, &param));
    assert_string_equal(param.words, "recipe|wrap|closed");
    tw_recipe_release(recipe);
    assert_string_equal(tw_version(), TW_VERSION);
}

static void report_of_a_run(void **state)
{
    static const char *const further[] = {"worn", NULL};
    const struct tw_load_options options = {.feeds = true, .outputs = further};
    struct tw_run_report report = {.size = sizeof report};
    struct tw_node_report node = {.size = sizeof node};
    struct tw_recipe *recipe = load(&options);
    struct tw_result *result = NULL;
    float cells[CELLS] = {0};
    const struct tw_value ground = {TW_HEIGHTMAP, 12, 8, cells};
    (void)state;
    assert_int_equal(tw_recipe_feed(recipe, "ground", &ground, NULL), TW_OK);
    assert_int_equal(tw_recipe_run(recipe, NULL, &result, NULL), TW_OK);
    tw_recipe_release(recipe);
    tw_result_report(result, &report);
    assert_int_equal(report.nodes, 3);
    assert_int_equal(report.computed, 3);
    assert_int_equal(report.kept, 0);
    assert_true(report.seconds > 0);
    assert_true(report.peak_bytes >= sizeof cells);
    assert_true(tw_result_node(result, 1, &node));
    assert_string_equal(node.path, "scaled");
    assert_true(tw_result_node(result, 2, &node));
    assert_string_equal(node.path, "worn");
    assert_string_equal(node.type, "erosion.olsen");
    assert_false(node.kept);
    assert_false(tw_result_node(result, 3, &node));
    assert_false(tw_result_node(result, -1, &node));
    tw_result_release(result);
    tw_trim();
}

static void options_of_another_version(void **state)
{
    struct {
        struct tw_run_options known;
        int later;
    } options = {.known = {.size = sizeof options}, .later = 1};
    float cells[CELLS];
    struct tw_recipe *recipe = load_fed(cells);
    struct tw_result *result = NULL;
    (void)state;
    assert_int_equal(tw_recipe_run(recipe, &options.known, &result, NULL), TW_USAGE);
    options.later = 0;
    assert_int_equal(tw_recipe_run(recipe, &options.known, &result, NULL), TW_OK);
    tw_result_release(result);
    tw_recipe_release(recipe);
}

static void the_caches_folder(void **state)
{
    char path[100] = "unchanged";
    (void)state;
    setenv("XDG_CACHE_HOME", "/tmp/somewhere", 1);
    assert_true(tw_cache_folder(path, sizeof path));
    assert_string_equal(path, "/tmp/somewhere/thalweg");
    assert_false(tw_cache_folder(path, 22));
    assert_true(tw_cache_folder(path, 23));
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "/home/me", 1);
    assert_true(tw_cache_folder(path, sizeof path));
    assert_string_equal(path, "/home/me/.cache/thalweg");
    unsetenv("HOME");
    assert_false(tw_cache_folder(path, sizeof path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_parameter_changes_and_what_was_fed_stays),
        cmocka_unit_test(a_borrowed_array_is_given_back_once),
        cmocka_unit_test(any_node_can_be_an_output),
        cmocka_unit_test(facts_of_the_recipe),
        cmocka_unit_test(report_of_a_run),
        cmocka_unit_test(options_of_another_version),
        cmocka_unit_test(the_caches_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
