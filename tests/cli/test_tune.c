/* SPDX-License-Identifier: MIT */
/* Tuning of recipes whose optimum is known. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;

/* Two maps: a + b, and (a - 0.3)^2 + 4 (b - 0.7)^2. */
static const char recipe[] = "thalweg: 1\nsize: 8\nparams: {a: 0, b: 0}\nnodes:\n"
                             "  h: {type: source.constant, value: \"${a + b}\"}\n"
                             "  k: {type: source.constant, value: \"${(a - 0.3) * (a - 0.3) + 4 * "
                             "(b - 0.7) * (b - 0.7)}\"}\n"
                             "outputs: {sum: h, bowl: k}\n";

#define HEAD                                                                                       \
    "thalweg-experiment: 1\nrecipe: recipe.yaml\nseeds: [1]\nmeasure: [sum.mean, bowl.mean]\n"

static const char bounded[] = "thalweg: 1\nsize: 8\nparams: {a: {default: 0, min: 0, max: 2}}\n"
                              "nodes:\n  h: {type: source.constant, value: \"${a}\"}\n"
                              "outputs: {sum: h}\n";
#define BOUNDED "thalweg-experiment: 1\nrecipe: bounded.yaml\nseeds: [1]\nmeasure: [sum.mean]\n"

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("bounded.yaml", bounded, strlen(bounded));
    command_write("recipe.yaml", recipe, strlen(recipe));
    return 0;
}

static json_t *tune(const char *text)
{
    command_write("experiment.yaml", text, strlen(text));
    command_run("compare experiment.yaml -q --json", &result);
    if (result.code != 0)
        fail_msg("exit code %d: %s", result.code, result.err);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    return root;
}

static double best(json_t *root, const char *param)
{
    json_t *tuning = json_object_get(root, "tuning");
    json_t *trial = json_object_get(tuning, "best");
    return atof(json_string_value(json_object_get(json_object_get(trial, "params"), param)));
}

static void a_bowl_has_its_bottom(void **state)
{
    json_t *root = tune(HEAD "tune: {params: {a: [0, 1], b: [-1, 2]}, "
                             "goal: {bowl.mean: minimise}, budget: 70}\n");
    (void)state;
    assert_true(fabs(best(root, "a") - 0.3) < 0.02);
    assert_true(fabs(best(root, "b") - 0.7) < 0.02);
    json_decref(root);
}

/* Ends when it is there. */
static void targets_are_reached(void **state)
{
    json_t *root = tune(HEAD "tune: {params: {a: [0, 1], b: [0, 1]}, "
                             "goal: {sum.mean: 1.25}, budget: 100}\n");
    json_t *tuning = json_object_get(root, "tuning");
    (void)state;
    assert_true(json_is_true(json_object_get(json_object_get(tuning, "best"), "reached")));
    assert_true(json_array_size(json_object_get(tuning, "trials")) < 100);
    assert_true(fabs(best(root, "a") + best(root, "b") - 1.25) < 0.00126);
    json_decref(root);
}

/* What lies at a corner of the ranges is found there, and the command names it. */
static void bounds_are_kept(void **state)
{
    json_t *root = tune(HEAD "tune: {params: {a: [0, 1], b: {from: 1, to: 5, whole: true}}, "
                             "goal: {sum.mean: maximise}, budget: 60}\n");
    (void)state;
    assert_true(best(root, "a") == 1 && best(root, "b") == 5);
    const char *command =
        json_string_value(json_object_get(json_object_get(root, "tuning"), "command"));
    assert_non_null(strstr(command, "recipe.yaml --seed 1 --size 8x8 -s a=1 -s b=5"));
    json_decref(root);
}

static void trials_are_the_same_again(void **state)
{
    static const char text[] = HEAD "tune: {params: {a: [0, 1], b: [-1, 2]}, seed: 4, "
                                    "goal: {bowl.mean: minimise}, budget: 50}\n";
    json_t *first = tune(text), *second = tune(text);
    (void)state;
    assert_true(json_equal(json_object_get(first, "tuning"), json_object_get(second, "tuning")));
    json_decref(first);
    json_decref(second);
    command_run("compare experiment.yaml -q", &result);
    assert_ptr_equal(strstr(result.out, "experiment.yaml\n\ntuning: 50"), result.out);
    assert_non_null(strstr(result.out, "tuning: 50 trials of 1 seed each"));
    assert_non_null(strstr(result.out, "recipe.yaml --seed 1 --size 8x8 -s a="));
}

