/* SPDX-License-Identifier: MIT */
#include "support/recipe.h"

#include "graph/plan.h"

#include <stdio.h>
#include <string.h>

enum { MAP = 10 * 20 * 4 }; /* bytes of a heightmap */

static const char text[] = "thalweg: 1\nsize: [10, 20]\nnodes:\n"
                           "  a: {type: source.constant}\n"
                           "  b: {type: shape.invert, in: a}\n"
                           "  c: {type: shape.invert, in: b}\n"
                           "  d: {type: combine.add, a: c, b: c}\n"
                           "  unused: {type: shape.invert, in: a}\n"
                           "  e: {type: combine.add, a: d, b: a}\n"
                           "outputs: {out: e}\n";

static int32_t index_of(const struct tw_recipe *recipe, const char *path)
{
    return (int32_t)(recipe_node(recipe, path) - recipe->nodes);
}

static struct tw_plan plan_of(const struct tw_recipe *recipe, const char *goal, const char *other)
{
    struct tw_plan plan;
    const struct tw_source goals[] = {{index_of(recipe, goal), 0},
                                      {index_of(recipe, other ? other : goal), 0}};
    assert_int_equal(tw_plan_build(recipe, goals, other ? 2 : 1, 0, &plan, NULL), TW_OK);
    return plan;
}

static void only_what_goals_need_is_wanted(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of(text);
    struct tw_plan plan = plan_of(recipe, "e", NULL);
    assert_int_equal(plan.needed_count, 5);
    assert_false(plan.needed[index_of(recipe, "unused")]);
    tw_plan_release(&plan);
    plan = plan_of(recipe, "b", NULL);
    assert_int_equal(plan.needed_count, 2);
    tw_plan_release(&plan);
    plan = plan_of(recipe, "b", "unused");
    assert_int_equal(plan.needed_count, 3);
    tw_plan_release(&plan);
    tw_plan_release(&plan); /* nothing is left */
    tw_recipe_release(recipe);
}

static int32_t users(const struct tw_plan *plan, int32_t node)
{
    return plan->first_user[node + 1] - plan->first_user[node];
}

static void users_are_listed_once_each_and_in_order(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of(text);
    struct tw_plan plan = plan_of(recipe, "e", NULL);
    int32_t a = index_of(recipe, "a"), c = index_of(recipe, "c"), e = index_of(recipe, "e");
    assert_int_equal(users(&plan, a), 2); /* not the one that nobody needs */
    assert_int_equal(plan.users[plan.first_user[a]], index_of(recipe, "b"));
    assert_int_equal(plan.users[plan.first_user[a] + 1], e);
    assert_int_equal(users(&plan, c), 1); /* by two ports of one node */
    assert_int_equal(users(&plan, e), 0);
    tw_plan_release(&plan);
    tw_recipe_release(recipe);
}

static void the_peak_counts_what_lives_at_once(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of(text);
    struct tw_plan plan = plan_of(recipe, "e", NULL);
    /* a lives to the end, along with b and c, then c and d, then d and e */
    assert_int_equal(plan.peak_bytes, 3 * MAP);
    tw_plan_release(&plan);
    plan = plan_of(recipe, "c", NULL); /* a dies with b, b with c */
    assert_int_equal(plan.peak_bytes, 2 * MAP);
    tw_plan_release(&plan);
    plan = plan_of(recipe, "a", NULL);
    assert_int_equal(plan.peak_bytes, MAP);
    tw_plan_release(&plan);
    plan = plan_of(recipe, "e", "b"); /* b is kept, too */
    assert_int_equal(plan.peak_bytes, 4 * MAP);
    tw_plan_release(&plan);
    tw_recipe_release(recipe);
}

