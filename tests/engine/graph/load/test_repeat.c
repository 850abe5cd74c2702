/* SPDX-License-Identifier: MIT */
/* `repeat: n`: rounds of a recipe used as a node, each fed by the one before. */
#include "support/command.h"
#include "support/recipe.h"

#include "runner/runner.h"

#include <stdio.h>

#define STEP                                                                                       \
    "thalweg: 1\ninputs: {in: heightmap}\nnodes:\n"                                                \
    "  noise: {type: noise.midpoint}\n"                                                            \
    "  fixed: {type: noise.midpoint, seed: 3}\n"                                                   \
    "  mixed: {type: combine.mix, a: in, b: noise}\n"                                              \
    "  again: {type: combine.mix, a: mixed, b: fixed}\n"                                           \
    "outputs: {land: again}\n"
#define BASE "  base: {type: source.constant}\n"

static void file(const char *name, const char *text) { command_write(name, text, strlen(text)); }

/* A recipe in the test's folder whose node `a` is `use`. */
static const char *text_of(const char *use)
{
    static char text[500];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: 16\nnodes:\n" BASE "  a: {%s}\noutputs: {out: a}\n", use);
    return text;
}

static const struct tw_node *source_of(const struct tw_recipe *recipe, const char *path)
{
    return &recipe->nodes[recipe_node(recipe, path)->inputs[0].node];
}

static void each_round_is_fed_by_the_one_before(void **state)
{
    (void)state;
    file("step.yaml", STEP);
    struct tw_recipe *recipe = recipe_of(text_of("type: ./step.yaml, in: base, repeat: 3"));
    assert_int_equal(recipe->count, 1 + 3 * 4);
    assert_ptr_equal(source_of(recipe, "a/1/mixed"), recipe_node(recipe, "base"));
    assert_ptr_equal(source_of(recipe, "a/2/mixed"), recipe_node(recipe, "a/1/again"));
    assert_ptr_equal(source_of(recipe, "a/3/mixed"), recipe_node(recipe, "a/2/again"));
    assert_ptr_equal(&recipe->nodes[recipe->outputs->source.node],
                     recipe_node(recipe, "a/3/again"));
    tw_recipe_release(recipe);
}

static void equal_names_are_paired_and_others_stay(void **state)
{
    (void)state;
    file("named.yaml", "thalweg: 1\ninputs: {mask: heightmap, land: heightmap}\nnodes:\n"
                       "  m: {type: combine.multiply, a: land, b: mask}\n"
                       "  n: {type: shape.invert, in: m}\n"
                       "outputs: {other: n, land: m}\n");
    struct tw_recipe *recipe =
        recipe_of(text_of("type: ./named.yaml, mask: base, land: base, repeat: 2"));
    const struct tw_node *node = recipe_node(recipe, "a/2/m");
    assert_ptr_equal(&recipe->nodes[node->inputs[0].node], recipe_node(recipe, "a/1/m"));
    assert_ptr_equal(&recipe->nodes[node->inputs[1].node], recipe_node(recipe, "base"));
    tw_recipe_release(recipe);
}

static uint64_t seed_of(const char *use, const char *path)
{
    struct tw_recipe *recipe = recipe_of(text_of(use));
    uint64_t seed = recipe_node(recipe, path)->seed_key;
    tw_recipe_release(recipe);
    return seed;
}

static void rounds_draw_apart_and_keep_what_they_drew(void **state)
{
    static const char once[] = "type: ./step.yaml, in: base";
    static const char two[] = "type: ./step.yaml, in: base, repeat: 2";
    static const char three[] = "type: ./step.yaml, in: base, repeat: 3";
    static const char seeded[] = "type: ./step.yaml, in: base, repeat: 2, seed: 7";
    static const char once_seeded[] = "type: ./step.yaml, in: base, seed: 7";
    (void)state;
    file("step.yaml", STEP);
    assert_true(seed_of(three, "a/1/noise") != seed_of(three, "a/2/noise"));
    assert_true(seed_of(three, "a/2/noise") != seed_of(three, "a/3/noise"));
    assert_true(seed_of(two, "a/1/noise") == seed_of(three, "a/1/noise"));
    assert_true(seed_of(two, "a/2/noise") == seed_of(three, "a/2/noise"));
    assert_true(seed_of(two, "a/1/noise") == seed_of(once, "a/noise"));
    assert_true(seed_of(seeded, "a/1/noise") == seed_of(once_seeded, "a/noise"));
    assert_true(seed_of(seeded, "a/1/noise") != seed_of(seeded, "a/2/noise"));
    assert_true(seed_of(three, "a/1/fixed") == seed_of(three, "a/3/fixed")); /* its own seed */
}

/* How many nodes the cache answers. */
static int hits_with(const char *use, bool dry)
{
    struct tw_recipe *recipe = recipe_of(text_of(use));
    struct tw_run_summary report = {0};
    struct tw_result *result = NULL;
    const struct tw_run_options options = {.threads = 2, .cache_dir = "cache"};
    const struct tw_run_request request = {.options = &options, .report = &report, .dry = dry};
    int hits = 0;
    assert_int_equal(tw_run_execute(recipe, &request, dry ? NULL : &result, NULL), TW_OK);
    for (int32_t i = 0; i < report.node_count; i++)
        hits += report.nodes[i].outcome == TW_OUTCOME_HIT;
    tw_run_summary_release(&report);
    if (result)
        tw_result_release(result);
    tw_recipe_release(recipe);
    return hits;
}