/* (100,000 a)^8 is beyond floats from a = 0.656 on. */
static void trials_that_fail_are_shown_and_never_the_best(void **state)
{
    static const char powers[] = "thalweg: 1\nsize: 8\nparams: {a: 0}\nnodes:\n"
                                 "  d: {type: source.constant, value: \"${100000 * a}\"}\n"
                                 "  d2: {type: combine.multiply, a: d, b: d}\n"
                                 "  d4: {type: combine.multiply, a: d2, b: d2}\n"
                                 "  d8: {type: combine.multiply, a: d4, b: d4}\n"
                                 "outputs: {power: d8}\n";
    static const char text[] = "thalweg-experiment: 1\nrecipe: powers.yaml\nseeds: [1]\n"
                               "measure: [power.mean]\ntune: {params: {a: [0, 1]}, "
                               "goal: {power.mean: maximise}, budget: 30}\n";
    int failed = 0;
    size_t i;
    (void)state;
    command_write("powers.yaml", powers, strlen(powers));
    json_t *root = tune(text), *trial;
    json_array_foreach(json_object_get(json_object_get(root, "tuning"), "trials"), i, trial)
    {
        bool fails =
            atof(json_string_value(json_object_get(json_object_get(trial, "params"), "a"))) > 0.656;
        const json_t *mean = json_object_get(json_object_get(trial, "means"), "power.mean");
        assert_int_equal(json_is_null(json_object_get(trial, "loss")), fails);
        assert_int_equal(json_is_null(mean), fails);
        failed += fails;
    }
    assert_int_equal(i, 30);
    assert_in_range(failed, 1, 29);
    assert_true(best(root, "a") > 0.5 && best(root, "a") < 0.656);
    json_decref(root);
}

static double mean_of_best(json_t *root, const char *measure)
{
    json_t *best = json_object_get(json_object_get(root, "tuning"), "best");
    return json_number_value(json_object_get(json_object_get(best, "means"), measure));
}

static bool is_reached(json_t *root)
{
    return json_is_true(
        json_object_get(json_object_get(json_object_get(root, "tuning"), "best"), "reached"));
}

/* a + b with (a - 0.3)^2 + 4 (b - 0.7)^2 <= 0.05: the ellipse is touched at 1 + 0.25 = 1.25, by
 * Lagrange's multipliers. */
static void an_extreme_keeps_its_constraint(void **state)
{
    json_t *root = tune(HEAD "tune: {params: {a: [0, 1], b: [0, 1]}, budget: 200, "
                             "goal: {sum.mean: maximise, bowl.mean: {max: 0.05}}}\n");
    (void)state;
    assert_true(is_reached(root));
    assert_true(mean_of_best(root, "bowl.mean") <= 0.05);
    if (fabs(mean_of_best(root, "sum.mean") - 1.25) > 0.01)
        fail_msg("the sum is %g", mean_of_best(root, "sum.mean"));
    json_decref(root);
}

/* Least a + b where the bowl is at least 1: at the corner (0, 0) it is 0.09 + 1.96. */
static void a_number_beside_an_extreme_is_near(void **state)
{
    json_t *root = tune(HEAD "tune: {params: {a: [0, 1], b: [0, 1]}, budget: 200, "
                             "goal: {bowl.mean: minimise, sum.mean: 0.5}}\n");
    (void)state;
    assert_true(is_reached(root));
    assert_true(fabs(mean_of_best(root, "sum.mean") - 0.5) <= 0.005);
    /* On a + b = 0.505 the bowl is least at a = 0, b = 0.505: 0.09 + 4 * 0.195^2. */
    if (fabs(mean_of_best(root, "bowl.mean") - 0.2421) > 0.01)
        fail_msg("the bowl is %g", mean_of_best(root, "bowl.mean"));
    json_decref(root);
}

static void the_baseline_is_a_target(void **state)
{
    json_t *root = tune(HEAD "variants: {base: {params: {a: 0.4, b: 0.4}}}\nbaseline: base\n"
                             "tune: {params: {a: [0, 1], b: [0, 1]}, budget: 200, goal: "
                             "{bowl.mean: maximise, sum.mean: {near: baseline, within: 5 %}}}\n");
    (void)state;
    assert_true(is_reached(root));
    assert_true(fabs(mean_of_best(root, "sum.mean") - 0.8) <= 0.04);
    json_decref(root);
}

