/* SPDX-License-Identifier: MIT */
/* thalweg compare: statistics that can be checked by hand, shared work, assertions, mistakes. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct command_result result;

/* The mean of a flat map is its value, and seeds do not matter: deviation 0. */
static const char flat[] =
    "thalweg: 1\nsize: 16\nparams: {value: {default: 0.25, min: -1, max: 1}}\nnodes:\n"
    "  a: {type: source.constant, value: \"${value}\"}\n"
    "  stats: {type: measure.statistics, in: a}\n"
    "outputs: {height: a, stats: stats}\n";
static const char unbounded[] =
    "thalweg: 1\nsize: 16\nparams: {value: 0.25}\nnodes:\n"
    "  a: {type: source.constant, value: \"${value}\"}\noutputs: {height: a}\n";
static const char noise[] = "thalweg: 1\nsize: 32\nnodes:\n"
                            "  a: {type: noise.midpoint}\n"
                            "  b: {type: erosion.olsen, in: a, iterations: 3}\n"
                            "  stats: {type: measure.statistics, in: b}\n"
                            "  other: {type: shape.invert, in: a}\n"
                            "  apart: {type: measure.difference, a: b, b: other}\n"
                            "  d: {type: measure.statistics, in: apart.out}\n"
                            "outputs: {height: b, stats: stats, d: d}\n";
static const char world[] = "thalweg: 1\nworld: {side_m: 100}\nnodes:\n"
                            "  a: {type: source.constant}\n"
                            "  stats: {type: measure.statistics, in: a}\n"
                            "outputs: {height: a, stats: stats}\n";

#define EXPERIMENT                                                                                 \
    "thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {from: 1, count: 4}\n"                       \
    "measure: [stats.mean, stats.max]\n"
#define VARIANTS "variants: {low: {}, high: {params: {value: 0.75}}}\nbaseline: low\n"

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("flat.yaml", flat, strlen(flat));
    command_write("unbounded.yaml", unbounded, strlen(unbounded));
    command_write("noise.yaml", noise, strlen(noise));
    command_write("world.yaml", world, strlen(world));
    return 0;
}

static json_t *compare(const char *text, const char *options)
{
    char arguments[200];
    json_error_t error;
    command_write("experiment.yaml", text, strlen(text));
    snprintf(arguments, sizeof arguments, "compare experiment.yaml -q --json %s", options);
    command_run(arguments, &result);
    if (result.code != 0)
        fail_msg("exit code %d: %s", result.code, result.err);
    json_t *root = json_loads(result.out, 0, &error);
    assert_non_null(root);
    return root;
}

static double number(json_t *root, size_t variant, const char *measure, const char *field)
{
    json_t *row = json_array_get(json_object_get(root, "variants"), variant);
    return json_number_value(
        json_object_get(json_object_get(json_object_get(row, "measures"), measure), field));
}

static void flat_maps_have_the_statistics_of_their_value(void **state)
{
    json_t *root = compare(EXPERIMENT VARIANTS, "");
    (void)state;
    assert_true(number(root, 0, "stats.mean", "mean") == 0.25);
    assert_true(number(root, 1, "stats.max", "mean") == 0.75);
    assert_true(number(root, 1, "stats.mean", "deviation") == 0);
    json_t *high = json_array_get(json_object_get(root, "variants"), 1);
    json_t *mean = json_object_get(json_object_get(high, "measures"), "stats.mean");
    assert_true(json_number_value(json_object_get(json_object_get(mean, "difference"), "mean")) ==
                0.5);
    json_decref(root);
}

/* A variant's own nodes compute with its parameters. */
static void variants_compute_with_their_parameters(void **state)
{
    json_t *root =
        compare(EXPERIMENT "variants:\n  low: {}\n"
                           "  high: {params: {value: 0.75}, nodes: {a: {type: source.constant, "
                           "value: \"${1 - value / 2}\"}}}\nbaseline: low\n",
                "");
    (void)state;
    assert_true(number(root, 0, "stats.mean", "mean") == 0.25);
    assert_true(number(root, 1, "stats.mean", "mean") == 0.625);
    json_decref(root);
}

/* The samples in the CSV give the mean, deviation and interval of the JSON. */
static void statistics_are_those_of_the_samples(void **state)
{
    json_t *root = compare("thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: [3, 5, 9]\n"
                           "measure: [stats.mean]\nvariants: {a: {}}\n",
                           "--csv samples.csv");
    double v[3], mean, deviation;
    (void)state;
    FILE *file = fopen("samples.csv", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "variant,seed,size,stats.mean a,3,32,%lf a,5,32,%lf a,9,32,%lf",
                            &v[0], &v[1], &v[2]),
                     3);
    fclose(file);
    mean = (v[0] + v[1] + v[2]) / 3;
    deviation = sqrt(((v[0] - mean) * (v[0] - mean) + (v[1] - mean) * (v[1] - mean) +
                      (v[2] - mean) * (v[2] - mean)) /
                     2);
    assert_true(v[0] != v[1] && v[1] != v[2]);
    assert_true(fabs(number(root, 0, "stats.mean", "mean") - mean) < 1e-8);
    assert_true(fabs(number(root, 0, "stats.mean", "deviation") - deviation) < 1e-8);
    json_decref(root);
}

