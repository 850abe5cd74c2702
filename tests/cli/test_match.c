/* SPDX-License-Identifier: MIT */
/* Variants compared at equal values of a measure: the value that is found, the seeds it is found
 * on, and what is said where there is none. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct command_result result;

/* A map of b a^2, one of (a - 1)^2, and noise that is levelled. */
static const char recipe[] =
    "thalweg: 1\nsize: 16\nparams: {a: 1, b: 1, talus: 4}\nnodes:\n"
    "  h: {type: source.constant, value: \"${b * a * a}\"}\n"
    "  k: {type: source.constant, value: \"${(a - 1) * (a - 1)}\"}\n"
    "  n: {type: noise.midpoint}\n"
    "  t: {type: erosion.olsen, in: n, talus: \"${talus}\", iterations: 3}\n"
    "outputs: {square: h, bowl: k, height: t}\n";

#define HEAD "thalweg-experiment: 1\nrecipe: recipe.yaml\n"
#define BODY                                                                                       \
    "seeds: {from: 3, count: 7}\nmeasure: [bowl.mean, square.mean, height.deviation]\n"            \
    "variants: {calm: {}, free: {}, other: {params: {a: 2}}}\nbaseline: calm\n"

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("recipe.yaml", recipe, strlen(recipe));
    return 0;
}

static json_t *compare(const char *text)
{
    command_write("experiment.yaml", text, strlen(text));
    command_expect("compare experiment.yaml -q --json", 0, &result);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    return root;
}

static json_t *matched(json_t *root, size_t i)
{
    json_t *row = json_array_get(json_object_get(root, "matching"), i);
    assert_non_null(row);
    assert_in_range(json_integer_value(json_object_get(row, "points")), 1, 12);
    return row;
}

static double number(json_t *row, const char *name)
{
    return json_number_value(json_object_get(row, name));
}

static double value_of(json_t *row)
{
    return atof(json_string_value(json_object_get(row, "value")));
}

static bool is_reached(json_t *row) { return json_is_true(json_object_get(row, "reached")); }

static double mean_of(json_t *root, size_t variant, const char *measure)
{
    json_t *row = json_array_get(json_object_get(root, "variants"), variant);
    return number(json_object_get(json_object_get(row, "measures"), measure), "mean");
}

/* Square roots, since this mean does not depend on seeds. */
static void a_known_value_is_found(void **state)
{
    static const double targets[] = {2, 50, 0.25};
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD BODY "match: {goal: {square.mean: {near: %g, within: 0.5 %%}}, seeds: 2, by: "
                           "{free: {a: [0, 10]}}}\n",
                 targets[i]);
        json_t *root = compare(text), *row = matched(root, 0);
        double a = value_of(row);
        bool expected = fabs(a * a - targets[i]) <= 0.005 * targets[i] * (1 + 1e-6);
        assert_true(expected && is_reached(row));
        assert_true(fabs(number(row, "pilot_mean") - a * a) < 1e-5 * (1 + a * a));
        assert_true(fabs(mean_of(root, 1, "square.mean") - a * a) < 1e-5 * (1 + a * a));
        assert_true(mean_of(root, 2, "square.mean") == 4); /* is not matched */
        assert_true(
            fabs(number(row, "remaining") - (mean_of(root, 1, "square.mean") - targets[i])) < 1e-6);
        json_decref(root);
    }
}

/* The pilot seeds, compared without matching, give the same means. */
static void pilot_means_are_those_of_other_seeds(void **state)
{
    char text[1000];
    json_t *root = compare(HEAD BODY "match: {goal: {height.deviation: {near: baseline, within: 1 "
                                     "%}}, seeds: 3, by: {other: {talus: [4.5, 30]}}}\n");
    json_t *row = matched(root, 0);
    (void)state;
    snprintf(text, sizeof text,
             HEAD "seeds: [10000003, 10000004, 10000005]\nmeasure: [height.deviation]\nvariants: "
                  "{calm: {}, other: {params: {a: 2, talus: %s}}}\n",
             json_string_value(json_object_get(row, "value")));
    json_t *pilot = compare(text);
    double target = mean_of(pilot, 0, "height.deviation");
    double mean = mean_of(pilot, 1, "height.deviation");
    assert_true(number(row, "target") == target && number(row, "pilot_mean") == mean);
    assert_true(is_reached(row) == (fabs(mean - target) <= 0.01 * fabs(target)));
    assert_true(fabs(number(row, "remaining") - (mean_of(root, 2, "height.deviation") -
                                                 mean_of(root, 0, "height.deviation"))) < 1e-8);
    json_decref(pilot);
    json_decref(root);
}

/* Only values near the bottom of the bowl have such means, far from the ends and quarters. */
static void a_valley_is_searched(void **state)
{
    static const struct {
        const char *range, *target;
    } rows[] = {{"[-2, 6]", "0.04"}, {"[-3, 4.3]", "0.02"}, {"[0.1, 9]", "0.05"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD BODY "match: {goal: {bowl.mean: {near: %s, within: 20 %%}}, seeds: 1, by: "
                           "{free: {a: %s}}}\n",
                 rows[i].target, rows[i].range);
        json_t *root = compare(text), *row = matched(root, 0);
        double a = value_of(row), target = atof(rows[i].target);
        assert_true(is_reached(row));
        assert_true(fabs((a - 1) * (a - 1) - target) <= 0.2 * target * (1 + 1e-4));
        json_decref(root);
    }
}

