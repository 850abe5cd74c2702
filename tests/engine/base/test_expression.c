/* SPDX-License-Identifier: MIT */
/* Grammar and limits of expressions, by the steps they become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/expression.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct tw_expression_fault fault;

/* a to h are inputs; x is the number 7, and in braces every name is. */
static bool find(void *context, const char *name, bool in_braces, struct tw_formula_step *step,
                 struct tw_expression_fault *at)
{
    (void)context;
    bool input = !in_braces && name[0] >= 'a' && name[0] <= 'h' && !name[1];
    if (!input && !in_braces && strcmp(name, "x") != 0) {
        snprintf(at->message, sizeof at->message, "no '%s'", name);
        return false;
    }
    *step = (struct tw_formula_step){.op = input ? TW_FORMULA_INPUT : TW_FORMULA_NUMBER,
                                     .number = input ? 0 : 7,
                                     .input = input ? name[0] - 'a' : 0};
    return true;
}

static const struct tw_expression_names names = {find, NULL};

/* Steps as "a 2 *". */
static void print(const struct tw_expression *expression, char *text, size_t size)
{
    static const char *const ops[] = {
#define OP_TEXT(name, operands, text) text,
        TW_FORMULA_OP_LIST(OP_TEXT)
#undef OP_TEXT
    };
    text[0] = 0;
    for (int32_t i = 0; i < expression->count; i++) {
        const struct tw_formula_step *step = &expression->steps[i];
        size_t used = strlen(text);
        if (step->op == TW_FORMULA_NUMBER)
            snprintf(text + used, size - used, "%s%g", i ? " " : "", step->number);
        else if (step->op == TW_FORMULA_INPUT)
            snprintf(text + used, size - used, "%s%c", i ? " " : "", 'a' + step->input);
        else
            snprintf(text + used, size - used, " %s", ops[step->op]);
    }
}