static void replaced_nodes_and_sweeps_are_variants(void **state)
{
    json_t *root = compare("thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: [1]\n"
                           "measure: [stats.mean]\nvariants:\n"
                           "  same: {}\n"
                           "  other: {nodes: {b: {type: source.constant, value: 0.5}}}\n"
                           "  swept: {recipe: flat.yaml, sweep: {value: [0.1, 0.2]}}\n",
                           "--size 16");
    (void)state;
    assert_int_equal(json_array_size(json_object_get(root, "variants")), 4);
    assert_true(number(root, 1, "stats.mean", "mean") == 0.5);
    assert_true(fabs(number(root, 3, "stats.mean", "mean") - 0.2) < 1e-7);
    json_decref(root);
}

static void small_differences_are_not_shown_as_zero(void **state)
{
    static const char text[] = EXPERIMENT "variants: {low: {}, high: {params: {value: 0.25001}}}\n"
                                          "baseline: low\n";
    (void)state;
    command_write("experiment.yaml", text, sizeof text - 1);
    command_run("compare experiment.yaml -q", &result);
    assert_int_equal(result.code, 0);
    command_expect_words(result.out, "     +1.0e-05   +1.0e-05   +1.0e-05  too few");
}

static void a_page_has_pictures_and_hides_markup(void **state)
{
    static char page[1 << 20];
    json_t *root = compare(EXPERIMENT "about: \"<b>bold</b>\"\n" VARIANTS, "--html page.html");
    (void)state;
    json_decref(root);
    FILE *file = fopen("page.html", "r");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(page, "data:image/png;base64,iVBOR"));
    assert_non_null(strstr(page, "&lt;b&gt;bold"));
    assert_null(strstr(page, "<b>bold"));
    assert_non_null(strstr(page, ">0.7500 <small>"));
}

static void samples_are_fields_of_csv(void **state)
{
    static char table[4096];
    json_t *root = compare(EXPERIMENT "variants: {'a, \"b\"': {}, c: {}}\n", "--csv samples.csv");
    (void)state;
    json_decref(root);
    FILE *file = fopen("samples.csv", "r");
    assert_non_null(file);
    table[fread(table, 1, sizeof table - 1, file)] = 0;
    fclose(file);
    assert_non_null(strstr(table, "variant,seed,size,value,stats.mean,stats.max\n"));
    assert_non_null(strstr(table, "\n\"a, \"\"b\"\"\",2,16,0.25,0.25,0.25\n"));
    assert_non_null(strstr(table, "\nc,2,16,0.25,0.25,0.25\n"));
}

/* What nodes are not needed for: flat maps of 0.25 and 0.75. */
static void maps_are_measured_without_nodes(void **state)
{
    static const struct {
        const char *measure;
        double low, high;
    } rows[] = {
        {"height.mean", 0.25, 0.75},
        {"height.deviation", 0, 0},
        {"height.share(0.5, 1)", 0, 1},
        {"height.slope.share(0, 1)", 1, 1},
        {"height.difference.mean", 0, 0.5},
        {"height.difference.rms", 0, 0.5},
        {"height.difference.max", 0, 0.5},
        {"height.landforms.flat", 1, 1},
        {"twice", 0.5, 1.5},
        {"area", 0, 1},
        {"height.quantile(0.5)", 0.25, 0.75},
        {"height.share(0, 0.4)", 1, 0},
        {"height.share(0.4, 0.8)", 0, 1},
    };
    json_t *root = compare("thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {count: 2}\n"
                           "measure: [height.mean, height.deviation, 'height.share(0.5, 1)', "
                           "'height.slope.share(0, 1)', height.difference.mean, "
                           "height.difference.rms, height.difference.max, height.landforms.flat, "
                           "{twice: height.mean + 2 * height.mean - height.mean}, "
                           "{area: 'height.share(0.5, 1)'}, seconds, 'height.quantile(0.5)', "
                           "'height.histogram(0, 0.8, 2)']\n" VARIANTS,
                           "");
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(fabs(number(root, 0, rows[i].measure, "mean") - rows[i].low) < 1e-6);
        assert_true(fabs(number(root, 1, rows[i].measure, "mean") - rows[i].high) < 1e-6);
    }
    json_decref(root);
}

/* A tenth of the cells is below its quantile, and the bins hold all slopes. */
static void quantiles_and_histograms_agree_with_shares(void **state)
{
    static const char form[] =
        "thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: [3]\nvariants: {a: {}}\n"
        "measure: ['height.quantile(0.1)', 'height.share(-100, %.9g)', "
        "'height.slope.histogram(0, 40, 5)']\n";
    char text[400], name[80];
    double height = 0, sum = 0;
    json_t *root = NULL;
    (void)state;
    for (int pass = 0; pass < 2; pass++) {
        snprintf(text, sizeof text, form, height);
        snprintf(name, sizeof name, "height.share(-100, %.9g)", height);
        json_decref(root);
        root = compare(text, "");
        height = number(root, 0, "height.quantile(0.1)", "mean");
    }
    assert_true(fabs(number(root, 0, name, "mean") - 0.1) < 0.01);
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "height.slope.share(%d, %d)", 8 * i, 8 * i + 8);
        sum += number(root, 0, name, "mean");
    }
    assert_true(fabs(sum - 1) < 1e-6);
    json_decref(root);
}