static void a_further_round_keeps_those_before_in_the_cache(void **state)
{
    (void)state;
    file("step.yaml", STEP);
    (void)hits_with("type: ./step.yaml, in: base, repeat: 2", false);
    assert_int_equal(hits_with("type: ./step.yaml, in: base, repeat: 1", true), 1 + 4);
    assert_int_equal(hits_with("type: ./step.yaml, in: base, repeat: 2", true), 1 + 2 * 4);
    /* and of the third round what has a seed of its own */
    assert_int_equal(hits_with("type: ./step.yaml, in: base, repeat: 3", true), 1 + 2 * 4 + 1);
}

static void wrong_repeats_are_reported(void **state)
{
    static const struct {
        const char *use, *words;
        int column;
    } rows[] = {
        {"type: ./step.yaml, in: base, repeat: 0", "a.repeat is 0; expected a whole number from 1",
         44},
        {"type: ./step.yaml, in: base, repeat: 1001", "from 1 to 1000", 44},
        {"type: ./step.yaml, in: base, repeat: [2]", "a.repeat is [2]; expected a whole number",
         44},
        {"type: ./step.yaml, in: base, repeat: \"${x}\"", "'${x}' is not a parameter", 47},
        {"type: ./pair.yaml, x: base, y: base, repeat: 2",
         "pair.yaml cannot be repeated: its inputs are x, y, its outputs p; expected an output "
         "with "
         "the name of an input, or one of each",
         52},
        {"type: ./none.yaml, repeat: 2", "its inputs are none", 34},
        {"type: shape.invert, in: base, repeat: 2", "no input or parameter 'repeat'", 37},
        {"type: ./many.yaml, in: base, repeat: 1000", "more than 10000 nodes", 0},
        {"type: ./step.yaml, in: a, repeat: 2", "in a cycle", 0},
    };
    (void)state;
    file("step.yaml", STEP);
    file("pair.yaml", "thalweg: 1\ninputs: {x: heightmap, y: heightmap}\nnodes:\n"
                      "  n: {type: combine.add, a: x, b: y}\noutputs: {p: n}\n");
    file("none.yaml", "thalweg: 1\nnodes:\n  n: {type: source.constant}\noutputs: {p: n, q: n}\n");
    char many[1000] = "thalweg: 1\ninputs: {in: heightmap}\nnodes:\n";
    for (int i = 0; i < 11; i++)
        sprintf(many + strlen(many), "  n%d: {type: shape.invert, in: in}\n", i);
    strcat(many, "outputs: {out: n3}\n");
    file("many.yaml", many);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_error error = recipe_fault(text_of(rows[i].use), rows[i].words);
        if (rows[i].column && error.column != rows[i].column)
            fail_msg("%s: column %d", rows[i].use, error.column);
    }
}

static int faults;

static void on_diagnostic(void *context, bool fault, const struct tw_error *error,
                          const char *source_line)
{
    (void)context;
    (void)source_line;
    if (fault && error->line == 4)
        faults++;
}

static void a_fault_within_is_reported_once(void **state)
{
    static const char *const lines[] = {"  n: {type: shape.invert, in: gone}\n",
                                        "  n: {type: shape.invert, in: in, what: 3}\n"};
    const struct tw_load_options options = {.diagnostic = on_diagnostic};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[300];
        struct tw_recipe *recipe = NULL;
        snprintf(text, sizeof text,
                 "thalweg: 1\ninputs: {in: heightmap}\nnodes:\n%soutputs: {p: n}\n", lines[i]);
        file("wrong.yaml", text);
        const char *whole = text_of("type: ./wrong.yaml, in: base, repeat: 50");
        faults = 0;
        assert_int_equal(
            tw_recipe_parse(whole, strlen(whole), "test.yaml", &options, &recipe, NULL), TW_RECIPE);
        assert_int_equal(faults, 1);
    }
}

static void rounds_that_hand_on_their_input_are_followed(void **state)
{
    (void)state;
    file("through.yaml", "thalweg: 1\ninputs: {i: heightmap}\n"
                         "nodes: {n: {type: source.constant}}\noutputs: {i: i}\n");
    struct tw_recipe *recipe = recipe_of(text_of("type: ./through.yaml, i: base, repeat: 1000"));
    assert_ptr_equal(&recipe->nodes[recipe->outputs->source.node], recipe_node(recipe, "base"));
    tw_recipe_release(recipe);
    recipe_fault(text_of("type: ./through.yaml, i: a, repeat: 9"), "leads back to itself");
}

static void a_parameter_called_repeat_comes_first(void **state)
{
    (void)state;
    file("own.yaml",
         "thalweg: 1\ninputs: {in: heightmap}\nparams: {repeat: 1}\nnodes:\n"
         "  n: {type: shape.power, in: in, exponent: \"${repeat}\"}\noutputs: {p: n}\n");
    struct tw_recipe *recipe = recipe_of(text_of("type: ./own.yaml, in: base, repeat: 2"));
    assert_int_equal(recipe->count, 2);
    assert_non_null(recipe_node(recipe, "a/n"));
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_round_is_fed_by_the_one_before),
        cmocka_unit_test(equal_names_are_paired_and_others_stay),
        cmocka_unit_test(rounds_draw_apart_and_keep_what_they_drew),
        cmocka_unit_test(a_further_round_keeps_those_before_in_the_cache),
        cmocka_unit_test(wrong_repeats_are_reported),
        cmocka_unit_test(a_fault_within_is_reported_once),
        cmocka_unit_test(rounds_that_hand_on_their_input_are_followed),
        cmocka_unit_test(a_parameter_called_repeat_comes_first),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
