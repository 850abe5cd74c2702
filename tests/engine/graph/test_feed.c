/* SPDX-License-Identifier: MIT */
/* Inputs that a program feeds: what a recipe takes and gives is listed, and every array is checked
 * before anything runs. */
#include "support/recipe.h"

#include "graph/feed.h"
#include "graph/key.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char text[] =
    "thalweg: 1\n"
    "size: [3, 2]\n"
    "inputs: {ground: heightmap, where: mask, peaks: points, facts: record}\n"
    "params:\n"
    "  depth: {default: 0.5, min: 0, max: 2, about: how deep}\n"
    "  name: \"7\"\n"
    "  rate: 3\n"
    "nodes:\n"
    "  flipped: {type: shape.invert, in: ground}\n"
    "  cut: {type: mask.threshold, in: where, level: \"${depth}\"}\n"
    "outputs: {peaks: peaks, low: flipped, cut: cut}\n"
    "export: {low.png: flipped}\n";

static struct tw_recipe *load(const char *const *set)
{
    const struct tw_load_options options = {.feeds = true, .set = set};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (tw_recipe_parse(text, strlen(text), "fed.yaml", &options, &recipe, &error) != TW_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return recipe;
}

/* The fault of a recipe that is loaded to be fed. */
static void expect_fault(const char *recipe_text, const char *words)
{
    const struct tw_load_options options = {.feeds = true};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (tw_recipe_parse(recipe_text, strlen(recipe_text), "fed.yaml", &options, &recipe, &error) ==
        TW_OK)
        fail_msg("this loads but should not:\n%s", recipe_text);
    if (!strstr(error.message, words))
        fail_msg("'%s' does not say '%s'", error.message, words);
}

/* ---- what a recipe takes and gives ---- */

static void expect_port(const struct tw_recipe_port *port, const char *name, enum tw_type type,
                        int32_t width, int32_t height)
{
    assert_string_equal(port->name, name);
    assert_int_equal(port->type, type);
    assert_int_equal(port->width, width);
    assert_int_equal(port->height, height);
}

static void inputs_and_outputs_are_listed(void **state)
{
    struct tw_recipe *recipe = load(NULL);
    struct tw_recipe_port port;
    (void)state;
    assert_true(tw_recipe_input(recipe, 0, &port));
    expect_port(&port, "ground", TW_HEIGHTMAP, 3, 2);
    assert_true(tw_recipe_input(recipe, 2, &port));
    expect_port(&port, "peaks", TW_POINTS, 0, 0);
    assert_true(tw_recipe_input(recipe, 3, &port));
    assert_false(tw_recipe_input(recipe, 4, &port));
    assert_false(tw_recipe_input(recipe, -1, &port));
    expect_port(&port, "facts", TW_RECORD, 0, 0); /* as it was */
    assert_true(tw_recipe_output(recipe, 0, &port));
    expect_port(&port, "peaks", TW_POINTS, 0, 0);
    assert_true(tw_recipe_output(recipe, 2, &port));
    expect_port(&port, "cut", TW_MASK, 3, 2);
    assert_false(tw_recipe_output(recipe, 3, &port));
    assert_string_equal(tw_type_name(port.type), "mask");
    tw_recipe_release(recipe);
}

static void an_output_with_a_size_of_its_own_is_listed_with_it(void **state)
{
    struct tw_recipe *recipe =
        recipe_of("thalweg: 1\nsize: 8\nnodes:\n  a: {type: noise.midpoint}\n"
                  "  v: {type: render.perspective, in: a, size: [40, 30]}\n"
                  "outputs: {view: v}\n");
    struct tw_recipe_port port;
    (void)state;
    assert_true(tw_recipe_output(recipe, 0, &port));
    expect_port(&port, "view", TW_IMAGE, 40, 30);
    assert_false(tw_recipe_input(recipe, 0, &port));
    tw_recipe_release(recipe);
}

static void parameters_are_listed_with_their_ranges(void **state)
{
    char option[] = "depth=1.5";
    const char *const set[] = {option, NULL};
    struct tw_recipe *recipe = load(set);
    struct tw_recipe_param param;
    (void)state;
    memset(option, 'x', strlen(option)); /* borrowed for the call */
    assert_true(tw_recipe_param(recipe, 0, &param));
    assert_string_equal(param.name, "depth");
    assert_string_equal(param.about, "how deep");
    assert_string_equal(param.initial, "0.5");
    assert_string_equal(param.value, "1.5");
    assert_true(param.is_number && param.has_min && param.has_max);
    assert_true(param.min == 0 && param.max == 2);
    assert_true(tw_recipe_param(recipe, 1, &param));
    assert_string_equal(param.value, "7");
    assert_false(param.is_number || param.has_min || param.has_max);
    assert_string_equal(param.about, "");
    assert_true(tw_recipe_param(recipe, 2, &param));
    assert_true(param.is_number && !param.has_max);
    assert_false(tw_recipe_param(recipe, 3, &param));
    tw_recipe_release(recipe);
}

/* ---- feeding ---- */

static float heights[6] = {0, 1, 2, 3, 4, 5};

static struct tw_value map_of(enum tw_type type, int32_t width, int32_t height, void *data)
{
    return (struct tw_value){type, width, height, data};
}

static void expect_refused(struct tw_recipe *recipe, const char *name, struct tw_value value,
                           enum tw_status status, const char *message, const char *hint)
{
    struct tw_error error;
    assert_int_equal(tw_recipe_feed(recipe, name, &value, &error), status);
    assert_int_equal(error.status, status);
    assert_string_equal(error.message, message);
    assert_string_equal(error.hint, hint);
    assert_int_equal(tw_recipe_feed(recipe, name, &value, NULL), status);
}

static void wrong_arrays_are_refused(void **state)
{
    struct tw_recipe *recipe = load(NULL);
    struct tw_entry entry = {.number = 1};
    const struct tw_value map = map_of(TW_HEIGHTMAP, 3, 2, heights);
    (void)state;
    expect_refused(recipe, "grond", map, TW_USAGE, "the recipe has no input 'grond' to feed",
                   "did you mean 'ground'?");
    expect_refused(recipe, "xxxxxxxx", map, TW_USAGE, "the recipe has no input 'xxxxxxxx' to feed",
                   "known: ground, where, peaks, facts");
    expect_refused(recipe, "where", map, TW_USAGE, "input 'where' is heightmap; expected mask", "");
    expect_refused(recipe, "ground", map_of((enum tw_type)99, 3, 2, heights), TW_USAGE,
                   "input 'ground' is of no known type; expected heightmap", "");
    expect_refused(recipe, "ground", map_of(TW_HEIGHTMAP, 2, 3, heights), TW_USAGE,
                   "input 'ground' is 2 x 3 cells; expected 3 x 2, as the recipe", "");
    expect_refused(recipe, "ground", map_of(TW_HEIGHTMAP, 3, 2, NULL), TW_USAGE,
                   "input 'ground' has no data", "");
    expect_refused(
        recipe, "peaks", map_of(TW_POINTS, 3, 2, heights), TW_USAGE,
        "input 'peaks' is 3 x 2 elements; expected a list of 0 to 268435456, of height 1", "");
    expect_refused(recipe, "peaks", map_of(TW_POINTS, -1, 1, heights), TW_USAGE,
                   "input 'peaks' is -1 x 1 elements; expected a list of 0 to 268435456, of "
                   "height 1",
                   "");
    memset(entry.name, 'x', sizeof entry.name);
    expect_refused(recipe, "facts", map_of(TW_RECORD, 1, 1, &entry), TW_INPUT,
                   "input 'facts' has a name without an end", "");
    tw_recipe_release(recipe);
}

static void numbers_that_are_none_are_refused(void **state)
{
    struct tw_recipe *recipe = load(NULL);
    struct tw_point points[2] = {{.x = 0}, {.y = INFINITY}};
    float map[6] = {0};
    (void)state;
    map[5] = NAN;
    expect_refused(recipe, "ground", map_of(TW_HEIGHTMAP, 3, 2, map), TW_INPUT,
                   "input 'ground' is not valid at x 2, y 1; expected finite numbers", "");
    map[5] = 1;
    map[3] = 1.0000001f;
    expect_refused(recipe, "where", map_of(TW_MASK, 3, 2, map), TW_INPUT,
                   "input 'where' is not valid at x 0, y 1; expected shares from 0 to 1", "");
    expect_refused(recipe, "peaks", map_of(TW_POINTS, 2, 1, points), TW_INPUT,
                   "input 'peaks' is not valid in element 1; expected finite numbers", "");
    tw_recipe_release(recipe);
}

/* Without the option, nothing changes for recipes that expect to be used as nodes. */
static void a_recipe_that_is_not_fed_is_refused(void **state)
{
    (void)state;
    recipe_fault(text, "is an input of this recipe, which nothing feeds here");
    struct tw_recipe *recipe = recipe_of("thalweg: 1\ninputs: {in: heightmap}\nnodes:\n"
                                         "  a: {type: noise.midpoint}\noutputs: {a: a}\n");
    expect_refused(recipe, "in", map_of(TW_HEIGHTMAP, 3, 2, heights), TW_USAGE,
                   "the recipe has no input 'in' to feed", "load it with tw_load_options.feeds");
    tw_recipe_release(recipe);
}

static void wrong_declarations_are_reported(void **state)
{
    char many[4000] = "thalweg: 1\ninputs: {";
    (void)state;
    expect_fault("thalweg: 1\ninputs: {a: heightmap}\nnodes: {a: {type: noise.midpoint}}\n"
                 "outputs: {a: a}\n",
                 "'a' is the name of an input and of a node");
    expect_fault("thalweg: 1\ninputs: {p: polymap}\nnodes: {}\noutputs: {p: p}\n",
                 "input p is a polymap, which no program can feed");
    expect_fault("thalweg: 1\ninputs: {p: points}\nnodes: {a: {type: shape.blur, in: p}}\n"
                 "outputs: {a: a}\n",
                 "p.out gives points, but a.in expects heightmap");
    expect_fault("thalweg: 1\ninputs: {p: pints}\nnodes: {}\noutputs: {p: p}\n",
                 "expected a type, such as heightmap");
    expect_fault("thalweg: 1\ninputs: {ground: mask}\nnodes: {}\noutputs: {p: grund}\n",
                 "there is no node 'grund'");
    for (int i = 0; i < 65; i++)
        sprintf(many + strlen(many), "i%d: mask, ", i);
    strcat(many, "}\nnodes: {}\noutputs: {o: i0}\n");
    expect_fault(many, "more than the 64 inputs");
}

/* ---- what is fed ---- */

static char *key_of(const struct tw_recipe *recipe, const char *path)
{
    char *key = tw_key_text(recipe, recipe_node(recipe, path), NULL, NULL);
    assert_non_null(key);
    return key;
}

static void an_array_is_copied_and_keyed_by_its_content(void **state)
{
    struct tw_recipe *recipe = load(NULL);
    float map[6] = {0, 1, 2, 3, 4, 5};
    const struct tw_value value = map_of(TW_HEIGHTMAP, 3, 2, map);
    (void)state;
    assert_int_equal(tw_recipe_feed(recipe, "ground", &value, NULL), TW_OK);
    char *first = key_of(recipe, "ground");
    map[0] = 9; /* the caller's own */
    assert_true(tw_floats(&recipe->feeds->value)[0] == 0);
    assert_int_equal(tw_recipe_feed(recipe, "ground", &value, NULL), TW_OK);
    char *second = key_of(recipe, "ground");
    map[0] = NAN;
    assert_int_equal(tw_recipe_feed(recipe, "ground", &value, NULL), TW_INPUT);
    char *third = key_of(recipe, "ground");
    map[0] = 0;
    assert_int_equal(tw_recipe_feed(recipe, "ground", &value, NULL), TW_OK);
    char *fourth = key_of(recipe, "ground");
    assert_non_null(strstr(first, "\nfed "));
    assert_string_not_equal(first, second);
    assert_string_equal(second, third);
    assert_string_equal(first, fourth);
    free(first);
    free(second);
    free(third);
    free(fourth);
    tw_recipe_release(recipe);
}

static void a_missing_one_is_found(void **state)
{
    struct tw_recipe *recipe = load(NULL);
    const bool *needed = tw_graph_needed(recipe);
    const struct tw_value none = map_of(TW_POINTS, 0, 1, NULL);
    const struct tw_value map = map_of(TW_HEIGHTMAP, 3, 2, heights);
    const struct tw_value where = map_of(TW_MASK, 3, 2, (float[6]){0});
    (void)state;
    assert_int_equal(tw_recipe_feed(recipe, "ground", &map, NULL), TW_OK);
    assert_string_equal(tw_feed_missing(recipe, needed)->path, "where");
    assert_int_equal(tw_recipe_feed(recipe, "where", &where, NULL), TW_OK);
    assert_string_equal(tw_feed_missing(recipe, needed)->path, "peaks");
    assert_int_equal(tw_recipe_feed(recipe, "peaks", &none, NULL), TW_OK);
    assert_null(tw_feed_missing(recipe, needed)); /* nothing uses `facts` */
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_and_outputs_are_listed),
        cmocka_unit_test(an_output_with_a_size_of_its_own_is_listed_with_it),
        cmocka_unit_test(parameters_are_listed_with_their_ranges),
        cmocka_unit_test(wrong_arrays_are_refused),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(a_recipe_that_is_not_fed_is_refused),
        cmocka_unit_test(wrong_declarations_are_reported),
        cmocka_unit_test(an_array_is_copied_and_keyed_by_its_content),
        cmocka_unit_test(a_missing_one_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
