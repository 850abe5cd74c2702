/* SPDX-License-Identifier: MIT */
/* The nodes that draw a gallery have what the gallery gives them: a parameter that they do not know
 * ends a build with assertions, and would go unnoticed in one without. */
#include "report/compare_page.h"
#include "report/gallery/private.h"

#include "node/param.h"
#include "support/command.h"
#include "support/harness.h"

#include <math.h>
#include <stdlib.h>
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

static struct tw_experiment *load_file(const char *path)
{
    const struct tw_load_options options = {0};
    struct tw_experiment *e = NULL;
    struct tw_error error;
    if (tw_experiment_load(path, &options, &e, &error) != TW_OK)
        fail_msg("%s", error.message);
    return e;
}

static struct tw_experiment *load_three(void)
{
    static const char recipe[] =
        "thalweg: 1\nsize: 600\nparams: {gain: 1}\nnodes:\n  n: {type: noise.midpoint}\n"
        "  a: {type: shape.remap, in: n, from: [0, 1], to: [\"${-gain}\", 2]}\n"
        "  s: {type: measure.statistics, in: a}\noutputs: {height: a, stats: s}\n";
    static const char experiment[] =
        "thalweg-experiment: 1\nrecipe: three.yaml\nseeds: [1]\nmeasure: [stats.mean]\n"
        "variants: {a: {}, b: {params: {gain: 0.5}}, c: {params: {gain: 3}}}\nbaseline: b\n";
    command_write("three.yaml", recipe, strlen(recipe));
    command_write("three-experiment.yaml", experiment, strlen(experiment));
    return load_file("three-experiment.yaml");
}

/* What the scales of a gallery must hold. */
struct scales {
    double low, high, difference;
};

static void find_scales(const struct tw_gallery *g, int32_t base, struct scales *s)
{
    *s = (struct scales){.low = 1e9, .high = -1e9};
    for (int32_t i = 0; i < g->seed_count * g->variants.count; i++) {
        const float *at = tw_floats(&g->plates[i].heights);
        const float *from = tw_floats(&tw_plate_of(g, i / g->variants.count, base)->heights);
        for (size_t k = 0; k < tw_value_count(&g->plates[i].heights); k++) {
            s->low = fmin(s->low, (double)at[k]);
            s->high = fmax(s->high, (double)at[k]);
            s->difference = fmax(s->difference, fabs((double)at[k] - (double)from[k]));
        }
    }
}

static double sum_of(const double *bins)
{
    double sum = 0;
    for (int i = 0; i < TW_GALLERY_BINS; i++)
        sum += bins[i];
    return sum;
}

/* Whatever seed comes first. Plates are means of cells, so that maps reach a little further. */
static void all_pictures_share_their_scales(void **state)
{
    struct tw_experiment *e = load_three();
    const struct tw_load_options load = {0};
    const struct tw_run_options options = {.threads = 2};
    const struct tw_gallery_run run = {
        .experiment = e, .load = &load, .run = &options, .shades = true};
    (void)state;
    for (uint64_t first = 0; first < 3; first++) {
        struct tw_gallery g = {.variants = {.at = {0, 1, 2}, .count = 3}, .seed_count = 3};
        struct tw_error error;
        struct scales scales;
        for (uint64_t i = 0; i < 3; i++)
            g.seeds[i] = (first + i) % 3;
        if (tw_gallery_fill(&run, &g, &error) != TW_OK)
            fail_msg("%s", error.message);
        find_scales(&g, 1, &scales);
        assert_true(g.has_heights && fabs(g.difference - scales.difference) < 1e-6);
        assert_true(g.low <= scales.low && g.low > scales.low - 0.1);
        assert_true(g.high >= scales.high && g.high < scales.high + 0.1);
        assert_true(fabs(g.exaggeration * (g.high - g.low) - 0.2) < 1e-9);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(sum_of(g.heights[k]) - 1) < 1e-9);
            assert_true(sum_of(g.slopes[k]) > 0.9 && sum_of(g.slopes[k]) < 1 + 1e-9);
        }
        for (int i = 0; i < 9; i++) {
            assert_int_equal(g.plates[i].heights.width, TW_GALLERY_SIDE);
            assert_true(g.plates[i].shade.length > 0 && g.plates[i].view.length == 0);
            assert_true((g.plates[i].difference.length > 0) == (i % 3 != 1));
        }
        tw_gallery_release(&g);
    }
    tw_experiment_release(e);
}

