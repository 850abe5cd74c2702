/* SPDX-License-Identifier: MIT */
/* Formulas of nodes as the loader reads them: names, faults at their column, keys. */
#include "support/recipe.h"

#include <stdio.h>

#define HEAD                                                                                       \
    "thalweg: 1\nparams: {weight: 0.5, mode: fast, whole: \"a * 2 +\"}\nnodes:\n"                  \
    "  n: {type: noise.perlin}\n"

static void load(char *text, size_t size, const char *entries)
{
    snprintf(text, size, HEAD "  f: {type: combine.formula, %s}\noutputs: {out: f}\n", entries);
}

static void faults_are_at_their_column(void **state)
{
    static const struct {
        const char *entries;
        int column;
        const char *message, *hint;
    } rows[] = {
        {"a: n", 6, "combine.formula needs 'formula'", ""},
        {"a: n, formula: [a]", 45, "combine.formula.formula is a list; expected one value", ""},
        {"a: n, formula: \"a * (b + 1)\"", 51,
         "formula: input 'b' is not connected; expected 'b: ...' in the node", ""},
        {"a: n, formula: \"a * weigth\"", 50,
         "formula: 'weigth' is neither an input nor a parameter; expected one of a, b, c, d, e, f, "
         "g, h, x, y, or a parameter of the recipe",
         "did you mean 'weight'?"},
        {"a: n, formula: \"a * q\"", 50, "formula: 'q' is neither an input nor a parameter", ""},
        {"a: n, formula: \"a * mode\"", 50,
         "formula: parameter mode is 'fast'; expected a number for arithmetic", ""},
        {"a: n, formula: \"a * ${widht}\"", 52,
         "formula: 'widht' is not a parameter of this recipe", "did you mean 'width'?"},
        {"a: n, formula: \"a * 2 +\"", 53,
         "formula: the text ends here; expected a number, a name or '('", ""},
        {"a: n, formula: \"${whole}\"", 45,
         "formula: the text ends here; expected a number, a name or '(', in 'a * 2 +'", ""},
        {"a: n, formula: \"\"", 46, "formula: the text ends here", ""},
        {"a: n, formula: \"a+whole}\"", 48,
         "formula: parameter whole is 'a * 2 +'; expected a number for arithmetic", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600];
        load(text, sizeof text, rows[i].entries);
        struct tw_error error = recipe_fault(text, rows[i].message);
        assert_int_equal(error.line, 5);
        assert_int_equal(error.column, rows[i].column);
        assert_string_equal(error.hint, rows[i].hint);
    }
}

static const struct tw_formula *formula_of(const struct tw_recipe *recipe)
{
    const struct tw_node *node = recipe_node(recipe, "f");
    return node->params;
}

static void x_and_y_are_the_place_unless_parameters_have_these_names(void **state)
{
    char text[600];
    (void)state;
    load(text, sizeof text, "a: n, formula: \"a + x * y\"");
    struct tw_recipe *recipe = recipe_of(text);
    assert_int_equal(formula_of(recipe)->at[1].op, TW_FORMULA_COLUMN);
    assert_int_equal(formula_of(recipe)->at[2].op, TW_FORMULA_ROW);
    tw_recipe_release(recipe);
    recipe = recipe_of("thalweg: 1\nparams: {x: 7}\nnodes:\n"
                       "  f: {type: combine.formula, formula: \"x + y\"}\noutputs: {out: f}\n");
    assert_int_equal(formula_of(recipe)->at[0].op, TW_FORMULA_NUMBER);
    assert_true(formula_of(recipe)->at[0].number == 7);
    assert_int_equal(formula_of(recipe)->at[1].op, TW_FORMULA_ROW);
    tw_recipe_release(recipe);
    recipe_fault("thalweg: 1\nnodes:\n  f: {type: combine.formula, formula: \"${x}\"}\n"
                 "outputs: {out: f}\n",
                 "'x' is not a parameter of this recipe");
}

static void names_are_inputs_then_parameters(void **state)
{
    char text[600];
    (void)state;
    load(text, sizeof text, "a: n, formula: \"a + weight + ${weight * 3}\"");
    struct tw_recipe *recipe = recipe_of(text);
    const struct tw_formula *formula = formula_of(recipe);
    assert_int_equal(formula->count, 7); /* a weight + weight 3 * + */
    assert_int_equal(formula->at[0].op, TW_FORMULA_INPUT);
    assert_int_equal(formula->at[0].input, 0);
    assert_int_equal(formula->at[1].op, TW_FORMULA_NUMBER);
    assert_true(formula->at[1].number == 0.5);
    assert_true(formula->at[3].number == 0.5);
    assert_string_equal(formula->text, "a + weight + ${weight * 3}");
    tw_recipe_release(recipe);
}

/* A parameter called a hides behind the input; in braces it is the parameter. */
static void inputs_come_before_parameters(void **state)
{
    (void)state;
    struct tw_recipe *recipe =
        recipe_of("thalweg: 1\nparams: {a: 7, f: \"a * ${a}\"}\nnodes:\n  n: {type: noise.perlin}\n"
                  "  f: {type: combine.formula, a: n, formula: \"${f}\"}\noutputs: {out: f}\n");
    const struct tw_formula *formula = formula_of(recipe);
    assert_int_equal(formula->count, 3);
    assert_int_equal(formula->at[0].op, TW_FORMULA_INPUT);
    assert_true(formula->at[1].number == 7);
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_are_at_their_column),
        cmocka_unit_test(x_and_y_are_the_place_unless_parameters_have_these_names),
        cmocka_unit_test(names_are_inputs_then_parameters),
        cmocka_unit_test(inputs_come_before_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