static void what_is_not_reached_is_said(void **state)
{
    static const char text[] =
        HEAD BODY "match: {goal: {square.mean: 500}, by: {free: {a: [0, 10]}}}\n";
    json_t *root = compare(text), *row = matched(root, 0);
    (void)state;
    assert_true(value_of(row) == 10 && !is_reached(row) && number(row, "pilot_mean") == 100);
    json_decref(root);
    command_expect("compare experiment.yaml", 0, &result);
    command_expect_words(result.out, "free: not reached, the nearest is a 10 gives 100 on pilot "
                                     "seeds, target 500; in the comparison 100, -400 from the "
                                     "target.");
    command_expect_words(result.err, "match: 1 variant, at most 48 runs with 4 pilot seeds");
    command_expect("compare experiment.yaml -q --markdown --html page.html", 0, &result);
    command_expect_words(result.out, "not reached, the nearest is a 10");
    command_expect("compare experiment.yaml -q --html -", 0, &result);
    command_expect_words(result.out, "not reached, the nearest is a 10");
}

/* A valley: the ends lie on one side of the target, and a quarter on the other. */
static void a_valley_between_the_ends_is_found(void **state)
{
    json_t *root = compare(HEAD BODY "match: {goal: {bowl.mean: 1}, by: {free: {a: [-2, 6]}}}\n");
    double a = value_of(matched(root, 0));
    (void)state;
    assert_true(fabs((a - 1) * (a - 1) - 1) <= 0.01 * (1 + 1e-6));
    json_decref(root);
}

static void whole_numbers_stay_whole(void **state)
{
    json_t *root = compare(HEAD BODY "match: {goal: {square.mean: 9.6}, by: {free: {a: {from: 0, "
                                     "to: 100, whole: true}}}}\n");
    json_t *row = matched(root, 0);
    (void)state;
    assert_true(value_of(row) == 3 && !is_reached(row));
    json_decref(root);
}

/* b a^2 = 5 has another solution at each level. */
static void each_level_is_matched_by_itself(void **state)
{
    json_t *root = compare(HEAD "sizes: [8, 16]\ncrossed: {b: [1, 4]}\n" BODY
                                "match: {goal: {square.mean: 5}, by: {free: {a: [0, 3]}}}\n");
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        double a = value_of(matched(root, i)), b = i % 2 ? 4 : 1;
        assert_true(fabs(b * a * a - 5) <= 0.05 * (1 + 1e-6));
        assert_true(number(matched(root, i), "size") == (i < 2 ? 8 : 16));
        assert_true(fabs(mean_of(root, 3 * i + 1, "square.mean") - b * a * a) < 1e-4);
    }
    json_decref(root);
}

static void shards_match_alike(void **state)
{
    static const char text[] = HEAD BODY
        "match: {goal: {height.deviation: {near: baseline}}, by: {other: {talus: [4.5, 30]}}}\n";
    static char whole[sizeof result.out];
    (void)state;
    command_write("experiment.yaml", text, strlen(text));
    command_expect("compare experiment.yaml -q --csv -", 0, &result);
    memcpy(whole, result.out, sizeof whole);
    command_expect("compare experiment.yaml -q --shard 1/2 -o shards", 0, &result);
    command_expect("compare experiment.yaml -q --shard 2/2 -o shards", 0, &result);
    command_expect("compare experiment.yaml -q --gather shards --csv -", 0, &result);
    assert_string_equal(result.out, whole);
}

static void mistakes_are_named(void **state)
{
    static const struct {
        const char *line, *words;
    } rows[] = {
        {"{by: {free: {a: [0, 1]}}}", "match needs goal:"},
        {"{goal: {square.mean: 2}}", "match needs by:"},
        {"{goal: {square.mean: maximise}, by: {free: {a: [0, 1]}}}", "is 'maximise'"},
        {"{goal: {square.mean: {min: 1}}, by: {free: {a: [0, 1]}}}", "expected what to come near"},
        {"{goal: {square.mean: 2, bowl.mean: 1}, by: {free: {a: [0, 1]}}}", "with one measure"},
        {"{goal: {squar.mean: 2}, by: {free: {a: [0, 1]}}}", "square.mean"},
        {"{goal: {square.mean: 2}, by: {fre: {a: [0, 1]}}}", "'free'"},
        {"{goal: {square.mean: 2}, by: {other: {a: [0, 1]}}}", "variant other sets 'a' too"},
        {"{goal: {square.mean: 2}, by: {free: {a: [0, 1], b: [0, 1]}}}", "one parameter"},
        {"{goal: {square.mean: 2}, by: {free: {a: [1, 0]}}}", "a"},
        {"{goal: {square.mean: {near: baseline}}, by: {calm: {a: [0, 1]}}}",
         "calm is the baseline"},
        {"{goal: {square.mean: 2}, seeds: 0, by: {free: {a: [0, 1]}}}", "seeds is 0;"},
        {"{goal: {square.mean: 2}, by: {free: {c: [0, 1]}}}", "'c'"},
        {"{goal: {square.mean: 2}, pilots: 3, by: {free: {a: [0, 1]}}}", "pilots"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%smatch: %s\n", HEAD BODY, rows[i].line);
        command_write("experiment.yaml", text, strlen(text));
        command_expect("compare experiment.yaml -q", 3, &result);
        command_expect_words(result.err, rows[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_value_is_found),
        cmocka_unit_test(pilot_means_are_those_of_other_seeds),
        cmocka_unit_test(a_valley_is_searched),
        cmocka_unit_test(what_is_not_reached_is_said),
        cmocka_unit_test(a_valley_between_the_ends_is_found),
        cmocka_unit_test(whole_numbers_stay_whole),
        cmocka_unit_test(each_level_is_matched_by_itself),
        cmocka_unit_test(shards_match_alike),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