static void bytes_are_those_of_used_maps(void **state)
{
    (void)state;
    struct tw_recipe *recipe =
        recipe_of("thalweg: 1\nsize: [10, 20]\nnodes:\n"
                  "  cells: {type: voronoi.cells}\n"
                  "  facts: {type: measure.statistics, in: cells}\n"
                  "  points: {type: feature.points}\n"
                  "  crest: {type: mask.curvature, in: cells}\n"
                  "  twice: {type: combine.add, a: crest.out, b: crest.value}\n"
                  "outputs: {a: facts, b: points, c: twice}\n");
    int32_t cells = index_of(recipe, "cells"), crest = index_of(recipe, "crest");
    struct tw_plan plan = plan_of(recipe, "twice", NULL);
    assert_int_equal(tw_plan_output_bytes(recipe, &plan, crest), 2 * MAP);
    tw_plan_release(&plan);
    plan = plan_of(recipe, "facts", "points");
    assert_int_equal(tw_plan_output_bytes(recipe, &plan, crest), 0);
    assert_int_equal(tw_plan_output_bytes(recipe, &plan, cells), MAP);
    assert_int_equal(tw_plan_output_bytes(recipe, &plan, index_of(recipe, "facts")), 0);
    assert_int_equal(tw_plan_output_bytes(recipe, &plan, index_of(recipe, "points")), 0);
    tw_plan_release(&plan);
    tw_recipe_release(recipe);
}

/* What the plan says of a node with two maps on demand of which `goal` takes some. */
static struct tw_plan plan_of_split(const char *use, uint32_t *outputs, bool has_block[3])
{
    static const struct tw_port ports[] = {{"out", TW_HEIGHTMAP, 0, "map"},
                                           {"low", TW_HEIGHTMAP, TW_ON_DEMAND, "map"},
                                           {"high", TW_HEIGHTMAP, TW_ON_DEMAND, "map"},
                                           TW_PORT_END};
    static const struct tw_node_type split = {
        .name = "test.split", .version = 1, .summary = "split", .outputs = ports};
    static const struct tw_node_type *const types[] = {&split, NULL};
    const struct tw_load_options options = {.types = types};
    struct tw_recipe *recipe = NULL;
    struct tw_plan plan;
    char source[300];
    snprintf(source, sizeof source,
             "thalweg: 1\nsize: [10, 20]\nnodes:\n  s: {type: test.split}\n"
             "  u: {type: shape.invert, in: %s}\noutputs: {out: u}\n",
             use);
    assert_int_equal(tw_recipe_parse(source, strlen(source), "test.yaml", &options, &recipe, NULL),
                     TW_OK);
    const struct tw_source goal = {index_of(recipe, "u"), 0};
    assert_int_equal(tw_plan_build(recipe, &goal, 1, 0, &plan, NULL), TW_OK);
    *outputs = plan.outputs[index_of(recipe, "s")];
    for (int i = 0; i < 3; i++)
        has_block[i] = tw_plan_has_block(recipe, &plan, index_of(recipe, "s"), i);
    tw_recipe_release(recipe);
    return plan;
}

static void outputs_on_demand_take_memory_when_used(void **state)
{
    uint32_t outputs;
    bool has_block[3];
    (void)state;
    struct tw_plan plan = plan_of_split("s", &outputs, has_block);
    assert_int_equal(outputs, 1);
    assert_true(has_block[0] && !has_block[1] && !has_block[2]);
    assert_int_equal(plan.peak_bytes, 2 * MAP); /* s and u */
    tw_plan_release(&plan);
    plan = plan_of_split("s.high", &outputs, has_block);
    assert_int_equal(outputs, 4);
    assert_true(has_block[0] && !has_block[1] && has_block[2]); /* out is always there */
    assert_int_equal(plan.peak_bytes, 3 * MAP);
    tw_plan_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_goals_need_is_wanted),
        cmocka_unit_test(users_are_listed_once_each_and_in_order),
        cmocka_unit_test(the_peak_counts_what_lives_at_once),
        cmocka_unit_test(bytes_are_those_of_used_maps),
        cmocka_unit_test(outputs_on_demand_take_memory_when_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
