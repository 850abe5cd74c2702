/* SPDX-License-Identifier: MIT */
/* Sizes and other factors that variants are crossed with: each level has its own baseline, all
 * comparisons are corrected together, and a level's numbers are those of its experiment alone. */
#include "support/command.h"
#include "support/harness.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static struct command_result result;

static const char recipe[] = "thalweg: 1\nsize: 16\nparams: {talus: 4, rounds: 3}\nnodes:\n"
                             "  a: {type: noise.midpoint}\n"
                             "  b: {type: erosion.olsen, in: a, talus: \"${talus}\", iterations: "
                             "\"${rounds}\"}\n"
                             "outputs: {height: b}\n";

#define HEAD "thalweg-experiment: 1\nrecipe: recipe.yaml\n"
#define BODY                                                                                       \
    "seeds: {from: 3, count: 9}\nmeasure: [height.mean, height.deviation]\n"                       \
    "variants: {calm: {}, steep: {params: {talus: 9}}}\nbaseline: calm\n"

static int prepare(void **state)
{
    (void)state;
    command_enter();
    command_write("recipe.yaml", recipe, strlen(recipe));
    return 0;
}

static json_t *compare(const char *text, const char *options)
{
    char arguments[200];
    command_write("experiment.yaml", text, strlen(text));
    snprintf(arguments, sizeof arguments, "compare experiment.yaml -q --json %s", options);
    command_expect(arguments, 0, &result);
    json_t *root = json_loads(result.out, 0, NULL);
    assert_non_null(root);
    return root;
}

static json_t *pair_at(json_t *root, size_t i)
{
    return json_array_get(json_object_get(root, "pairs"), i);
}

