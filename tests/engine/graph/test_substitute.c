/* SPDX-License-Identifier: MIT */
/* Parameters of recipes and `${name}`. */
#include "support/recipe.h"

#include <stdio.h>

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

static void faults_name_the_nearest(void **state)
{
    (void)state;
    fault_of("{talus: 1}", "\"${tallus}\"", "'${tallus}' is no parameter",
             "did you mean '${talus}'?");
    fault_of("{}", "\"${xyz}\"", "'${xyz}' is no parameter", "declare it under params:");
    fault_of("{p: 1}", "\"${p\"", "without a closing", "");
    fault_of("{p: 1}", "\"${}\"", "'${}' is no parameter", "declare it under params:");
    fault_of("{p: 1}", "\"${p} \"", "value is '1 '; expected a number", "");
    fault_of("{p: \"${q}\", q: 1}", "\"${p}\"", "value is '${q}'", ""); /* no nesting */
    fault_of("{p: [1]}", "1", "p needs a default", "");
    fault_of("{p: {min: 0}}", "1", "p needs a default", "");
    fault_of("{p: {default: 1, maximum: 3}}", "1", "a parameter's declaration has no key 'maximum'",
             "known: default, min, max, about");
    fault_of("{p: {default: 1, mix: 3}}", "1", "no key 'mix'", "did you mean 'min'?");
    fault_of("[p]", "1", "params must be a mapping; found a list", "");
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
    fault_of("{p: {default: 1, min: low}}", "1", "min must be a number", "");
    fault_of("{p: {default: 1, max: [1]}}", "1", "max must be a number", "");
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
        cmocka_unit_test(faults_name_the_nearest),
        cmocka_unit_test(bounds_hold_at_both_ends),
        cmocka_unit_test(long_texts_end_at_their_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
