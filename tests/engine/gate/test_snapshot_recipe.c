/* SPDX-License-Identifier: MIT */
/* A snapshot holds enough to build its graph again: the example of every node, run from its
 * snapshot, has the same causes and results; so have recipes whose parameters are long. */
#include "support/example.h"
#include "support/recipe.h"

#include "gate/drift.h"
#include "node/registry.h"
#include "node/world.h"

#include <stdlib.h>

static struct tw_snapshot *take(struct tw_recipe *recipe)
{
    struct tw_snapshot *snapshot = NULL;
    struct tw_error error;
    const struct tw_run_options options = {.threads = 1};
    const struct tw_snapshot_request request = {.run = &options};
    if (tw_snapshot_take(&recipe, 1, &request, &snapshot, NULL, &error) != TW_OK)
        fail_msg("%s: %s", error.path, error.message);
    return snapshot;
}

static void expect_same(const struct tw_snapshot *a, const struct tw_snapshot *b)
{
    struct tw_drift *drift = tw_drift_find(a, b);
    assert_non_null(drift);
    for (int32_t i = 0; i < drift->node_count; i++)
        if (drift->nodes[i].cause_count > 0)
            fail_msg("%s: %s was '%s' and is '%s'", drift->nodes[i].after->path,
                     drift->nodes[i].causes[0].name, drift->nodes[i].causes[0].before,
                     drift->nodes[i].causes[0].after);
    assert_int_equal(drift->node_count, 0);
    for (int32_t i = 0; i < drift->world_count; i++)
        fail_msg("%s was '%s' and is '%s'", drift->world[i].name, drift->world[i].before,
                 drift->world[i].after);
    for (int32_t i = 0; i < drift->result_count; i++)
        fail_msg("%s differs", drift->results[i].name);
    assert_false(tw_drift_matters(drift));
    tw_drift_release(drift);
}

/* A graph that is built again has none: who computes it says what for. */
static void copy_outputs(const struct tw_recipe *from, struct tw_recipe *to)
{
    struct tw_output **last = &to->outputs;
    for (const struct tw_output *output = from->outputs; output; output = output->next) {
        struct tw_output *copy = tw_arena_alloc(&to->arena, 1, sizeof *copy);
        const char *path = from->nodes[output->source.node].path;
        assert_non_null(copy);
        *copy = *output;
        copy->source.node = (int32_t)(recipe_node(to, path) - to->nodes);
        copy->next = NULL;
        *last = copy;
        last = &copy->next;
    }
}

/* Releases it. */
static void go_round(struct tw_recipe *recipe, const char *folder)
{
    struct tw_recipe *built = NULL;
    struct tw_error error;
    struct tw_snapshot *before = take(recipe);
    if (tw_snapshot_recipe(before, folder, NULL, &built, &error) != TW_OK)
        fail_msg("%s: %s", recipe->nodes[recipe->count - 1].type->name, error.message);
    copy_outputs(recipe, built);
    assert_int_equal(built->world.given, recipe->world.given);
    struct tw_snapshot *after = take(built);
    expect_same(before, after);
    tw_snapshot_release(before);
    tw_snapshot_release(after);
    tw_recipe_release(built);
    tw_recipe_release(recipe);
}

static void examples_come_back(void **state)
{
    (void)state;
    EACH_NODE_TYPE(type)
    go_round(example_load(*type, 20, 16), TW_GRAPHS "/");
}

/* Tables of single digits, which take a byte a number and one between; of `rows` rows: what is
 * read next lies right behind the room for them. */
static void long_parameters_come_back(void **state)
{
    (void)state;
    for (int rows = 2; rows < 12; rows++) {
        char text[1200], *at = text;
        at += sprintf(at, "thalweg: 1\nsize: 16\nnodes:\n  s: {type: feature.strokes, strokes: [");
        for (int row = 0; row < rows; row++)
            at += sprintf(at, "%s[%d, %d, %d, %d]", row > 0 ? ", " : "", row / 4, row % 2,
                          row / 2 % 2, row % 9);
        sprintf(at, "], line: smooth}\n  n: {type: noise.perlin}\n"
                    "  f: {type: erosion.fir, in: n, order: [we, ns, ew, sn]}\n"
                    "  m: {type: combine.formula, a: n, b: f, formula: "
                    "\"min(a, 1 / 3 + b * 0.1)\"}\n"
                    "outputs: {s: s, inside: s.inside, m: m}\n");
        go_round(recipe_of(text), "");
    }
}

static void words_and_what_rows_leave_out_come_back(void **state)
{
    (void)state;
    go_round(recipe_of("thalweg: 1\nsize: 16\nnodes:\n  n: {type: noise.perlin}\n"
                       "  m: {type: mask.height, in: n}\n"
                       "  s: {type: render.surface, in: n, layers: [m, m], materials: "
                       "[road, {red: 0, green: 255, blue: 7, grain: 0}]}\n"
                       "outputs: {s: s}\n"),
             "");
}

/* Whether there is one matters even where its numbers are the defaults. */
static void worlds_come_back(void **state)
{
    static const char *const worlds[] = {"", "world: {side_m: 4096}\n", "world: {height_m: 90}\n"};
    (void)state;
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: 16\n%snodes:\n"
                 "  c: {type: feature.curve, points: [[0, 0, 0, 1], [0, 1, 1]]}\n"
                 "  d: {type: feature.diffusion, curves: c}\noutputs: {d: d}\n",
                 worlds[i]);
        go_round(recipe_of(text), "");
    }
}

/* Also where it is as long as the default. */
static void a_given_side_comes_back(void **state)
{
    static const char *const worlds[] = {"", "world: {side_m: 4096}\n", "world: {side_m: 5000}\n"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[200];
        struct tw_recipe *built = NULL;
        snprintf(text, sizeof text,
                 "thalweg: 1\n%snodes: {n: {type: source.constant}}\noutputs: {n: n}\n", worlds[i]);
        struct tw_recipe *recipe = recipe_of(text);
        struct tw_snapshot *snapshot = take(recipe);
        assert_int_equal(tw_snapshot_recipe(snapshot, "", NULL, &built, NULL), TW_OK);
        assert_true(tw_world_equal(&recipe->world, &built->world));
        assert_int_equal(tw_world_gives_default_side(&built->world), i == 1);
        tw_snapshot_release(snapshot);
        tw_recipe_release(built);
        tw_recipe_release(recipe);
    }
}

static void the_narrowest_maps_come_back(void **state)
{
    static const char *const sizes[] = {"1", "[1, 9]", "[9, 1]", "[65536, 1]", "[1, 65536]"};
    char text[200];
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: %s\nnodes: {n: {type: source.constant}}\noutputs: {n: n}\n",
                 sizes[i]);
        go_round(recipe_of(text), "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_come_back),
        cmocka_unit_test(long_parameters_come_back),
        cmocka_unit_test(words_and_what_rows_leave_out_come_back),
        cmocka_unit_test(worlds_come_back),
        cmocka_unit_test(a_given_side_comes_back),
        cmocka_unit_test(the_narrowest_maps_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