/* The sum is at most 2. What is missed ends with 1 only if it is asserted. */
static void a_missed_constraint_is_said(void **state)
{
#define MISSED                                                                                     \
    HEAD "tune: {params: {a: [0, 1], b: [0, 1]}, budget: 30, goal: "                               \
         "{bowl.mean: minimise, sum.mean: {min: 2.5}}"
    static const char *const asserted[] = {MISSED ", assert: true}\n",
                                           MISSED "}\nassert: {sum.mean: {mean: {min: 2.4}}}\n"};
    json_t *root = tune(MISSED "}\n");
    (void)state;
    assert_false(is_reached(root));
    assert_true(mean_of_best(root, "sum.mean") > 1.9);
    json_decref(root);
    command_expect("compare experiment.yaml -q", 0, &result);
    command_expect_words(result.out, "Not reached, the nearest is: a ");
    command_expect_words(result.out, "(at least 2.5, missed by ");
    for (size_t i = 0; i < 2; i++) {
        command_write("experiment.yaml", asserted[i], strlen(asserted[i]));
        command_expect("compare experiment.yaml -q", 1, &result);
        command_expect_words(result.err, "tune: no trial keeps every constraint");
    }
    command_expect_words(result.err, "at the best trial; asserted is at least 2.4");
}

/* Five points there are, and so many trials, however many the budget pays for. */
static void no_point_is_tried_twice(void **state)
{
    json_t *root = tune(HEAD "tune: {params: {a: {from: 1, to: 5, whole: true}}, budget: 60, "
                             "goal: {sum.mean: maximise}}\n");
    json_t *trials = json_object_get(json_object_get(root, "tuning"), "trials");
    (void)state;
    assert_in_range(json_array_size(trials), 3, 5);
    assert_true(best(root, "a") == 5);
    json_decref(root);
}

static json_t *trial_at(json_t *root, size_t i)
{
    return json_array_get(json_object_get(json_object_get(root, "tuning"), "trials"), i);
}

static double mean_at(json_t *root, size_t i, const char *measure)
{
    return json_number_value(json_object_get(json_object_get(trial_at(root, i), "means"), measure));
}

/* Each simplex has a third of the 60 trials, and begins elsewhere. */
static void restarts_share_the_budget(void **state)
{
    json_t *root = tune(HEAD "tune: {params: {a: [0, 1], b: [0, 1]}, budget: 60, restarts: 2, "
                             "goal: {sum.mean: maximise, bowl.mean: {max: 0.05}}}\n");
    (void)state;
    for (size_t i = 0; i < 60; i++) {
        json_int_t start = json_integer_value(json_object_get(trial_at(root, i), "start"));
        assert_in_range(start, i / 22 + 1, i / 20 + 1); /* a step takes up to two trials more */
    }
    assert_null(trial_at(root, 60));
    assert_true(is_reached(root));
    json_decref(root);
}

#define FRONT                                                                                      \
    HEAD "tune: {params: {a: [0, 1], b: [0, 1]}, budget: 60, goal: {bowl.mean: minimise}}\n"       \
         "front: {sum.mean: up, bowl.mean: down}\n"

/* Whether no trial has more sum without more bowl, or less bowl without less sum. */
static bool is_best_compromise(json_t *root, size_t i)
{
    double sum = mean_at(root, i, "sum.mean"), bowl = mean_at(root, i, "bowl.mean");
    for (size_t k = 0; trial_at(root, k); k++) {
        double more = mean_at(root, k, "sum.mean"), less = mean_at(root, k, "bowl.mean");
        if (more >= sum && less <= bowl && (more > sum || less < bowl))
            return false;
    }
    return true;
}

static void a_front_has_the_best_compromises(void **state)
{
    json_t *root = tune(FRONT), *front = json_array_get(json_object_get(root, "fronts"), 0), *point;
    size_t k, on = 0;
    (void)state;
    json_array_foreach(json_object_get(front, "points"), k, point)
    {
        size_t i = (size_t)json_integer_value(json_object_get(point, "trial"));
        assert_true(is_best_compromise(root, i));
        assert_true(json_equal(json_object_get(point, "params"),
                               json_object_get(trial_at(root, i), "params")));
    }
    for (size_t i = 0; trial_at(root, i); i++)
        on += is_best_compromise(root, i);
    assert_in_range(k, 3, 60);
    assert_int_equal(k, on);
    command_expect("compare experiment.yaml -q", 0, &result);
    command_expect_words(result.out, "front of sum.mean (up) and bowl.mean (down): ");
    json_decref(root);
}