/* Where the next number of a double is more than 1 away. */
static void flat_maps_far_up_have_a_scale(void **state)
{
    static const char recipe[] =
        "thalweg: 1\nsize: 16\nnodes:\n  a: {type: source.constant, value: -1e9}\n"
        "  b: {type: combine.multiply, a: a, b: a}\n  c: {type: combine.multiply, a: a, b: b}\n"
        "  s: {type: measure.statistics, in: c}\noutputs: {height: c, stats: s}\n";
    static const char experiment[] = "thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\n"
                                     "variants: {a: {}}\nmeasure: [stats.mean]\n";
    const struct tw_load_options options = {0};
    const struct tw_run_options one = {.threads = 1};
    struct tw_gallery g = {.variants = {.count = 1}, .seeds = {1}, .seed_count = 1};
    struct tw_error error;
    (void)state;
    command_write("flat.yaml", recipe, strlen(recipe));
    command_write("flat-experiment.yaml", experiment, strlen(experiment));
    struct tw_experiment *e = load_file("flat-experiment.yaml");
    const struct tw_gallery_run run = {.experiment = e, .load = &options, .run = &one};
    if (tw_gallery_fill(&run, &g, &error) != TW_OK)
        fail_msg("%s", error.message);
    assert_true(g.low < -9e26 && (float)g.high > (float)g.low);
    assert_true(fabs(g.exaggeration * (g.high - g.low) - 0.2) < 1e-9);
    tw_gallery_release(&g);
    tw_experiment_release(e);
}

/* That one fails hides neither the others nor the frame that compares variants. */
static void a_seed_without_pictures_is_left_out(void **state)
{
    unsigned char png[] = "png";
    struct tw_plate plates[4] = {
        [2].shade = {.at = png, .length = 3}, [3].shade = {.at = png, .length = 3}};
    const struct tw_gallery g = {.variants = {.at = {0, 1}, .count = 2},
                                 .seeds = {5, 7},
                                 .seed_count = 2,
                                 .failed = {true},
                                 .failed_count = 1,
                                 .plates = plates};
    struct tw_experiment *e = load_three();
    const struct tw_comparison c = {.experiment = e};
    char *page = NULL;
    size_t length = 0;
    (void)state;
    FILE *out = open_memstream(&page, &length);
    assert_non_null(out);
    tw_section_pictures(out,
                        &(struct tw_compare_page){.comparison = &c, .shown = &c, .gallery = &g});
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(page, "<h3>Seed 7"));
    assert_non_null(strstr(page, "<option value=\"7\">7</option>"));
    assert_null(strstr(page, "Seed 5"));
    assert_null(strstr(page, ">5</option>"));
    free(page);
    tw_experiment_release(e);
}

/* Slopes are 0 but for the last two cells of a row, half and whole; or, of six cells, two down and
 * three across. */
static void histograms_leave_out_half_a_percent(void **state)
{
    enum { CELLS = 201, LAST = TW_GALLERY_BINS - 1 };
    float row[CELLS] = {[CELLS - 1] = 1}, plane[6] = {0, 3, 6, 2, 5, 8};
    const struct tw_value at_end = {.type = TW_HEIGHTMAP, .width = CELLS, .height = 1, .data = row};
    const struct tw_value tilted = {.type = TW_HEIGHTMAP, .width = 3, .height = 2, .data = plane};
    struct tw_gallery g = {.low = 0, .high = 1};
    (void)state;
    /* one of 201 is less than one of 200, two are not; the half lies in bin 2,047 of 4,096 */
    assert_true(tw_gallery_steepest(&at_end) == CELLS * 2048.0 / 4096);
    g.steepest = CELLS;
    tw_gallery_count(&at_end, &g, 0, 0.25);
    assert_true(g.heights[0][0] == 50 && g.heights[0][LAST] == 0.25);
    assert_true(g.slopes[0][0] == 0.25 * (CELLS - 2) && g.slopes[0][LAST] == 0.25);
    assert_true(g.slopes[0][TW_GALLERY_BINS / 2] == 0.25);

    double slope = 3 * sqrt(3 * 3 + 2 * 2);
    assert_true(fabs(tw_gallery_steepest(&tilted) - slope) < 1e-9);
    g = (struct tw_gallery){.low = 0, .high = TW_GALLERY_BINS, .steepest = 2 * slope};
    tw_gallery_count(&tilted, &g, 1, 1);
    assert_true(g.slopes[1][TW_GALLERY_BINS / 2] == 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(g.heights[1][(int)plane[i]] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_draw_have_the_gallerys_parameters),
        cmocka_unit_test(all_pictures_share_their_scales),
        cmocka_unit_test(flat_maps_far_up_have_a_scale),
        cmocka_unit_test(a_seed_without_pictures_is_left_out),
        cmocka_unit_test(histograms_leave_out_half_a_percent),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
