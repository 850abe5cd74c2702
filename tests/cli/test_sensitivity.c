/* SPDX-License-Identifier: MIT */
/* Sensitivity of recipes whose effects are known by hand. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;

/* Maps of one height: linear, 2 a + b; product, a b. No effect of c. */
static const char linear[] = "thalweg: 1\nsize: 8\nparams: {a: 0.5, b: 0.25, c: 1}\nnodes:\n"
                             "  h: {type: source.constant, value: \"${2 * a + b + 0 * c}\"}\n"
                             "  stats: {type: measure.statistics, in: h}\n"
                             "outputs: {stats: stats}\n";
static const char product[] = "thalweg: 1\nsize: 8\nparams: {a: 0.5, b: 0.5}\nnodes:\n"
                              "  h: {type: source.constant, value: \"${a * b}\"}\n"
                              "  stats: {type: measure.statistics, in: h}\n"
                              "outputs: {stats: stats}\n";

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("linear.yaml", linear, strlen(linear));
    command_write("product.yaml", product, strlen(product));
    return 0;
}

static json_t *compare(const char *text, const char *options)
{
    char arguments[200];
    command_write("experiment.yaml", text, strlen(text));
    snprintf(arguments, sizeof arguments, "compare experiment.yaml -q --json %s", options);
    command_run(arguments, &result);
    if (result.code != 0)
        fail_msg("exit code %d: %s", result.code, result.err);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    return root;
}

static double effect(json_t *root, size_t factor, const char *field)
{
    json_t *effects = json_object_get(json_object_get(root, "sensitivity"), "effects");
    return json_number_value(json_object_get(json_array_get(effects, factor), field));
}

/* Every elementary effect of a linear function is its slope times the range. */
static void a_linear_function_has_its_slopes(void **state)
{
    json_t *root = compare("thalweg-experiment: 1\nrecipe: linear.yaml\nseeds: [1]\n"
                           "measure: [stats.mean]\nsensitivity:\n"
                           "  params: {a: [0, 1], b: [-3, 1], c: {from: 1, to: 4, whole: true}}\n"
                           "  morris: 6\n",
                           "");
    static const double slopes[] = {2, 4, 0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_true(fabs(effect(root, i, "mu_star") - slopes[i]) < 1e-6);
        assert_true(fabs(effect(root, i, "mu") - slopes[i]) < 1e-6);
        assert_true(effect(root, i, "sigma") < 1e-6);
    }
    json_decref(root);
}

/* The effect of a is b, which trajectories hold at levels 0, 1/3, 2/3 and 1, all alike likely: mu
 * near 1/2, and a sigma that says that it depends on the other. On -1 to 1 it cancels. */
static void interactions_show_in_sigma(void **state)
{
    json_t *root = compare("thalweg-experiment: 1\nrecipe: product.yaml\nseeds: [1]\n"
                           "measure: [stats.mean]\nsensitivity:\n"
                           "  params: {a: [0, 1], b: [0, 1]}\n  morris: 200\n",
                           "");
    (void)state;
    assert_true(fabs(effect(root, 0, "mu_star") - 0.5) < 0.08);
    assert_true(fabs(effect(root, 0, "sigma") - sqrt(5.0 / 36)) < 0.05);
    json_decref(root);
    root = compare("thalweg-experiment: 1\nrecipe: product.yaml\nseeds: [1]\n"
                   "measure: [stats.mean]\nsensitivity:\n"
                   "  params: {a: [0, 1], b: [-1, 1]}\n  morris: 200\n",
                   "");
    assert_true(fabs(effect(root, 0, "mu")) < 0.15);
    assert_true(effect(root, 0, "mu_star") > 0.5);
    json_decref(root);
}

/* ---- Sobol indices ---- */

enum { ROWS = 256 };

static const json_t *index_of(json_t *root, size_t factor)
{
    json_t *indices = json_object_get(json_object_get(root, "sensitivity"), "indices");
    return json_array_get(indices, factor);
}