/* The difference's root mean square, from a map of the difference computed by a recipe. */
static void the_difference_is_that_of_the_maps(void **state)
{
    json_t *root =
        compare("thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: {count: 2}\n"
                "measure: [height.difference.rms, height.difference.mean, d.mean, d.deviation, "
                "{rest: height.difference.mean - d.mean}]\nvariants:\n"
                "  raw: {nodes: {b: {type: shape.invert, in: a}}}\n"
                "  same: {}\nbaseline: raw\n",
                "");
    (void)state;
    double rms = number(root, 1, "height.difference.rms", "mean");
    double mean = number(root, 1, "height.difference.mean", "mean");
    assert_true(rms > mean && mean > 0);
    assert_true(fabs(number(root, 1, "rest", "max")) < 1e-6);
    json_decref(root);
}

/* Six runs are the fewest whose extremes hold the median with 95 %. */
static void times_have_intervals_from_six_runs_on(void **state)
{
    json_t *root = compare(EXPERIMENT "times: 6\n" VARIANTS, "");
    json_t *times = json_object_get(json_array_get(json_object_get(root, "variants"), 1), "times");
    json_t *wall = json_object_get(times, "wall");
    json_t *interval = json_object_get(wall, "median_95");
    double median = json_number_value(json_object_get(wall, "median"));
    (void)state;
    assert_int_equal(json_integer_value(json_object_get(times, "runs")), 6);
    assert_true(median > 0);
    assert_true(json_number_value(json_array_get(interval, 0)) <= median);
    assert_true(json_number_value(json_array_get(interval, 1)) >= median);
    json_decref(root);
    root = compare(EXPERIMENT VARIANTS, "--times 5");
    times = json_object_get(json_array_get(json_object_get(root, "variants"), 0), "times");
    assert_true(json_is_null(json_object_get(json_object_get(times, "processor"), "median_95")));
    json_decref(root);
    command_run("compare experiment.yaml -q --times 2", &result);
    const char *times_said = strstr(result.out, "medians of 2 runs, interleaved");
    assert_non_null(times_said);
    assert_non_null(strstr(times_said, "\n  low "));
    assert_non_null(strstr(times_said, "\n  high "));
}

static void matrices_are_all_combinations(void **state)
{
    json_t *root = compare("thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {from: 1, count: 6}\n"
                           "matrix:\n  value: {from: 0.1, to: 0.5, steps: 5}\n"
                           "  exclude: [{value: 0.20}]\n  include: [{value: 0.75}]\n"
                           "measure: [stats.mean]\nbaseline: value=0.1\n",
                           "");
    json_t *variants = json_object_get(root, "variants");
    (void)state;
    assert_int_equal(json_array_size(variants), 5);
    json_t *second = json_array_get(variants, 1);
    assert_string_equal(json_string_value(json_object_get(second, "name")), "value=0.3");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(second, "params"), "value")), "0.3");
    assert_true(number(root, 4, "stats.mean", "mean") == 0.75);
    json_decref(root);
}

static void a_single_range_may_be_drawn_from(void **state)
{
    json_t *root =
        compare(EXPERIMENT "matrix: {value: {from: 0, to: 0.5}, draws: {sobol: 2}}\n", "");
    (void)state;
    assert_int_equal(json_array_size(json_object_get(root, "variants")), 2);
    assert_true(number(root, 0, "stats.mean", "mean") == 0);
    assert_true(number(root, 1, "stats.mean", "mean") == 0.25);
    json_decref(root);
}

/* A record of a node with an optional input is asserted, compared and tuned as any other, of a node
 * of the recipe and of a map. */
static void realism_is_a_measure_like_others(void **state)
{
    static const char recipe[] =
        "thalweg: 1\nsize: 128\nborders: closed\nparams: {steps: {default: 9}}\nnodes:\n"
        "  noise: {type: noise.midpoint}\n"
        "  land: {type: erosion.stream_power, in: noise, steps: \"${steps}\"}\n"
        "  realism: {type: measure.realism, in: land}\n"
        "outputs: {land: land, noise: noise, realism: realism}\n";
    static const char head[] = "thalweg-experiment: 1\nrecipe: range.yaml\nseeds: [1, 2]\n";
    char text[800];
    (void)state;
    command_write("range.yaml", recipe, strlen(recipe));
    snprintf(text, sizeof text,
             "%svariants: {a: {}}\n"
             "measure: [realism.inside, land.realism.inside, noise.realism.distance]\n"
             "assert: {realism.inside: {min: 0, max: 9}, noise.realism.distance: {min: 1}}\n",
             head);
    json_t *root = compare(text, "");
    assert_true(number(root, 0, "realism.inside", "mean") ==
                number(root, 0, "land.realism.inside", "mean"));
    json_decref(root);
    snprintf(text, sizeof text,
             "%svariants: {a: {}}\nmeasure: [realism.inside]\n"
             "assert: {realism.inside: {min: 9}}\n",
             head);
    command_write("experiment.yaml", text, strlen(text));
    command_run("compare experiment.yaml -q", &result);
    assert_int_equal(result.code, 1);
    assert_non_null(strstr(result.err, "min of realism.inside is"));
    snprintf(text, sizeof text,
             "%smeasure: [realism.distance]\ntune:\n"
             "  params: {steps: {from: 1, to: 9, whole: true}}\n"
             "  goal: {realism.distance: minimise}\n  budget: 8\n",
             head);
    command_write("experiment.yaml", text, strlen(text));
    command_run("compare experiment.yaml -q", &result);
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "best: thalweg run"));
}