/* Every trial is a row, and those of the front are marked. */
static void a_front_is_written_as_csv(void **state)
{
    json_t *root = tune(FRONT);
    char *row;
    size_t rows = 0;
    (void)state;
    command_expect("compare experiment.yaml -q --csv-front -", 0, &result);
    row = strtok(result.out, "\n");
    assert_string_equal(row,
                        "of,level,variant,trial,params.a,params.b,sum.mean,bowl.mean,front,knee");
    for (; (row = strtok(NULL, "\n")); rows++) {
        int trial, on, knee;
        double a, b, sum, bowl;
        assert_int_equal(sscanf(row, "trials,,,%d,%lf,%lf,%lf,%lf,%d,%d", &trial, &a, &b, &sum,
                                &bowl, &on, &knee),
                         7);
        assert_int_equal(on, is_best_compromise(root, (size_t)trial - 1));
        assert_true(fabs(sum - mean_at(root, (size_t)trial - 1, "sum.mean")) < 1e-8);
        assert_true(fabs(a + b - sum) < 1e-5);
    }
    assert_int_equal(rows, 60);
    json_decref(root);
}

static void mistakes_are_reported(void **state)
{
    static const struct {
        const char *text, *options;
        int code;
        const char *words;
    } rows[] = {
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: 1}}\n", "", 3, "needs budget:"},
        {HEAD "tune: {params: {a: [0, 1]}, budget: 9}\n", "", 3, "tune needs goal:"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mena: 1}, budget: 9}\n", "", 3,
         "did you mean 'sum.mean'"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: up}, budget: 9}\n", "", 3,
         "expected a number, maximise or minimise"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: maximise, bowl.mean: minimise}, "
              "budget: 9}\n",
         "", 3, "a second measure to maximise or minimise"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: {min: 2, max: 1}}, budget: 9}\n", "", 3,
         "min is more than max"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: {}}, budget: 9}\n", "", 3,
         "a constraint as in {min: 0.9}"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: {near: 1, min: 1}}, budget: 9}\n", "",
         3, "min"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: {near: baseline}}, budget: 9}\n", "", 3,
         "expected baseline: and variants:"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: {near: 1, within: x}}, budget: 9}\n",
         "", 3, "within is 'x'; expected a share, as in 5 %"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: 1}, budget: 9, restarts: -1}\n", "", 3,
         "restarts is -1; expected a number from 0"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: 1}, budget: 9}\n"
              "front: {sum.mean: up}\n",
         "", 3, "front: names 1 measure; expected two"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: 1}, budget: 9}\n"
              "front: {sum.mean: up, bowl.mean: left}\n",
         "", 3, "front of bowl.mean is 'left'; expected up or down"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: 1}, budget: 9}\n", "--csv-front a.csv",
         2, "has no front: there is nothing for --csv-front"},
        {HEAD "tune: {params: {c: [0, 1]}, goal: {sum.mean: 1}, budget: 9}\n", "", 3,
         "experiment.yaml:5:20: error: 'c' is not a parameter"},
        {BOUNDED "tune: {params: {a: [0, 8]}, goal: {sum.mean: 0.1}, budget: 9}\n", "", 3,
         "experiment.yaml:5:20: error: parameter a is '8'; expected a number from 0 to 2"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: 1}, budget: 9}\n", "--times 2", 2,
         "has no variants: there is nothing for --times"},
        {HEAD "tune: {params: {a: [0, 1]}, goal: {sum.mean: 1}, budget: 9}\n", "--csv a.csv", 2,
         "there is nothing for --csv"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char arguments[100];
        command_write("experiment.yaml", rows[i].text, strlen(rows[i].text));
        snprintf(arguments, sizeof arguments, "compare experiment.yaml -q %s", rows[i].options);
        command_run(arguments, &result);
        if (result.code != rows[i].code || !strstr(result.err, rows[i].words))
            fail_msg("row %zu: %d, '%s' is not in: %s", i, result.code, rows[i].words, result.err);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bowl_has_its_bottom),
        cmocka_unit_test(targets_are_reached),
        cmocka_unit_test(trials_that_fail_are_shown_and_never_the_best),
        cmocka_unit_test(bounds_are_kept),
        cmocka_unit_test(trials_are_the_same_again),
        cmocka_unit_test(an_extreme_keeps_its_constraint),
        cmocka_unit_test(a_number_beside_an_extreme_is_near),
        cmocka_unit_test(the_baseline_is_a_target),
        cmocka_unit_test(a_missed_constraint_is_said),
        cmocka_unit_test(no_point_is_tried_twice),
        cmocka_unit_test(restarts_share_the_budget),
        cmocka_unit_test(a_front_has_the_best_compromises),
        cmocka_unit_test(a_front_is_written_as_csv),
        cmocka_unit_test(mistakes_are_reported),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
