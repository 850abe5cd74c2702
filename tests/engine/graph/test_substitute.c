/* SPDX-License-Identifier: MIT */
/* Parameters of recipes and `${...}`. */
#include "support/recipe.h"

#include <stdio.h>
#include <string.h>

#define TAIL "outputs: {out: a}\n"

/* source.constant has one parameter, a float. */
static float value_of(const char *params, const char *value)
{
    char text[12000];
    snprintf(text, sizeof text,
             "thalweg: 1\nsize: [48, 32]\nseed: 7\nparams: %s\nnodes:\n"
             "  a: {type: source.constant, value: %s}\n" TAIL,
             params, value);
    struct tw_recipe *recipe = recipe_of(text);
    float number = *(const float *)recipe->nodes[0].params;
    tw_recipe_release(recipe);
    return number;
}

static void fault_of(const char *params, const char *value, const char *words, const char *hint)
{
    char text[12000];
    snprintf(text, sizeof text,
             "thalweg: 1\nparams: %s\nnodes:\n  a: {type: source.constant, value: %s}\n" TAIL,
             params, value);
    struct tw_error error = recipe_fault(text, words);
    assert_string_equal(error.hint, hint);
    assert_true(error.line >= 2);
}

static void values_are_put_in(void **state)
{
    (void)state;
    assert_true(value_of("{p: 0.25}", "\"${p}\"") == 0.25f);
    assert_true(value_of("{p: 1, q: 2}", "\"${p}${q}\"") == 12);
    assert_true(value_of("{p: 1, q: 2}", "\"-${p}.${q}e0\"") == -1.2f);
    assert_true(value_of("{p: {default: 3, min: 3, max: 3, about: three}}", "\"${p}\"") == 3);
    assert_true(value_of("{}", "\"${width}\"") == 48);
    assert_true(value_of("{}", "\"${height}\"") == 32);
    assert_true(value_of("{}", "\"${seed}\"") == 7);
    assert_true(value_of("{width: 5}", "\"${width}\"") == 5); /* its own comes first */
}

static void numbers_are_computed(void **state)
{
    (void)state;
    assert_true(value_of("{a: 3, b: 0.5}", "\"${a * 2 + b}\"") == 6.5f);
    assert_true(value_of("{a: 3, b: 0.5}", "\"${(a + b) / -a}\"") == (float)(3.5 / -3.0));
    assert_true(value_of("{a: 3}", "\"${7 - a - 2}\"") == 2);
    assert_true(value_of("{a: 3}", "\"${min(a, 2, 5) + max(a, 8) + round(a / 2)}\"") == 12);
    assert_true(value_of("{a: 2.5}", "\"${round(a) - round(-a)}\"") == 6); /* away from 0 */
    assert_true(value_of("{}", "\"${width / height + seed}\"") == 8.5f);
    assert_true(value_of("{a: 3}", "\"${ a }\"") == 3);
    assert_true(value_of("{a-b: 5, a: 1, b: 2}", "\"${a-b}\"") == 5); /* a name comes first */
    assert_true(value_of("{a: 1, b: 2}", "\"${a - b}\"") == -1);
    assert_true(value_of("{a: 1e15}", "\"${a + 1 - a}${a * 0}\"") == 10); /* in longer texts */
    assert_true(value_of("{a: 0.1}", "\"${a * 3}\"") == (float)(0.1 * 3));
    assert_true(value_of("{a: 0}", "\"${-a}\"") == 0);
    assert_true(value_of("{a: 4}", "&x \"${a / 16}\"") == 0.25f);
}

/* What `-s` sets is computed with; an experiment's parameters are set the same way. */
static void values_of_options_are_computed_with(void **state)
{
    static const char text[] = "thalweg: 1\nparams: {a: 1}\nnodes:\n"
                               "  a: {type: source.constant, value: \"${8 / a}\"}\n" TAIL;
    static const char *const four[] = {"a=4", NULL}, *const zero[] = {"a=0", NULL};
    struct tw_load_options options = {.set = four};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    (void)state;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, &error),
                     TW_OK);
    assert_true(*(const float *)recipe->nodes[0].params == 2);
    tw_recipe_release(recipe);
    options.set = zero;
    assert_int_equal(tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, &error),
                     TW_RECIPE);
    assert_int_equal(error.line, 4);
    assert_int_equal(error.column, 42);
    assert_string_equal(error.message, "division by zero; expected a divisor other than 0");
}

/* 2^53 and more: not every whole number is a double, so the seed meant might not be the one used.
 */
static void large_whole_numbers_are_no_arithmetic(void **state)
{
    (void)state;
    assert_true(value_of("{a: 9007199254740992}", "\"${a - 9007199254740991}\"") == 1);
    fault_of("{a: 9007199254740994}", "\"${a - 1}\"",
             "a is 9007199254740994; expected at most 9007199254740992", "");
}