/* In the order of the file, the last one fastest. */
static void names_of_a_matrix_have_every_setting(void **state)
{
    static const char three[] = "thalweg: 1\nsize: 8\nparams: {a: 1, b: 1, c: 1}\nnodes:\n"
                                "  x: {type: source.constant, value: \"${a}\"}\n"
                                "  y: {type: source.constant, value: \"${b}\"}\n"
                                "  z: {type: source.constant, value: \"${c}\"}\n"
                                "  stats: {type: measure.statistics, in: x}\n"
                                "outputs: {height: x, y: y, z: z, stats: stats}\n";
    static const char *const names[] = {"a=1,b=10,c=3", "a=1,b=10,c=0.25", "a=25,b=10,c=3",
                                        "a=25,b=10,c=0.25"};
    (void)state;
    command_write("three.yaml", three, strlen(three));
    json_t *root = compare("thalweg-experiment: 1\nrecipe: three.yaml\nseeds: [1]\n"
                           "matrix: {a: [1, 25], b: [10], c: [3, 0.25]}\n"
                           "measure: [stats.mean]\n",
                           "");
    json_t *variants = json_object_get(root, "variants");
    assert_int_equal(json_array_size(variants), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(variants, i), "name")),
                            names[i]);
    json_decref(root);
}

/* The file goes on from 1; a list cannot. */
static void seeds_can_be_more_than_the_file_says(void **state)
{
    json_t *root = compare(EXPERIMENT VARIANTS, "--seeds 9");
    (void)state;
    assert_int_equal(json_array_size(json_object_get(root, "seeds")), 9);
    assert_string_equal(json_string_value(json_array_get(json_object_get(root, "seeds"), 8)), "9");
    json_decref(root);
    static const char listed[] = "thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [4, 2]\n"
                                 "measure: [stats.mean]\nvariants: {a: {}}\n";
    command_write("experiment.yaml", listed, strlen(listed));
    command_run("compare experiment.yaml -q --seeds 3", &result);
    assert_int_equal(result.code, 2);
    assert_non_null(strstr(result.err, "expected at most 2, since experiment.yaml lists its"));
}

/* 2^64 - 1 is the last one. */
static void seeds_end_where_numbers_do(void **state)
{
    static const char late[] = "thalweg-experiment: 1\nrecipe: flat.yaml\n"
                               "seeds: {from: 18446744073709551613, count: 1}\n"
                               "measure: [stats.mean]\nvariants: {a: {}}\n";
    (void)state;
    json_t *root = compare(late, "--seeds 3");
    json_t *seeds = json_object_get(root, "seeds");
    assert_string_equal(json_string_value(json_array_get(seeds, 2)), "18446744073709551615");
    json_decref(root);
    command_run("compare experiment.yaml -q --seeds 4", &result);
    assert_int_equal(result.code, 2);
    assert_non_null(strstr(result.err, "--seeds is 4: seeds go past 2^64 - 1"));
}

/* Of one seed nothing is known of the spread. */
static void a_table_has_differences_from_the_baseline(void **state)
{
    static const char text[] = EXPERIMENT VARIANTS;
    (void)state;
    command_write("experiment.yaml", text, strlen(text));
    command_run("compare experiment.yaml -q", &result);
    assert_int_equal(result.code, 0);
    assert_non_null(
        strstr(result.out, "\n  low          0.2500     0.0000     0.2500     0.2500\n"));
    assert_non_null(strstr(result.out, "\n  high         0.7500     0.0000     0.7500     0.7500"
                                       "      +0.5000    +0.5000    +0.5000  "));
    command_run("compare experiment.yaml -q --seeds 1", &result);
    assert_non_null(strstr(result.out, "\n  high         0.7500          -          -          -"
                                       "      +0.5000          -          -  "));
}