static double number_of(const json_t *index, const char *field)
{
    return json_number_value(json_object_get(index, field));
}

/* Reads the means of the points from the samples: with one seed they are the samples. */
static int read_points(const char *file, double values[ROWS][4])
{
    static char text[1 << 20];
    int count = 0;
    FILE *csv = fopen(file, "r");
    assert_non_null(csv);
    text[fread(text, 1, sizeof text - 1, csv)] = 0;
    fclose(csv);
    for (char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        int row, column;
        char *end = strchr(line, '\n');
        if (!end || sscanf(line, "\"indices/%d.%d/", &row, &column) != 2)
            continue;
        *end = 0;
        values[row - 1][column] = atof(strrchr(line, ',') + 1);
        *end = '\n';
        count++;
    }
    return count;
}

/* 2 a + b over equal ranges: 4/5 and 1/5 of the variance. a b over 0 to 1: each alone 3/7, together
 * 1/7. The estimates are Jansen's sums over the samples of --csv. */
static void indices_are_shares_of_the_variance(void **state)
{
    static const char *const recipes[] = {"linear.yaml", "product.yaml"};
    static const double first[][2] = {{0.8, 0.2}, {3 / 7.0, 3 / 7.0}};
    static const double total[][2] = {{0.8, 0.2}, {4 / 7.0, 4 / 7.0}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char text[300];
        double v[ROWS][4] = {{0}}, mean = 0, variance = 0;
        snprintf(text, sizeof text,
                 "thalweg-experiment: 1\nrecipe: %s\nseeds: [1]\nmeasure: [stats.mean]\n"
                 "sensitivity: {params: {a: [0, 1], b: [0, 1]}, indices: %d}\n",
                 recipes[i], ROWS);
        json_t *root = compare(text, "--csv points.csv");
        assert_int_equal(read_points("points.csv", v), 4 * ROWS);
        for (int r = 0; r < ROWS; r++)
            mean += (v[r][0] + v[r][1]) / (2 * ROWS);
        for (int r = 0; r < ROWS; r++)
            variance += (pow(v[r][0] - mean, 2) + pow(v[r][1] - mean, 2)) / (2 * ROWS);
        for (size_t f = 0; f < 2; f++) {
            double alone = 0, with = 0;
            const json_t *index = index_of(root, f);
            for (int r = 0; r < ROWS; r++) {
                alone += pow(v[r][1] - v[r][2 + f], 2) / (2 * ROWS);
                with += pow(v[r][0] - v[r][2 + f], 2) / (2 * ROWS);
            }
            assert_true(fabs(number_of(index, "first") - (1 - alone / variance)) < 1e-6);
            assert_true(fabs(number_of(index, "total") - with / variance) < 1e-6);
            assert_true(fabs(number_of(index, "first") - first[i][f]) < 0.06);
            assert_true(fabs(number_of(index, "total") - total[i][f]) < 0.06);
            assert_int_equal(json_array_size(json_object_get(index, "total_95")), 2);
        }
        json_decref(root);
    }
}

static void the_number_of_runs_is_said_before(void **state)
{
    static const char text[] =
        "thalweg-experiment: 1\nrecipe: linear.yaml\nseeds: [1, 2]\nmeasure: [stats.mean]\n"
        "sensitivity: {params: {a: [0, 1], b: [0, 1]}, morris: 2, indices: 8, curves: 3}\n";
    (void)state;
    command_write("experiment.yaml", text, strlen(text));
    command_run("compare experiment.yaml", &result);
    assert_int_equal(result.code, 0);
    assert_non_null(strstr(result.err, "sensitivity: morris 2 x 3 + indices 8 x 4 + curves 3 x 2 = "
                                       "44 runs a seed; 88 with 2 seeds\n"));
}

