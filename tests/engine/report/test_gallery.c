/* SPDX-License-Identifier: MIT */
/* The nodes that draw a gallery have what the gallery gives them: a parameter that they do not know
 * ends a build with assertions, and would go unnoticed in one without. */
#include "report/gallery_private.h"

#include "node/param.h"
#include "support/command.h"
#include "support/harness.h"

#include <string.h>

static int prepare(void **state)
{
    static const char recipe[] = "thalweg: 1\nsize: 16\nnodes:\n  a: {type: noise.midpoint}\n"
                                 "  s: {type: measure.statistics, in: a}\n"
                                 "outputs: {height: a, stats: s}\n";
    static const char experiment[] = "thalweg-experiment: 1\nrecipe: recipe.yaml\nseeds: [1]\n"
                                     "variants: {a: {}}\nmeasure: [stats.mean]\n";
    (void)state;
    command_enter();
    command_write("recipe.yaml", recipe, strlen(recipe));
    command_write("experiment.yaml", experiment, strlen(experiment));
    return 0;
}

static const struct tw_node *find(const struct tw_recipe *recipe, const char *type)
{
    for (int32_t i = 0; i < recipe->count; i++)
        if (strcmp(recipe->nodes[i].type->name, type) == 0)
            return &recipe->nodes[i];
    fail_msg("there is no %s", type);
    return NULL;
}

static void nodes_that_draw_have_the_gallerys_parameters(void **state)
{
    static const char *const rows[][3] = {
        {"render.surface", "exaggeration", "0.2"},
        {"render.surface", "sea", "-0.05"},
        {"render.surface", "bump", "0.25"},
        {"render.surface", "ramp_fit", "false"},
        {"render.perspective", "exaggeration", "0.2"},
        {"render.perspective", "sea", "-0.05"},
        {"render.perspective", "distance", "3.75"},
        {"render.perspective", "target", "-0.2"},
        {"render.hillshade", "exaggeration", "0.15"},
    };
    const struct tw_load_options load = {0};
    struct tw_experiment *experiment = NULL;
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_experiment_load("experiment.yaml", &load, &experiment, &error), TW_OK);
    const struct tw_gallery_run run = {
        .experiment = experiment, .load = &load, .view_width = 64, .shades = true};
    const struct tw_gallery gallery = {
        .variants = {.at = {0}, .count = 1}, .low = 0, .high = 1, .exaggeration = 0.2};
    struct tw_gallery_graph graph = {.count = 0};
    assert_int_equal(tw_gallery_graph_build(&run, &gallery, 1, true, &graph, &error), TW_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tw_node *node = find(graph.merged, rows[i][0]);
        const struct tw_param *row = tw_param_find(node->type->params, rows[i][1]);
        char text[100];
        assert_non_null(row);
        tw_param_print(row, node->params, text, sizeof text);
        if (strcmp(text, rows[i][2]) != 0)
            fail_msg("%s.%s is %s; expected %s", rows[i][0], rows[i][1], text, rows[i][2]);
    }
    const struct tw_node *view = find(graph.merged, "render.perspective");
    const struct tw_param *size = tw_param_find(view->type->params, "size");
    char text[100];
    tw_param_print(size, view->params, text, sizeof text);
    assert_string_equal(text, "64 36");
    tw_gallery_graph_release(&graph);
    tw_experiment_release(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_draw_have_the_gallerys_parameters),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