static const struct {
    const char *text;
    int code;
    const char *words;
} mistakes[] = {
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\nmeasure: ['height.histogram(1, 0, "
     "4)']\n"
     "variants: {a: {}}\n",
     3, "expected histogram(LOW, HIGH, BINS)"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\nmeasure: ['height.quantile(2)']\n"
     "variants: {a: {}}\n",
     3, "quantile(SHARE)"},
    {EXPERIMENT VARIANTS "assert: {stats.mean: {mean: {min: 0.5}}}\n", 1,
     "experiment.yaml:7:23: error: variant low: mean of stats.mean is 0.25; asserted is at least"},
    {EXPERIMENT "variants: {low: {assert: {stats.max: {max: {max: 0.1}}}}}\n", 1,
     "asserted is at most 0.1"},
    {EXPERIMENT VARIANTS "assert: {stats.mean: {min: 0.5}}\n", 1,
     "experiment.yaml:7:23: error: variant low: min of stats.mean is 0.25; asserted is at least"},
    {EXPERIMENT VARIANTS "assert: {stats.mean: {max: 0.1}}\n", 1, "asserted is at most 0.1"},
    {EXPERIMENT VARIANTS "assert: {stats.mean: {mean: 0.5}}\n", 3, "expected a mapping"},
    {EXPERIMENT VARIANTS "assert: {stats.mean: {min: most}}\n", 3, "expected a mapping"},
    {EXPERIMENT VARIANTS "assert: {stats.maen: {mean: {min: 0}}}\n", 3,
     "did you mean 'stats.mean'?"},
    {EXPERIMENT VARIANTS "assert: {stats.mean: {median: {min: 0}}}\n", 3,
     "'median' is not a statistic"},
    {EXPERIMENT VARIANTS "sede: 1\n", 3, "an experiment has no key 'sede'"},
    {EXPERIMENT "variants: {low: {parms: {}}}\n", 3, "did you mean 'params'?"},
    {EXPERIMENT "variants: {low: {}}\nbaseline: hgih\n", 3,
     "baseline is 'hgih'; expected the name of a variant"},
    {EXPERIMENT "variants: {}\n", 3, "at least one variant"},
    {EXPERIMENT, 3, "needs variants:, matrix:, sensitivity: or tune:"},
    {EXPERIMENT "matrix: {value: [0.5, 3]}\n", 3,
     "experiment.yaml:5:23: error: parameter value is '3'; expected a number from -1 to 1"},
    {EXPERIMENT "matrix: {vlaue: [0.5]}\n", 3, "experiment.yaml:5:18: error: 'vlaue' is not a"},
    {EXPERIMENT "matrix: {value: {from: 0, to: 1}}\n", 3, "a range needs steps:, or draws:"},
    {EXPERIMENT "matrix: {value: {from: 1, to: 0, steps: 3}}\n", 3, "the smaller first"},
    {EXPERIMENT "matrix: {value: [0.5, 0.5]}\n", 3, "0.5 is listed twice"},
    {EXPERIMENT "matrix: {value: [0.5], exclude: [{valeu: 0.5}]}\n", 3,
     "'valeu' is not a parameter of the matrix"},
    {EXPERIMENT "matrix: {value: [0.5], exclude: [{value: 1}]}\n", 3, "no combination has"},
    {EXPERIMENT "matrix: {value: [0.5], draws: {sobol: 4}}\n", 3, "needs a range without"},
    {EXPERIMENT "matrix: {value: {from: 0, to: 1, steps: 5000}, width: {from: 1, to: 9, steps: 3}}"
                "\n",
     3, "more than 10000 combinations"},
    {EXPERIMENT "variants: {low: {params: {vlaue: 1}}}\n", 3, "'vlaue' is not a parameter of"},
    {"thalweg-experiment: 1\nrecipe: unbounded.yaml\nseeds: [1]\nmeasure: [height.mean]\n"
     "variants:\n  low: {}\n  far: {params: {value: 2e9}}\n",
     3, "in variant 'far', experiment.yaml:7:8"},
    {EXPERIMENT "variants: {low: {recipe: none.yaml}}\n", 3, "cannot read none.yaml"},
    {EXPERIMENT "variants: {low: {recipe: /etc/hostname}}\n", 3, "outside"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {count: 0}\nmeasure: [stats.mean]\n"
     "variants: {a: {}}\n",
     3, "expected 1 to 10000000"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {from: 18446744073709551615, count: 2}\n"
     "measure: [stats.mean]\nvariants: {a: {}}\n",
     3, "past 2^64 - 1; expected at most 1 of them"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\n"
     "measure: [stats.mean, {big: (2 + stats.mean) * 1e200}]\nvariants: {a: {}}\n",
     4, "big is 2.25e+200; expected at most 1e+150"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\nmeasure: [stats.median]\n"
     "variants: {a: {}}\n",
     3,
     "no field 'median'\n    measure: [stats.median]\n              ^\n    did you mean 'mean'?"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\nmeasure: [height.median]\n"
     "variants: {a: {}}\n",
     3, "experiment.yaml:4:11: error: height.median: 'median' cannot be measured of a map"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\nmeasure: [height.slope.mean]\n"
     "variants: {a: {}}\n", /* measure.slope has no record */
     3, "experiment.yaml:4:11: error: height.slope.mean: 'slope.mean' cannot be measured of a map"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\nmeasure: [height.difference.rms]\n"
     "variants: {a: {}}\n",
     3, "is about the baseline's map; expected baseline:"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\n"
     "measure: [stats.mean, {x: stats.maen * 2}]\nvariants: {a: {}}\n",
     3, "experiment.yaml:4:27: error: 'stats.maen' is not measured before this"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\n"
     "measure: [stats.mean, {x: stats.mean / (stats.mean - stats.mean)}]\nvariants: {a: {}}\n",
     4, "x: division by zero"},
    {EXPERIMENT VARIANTS "picture: stats\n", 3,
     "the picture 'stats' is record; expected a heightmap, a mask or an image"},
    {EXPERIMENT VARIANTS "picture: hieght\n", 3,
     "is not an output of its recipe; expected a heightmap"},
    {EXPERIMENT "variants: {low: {}, other: {recipe: noise.yaml}}\n", 3,
     "variants have different sizes"},
    {EXPERIMENT "size: 16\nvariants: {low: {}, other: {recipe: world.yaml}}\n", 3,
     "variant other: its recipe's world: differs"},
    {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [5, 1, 7, 1]\nmeasure: [stats.mean]\n"
     "variants: {a: {}}\n",
     3, "experiment.yaml:3:18: error: seed 1 is listed twice; expected each once"},
    {"thalweg: 1\n", 3, "this is a recipe; expected an experiment"},
};

static void mistakes_and_failed_assertions_are_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        command_write("experiment.yaml", mistakes[i].text, strlen(mistakes[i].text));
        command_run("compare experiment.yaml -q --html page.html", &result);
        if (result.code != mistakes[i].code || !strstr(result.err, mistakes[i].words))
            fail_msg("row %zu: exit code %d, \"%s\" is not in:\n%s", i, result.code,
                     mistakes[i].words, result.err);
        const char *first = strstr(result.err, mistakes[i].words);
        if (result.code == 3 && strstr(first + 1, mistakes[i].words))
            fail_msg("row %zu: reported twice:\n%s", i, result.err);
    }
}

