/* SPDX-License-Identifier: MIT */
/* `as:` with options stands for nodes: a view, and a surface that views of one map share. */
#include "graph/graph.h"
#include "support/harness.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
    "thalweg: 1\nsize: 16\nnodes:\n  h: {type: noise.midpoint}\n"                                  \
    "  wet: {type: mask.height, in: h, low: 0.2, high: 0.6}\n"                                     \
    "  dry: {type: mask.slope, in: h}\nexport:\n"

static enum tw_status load(const char *exports, struct tw_recipe **recipe, struct tw_error *error)
{
    char text[2000];
    const struct tw_load_options options = {0};
    snprintf(text, sizeof text, "%s%s", HEAD, exports);
    return tw_recipe_parse(text, strlen(text), "r.yaml", &options, recipe, error);
}

static struct tw_recipe *recipe_of(const char *exports)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (load(exports, &recipe, &error) != TW_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return recipe;
}

static int count_of(const struct tw_recipe *recipe, const char *type)
{
    int count = 0;
    for (int32_t i = 0; i < recipe->count; i++)
        count += strcmp(recipe->nodes[i].type->name, type) == 0;
    return count;
}

static const struct tw_node *node_of(const struct tw_recipe *recipe, const char *path)
{
    for (int32_t i = 0; i < recipe->count; i++)
        if (strcmp(recipe->nodes[i].path, path) == 0)
            return &recipe->nodes[i];
    fail_msg("there is no node %s", path);
    return NULL;
}

static void cameras_share_a_surface(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of(
        "  a.png: {from: h, as: perspective, size: [64, 36], mood: island, sea: 0.2}\n"
        "  b.png: {from: h, as: perspective, size: [64, 40], mood: island, sea: 0.2, pitch: 50}\n"
        "  c.png: {from: h, as: relief, size: 64, mood: island, sea: 0.2}\n"
        "  d.png: {from: h, as: perspective, size: [64, 36], mood: island, sea: 0.3}\n"
        "  e.png: {from: h, as: relief, sea: 0.2}\n");
    assert_int_equal(count_of(recipe, "render.surface"), 2);
    assert_int_equal(count_of(recipe, "render.perspective"), 3);
    assert_int_equal(count_of(recipe, "render.relief"), 2);
    tw_recipe_release(recipe);
}

static void equal_ramps_share_a_surface(void **state)
{
    (void)state;
#define VIEW "{from: h, as: perspective, size: 16, mood: island, "
    struct tw_recipe *recipe =
        recipe_of("  a.png: " VIEW "ramp: [[0, 1, 2, 3], [1, 4, 5, 6]]}\n"
                  "  b.png: " VIEW "pitch: 50, ramp: [[0, 1, 2, 3], [1, 4, 5, 6]]}\n"
                  "  c.png: " VIEW "ramp: [[0, 1, 2, 3], [1, 4, 5, 7]]}\n"
                  "  d.png: " VIEW "ramp: [[0, 1, 2, 3], [1, 4, 5, 6], [2, 4, 5, 6]]}\n"
                  "  e.png: " VIEW "sea: 0}\n");
#undef VIEW
    assert_int_equal(count_of(recipe, "render.surface"), 4);
    assert_int_equal(count_of(recipe, "render.perspective"), 5);
    tw_recipe_release(recipe);
}

/* Layers are a list: a surface with more of them is another one. */
static void layers_reach_the_surface(void **state)
{
    (void)state;
#define VIEW "{from: h, as: perspective, size: 16, mood: island, "
    struct tw_recipe *recipe =
        recipe_of("  a.png: " VIEW "layers: [wet], materials: [snow]}\n"
                  "  b.png: " VIEW "layers: wet, materials: [{name: snow}], pitch: 50}\n"
                  "  c.png: " VIEW "layers: wet, materials: [road]}\n"
                  "  d.png: " VIEW "layers: [wet, dry], materials: [snow, road], water: dry}\n"
                  "  e.png: {from: h, as: relief, size: 16, layers: dry, materials: [snow]}\n");
#undef VIEW
    assert_int_equal(count_of(recipe, "render.surface"), 4);
    assert_int_equal(count_of(recipe, "render.perspective"), 4);
    const struct tw_node *most = node_of(recipe, "(surface of d.png)");
    assert_ptr_equal(recipe->nodes[most->inputs[most->input_count - 2].node].path,
                     node_of(recipe, "wet")->path);
    assert_ptr_equal(recipe->nodes[most->inputs[most->input_count - 1].node].path,
                     node_of(recipe, "dry")->path);
    tw_recipe_release(recipe);
}

/* Options of the surface alone ask for its light, with its own mood where none is named. */
static void options_of_the_surface_bring_it(void **state)
{
    (void)state;
    struct tw_recipe *recipe =
        recipe_of("  a.png: {from: h, as: relief, wetness: wet, softness: 3, bits: 8}\n");
    assert_int_equal(count_of(recipe, "render.surface"), 1);
    tw_recipe_release(recipe);
}

static void expect(const char *export, const char *message, const char *hint)
{
    char line[400];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    snprintf(line, sizeof line, "  a.png: {from: h, %s}\n", export);
    assert_int_equal(load(line, &recipe, &error), TW_RECIPE);
    if (!strstr(error.message, message) || !strstr(error.hint, hint))
        fail_msg("%s: %s (%s)", export, error.message, error.hint);
}

static void faults_are_at_the_option(void **state)
{
    (void)state;
    expect("as: perspective, moood: island", "no option 'moood'", "'mood'");
    expect("as: perspective, mood: iland", "render.perspective.mood is 'iland'", "");
    expect("as: perspective, sea: deep", "sea is 'deep'", "");
    expect("as: perspective, wetness: wett", "there is no node 'wett'", "'wet'");
    expect("as: perspective, lakes: h.out, image: wet", "expects image", "");
    expect("as: hillshade, sea: 1", "render.hillshade has no option 'sea'", "");
    expect("as: hillshade, mood: alpine", "no option 'mood'", "known: from, as");
    expect("as: colour, ramp: [[0, 0, 0, 0], [1, 1, 1, 1]], size: 96",
           "render.colour has no option 'size'", "known: from, as");
    expect("as: perspective, size: [1, 2, 3]", "one side, or [width, height]", "");
    expect("as: perspective, ramp: [[0, 1, 2, 3]]", "at least two rows", "");
}

/* A renderer of masks takes all that the export names, in their order. */
static void masks_become_one_picture(void **state)
{
    (void)state;
    struct tw_recipe *recipe = recipe_of("  a.png: {from: [wet, dry, wet], as: splat}\n"
                                         "  b.png: {from: dry, as: splat, colours: [[1, 2, 3]]}\n");
    assert_int_equal(count_of(recipe, "render.splat"), 2);
    const struct tw_node *node = node_of(recipe, "(a.png as splat)");
    assert_int_equal(node->input_count, 3);
    assert_true(node->inputs[0].node == node->inputs[2].node);
    assert_true(node->inputs[1].node != node->inputs[0].node);
    assert_false(recipe->exports->several);
    assert_null(recipe->exports->sources->next);
    assert_int_equal(node_of(recipe, "(b.png as splat)")->input_count, 1);
    tw_recipe_release(recipe);
    expect("as: splat", "'h' is heightmap; as: splat expects masks", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cameras_share_a_surface),
                                       cmocka_unit_test(equal_ramps_share_a_surface),
                                       cmocka_unit_test(layers_reach_the_surface),
                                       cmocka_unit_test(options_of_the_surface_bring_it),
                                       cmocka_unit_test(faults_are_at_the_option),
                                       cmocka_unit_test(masks_become_one_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
