/* SPDX-License-Identifier: MIT */
/* Which values leave memory, when, and for whom. */
#include "support/recipe.h"

#include "graph/spill_forecast.h"

#include <string.h>

enum { MAP = 10 * 20 * 4 }; /* bytes of a heightmap */

/* a, b and c wait while the chain d, e, f goes on; c is used first, then b, then a. */
static const char waiting[] = "thalweg: 1\nsize: [10, 20]\nnodes:\n"
                              "  a: {type: source.constant}\n"
                              "  b: {type: shape.invert, in: a}\n"
                              "  c: {type: shape.invert, in: b}\n"
                              "  d: {type: shape.invert, in: c}\n"
                              "  e: {type: combine.add, a: d, b: c}\n"
                              "  f: {type: combine.add, a: e, b: b}\n"
                              "  g: {type: combine.add, a: f, b: a}\n"
                              "outputs: {out: g}\n";

static struct tw_recipe *recipe;
static struct tw_plan plan;
static struct tw_spill_forecast forecast;

static struct tw_source source_of(const char *path)
{
    return (struct tw_source){(int32_t)(recipe_node(recipe, path) - recipe->nodes), 0};
}

static void forecast_of(const struct tw_spill_goal *goals, int32_t count, uint64_t limit)
{
    struct tw_source sources[8];
    int32_t used = 0;
    for (int32_t g = 0; g < count; g++)
        for (const struct tw_output *o = goals[g].sources; o; o = o->next)
            sources[used++] = o->source;
    assert_int_equal(tw_plan_build(recipe, sources, used, 0, &plan, NULL), TW_OK);
    assert_int_equal(tw_spill_plan(recipe, &plan, goals, count, limit, &forecast, NULL), TW_OK);
}

static void forget(void)
{
    tw_spill_forecast_release(&forecast);
    tw_spill_forecast_release(&forecast); /* nothing is left */
    tw_plan_release(&plan);
}

static void expect_step(int32_t step, const char *path, const char *before)
{
    assert_in_range(step, 0, forecast.step_count - 1);
    assert_string_equal(recipe->nodes[forecast.steps[step].source.node].path, path);
    assert_string_equal(recipe->nodes[forecast.steps[step].before].path, before);
}

static void with_limit(uint64_t maps)
{
    struct tw_output out = {"out", source_of("g"), NULL, 0};
    const struct tw_spill_goal goal = {&out, true};
    forecast_of(&goal, 1, maps * MAP);
}

static void what_is_used_last_leaves_first(void **state)
{
    (void)state;
    recipe = recipe_of(waiting);
    with_limit(3); /* a leaves for d, b for e; both come back */
    assert_int_equal(forecast.step_count, 2);
    expect_step(0, "a", "d");
    expect_step(1, "b", "e");
    assert_int_equal(forecast.value_count, 2);
    assert_int_equal(forecast.bytes, 2 * MAP);
    assert_int_equal(forecast.read_bytes, 2 * MAP);
    assert_int_equal(forecast.peak_bytes, 3 * MAP);
    assert_int_equal(forecast.needed_bytes, 3 * MAP);
    forget();
    tw_recipe_release(recipe);
}

static void nothing_leaves_where_all_fits(void **state)
{
    (void)state;
    recipe = recipe_of(waiting);
    with_limit(5);
    assert_int_equal(forecast.step_count, 0);
    assert_int_equal(forecast.bytes, 0);
    assert_int_equal(forecast.peak_bytes, plan.peak_bytes);
    forget();
    with_limit(4);
    assert_int_equal(forecast.step_count, 1);
    expect_step(0, "a", "e");
    assert_int_equal(forecast.peak_bytes, 4 * MAP);
    forget();
    tw_recipe_release(recipe);
}

