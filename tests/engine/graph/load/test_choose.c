/* SPDX-License-Identifier: MIT */
/* combine.switch: what refers to it is connected to the input that it chooses, nothing of the
 * others is computed, and the chosen one keeps its type, its key and its warnings. */
#include "base/os/file.h"
#include "runner/runner.h"
#include "support/folder.h"
#include "support/recipe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
    "thalweg: 1\nsize: 16\nparams: {kind: 0}\nnodes:\n"                                            \
    "  noise: {type: noise.midpoint}\n"                                                            \
    "  cells: {type: voronoi.cells}\n"                                                             \
    "  mask: {type: mask.threshold, in: noise}\n"                                                  \
    "  pick: {type: combine.switch, in: [noise, cells, mask, cells.domain], index: \"${kind}\"}\n"

static struct tw_recipe *load_kind(const char *text, const char *set)
{
    const char *const sets[] = {set, NULL};
    const struct tw_load_options options = {.set = sets};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, &error) != TW_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return recipe;
}

static void users_are_connected_to_the_chosen_input(void **state)
{
    static const char text[] = HEAD "  next: {type: shape.invert, in: pick}\n"
                                    "  same: {type: combine.switch, in: pick.out}\n"
                                    "outputs: {out: next, picked: same}\n";
    static const char *const kinds[] = {"kind=0", "kind=1", "kind=2"};
    static const char *const chosen[] = {"noise", "cells", "mask"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tw_recipe *recipe = load_kind(text, kinds[i]);
        const struct tw_node *node = recipe_node(recipe, chosen[i]);
        assert_ptr_equal(&recipe->nodes[recipe_node(recipe, "next")->inputs[0].node], node);
        const struct tw_source picked = recipe->outputs->next->source;
        assert_ptr_equal(&recipe->nodes[picked.node], node);
        assert_int_equal(tw_source_type(recipe, picked), i == 2 ? TW_MASK : TW_HEIGHTMAP);
        tw_recipe_release(recipe);
    }
}

static void the_output_has_the_type_of_the_chosen_input(void **state)
{
    static const char text[] = HEAD "  keep: {type: voronoi.domain, domain: pick}\n"
                                    "outputs: {out: keep}\n";
    struct tw_error error;
    struct tw_recipe *recipe = load_kind(text, "kind=3"), *none = NULL;
    (void)state;
    assert_int_equal(tw_source_type(recipe, recipe_node(recipe, "keep")->inputs[0]), TW_LABELS);
    tw_recipe_release(recipe);
    assert_int_equal(tw_recipe_parse(text, strlen(text), "test.yaml", NULL, &none, &error),
                     TW_RECIPE);
    assert_non_null(
        strstr(error.message, "noise.out gives heightmap, but keep.domain expects labels"));
    assert_int_equal(error.line, 9);
}

/* The outcomes of noise, cells and of the node after the switch, and its key; free() that. */
static char *run_kind(const char *set, const char *tail, enum tw_outcome outcomes[3],
                      const char *cache)
{
    char text[1000];
    snprintf(text, sizeof text, "%s%s", HEAD, tail);
    struct tw_recipe *recipe = load_kind(text, set);
    struct tw_run_summary report = {0};
    struct tw_result *result = NULL;
    const struct tw_run_options options = {.threads = 2, .cache_dir = cache};
    const struct tw_run_request request = {.options = &options, .report = &report};
    static const char *const names[] = {"noise", "cells", "next"};
    assert_int_equal(tw_run_execute(recipe, &request, &result, NULL), TW_OK);
    for (int i = 0; i < 3; i++)
        outcomes[i] = report.nodes[recipe_node(recipe, names[i]) - recipe->nodes].outcome;
    char **key = &report.nodes[recipe_node(recipe, "next") - recipe->nodes].key_text, *kept = *key;
    *key = NULL;
    tw_run_summary_release(&report);
    tw_result_release(result);
    tw_recipe_release(recipe);
    return kept;
}

static void only_the_chosen_input_is_computed_and_in_the_key(void **state)
{
    static const char direct[] = "  next: {type: shape.invert, in: cells}\noutputs: {out: next}\n";
    static const char picked[] = "  next: {type: shape.invert, in: pick}\noutputs: {out: next}\n";
    enum tw_outcome outcomes[3];
    char folder[4096];
    struct tw_error err;
    (void)state;
    assert_int_equal(tw_file_make_temporary_folder(folder, &err), TW_OK);
    char *first = run_kind("kind=1", picked, outcomes, folder);
    assert_int_equal(outcomes[0], TW_OUTCOME_NOT_NEEDED);
    assert_int_equal(outcomes[1], TW_OUTCOME_COMPUTED);
    char *second = run_kind("kind=1", direct, outcomes, folder);
    assert_string_equal(first, second);
    assert_int_equal(outcomes[2], TW_OUTCOME_HIT);
    free(first);
    free(second);
    assert_int_equal(folder_remove(folder), 0);
}

static void a_choice_beyond_the_list_is_a_fault(void **state)
{
    (void)state;
    struct tw_error error =
        recipe_fault(HEAD "  b: {type: combine.switch, in: [noise, cells], index: 2}\n"
                          "outputs: {out: b}\n",
                     "combine.switch.index is 2; expected 0 to 1, as it has 2 inputs");
    assert_int_equal(error.line, 9);
    assert_int_equal(error.column, 56);
    recipe_fault(HEAD "  b: {type: combine.switch}\noutputs: {out: b}\n",
                 "combine.switch has no inputs; expected at least one in 'in'");
    recipe_fault(HEAD "  b: {type: combine.switch, in: [noise, gone]}\noutputs: {out: b}\n",
                 "there is no node 'gone'");
    recipe_fault(HEAD "  b: {type: combine.switch, in: c}\n"
                      "  c: {type: combine.switch, in: b}\noutputs: {out: b}\n",
                 "nodes feed each other in a cycle");
}

static int warnings;
static char warning[300];

static void on_diagnostic(void *context, bool fault, const struct tw_error *error,
                          const char *source_line)
{
    (void)context;
    (void)source_line;
    assert_false(fault);
    warnings++;
    snprintf(warning, sizeof warning, "%s", error->message);
}

static void inputs_that_are_not_chosen_count_as_used(void **state)
{
    static const char *const texts[] = {HEAD "outputs: {out: pick}\n",
                                        HEAD "outputs: {out: cells}\n"};
    static const int expected[] = {0, 3}; /* noise, mask and pick */
    const struct tw_load_options options = {.diagnostic = on_diagnostic};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tw_recipe *recipe = NULL;
        warnings = 0;
        assert_int_equal(
            tw_recipe_parse(texts[i], strlen(texts[i]), "test.yaml", &options, &recipe, NULL),
            TW_OK);
        if (warnings != expected[i])
            fail_msg("%d: %d warnings, the last: %s", i, warnings, warning);
        tw_recipe_release(recipe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_are_connected_to_the_chosen_input),
        cmocka_unit_test(the_output_has_the_type_of_the_chosen_input),
        cmocka_unit_test(only_the_chosen_input_is_computed_and_in_the_key),
        cmocka_unit_test(a_choice_beyond_the_list_is_a_fault),
        cmocka_unit_test(inputs_that_are_not_chosen_count_as_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
