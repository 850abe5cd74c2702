/* SPDX-License-Identifier: MIT */
/* Comparisons at equal values of a measure: the numbers are those of a line through the samples'
 * differences, at every level, and what does not hold is said. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 9, SIZES = 2 };

static struct command_result result;

static const char recipe[] =
    "thalweg: 1\nsize: 16\nparams: {talus: 4, lift: 0}\nnodes:\n"
    "  n: {type: noise.midpoint}\n"
    "  t: {type: erosion.olsen, in: n, talus: \"${talus}\", iterations: 3}\n"
    "  l: {type: source.constant, value: \"${lift}\"}\n"
    "  r: {type: combine.add, a: t, b: l}\n"
    "outputs: {height: r, before: n, lift: l}\n";

#define HEAD "thalweg-experiment: 1\nrecipe: recipe.yaml\nsizes: [16, 32]\n"
#define VARIANTS "variants: {plain: {}, steep: {params: {talus: 9}}}\n"
#define MEASURES "measure: [height.mean, height.deviation]\n"

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("recipe.yaml", recipe, strlen(recipe));
    return 0;
}

static json_t *compare(const char *text, const char *options)
{
    char line[200];
    snprintf(line, sizeof line, "compare experiment.yaml -q %s", options);
    command_write("experiment.yaml", text, strlen(text));
    command_expect(line, 0, &result);
    return json_loads(result.out, 0, NULL);
}

static double samples[2][SIZES][2][SEEDS]; /* variant, size, measure */

static void read_samples(void)
{
    char row[400];
    FILE *file = fopen("samples.csv", "r");
    assert_non_null(file);
    assert_non_null(fgets(row, sizeof row, file));
    while (fgets(row, sizeof row, file)) {
        int seed, size;
        double mean, deviation;
        char name[40];
        assert_int_equal(sscanf(row, "%39[a-z],%d,%d,%*[^,],%*[^,],%lf,%lf", name, &seed, &size,
                                &mean, &deviation),
                         5);
        double *of = samples[strcmp(name, "steep") == 0][size == 32][0];
        of[seed - 1] = mean;
        of[SEEDS + seed - 1] = deviation;
    }
    fclose(file);
}

/* The line through the differences, by its sums. */
static double at_equal(int size, double *slope)
{
    double n = SEEDS, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < SEEDS; i++) {
        double dx = samples[1][size][1][i] - samples[0][size][1][i];
        double dy = samples[1][size][0][i] - samples[0][size][0][i];
        x += dx;
        y += dy;
        xx += dx * dx;
        xy += dx * dy;
    }
    *slope = (n * xy - x * y) / (n * xx - x * x);
    return (y - *slope * x) / n;
}

static void differences_are_read_from_a_line(void **state)
{
    json_t *root = compare(HEAD "seeds: {from: 1, count: 9}\n" VARIANTS MEASURES
                                "baseline: plain\nadjust: height.deviation\n",
                           "--json --csv samples.csv");
    (void)state;
    assert_non_null(root);
    read_samples();
    json_t *rows = json_object_get(root, "adjusted");
    assert_int_equal(json_array_size(rows), SIZES);
    for (int i = 0; i < SIZES; i++) {
        const json_t *row = json_array_get(rows, (size_t)i);
        double slope, difference = at_equal(i, &slope);
        assert_int_equal(json_integer_value(json_object_get(row, "size")), 16 << i);
        assert_string_equal(json_string_value(json_object_get(row, "measure")), "height.mean");
        assert_string_equal(json_string_value(json_object_get(row, "covariate")),
                            "height.deviation");
        assert_true(fabs(json_number_value(json_object_get(row, "difference")) - difference) <
                    1e-6 * (1 + fabs(difference)));
        assert_true(fabs(json_number_value(json_object_get(row, "slope")) - slope) <
                    1e-5 * (1 + fabs(slope)));
        assert_true(json_is_boolean(json_object_get(row, "parallel")));
        assert_true(json_is_boolean(json_object_get(row, "inside")));
    }
    json_decref(root);
}

/* A text that says of each way to fail what failed. */
static void what_does_not_hold_is_said(void **state)
{
    static const struct {
        const char *body, *words;
    } rows[] = {
        {"variants: {plain: {}, steep: {params: {lift: 3}}}\nmeasure: [before.mean, height.mean]\n"
         "adjust: height.mean\n",
         "not found, since it needs 6 seeds whose values and differences of height.mean vary"},
        {VARIANTS
         "measure: [height.mean, before.deviation, {sum: height.mean + before.deviation}]\n"
         "adjust: before.deviation\n",
         "not found"},
        {"variants: {plain: {}, steep: {params: {talus: 9}}}\n"
         "measure: [height.deviation, {far: height.deviation * 3 + 1}, lift.mean]\nadjust: far\n",
         "steep (size 16), height.deviation: "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[700];
        snprintf(text, sizeof text, HEAD "seeds: {from: 1, count: 9}\n%sbaseline: plain\n",
                 rows[i].body);
        compare(text, "");
        command_expect_words(result.out, "At equal ");
        command_expect_words(result.out, rows[i].words);
    }
    command_expect("compare experiment.yaml -q --markdown", 0, &result);
    command_expect_words(result.out, "(analysis of covariance; 95 % intervals, each by itself):");
    command_expect("compare experiment.yaml -q --html page.html", 0, &result);
    command_expect("compare experiment.yaml -q --seeds 5", 0, &result);
    command_expect_words(result.out, "not found, since it needs 6 seeds");
}

static void a_wrong_key_is_a_fault(void **state)
{
    static const struct {
        const char *body, *words;
    } rows[] = {
        {MEASURES "adjust: height.mean\n",
         "experiment.yaml:7:9: error: adjust: is about differences to the baseline, and there is none"},
        {"measure: [height.mean]\nbaseline: plain\nadjust: height.mean\n",
         "experiment.yaml:8:9: error: adjust: height.mean is all that is measured; expected another "
         "measure to compare at equal values of it"},
        {MEASURES "baseline: plain\nadjust: height.maen\n", "'height.maen' is not measured"},
        {MEASURES "baseline: plain\nadjust: [height.mean]\n", "adjust is a list"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[700];
        int length = snprintf(text, sizeof text, HEAD "seeds: {from: 1, count: 9}\n" VARIANTS "%s",
                              rows[i].body);
        command_write("experiment.yaml", text, (size_t)length);
        command_expect("compare experiment.yaml -q", 3, &result);
        command_expect_words(result.err, rows[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_read_from_a_line),
        cmocka_unit_test(what_does_not_hold_is_said),
        cmocka_unit_test(a_wrong_key_is_a_fault),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
