/* SPDX-License-Identifier: MIT */
/* Which nodes are computed together, and that this never takes more memory. */
#include "support/dice.h"
#include "support/recipe.h"

#include "graph/fusion.h"

#include <stdio.h>
#include <string.h>

static int32_t index_of(const struct tw_recipe *recipe, const char *path)
{
    return (int32_t)(recipe_node(recipe, path) - recipe->nodes);
}

static struct tw_plan plan_of(const struct tw_recipe *recipe, const char *goal, int32_t fusing)
{
    struct tw_plan plan;
    const struct tw_source goals[] = {{index_of(recipe, goal), 0}};
    assert_int_equal(tw_plan_build(recipe, goals, 1, fusing, &plan, NULL), TW_OK);
    return plan;
}

static bool is_fused(const struct tw_recipe *recipe, const struct tw_plan *plan, const char *path,
                     const char *root)
{
    return plan->fusion.root[index_of(recipe, path)] == index_of(recipe, root);
}

static void chains_join_their_last_node(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of("thalweg: 1\nnodes:\n"
                                         "  in: {type: noise.midpoint}\n"
                                         "  a: {type: shape.invert, in: in}\n"
                                         "  b: {type: shape.invert, in: a}\n"
                                         "  c: {type: combine.add, a: a, b: b}\n"
                                         "  wide: {type: shape.blur, in: c}\n"
                                         "  d: {type: shape.invert, in: wide}\n"
                                         "outputs: {out: d}\n");
    struct tw_plan plan = plan_of(recipe, "d", 2);
    assert_true(is_fused(recipe, &plan, "a", "c") && is_fused(recipe, &plan, "b", "c"));
    assert_true(is_fused(recipe, &plan, "in", "in") && is_fused(recipe, &plan, "wide", "wide"));
    assert_true(is_fused(recipe, &plan, "c", "c") && is_fused(recipe, &plan, "d", "d"));
    int32_t c = index_of(recipe, "c"), a = index_of(recipe, "a"), b = index_of(recipe, "b");
    assert_int_equal(plan.fusion.first[c], a);
    assert_int_equal(plan.fusion.next[a], b);
    assert_int_equal(plan.fusion.next[b], c);
    assert_int_equal(plan.fusion.buffer_count[c], 2); /* a is used after b has begun */
    assert_int_equal(plan.needs[a].values, 0);
    assert_int_equal(plan.needs[c].scratch, 2 * tw_fusion_bytes(recipe, &plan, c));
    tw_plan_release(&plan);
    plan = plan_of(recipe, "b", 2); /* a goal's value is a map */
    assert_true(is_fused(recipe, &plan, "a", "b"));
    tw_plan_release(&plan);
    plan = plan_of(recipe, "d", 0);
    assert_true(is_fused(recipe, &plan, "a", "a"));
    tw_plan_release(&plan);
    tw_recipe_release(recipe);
}

static void values_that_others_take_are_maps(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of("thalweg: 1\nnodes:\n"
                                         "  in: {type: noise.midpoint}\n"
                                         "  a: {type: shape.invert, in: in}\n"
                                         "  b: {type: shape.blur, in: a}\n"
                                         "  c: {type: combine.add, a: a, b: b}\n"
                                         "outputs: {out: c}\n");
    struct tw_plan plan = plan_of(recipe, "c", 2);
    assert_true(is_fused(recipe, &plan, "a", "a"));
    tw_plan_release(&plan);
    tw_recipe_release(recipe);
}

/* n0 and n1 can go when s is there; n2 comes later. */
static void sums_do_not_keep_what_they_add(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of("thalweg: 1\nnodes:\n"
                                         "  n0: {type: noise.midpoint}\n"
                                         "  n1: {type: noise.midpoint}\n"
                                         "  s: {type: combine.add, a: n0, b: n1}\n"
                                         "  half: {type: shape.remap, in: s}\n"
                                         "  n2: {type: noise.midpoint}\n"
                                         "  t: {type: combine.add, a: half, b: n2}\n"
                                         "outputs: {out: t}\n");
    struct tw_plan plan = plan_of(recipe, "t", 2);
    assert_true(is_fused(recipe, &plan, "half", "t"));
    assert_true(is_fused(recipe, &plan, "s", "s"));
    tw_plan_release(&plan);
    tw_recipe_release(recipe);
}

/* A graph of sources, nodes of one, two and three inputs, and some that cannot be fused. */
static void throw_graph(struct dice *dice, int count, char *text, size_t size)
{
    static const char *const kinds[] = {"noise.midpoint",
                                        "shape.invert, in: n%d",
                                        "shape.blur, in: n%d",
                                        "shape.invert, in: n%d, mask: m%d",
                                        "combine.add, a: n%d, b: n%d",
                                        "combine.blend, a: n%d, b: n%d, mask: m%d"};
    size_t used = (size_t)snprintf(text, size,
                                   "thalweg: 1\nsize: 256\nnodes:\n"
                                   "  n0: {type: noise.midpoint}\n"
                                   "  m0: {type: mask.shape}\n");
    for (int i = 1; i < count; i++) {
        char kind[100];
        int back = i < 4 ? i : 4, a = i - 1 - dice_below(dice, back);
        int b = i - 1 - dice_below(dice, back), k = dice_below(dice, 6);
        k = dice_below(dice, 3) == 0 ? 1 : k;
        snprintf(kind, sizeof kind, kinds[k], a, k == 3 ? 0 : b, 0);
        used += (size_t)snprintf(text + used, size - used, "  n%d: {type: %s}\n", i, kind);
    }
    snprintf(text + used, size - used, "outputs: {out: n%d}\n", count - 1);
}

static void no_graph_takes_more_memory(void **state)
{
    struct dice dice = {.key = 7};
    int fused = 0, less = 0;
    (void)state;
    for (dice.set = 0; dice.set < 300; dice.set++) {
        char text[4000], goal[10];
        int count = 4 + (int)dice.set % 20;
        dice.throws = 0;
        throw_graph(&dice, count, text, sizeof text);
        snprintf(goal, sizeof goal, "n%d", count - 1);
        struct tw_recipe *recipe = recipe_of(text);
        struct tw_plan apart = plan_of(recipe, goal, 0), together = plan_of(recipe, goal, 1);
        uint64_t blocks = 0;
        for (int32_t i = 0; i < recipe->count; i++) {
            uint64_t bytes = tw_fusion_bytes(recipe, &together, i);
            blocks = bytes > blocks ? bytes : blocks;
            fused += together.fusion.root[i] != i;
        }
        if (together.peak_bytes > apart.peak_bytes + blocks)
            fail_msg("%s%llu bytes, %llu apart", text, (unsigned long long)together.peak_bytes,
                     (unsigned long long)apart.peak_bytes);
        less += together.peak_bytes + blocks < apart.peak_bytes;
        tw_plan_release(&apart);
        tw_plan_release(&together);
        tw_recipe_release(recipe);
    }
    assert_true(fused > 300 && less > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains_join_their_last_node),
                                       cmocka_unit_test(values_that_others_take_are_maps),
                                       cmocka_unit_test(sums_do_not_keep_what_they_add),
                                       cmocka_unit_test(no_graph_takes_more_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