static void one_seed_has_no_interval(void **state)
{
    json_t *root = compare(EXPERIMENT VARIANTS, "--seeds 1");
    json_t *row = json_array_get(json_object_get(root, "variants"), 1);
    json_t *mean = json_object_get(json_object_get(row, "measures"), "stats.mean");
    (void)state;
    assert_true(json_is_null(json_object_get(mean, "mean_95")));
    assert_true(json_is_null(json_object_get(mean, "deviation")));
    assert_true(json_is_null(json_object_get(json_object_get(mean, "difference"), "mean_95")));
    assert_true(json_is_real(json_object_get(mean, "mean")));
    json_decref(root);
    command_run("compare experiment.yaml -q --seeds 1 --html page.html", &result);
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.out, "0.7500          -          -          -"));
}

static void a_dash_is_standard_output(void **state)
{
    static const char text[] = EXPERIMENT VARIANTS;
    (void)state;
    command_write("experiment.yaml", text, strlen(text));
    command_run("compare experiment.yaml -q --csv -", &result);
    assert_int_equal(result.code, 0);
    assert_ptr_equal(strstr(result.out, "variant,seed,size,value,stats.mean,stats.max\n"),
                     result.out);
    assert_null(strstr(result.out, "deviation"));
    assert_int_equal(access("-", F_OK), -1);
}

static json_t *pair(json_t *root, size_t i)
{
    return json_array_get(json_object_get(root, "pairs"), i);
}

/* Every difference is 0.5, so its interval has no width. At six seeds a p of 0.03 would not do
 * for the five looks that follow; at nine it is 2 / 2^9, and Holm's is that of five looks. */
static void seeds_end_when_intervals_are_narrow(void **state)
{
    (void)state;
    json_t *root = compare("thalweg-experiment: 1\nrecipe: flat.yaml\n"
                           "seeds: {from: 1, count: 40, until: {stats.mean: 0.01}}\n"
                           "measure: [stats.mean]\ngoal: {stats.mean: down}\n" VARIANTS,
                           "");
    assert_int_equal(json_array_size(json_object_get(root, "seeds")), 9);
    assert_true(json_is_true(json_object_get(root, "narrow")));
    json_t *first = pair(root, 0);
    assert_string_equal(json_string_value(json_object_get(first, "verdict")), "worse");
    assert_true(json_number_value(json_object_get(first, "difference")) == 0.5);
    assert_true(json_number_value(json_object_get(first, "hodges_lehmann")) == 0.5);
    assert_true(json_number_value(json_object_get(first, "wilcoxon_p")) == 0.00390625);
    assert_true(json_number_value(json_object_get(first, "holm_p")) == 5 * 0.00390625);
    assert_true(json_number_value(json_object_get(first, "effect")) == 1);
    json_decref(root);
}

/* Noise is never that narrow: the count is what ends it, and that is said. */
static void a_count_that_was_not_enough_is_said(void **state)
{
    static const char text[] =
        "thalweg-experiment: 1\nrecipe: noise.yaml\nsize: 8\n"
        "seeds: {from: 1, count: 7, until: {stats.deviation: 0.00001}}\n"
        "measure: [stats.deviation]\nvariants:\n  three: {}\n"
        "  nine: {nodes: {b: {type: erosion.olsen, in: a, iterations: 9}}}\nbaseline: three\n";
    (void)state;
    json_decref(compare(text, ""));
    command_run("compare experiment.yaml", &result);
    assert_non_null(strstr(result.out, "All 7 seeds ran and the interval of nine on "
                                       "stats.deviation is still "));
    assert_non_null(strstr(result.out, "until: says 1e-05.\n"));
}

/* Two measures are two comparisons: Holm doubles the smaller p, so six seeds show nothing. */
static void more_comparisons_need_more_evidence(void **state)
{
    (void)state;
    json_t *root = compare("thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {from: 1, count: 6}\n"
                           "measure: [stats.mean, stats.max]\n" VARIANTS,
                           "");
    assert_string_equal(json_string_value(json_object_get(pair(root, 0), "verdict")), "too few");
    assert_true(json_number_value(json_object_get(pair(root, 1), "holm_p")) == 0.0625);
    json_decref(root);
    command_run("compare experiment.yaml", &result);
    assert_non_null(
        strstr(result.out, "Too few seeds: 2 comparisons need at least 7 to show anything.\n"));
    root = compare("thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {from: 1, count: 7}\n"
                   "measure: [stats.mean, stats.max]\n" VARIANTS,
                   "");
    assert_string_equal(json_string_value(json_object_get(pair(root, 0), "verdict")), "higher");
    json_decref(root);
    root = compare(EXPERIMENT VARIANTS, ""); /* four seeds */
    assert_string_equal(json_string_value(json_object_get(pair(root, 0), "verdict")), "too few");
    json_decref(root);
}