static void formulas_become_steps(void **state)
{
    static const struct {
        const char *text, *steps;
    } rows[] = {
        {"a", "a"},
        {" 1.5e-2 ", "0.015"},
        {"1.5E-2 * 2E+1", "0.015 20 *"},
        {"1e+2-1", "100 1 -"},
        {"a+b*c", "a b c * +"},
        {"7-3-2", "7 3 - 2 -"},
        {"8/4/2*3", "8 4 / 2 / 3 *"},
        {"(a+b)*c", "a b + c *"},
        {"-2^2", "2 ^2 0-"},
        {"2^3^2", "2 3 ^2 pow"},
        {"2^-1", "2 1 0- pow"},
        {"a^3 + a^4 - a^5", "a ^3 a ^4 + a 5 pow -"},
        {"a^(2)", "a ^2"},
        {"a^x", "a 7 pow"},
        {"a^(1 + 1)", "a 1 1 + pow"},
        {"--a", "a 0- 0-"},
        {"!a != b", "a ! b !="},
        {"a<=b && c>d || e", "a b <= c d > && e ||"},
        {"a < b ? c : d > e ? f : g", "a b < c d e > f g ?: ?:"},
        {"a ? b ? 1 : 2 : 3", "a b 1 2 ?: 3 ?:"},
        {"min(a, b, c)", "a b min c min"},
        {"clamp(a, 0, 1) * smooth(0, 1, b)", "a 0 1 clamp 0 1 b smooth *"},
        {"${a * 2 + 1} * a", "7 2 * 1 + a *"},
        {"${a}^2", "7 ^2"},
        {"sin(ln(exp(cos(a))))", "a cos exp ln sin"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_expression expression;
        char text[200];
        if (!tw_expression_parse(rows[i].text, strlen(rows[i].text), TW_EXPRESSION_FORMULA, &names,
                                 &expression, &fault))
            fail_msg("%s: %zu: %s", rows[i].text, fault.at, fault.message);
        print(&expression, text, sizeof text);
        assert_string_equal(text, rows[i].steps);
    }
}

static void faults_are_where_they_are(void **state)
{
    static const struct {
        const char *text;
        size_t at;
        const char *message, *hint;
    } rows[] = {
        {"", 0, "the text ends here; expected a number, a name or '('", ""},
        {"a +", 3, "the text ends here; expected a number, a name or '('", ""},
        {"a b", 2, "found 'b'; expected an operator or the end", ""},
        {"a \xC3\xA4", 2, "found '\xC3\xA4'; expected an operator or the end", ""},
        {"(a * (b + c)", 0, "this '(' is not closed; expected a ')'", ""},
        {"(a b)", 3, "found 'b'; expected an operator or ')'", ""},
        {"a * 2b", 4, "found '2b'; expected a finite number such as 0.25 or 1e3", ""},
        {"1e999", 0, "found '1e999'; expected a finite number such as 0.25 or 1e3", ""},
        {"a + y", 4, "no 'y'", ""},
        {"sqr(a)", 0,
         "there is no function 'sqr' here; expected one of min, max, round, pow, abs, sqrt, exp, "
         "ln, floor, sin, cos, atan2, clamp, mix, step, smooth",
         "did you mean 'sqrt'?"},
        {"1 + pow(a)", 4, "pow has 1 argument; expected 2", ""},
        {"clamp(a, 1, 2, 3)", 0, "clamp has 4 arguments; expected 3", ""},
        {"max()", 4, "found ')'; expected a number, a name or '('", ""},
        {"max(a)", 0, "max has 1 argument; expected at least 2", ""},
        {"a < b < c", 6, "a second comparison; expected '&&' between them, as in a < b && b < c",
         ""},
        {"a ? b", 5,
         "the text ends here; expected ':' and the value where the condition does not "
         "hold",
         ""},
        {"a + ${b", 5, "this '{' is not closed; expected a '}'", ""},
        {"${a ^ 2}", 4, "found '^'; expected an operator or '}'", ""},
        {"a & b", 2, "found '&'; expected an operator or the end", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_expression expression;
        assert_false(tw_expression_parse(rows[i].text, strlen(rows[i].text), TW_EXPRESSION_FORMULA,
                                         &names, &expression, &fault));
        assert_string_equal(fault.message, rows[i].message);
        assert_string_equal(fault.hint, rows[i].hint);
        assert_int_equal(fault.at, rows[i].at);
    }
}

#define WAIT "more than 24 values wait for an operation; expected fewer"

/* What is deep, long or wide ends in an error, not in a full stack. */
static void limits_hold(void **state)
{
    static const struct {
        const char *part, *message;
    } rows[] = {{"(", "nested deeper than 64 levels; expected fewer"},
                {"-", "nested deeper than 64 levels; expected fewer"},
                {"1+", "more than 256 numbers, names and operations; expected fewer"},
                {"1+1*", "more than 256 numbers, names and operations; expected fewer"},
                {"max(a,", WAIT},
                {"a<a?", WAIT}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_expression expression;
        char text[4000] = "";
        for (int j = 0; j < 600; j++)
            strcat(text, rows[i].part);
        assert_false(tw_expression_parse(text, strlen(text), TW_EXPRESSION_FORMULA, &names,
                                         &expression, &fault));
        assert_string_equal(fault.message, rows[i].message);
    }
}

static void arithmetic_is_in_double(void **state)
{
    static const struct {
        const char *text;
        double value;
    } rows[] = {{"0.1 + 0.2", 0.1 + 0.2},
                {"1 / 3", 1.0 / 3.0},
                {"-x * -2", 14},
                {"round(2.5)", 3},
                {"round(-2.5)", -3},
                {"round(3.4999)", 3},
                {"round(0.49999999999999994)", 0},
                {"round(4503599627370497)", 4503599627370497},
                {"max(1, x, 3)", 7},
                {"min(1, x, 3) - 1", 0},
                {"2 * (3 + 4) * 5", 70}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_expression expression;
        double value = NAN;
        assert_true(tw_expression_parse(rows[i].text, strlen(rows[i].text),
                                        TW_EXPRESSION_ARITHMETIC, &names, &expression, &fault));
        assert_true(tw_expression_value(&expression, &value, &fault));
        assert_true(value == rows[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formulas_become_steps),
        cmocka_unit_test(faults_are_where_they_are),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(arithmetic_is_in_double),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