static double number(json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

/* All but the correction, which depends on the number of comparisons, and the level. */
static void expect_same(json_t *pair, json_t *alone)
{
    static const char *const names[] = {"difference", "hodges_lehmann", "wilcoxon_p", "sign_p",
                                        "effect"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (number(pair, names[i]) != number(alone, names[i]))
            fail_msg("%s: %.17g is not %.17g", names[i], number(pair, names[i]),
                     number(alone, names[i]));
}

static void a_size_is_as_by_itself(void **state)
{
    json_t *both = compare(HEAD "sizes: [16, 32]\n" BODY, "");
    json_t *alone[] = {compare(HEAD "size: 16\n" BODY, ""), compare(HEAD "size: 32\n" BODY, "")};
    (void)state;
    assert_int_equal(json_array_size(json_object_get(both, "pairs")), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(number(pair_at(both, i), "size"), i < 2 ? 16 : 32);
        assert_int_equal(number(pair_at(alone[i / 2], i % 2), "size"), i < 2 ? 16 : 32);
        expect_same(pair_at(both, i), pair_at(alone[i / 2], i % 2));
    }
    json_decref(both);
    json_decref(alone[0]);
    json_decref(alone[1]);
}

/* Holm's correction, from the raw p-values of the document. */
static void expect_holm(json_t *root)
{
    json_t *pairs = json_object_get(root, "pairs");
    size_t count = json_array_size(pairs);
    for (size_t i = 0; i < count; i++) {
        double own = number(pair_at(root, i), "wilcoxon_p"), expected = 0;
        for (size_t k = 0; k < count; k++) {
            double p = number(pair_at(root, k), "wilcoxon_p");
            size_t below = 0;
            for (size_t j = 0; j < count; j++)
                below += number(pair_at(root, j), "wilcoxon_p") < p;
            if (p <= own && fmin(1, (double)(count - below) * p) > expected)
                expected = fmin(1, (double)(count - below) * p);
        }
        if (fabs(number(pair_at(root, i), "holm_p") - expected) > 1e-12)
            fail_msg("pair %zu: %.9g, expected %.9g", i, number(pair_at(root, i), "holm_p"),
                     expected);
    }
}

static void all_levels_are_corrected_together(void **state)
{
    json_t *root = compare(HEAD "sizes: [16, 32, 24]\ncrossed: {rounds: [1, 4]}\n" BODY, "");
    (void)state;
    assert_int_equal(json_array_size(json_object_get(root, "pairs")), 12);
    expect_holm(root);
    json_decref(root);
}

static void any_parameter_is_a_factor(void **state)
{
    json_t *crossed = compare(HEAD "size: 16\ncrossed: {rounds: [1, 4]}\n" BODY, "");
    json_t *alone = compare(HEAD "size: 16\nseeds: {from: 3, count: 9}\n"
                                 "measure: [height.mean, height.deviation]\n"
                                 "variants: {calm: {params: {rounds: 4}}, steep: {params: "
                                 "{talus: 9, rounds: 4}}}\nbaseline: calm\n",
                            "");
    (void)state;
    for (size_t i = 0; i < 2; i++)
        expect_same(pair_at(crossed, 2 + i), pair_at(alone, i));
    assert_string_equal(json_string_value(json_object_get(
                            json_object_get(pair_at(crossed, 2), "factors"), "rounds")),
                        "4");
    json_decref(crossed);
    json_decref(alone);
}

static void an_option_replaces_the_sizes(void **state)
{
    json_t *root = compare(HEAD "sizes: [16, 32]\n" BODY, "--size 8");
    (void)state;
    assert_int_equal(json_array_size(json_object_get(root, "pairs")), 2);
    assert_int_equal(number(pair_at(root, 0), "size"), 8);
    json_decref(root);
}

static void shards_have_every_level(void **state)
{
    static const char text[] = HEAD "sizes: [16, 32]\ncrossed: {rounds: [1, 4]}\n" BODY
                                    "sensitivity: {params: {talus: [2, 12]}, curves: 2}\n";
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

static void the_first_table_is_the_verdict_by_level(void **state)
{
    static const char text[] = HEAD "sizes: [16, 32]\n" BODY "goal: {height.deviation: up}\n";
    (void)state;
    command_write("experiment.yaml", text, strlen(text));
    command_expect("compare experiment.yaml -q --html page.html", 0, &result);
    command_expect_words(result.out, "verdict by level");
    command_expect_words(result.out, "== size 32");
    command_expect("compare experiment.yaml -q --html - ", 0, &result);
    const char *levels = strstr(result.out, "<section id=\"levels\""),
               *summary = strstr(result.out, "<section id=\"summary\"");
    assert_true(levels && summary && levels < summary);
}

/* What an assertion says of a level names it. */
static void an_assertion_holds_at_every_level(void **state)
{
    static const char text[] =
        HEAD "sizes: [16, 32]\n" BODY "assert: {height.mean: {mean: {min: 100}}}\n";
    (void)state;
    command_write("experiment.yaml", text, strlen(text));
    command_expect("compare experiment.yaml -q", 1, &result);
    command_expect_words(result.err, "variant calm (size 16)");
    command_expect_words(result.err, "variant steep (size 32)");
}

static void mistakes_are_named(void **state)
{
    static const struct {
        const char *lines, *words;
    } rows[] = {
        {"size: 16\nsizes: [16, 32]\n", "sizes: and size: exclude each other"},
        {"sizes: [16, 16]\n", "4:13: error: sizes: 16 is listed twice"},
        {"sizes: []\n", "sizes: is empty"},
        {"sizes: 16\n", "sizes is a single value; expected a list"},
        {"sizes: [0]\n", "size is 0; expected a whole number of cells"},
        {"crossed: {talus: [1, 2]}\n", "variant steep sets 'talus' too"},
        {"crossed: {rounds: {from: 1, to: 5}}\n", "parameter rounds is a range"},
        {"crossed: {rounds: [1, 1.0]}\n", "rounds"},
        {"crossed: {}\n", "crossed: names no parameter"},
        {"crossed: {rounds: {from: 1, to: 9000, steps: 9000}}\n", "expected at most 10000"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1000];
        snprintf(text, sizeof text, "%s%s%s",
                 "thalweg-experiment: 1\nabout: a\nrecipe: recipe.yaml\n", rows[i].lines, BODY);
        command_write("experiment.yaml", text, strlen(text));
        command_expect("compare experiment.yaml -q", 3, &result);
        command_expect_words(result.err, rows[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_size_is_as_by_itself),
        cmocka_unit_test(all_levels_are_corrected_together),
        cmocka_unit_test(any_parameter_is_a_factor),
        cmocka_unit_test(an_option_replaces_the_sizes),
        cmocka_unit_test(shards_have_every_level),
        cmocka_unit_test(the_first_table_is_the_verdict_by_level),
        cmocka_unit_test(an_assertion_holds_at_every_level),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, prepare, command_tear_down);
}