static void wrong_goals_are_refused(void **state)
{
    static const char *const rows[][2] = {
        {EXPERIMENT VARIANTS "goal: {stats.mean: sideways}\n", "expected up or down"},
        {EXPERIMENT VARIANTS "goal: {stats.mea: up}\n", "did you mean 'stats.mean'"},
        {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {count: 6, until: {stats.mean: 0}}\n"
         "measure: [stats.mean]\n" VARIANTS,
         "above 0"},
        {"thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {count: 6, until: {stats.mean: 1}}\n"
         "measure: [stats.mean]\nvariants: {low: {}}\n",
         "there is none"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        command_write("experiment.yaml", rows[i][0], strlen(rows[i][0]));
        command_run("compare experiment.yaml -q", &result);
        assert_int_equal(result.code, 3);
        if (!strstr(result.err, rows[i][1]))
            fail_msg("'%s' is not in: %s", rows[i][1], result.err);
    }
}

/* Squares of samples and of their differences are finite. */
static void formulas_end_at_the_largest_sample(void **state)
{
    static const struct {
        const char *measure;
        int code;
    } rows[] = {{"0 * stats.mean + 1e150", 0},
                {"0 * stats.mean - 1e150", 0},
                {"0 * stats.mean + 1.01e150", 4},
                {"0 * stats.mean - 1.01e150", 4}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: {from: 1, count: 2}\n"
                 "measure: [stats.mean, {edge: %s}]\nvariants: {low: {}}\n",
                 rows[i].measure);
        command_write("experiment.yaml", text, strlen(text));
        command_expect("compare experiment.yaml -q", rows[i].code, &result);
        if (rows[i].code)
            command_expect_words(result.err, "expected at most 1e+150");
    }
}

/* Seed 4 is the first whose noise is above 0.8; squared 1e30 is beyond all heights. */
static const char fails[] =
    "thalweg: 1\nsize: 1\nparams: {value: 0.25}\nnodes:\n"
    "  n: {type: noise.midpoint}\n"
    "  f: {type: combine.formula, a: n, formula: \"a > 0.8 ? a * ${value} : a\"}\n"
    "  m: {type: shape.power, in: f, exponent: 2}\n"
    "  stats: {type: measure.statistics, in: m}\noutputs: {height: m, stats: stats}\n";

/* The others are shown, and the command that is printed for it fails in the same way. */
static void a_failing_seed_is_left_out_and_can_be_run_alone(void **state)
{
    static const char text[] =
        "thalweg-experiment: 1\nrecipe: fails.yaml\nseeds: {from: 1, count: 8}\n"
        "measure: [stats.mean]\nvariants: {low: {}, high: {params: {value: 1e30}}}\n";
    char command[600], message[] = "to the power of 2 is beyond all heights";
    (void)state;
    command_write("fails.yaml", fails, strlen(fails));
    command_write("experiment.yaml", text, strlen(text));
    command_run("compare experiment.yaml -q", &result);
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.out, "experiment.yaml: 7 seeds from 1, 1 x 1 cells\n"
                                       "1 seed failed and is left out.\n"));
    assert_non_null(strstr(result.err, message));
    assert_non_null(strstr(result.err, "seed 4 is left out"));
    const char *alone = strstr(result.err, "variant high alone: thalweg ");
    assert_non_null(alone);
    alone += strlen("variant high alone: thalweg ");
    snprintf(command, sizeof command, "%.*s", (int)strcspn(alone, "\n"), alone);
    assert_non_null(strstr(command, "fails.yaml --seed 4 -s value=1e30"));
    command_run(command, &result);
    assert_int_equal(result.code, 4);
    assert_non_null(strstr(result.err, message));
    command_run("run fails.yaml --seed 4", &result); /* of the other variant it says nothing */
    assert_int_equal(result.code, 0);
}

static void variants_share_their_warnings(void **state)
{
    static const char *const names[] = {"node 'idle' is not used", "parameter 'talus' is not used"};
    static const char idle[] = "thalweg: 1\nsize: 4\nparams: {value: 0, talus: 4}\nnodes:\n"
                               "  a: {type: source.constant, value: \"${value}\"}\n"
                               "  idle: {type: source.constant}\n"
                               "  stats: {type: measure.statistics, in: a}\n"
                               "outputs: {stats: stats}\n";
    static const char text[] = "thalweg-experiment: 1\nrecipe: idle.yaml\nseeds: [1]\n"
                               "measure: [stats.mean]\nbaseline: low\n"
                               "variants: {low: {}, high: {params: {value: 1}}, "
                               "higher: {params: {value: 2}}}\n";
    (void)state;
    command_write("idle.yaml", idle, strlen(idle));
    command_write("experiment.yaml", text, strlen(text));
    command_run("compare experiment.yaml --no-cache", &result);
    assert_int_equal(result.code, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *first = strstr(result.err, names[i]);
        assert_non_null(first);
        assert_null(strstr(first + 1, names[i]));
    }
}

/* ---- which recipes may be named ---- */

static int compare_below(const char *options)
{
    char arguments[100];
    snprintf(arguments, sizeof arguments, "compare place/inner/experiment.yaml -q %s", options);
    command_run(arguments, &result);
    return result.code;
}

/* An experiment reaches its recipe in the folder above only with a project or a repository there or
 * further up, and never if it is untrusted. A nearer project ends where it lies. */
static void a_recipe_of_the_same_project_may_be_named(void **state)
{
    static const char text[] = "thalweg-experiment: 1\nrecipe: ../flat.yaml\nseeds: [1]\n"
                               "measure: [stats.mean]\nvariants: {a: {}}\n";
    static const char project[] = "thalweg-project: 1\nrecipes: ['*.yaml']\n";
    static const char level[] = "thalweg: 1\nsize: 4\nnodes:\n"
                                "  h: {type: source.constant, value: 1}\n"
                                "  stats: {type: measure.statistics, in: h}\n"
                                "outputs: {stats: stats}\n";
    (void)state;
    assert_int_equal(mkdir("place", 0700) | mkdir("place/inner", 0700), 0);
    command_write("place/inner/experiment.yaml", text, strlen(text));
    command_write("place/flat.yaml", level, strlen(level));
    assert_int_equal(compare_below(""), 3);
    command_expect_words(result.err, "../flat.yaml lies outside");
    assert_int_equal(compare_below("--allow-path place"), 0);
    assert_int_equal(mkdir("place/.git", 0700), 0);
    assert_int_equal(compare_below(""), 0);
    assert_int_equal(compare_below("--untrusted"), 3);
    command_write("place/inner/thalweg-project.yaml", project, strlen(project));
    assert_int_equal(compare_below(""), 3);
    assert_int_equal(rename("place/inner/thalweg-project.yaml", "place/thalweg-project.yaml"), 0);
    assert_int_equal(rmdir("place/.git"), 0);
    assert_int_equal(compare_below(""), 0);
}

