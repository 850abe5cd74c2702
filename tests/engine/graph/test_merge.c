/* SPDX-License-Identifier: MIT */
/* Variants of an experiment as one graph: what is equal is there once. */
#include "support/recipe.h"

#include "graph/merge.h"

#include <stdio.h>
#include <unistd.h>

static struct tw_recipe *variant(const char *nodes)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "thalweg: 1\nsize: 8\nnodes:\n  noise: {type: noise.midpoint}\n%soutputs: {out: noise}\n",
        nodes);
    return recipe_of(text);
}

/* How many nodes two variants are together. */
static int32_t merged_count(const char *one, const char *two)
{
    struct tw_recipe *parts[] = {variant(one), variant(two)};
    struct tw_recipe *merged = tw_merge_new(parts[0], 100);
    struct tw_names seen = {0};
    int32_t node_of[50];
    assert_non_null(merged);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(tw_merge_add(merged, &seen, parts[i], node_of, NULL), TW_OK);
        for (int32_t k = 0; k < parts[i]->count; k++) {
            const struct tw_node *from = &parts[i]->nodes[k], *to = &merged->nodes[node_of[k]];
            assert_ptr_equal(to->type, from->type);
            for (int32_t edge = 0; edge < from->input_count; edge++)
                assert_int_equal(to->inputs[edge].node, from->inputs[edge].node < 0
                                                            ? -1
                                                            : node_of[from->inputs[edge].node]);
        }
    }
    int32_t count = merged->count;
    tw_names_release(&seen);
    tw_recipe_release(merged);
    tw_recipe_release(parts[0]);
    tw_recipe_release(parts[1]);
    return count;
}

static void equal_nodes_are_one(void **state)
{
    static const char olsen[] = "  a: {type: erosion.olsen, in: noise, talus: 16}\n";
    (void)state;
    assert_int_equal(merged_count("", ""), 1);
    assert_int_equal(merged_count(olsen, olsen), 2);
    /* names do not count where nothing is drawn, order and spelling never */
    assert_int_equal(merged_count(olsen, "  b: {talus: 1.6e1, in: noise, type: erosion.olsen}\n"),
                     2);
    assert_int_equal(merged_count(olsen, ""), 2);
    assert_int_equal(merged_count("", olsen), 2);
}

static void different_nodes_stay_apart(void **state)
{
    static const char olsen[] = "  a: {type: erosion.olsen, in: noise, talus: 16}\n"
                                "  b: {type: shape.invert, in: a}\n";
    (void)state;
    /* another parameter, and all that follows from it */
    assert_int_equal(merged_count(olsen, "  a: {type: erosion.olsen, in: noise, talus: 17}\n"
                                         "  b: {type: shape.invert, in: a}\n"),
                     5);
    assert_int_equal(merged_count(olsen, "  b: {type: shape.invert, in: noise}\n"), 4);
    assert_int_equal(merged_count("  a: {type: noise.midpoint}\n", "  b: {type: noise.midpoint}\n"),
                     3);
    assert_int_equal(merged_count("  a: {type: noise.midpoint, seed: 1}\n",
                                  "  b: {type: noise.midpoint, seed: 1}\n"),
                     2);
    assert_int_equal(
        merged_count("  a: {type: shape.curve, in: noise, points: [[0, 0], [1, 1]]}\n",
                     "  a: {type: shape.curve, in: noise, points: [[0, 0], [1, 2]]}\n"),
        3);
    assert_int_equal(
        merged_count("  a: {type: shape.curve, in: noise, points: [[0, 0], [1, 1]]}\n",
                     "  a: {type: shape.curve, in: noise, points: [[0, 0], [1, 1]]}\n"),
        2);
    assert_int_equal(merged_count("  a: {type: combine.subtract, a: noise, b: noise}\n",
                                  "  c: {type: source.constant}\n"
                                  "  a: {type: combine.subtract, a: noise, b: c}\n"),
                     4);
    /* files by name, whatever is in them */
    assert_int_equal(
        merged_count(
            "  a: {type: source.image, file: data/jacksboro.png, fit: bilinear}\n",
            "  b: {type: source.image, file: data/../data/jacksboro.png, fit: bilinear}\n"),
        3);
    assert_int_equal(
        merged_count("  a: {type: source.image, file: data/jacksboro.png, fit: bilinear}\n",
                     "  b: {type: source.image, file: data/jacksboro.png, fit: bilinear}\n"),
        2);
    /* the same node by another of its outputs, and with an input that is not given */
    assert_int_equal(merged_count("  c: {type: voronoi.cells, seed: 1}\n"
                                  "  a: {type: shape.invert, in: c}\n",
                                  "  c: {type: voronoi.cells, seed: 1}\n"
                                  "  a: {type: voronoi.domain, domain: c.domain, seed: 1}\n"),
                     4);
    assert_int_equal(merged_count("  a: {type: measure.volume, in: noise}\n",
                                  "  a: {type: measure.volume, in: noise, before: noise}\n"),
                     3);
}

static void views_and_outputs_are_added(void **state)
{
    (void)state;
    const struct tw_registry registry = {NULL};
    const struct tw_node_type *hillshade = tw_registry_find(&registry, "render.hillshade");
    struct tw_recipe *part = variant(""), *merged = tw_merge_new(part, 4);
    struct tw_names seen = {0};
    int32_t node_of[4];
    char name[] = "first";
    assert_int_equal(tw_merge_add(merged, &seen, part, node_of, NULL), TW_OK);
    int32_t view = tw_merge_add_node(merged, hillshade, &(struct tw_source){node_of[0], 0}, 1);
    assert_int_equal(view, 1);
    assert_int_equal(merged->nodes[view].inputs[0].node, 0);
    assert_true(tw_merge_add_output(merged, name, (struct tw_source){view, 0}));
    name[0] = 'w'; /* the name was copied */
    assert_string_equal(merged->outputs->name, "first");
    struct tw_result *result = NULL;
    assert_int_equal(tw_recipe_run(merged, NULL, &result, NULL), TW_OK);
    assert_int_equal(tw_result_output(result, "first")->type, hillshade->outputs[0].type);
    tw_result_release(result);
    tw_names_release(&seen);
    tw_recipe_release(merged);
    tw_recipe_release(part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_nodes_are_one),
        cmocka_unit_test(different_nodes_stay_apart),
        cmocka_unit_test(views_and_outputs_are_added),
    };
    if (chdir(TW_GRAPHS) != 0) /* where the files are that recipes name */
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