/* What one node takes by itself is in the forecast; nothing it uses leaves. */
static void a_node_that_is_too_large_is_named(void **state)
{
    (void)state;
    recipe = recipe_of(waiting);
    with_limit(2);
    assert_int_equal(forecast.needed_bytes, 3 * MAP);
    assert_string_equal(recipe->nodes[forecast.needed_node].path, "e");
    for (int32_t i = 0; i < forecast.step_count; i++) {
        const struct tw_node *user = &recipe->nodes[forecast.steps[i].before];
        for (int32_t edge = 0; edge < user->input_count; edge++)
            assert_int_not_equal(user->inputs[edge].node, forecast.steps[i].source.node);
    }
    forget();
    tw_recipe_release(recipe);
}

/* Of a value that leaves twice the bytes are counted once, and it comes back twice. */
static void a_value_may_leave_twice(void **state)
{
    struct tw_output out = {"out", {0, 0}, NULL, 0};
    const struct tw_spill_goal goal = {&out, false};
    (void)state;
    recipe = recipe_of("thalweg: 1\nsize: [10, 20]\nnodes:\n"
                       "  a: {type: source.constant}\n"
                       "  b: {type: source.constant, value: 0.5}\n"
                       "  c: {type: combine.add, a: b, b: b}\n"
                       "  d: {type: combine.add, a: c, b: b}\n"
                       "  e: {type: combine.add, a: d, b: a}\n"
                       "  f: {type: source.constant, value: 0.25}\n"
                       "  g: {type: combine.add, a: f, b: f}\n"
                       "  h: {type: combine.add, a: g, b: f}\n"
                       "  i: {type: combine.add, a: h, b: a}\n"
                       "  j: {type: combine.add, a: i, b: e}\n"
                       "outputs: {out: j}\n");
    out.source = source_of("j");
    forecast_of(&goal, 1, 3 * (uint64_t)MAP);
    int32_t left = 0, of_a = 0;
    for (int32_t i = 0; i < forecast.step_count; i++, left++)
        of_a += forecast.steps[i].source.node == source_of("a").node;
    assert_int_equal(of_a, 2);
    assert_int_equal(forecast.value_count, left - 1);
    assert_int_equal(forecast.bytes, (left - 1) * MAP);
    assert_int_equal(forecast.read_bytes, left * MAP);
    forget();
    tw_recipe_release(recipe);
}

/* A file of one value is written when that is there; one of several waits for all, and a value that
 * the caller keeps stays. */
static void files_take_values_and_callers_keep_them(void **state)
{
    (void)state;
    recipe = recipe_of(waiting);
    struct tw_output g = {"g", source_of("g"), NULL, 0}, a = {"a", source_of("a"), NULL, 0};
    struct tw_output c = {"c", source_of("c"), &a, 0};
    const struct tw_spill_goal together[] = {{&c, false}, {&g, false}};
    forecast_of(together, 2, 5 * (uint64_t)MAP); /* a and c are there together: no step */
    assert_int_equal(forecast.step_count, 0);
    forget();
    struct tw_output b = {"b", source_of("b"), &g, 0};
    const struct tw_spill_goal late = {&b, false}, kept = {&a, true};
    const struct tw_spill_goal both[] = {late, kept};
    forecast_of(both, 2, 4 * (uint64_t)MAP);
    assert_int_equal(forecast.needed_bytes, 4 * MAP); /* a, which stays, with c, d and e */
    for (int32_t i = 0; i < forecast.step_count; i++)
        assert_int_not_equal(forecast.steps[i].source.node, a.source.node);
    expect_step(0, "b", "e");
    forget();
    forecast_of(&late, 1, 3 * (uint64_t)MAP);
    assert_int_equal(forecast.needed_bytes, 3 * MAP);
    assert_true(forecast.read_bytes >= 2 * MAP);
    forget();
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_used_last_leaves_first),
        cmocka_unit_test(nothing_leaves_where_all_fits),
        cmocka_unit_test(a_node_that_is_too_large_is_named),
        cmocka_unit_test(a_value_may_leave_twice),
        cmocka_unit_test(files_take_values_and_callers_keep_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