/* ---- names that are computed ---- */

/* A third of a range has six digits, and more only where fewer would be another number. */
static void parts_of_ranges_are_short(void **state)
{
    static const char *const expected[] = {
        "height.share(0, 134.667)", "height.share(134.667, 269.333)", "height.share(269.333, 404)"};
    (void)state;
    json_t *root = compare("thalweg-experiment: 1\nrecipe: noise.yaml\nseeds: [1]\n"
                           "measure: [\"height.histogram(0, 404, 3)\"]\nvariants: {a: {}}\n",
                           "");
    json_t *variant = json_array_get(json_object_get(root, "variants"), 0);
    for (size_t i = 0; i < 3; i++)
        assert_non_null(json_object_get(json_object_get(variant, "measures"), expected[i]));
    json_decref(root);
    root = compare("thalweg-experiment: 1\nrecipe: flat.yaml\nseeds: [1]\nmeasure: [stats.mean]\n"
                   "matrix: {value: {from: 0.5, to: 0.5001, steps: 4}}\n",
                   "");
    json_t *second = json_array_get(json_object_get(root, "variants"), 1);
    assert_string_equal(json_string_value(json_object_get(second, "name")), "value=0.500033333");
    json_decref(root);
}

/* ---- faults of a variant's recipe ---- */

static void a_fault_names_the_variant_and_its_place(void **state)
{
    static const char broken[] = "thalweg: 1\nsize: 4\nnodes:\n  h: {type: noise.perlim}\n"
                                 "outputs: {height: h}\n";
    static const char *const rows[][2] = {
        {"  bad: {recipe: broken.yaml}\n", "did you mean 'noise.perlin'?; in variant 'bad', "
                                           "experiment.yaml:7:8"},
        {"  bad: {nodes: {height: {type: measure.statistics, in: h}}}\n",
         "in variant 'bad', experiment.yaml:7:8"},
    };
    (void)state;
    command_write("broken.yaml", broken, strlen(broken));
    static const char base[] = "thalweg: 1\nsize: 4\nnodes:\n"
                               "  h: {type: source.constant, value: 1}\n"
                               "  height: {type: shape.invert, in: h}\n"
                               "  stats: {type: measure.statistics, in: height}\n"
                               "outputs: {stats: stats}\n";
    command_write("base.yaml", base, strlen(base));
    for (size_t i = 0; i < 2; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "thalweg-experiment: 1\nrecipe: base.yaml\nseeds: [1]\nmeasure: [stats.mean]\n"
                 "variants:\n  a: {}\n%s",
                 rows[i][0]);
        command_write("experiment.yaml", text, strlen(text));
        command_run("compare experiment.yaml -q", &result);
        assert_int_equal(result.code, 3);
        command_expect_words(result.err, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_seed_has_no_interval),
        cmocka_unit_test(a_dash_is_standard_output),
        cmocka_unit_test(variants_compute_with_their_parameters),
        cmocka_unit_test(flat_maps_have_the_statistics_of_their_value),
        cmocka_unit_test(statistics_are_those_of_the_samples),
        cmocka_unit_test(replaced_nodes_and_sweeps_are_variants),
        cmocka_unit_test(small_differences_are_not_shown_as_zero),
        cmocka_unit_test(a_page_has_pictures_and_hides_markup),
        cmocka_unit_test(samples_are_fields_of_csv),
        cmocka_unit_test(maps_are_measured_without_nodes),
        cmocka_unit_test(quantiles_and_histograms_agree_with_shares),
        cmocka_unit_test(the_difference_is_that_of_the_maps),
        cmocka_unit_test(times_have_intervals_from_six_runs_on),
        cmocka_unit_test(matrices_are_all_combinations),
        cmocka_unit_test(a_single_range_may_be_drawn_from),
        cmocka_unit_test(realism_is_a_measure_like_others),
        cmocka_unit_test(names_of_a_matrix_have_every_setting),
        cmocka_unit_test(seeds_can_be_more_than_the_file_says),
        cmocka_unit_test(seeds_end_where_numbers_do),
        cmocka_unit_test(a_table_has_differences_from_the_baseline),
        cmocka_unit_test(mistakes_and_failed_assertions_are_reported),
        cmocka_unit_test(seeds_end_when_intervals_are_narrow),
        cmocka_unit_test(a_count_that_was_not_enough_is_said),
        cmocka_unit_test(more_comparisons_need_more_evidence),
        cmocka_unit_test(wrong_goals_are_refused),
        cmocka_unit_test(formulas_end_at_the_largest_sample),
        cmocka_unit_test(a_failing_seed_is_left_out_and_can_be_run_alone),
        cmocka_unit_test(variants_share_their_warnings),
        cmocka_unit_test(a_recipe_of_the_same_project_may_be_named),
        cmocka_unit_test(parts_of_ranges_are_short),
        cmocka_unit_test(a_fault_names_the_variant_and_its_place),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