/* mu* of a b, -1 <= b <= 1, with Student's interval over its effects. */
static void mu_star_has_an_interval(void **state)
{
    json_t *root = compare("thalweg-experiment: 1\nrecipe: product.yaml\nseeds: [1]\n"
                           "measure: [stats.mean]\nsensitivity:\n"
                           "  params: {a: [0, 1], b: [0, 1]}\n  morris: 200\n",
                           "");
    (void)state;
    json_t *effects = json_object_get(json_object_get(root, "sensitivity"), "effects");
    json_t *one = json_array_get(effects, 0), *interval = json_object_get(one, "mu_star_95");
    double low = json_number_value(json_array_get(interval, 0));
    double high = json_number_value(json_array_get(interval, 1));
    double half = 1.971957 * effect(root, 0, "sigma") / sqrt(200); /* of 199 degrees of freedom */
    assert_true(low < 0.5 && high > 0.5);
    assert_true(fabs((high - low) / 2 - half) < 1e-6);
    json_decref(root);
}

static void curves_hold_the_other_parameters(void **state)
{
    json_t *root = compare("thalweg-experiment: 1\nrecipe: linear.yaml\nseeds: [1]\n"
                           "measure: [stats.mean]\nsensitivity:\n"
                           "  params: {a: [0, 1]}\n  curves: 5\n",
                           "");
    json_t *curves = json_object_get(json_object_get(root, "sensitivity"), "curves");
    json_t *points = json_object_get(json_array_get(curves, 0), "points");
    (void)state;
    assert_int_equal(json_array_size(points), 5);
    json_t *second = json_array_get(points, 1);
    assert_string_equal(json_string_value(json_object_get(second, "value")), "0.25");
    assert_true(fabs(json_number_value(json_object_get(second, "mean")) - 0.75) < 1e-6);
    json_decref(root);
    command_run("compare experiment.yaml -q", &result);
    assert_non_null(strstr(result.out, "\n  0.25            0.7500\n"));
}

static void what_is_planned_is_not_compared(void **state)
{
    json_t *root = compare("thalweg-experiment: 1\nrecipe: linear.yaml\nseeds: {count: 6}\n"
                           "measure: [stats.mean]\nvariants: {low: {}, high: {params: {a: 1}}}\n"
                           "baseline: low\nsensitivity: {params: {b: [0, 1]}, morris: 2}\n",
                           "--csv all.csv");
    (void)state;
    assert_int_equal(json_array_size(json_object_get(root, "variants")), 2);
    assert_int_equal(json_array_size(json_object_get(root, "pairs")), 1);
    json_decref(root);
}

static void mistakes_are_reported(void **state)
{
#define HEAD "thalweg-experiment: 1\nrecipe: linear.yaml\nseeds: [1]\nmeasure: [stats.mean]\n"
    static const char *const rows[][2] = {
        {HEAD "sensitivity: {morris: 4}\n", "sensitivity needs params:"},
        {HEAD "sensitivity: {params: {a: [1, 0]}, morris: 4}\n", "the smaller first"},
        {HEAD "sensitivity: {params: {a: [0, 1]}}\n",
         "expected morris: 20, indices: 512 or curves: 9"},
        {HEAD "sensitivity: {params: {a: [0, 1], b: [0, 1]}, indices: 2501}\n",
         "indices is 2501; expected a whole number from 8 to 2500"},
        {HEAD "sensitivity: {params: {a: [0, 1]}, morris: 4, levels: 5}\n", "an even number"},
        {HEAD "sensitivity: {params: {d: [0, 1]}, morris: 4}\n",
         "experiment.yaml:5:27: error: 'd' is not a parameter of"},
        {HEAD "sensitivity: {params: {a: [0, 1]}, moris: 4}\n", "did you mean 'morris'"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_linear_function_has_its_slopes),
        cmocka_unit_test(interactions_show_in_sigma),
        cmocka_unit_test(indices_are_shares_of_the_variance),
        cmocka_unit_test(the_number_of_runs_is_said_before),
        cmocka_unit_test(mu_star_has_an_interval),
        cmocka_unit_test(curves_hold_the_other_parameters),
        cmocka_unit_test(what_is_planned_is_not_compared),
        cmocka_unit_test(mistakes_are_reported),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
