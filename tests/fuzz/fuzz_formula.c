/* SPDX-License-Identifier: MIT */
/* Any bytes are a formula or refused at one of them with a message; what it says survives being
 * printed and read as keys and locks do, and its value on a map is finite everywhere. The same
 * bytes within `${}` are arithmetic, or refused. */
#include "fuzz.h"

#include "base/text/expression.h"
#include "node/formula_text.h"

#include <thalweg/thalweg.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS = 3, TEXT_MAX = 1000 };

/* a, b and c are inputs, but numbers in braces; k is a number; x and y are the place. */
static bool find(void *context, const char *name, bool in_braces, struct tw_formula_step *step,
                 struct tw_expression_fault *fault)
{
    const enum tw_expression_grammar *grammar = context;
    bool number = in_braces || *grammar == TW_EXPRESSION_ARITHMETIC || name[0] == 'k';
    if (strlen(name) != 1 || !strchr("abckxy", name[0])) {
        fault->message[0] = '?';
        return false;
    }
    if (!number && name[0] >= 'x') {
        *step = (struct tw_formula_step){.op = name[0] == 'x' ? TW_FORMULA_COLUMN : TW_FORMULA_ROW};
        return true;
    }
    *step = (struct tw_formula_step){.number = number ? 2.5 : 0,
                                     .op = number ? TW_FORMULA_NUMBER : TW_FORMULA_INPUT,
                                     .input = number ? 0 : name[0] - 'a'};
    return true;
}

static bool parse(const char *text, size_t length, enum tw_expression_grammar grammar,
                  struct tw_expression *expression)
{
    struct tw_expression_fault fault = {0};
    const struct tw_expression_names names = {find, &grammar};
    if (tw_expression_parse(text, length, grammar, &names, expression, &fault))
        return true;
    if (!fault.message[0] || fault.at > length)
        abort();
    return false;
}

/* Printed, read and printed again it is the same text. */
static void expect_same_again(const struct tw_expression *expression)
{
    static struct tw_formula_step again[TW_FORMULA_STEPS_MAX];
    struct tw_formula formula = {.count = expression->count, .at = expression->steps};
    struct tw_bytes first = {0}, second = {0};
    if (!tw_formula_print(&first, &formula))
        return;
    char *copy = malloc(first.length + 1);
    if (copy) {
        memcpy(copy, first.at, first.length);
        copy[first.length] = '\0';
        formula.at = again;
        if (!tw_formula_read(copy, INPUTS, again, &formula.count) ||
            formula.count != expression->count || !tw_formula_print(&second, &formula) ||
            second.length != first.length || memcmp(second.at, first.at, first.length) != 0)
            abort();
    }
    free(copy);
    free(first.at);
    free(second.at);
}

/* As a recipe has it, each byte escaped. */
static void compute(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX * 4 + 300];
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error = {.status = TW_OK};
    const struct tw_run_options options = {.threads = 1};
    int used =
        snprintf(text, sizeof text,
                 "thalweg: 1\nsize: 6\nparameters: {k: 2.5}\nnodes:\n"
                 "  m: {type: noise.midpoint}\n  n: {type: shape.scale, in: m, by: 1.0e+30}\n"
                 "  f: {type: combine.formula, a: m, b: n, c: m, formula: \"");
    for (size_t i = 0; i < size; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "\\x%02x", data[i]);
    used += snprintf(text + used, sizeof text - (size_t)used, "\"}\noutputs: {f: f}\n");
    if (tw_recipe_parse(text, (size_t)used, "fuzz.yaml", NULL, &recipe, &error) != TW_OK) {
        if (!error.message[0])
            abort();
        return;
    }
    if (tw_recipe_run(recipe, &options, &result, &error) != TW_OK)
        abort();
    const struct tw_value *out = tw_result_output(result, "f");
    for (size_t i = 0; i < tw_value_count(out); i++)
        if (!isfinite(tw_floats(out)[i]))
            abort();
    tw_result_release(result);
    tw_recipe_release(recipe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct tw_expression expression;
    struct tw_expression_fault fault = {0};
    double value = 0;
    char *text = malloc(size + 1); /* of its own: sanitizers see reads beyond it */
    if (!text || size > TEXT_MAX) {
        free(text);
        return 0;
    }
    memcpy(text, data, size);
    if (parse(text, size, TW_EXPRESSION_FORMULA, &expression))
        expect_same_again(&expression);
    if (parse(text, size, TW_EXPRESSION_ARITHMETIC, &expression) &&
        (tw_expression_value(&expression, &value, &fault) ? !isfinite(value) : !fault.message[0]))
        abort();
    free(text);
    compute(data, size);
    return 0;
}