static void arithmetic_keeps_to_its_limits(void **state)
{
    char nested[400] = "", terms[1400] = "1";
    (void)state;
    for (int i = 0; i < 80; i++)
        strcat(nested, "(");
    for (int i = 0; i < 300; i++)
        strcat(terms, "+1");
    char text[1500];
    snprintf(text, sizeof text, "\"${%s}\"", nested);
    fault_of("{}", text, "nested deeper than 64 levels", "");
    snprintf(text, sizeof text, "\"${%s}\"", terms);
    fault_of("{}", text, "more than 256 numbers, names and operations", "");
}

/* The column counts characters of the file, whatever stands between: quotes, escapes, umlauts. */
static void faults_are_at_their_column(void **state)
{
    static const struct {
        const char *value;
        int line, column;
    } rows[] = {{"\"${a +}\"", 4, 43},
                {"'${a +}'", 4, 43},
                {"\"${a +}x\"", 4, 43},
                {"\"\\x41\\\"${a +}\"", 4, 49},
                {"'it''s ${a +}'", 4, 49},
                {"\"\303\244 ${a +}\"", 4, 45},
                {"&x \"${a +}\"", 4, 46},
                {"\"one\n    two  ${a +}\"", 5, 15},
                {"\"one\\\n    two ${a +}\"", 5, 14}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400];
        snprintf(
            text, sizeof text,
            "thalweg: 1\nparams: {a: 1}\nnodes:\n  a: {type: source.constant, value: %s}\n" TAIL,
            rows[i].value);
        struct tw_error error = recipe_fault(text, "the text ends here");
        assert_int_equal(error.line, rows[i].line);
        assert_int_equal(error.column, rows[i].column);
    }
}

static void faults_name_the_nearest(void **state)
{
    (void)state;
    fault_of("{talus: 1}", "\"${tallus}\"", "'${tallus}' is not a parameter",
             "did you mean '${talus}'?");
    fault_of("{}", "\"${xyz}\"", "'${xyz}' is not a parameter", "declare it under params:");
    fault_of("{p: 1}", "\"${p\"", "without a closing", "");
    fault_of("{p: 1}", "\"${}\"", "'${}' is not a parameter", "declare it under params:");
    fault_of("{p: 1}", "\"${p} \"", "value is '1 '; expected a number", "");
    fault_of("{p: \"${q}\", q: 1}", "\"${p}\"", "value is '${q}'", ""); /* no nesting */
    fault_of("{p: [1]}", "1", "p needs a default", "");
    fault_of("{p: {min: 0}}", "1", "p needs a default", "");
    fault_of("{p: {default: 1, maximum: 3}}", "1", "a parameter's declaration has no key 'maximum'",
             "known: default, min, max, usual, unit, about");
    fault_of("{p: {default: 1, mix: 3}}", "1", "no key 'mix'", "did you mean 'min'?");
    fault_of("[p]", "1", "params is a list; expected a mapping", "");
}

static void bounds_hold_at_both_ends(void **state)
{
    (void)state;
    assert_true(value_of("{p: {default: 0, min: 0, max: 1}}", "\"${p}\"") == 0);
    assert_true(value_of("{p: {default: 1, min: 0, max: 1}}", "\"${p}\"") == 1);
    fault_of("{p: {default: 1.01, min: 0, max: 1}}", "1",
             "p is '1.01'; expected a number from 0 to 1", "");
    fault_of("{p: {default: -0.1, min: 0}}", "1", "p is '-0.1'; expected a number not below 0", "");
    fault_of("{p: {default: much, min: 0}}", "1", "p is 'much'; expected a number not below 0", "");
    fault_of("{p: {default: 1, min: low}}", "1", "min is 'low'; expected a number", "");
    fault_of("{p: {default: 1, max: [1]}}", "1", "max is [1]; expected a number", "");
}

/* 0.000...0001 of `length` bytes as parameter p, twice */
static void long_texts_end_at_their_limit(void **state)
{
    char params[9000], zeros[4200];
    (void)state;
    for (size_t i = 0; i < sizeof zeros; i++)
        zeros[i] = '0';
    zeros[4094] = 0;
    snprintf(params, sizeof params, "{p: \"%s\"}", zeros);
    fault_of(params, "\"11${p}\"", "expected a number", ""); /* whole, but no number so long */
    fault_of(params, "\"${p}${p}\"", "has more than 4096 bytes", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_put_in),
        cmocka_unit_test(numbers_are_computed),
        cmocka_unit_test(values_of_options_are_computed_with),
        cmocka_unit_test(large_whole_numbers_are_no_arithmetic),
        cmocka_unit_test(arithmetic_keeps_to_its_limits),
        cmocka_unit_test(faults_are_at_their_column),
        cmocka_unit_test(faults_name_the_nearest),
        cmocka_unit_test(bounds_hold_at_both_ends),
        cmocka_unit_test(long_texts_end_at_their_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
