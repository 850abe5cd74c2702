/* SPDX-License-Identifier: MIT */
/* The one parser of arithmetic: numbers within `${...}` of a recipe, and formulas of nodes. It
 * turns text into the steps of formula.h; what names mean is the caller's to say. */
#ifndef TW_ENGINE_BASE_TEXT_EXPRESSION_H
#define TW_ENGINE_BASE_TEXT_EXPRESSION_H

#include <thalweg/formula.h>

#include <stdbool.h>
#include <stddef.h>

/* Arithmetic has + - * / ( ) min max round and names of numbers; over fields, names have dots, as
 * in score.game. A formula has everything of formula.h, and `${...}` with arithmetic inside. */
enum tw_expression_grammar {
    TW_EXPRESSION_ARITHMETIC,
    TW_EXPRESSION_FIELDS,
    TW_EXPRESSION_FORMULA
};

#define TW_EXPRESSION_NAME_MAX 100 /* bytes of a name */

struct tw_expression_fault {
    size_t at; /* byte of the text where it was found */
    char message[240];
    char hint[160]; /* "" for none */
};

struct tw_expression_names {
    /* Makes `step` what a name stands for: TW_FORMULA_NUMBER or TW_FORMULA_INPUT. In `${...}` of a
     * formula `in_braces` is true. Else false, with the fault's message and hint. */
    bool (*find)(void *context, const char *name, bool in_braces, struct tw_formula_step *step,
                 struct tw_expression_fault *fault);
    void *context;
};

struct tw_expression {
    struct tw_formula_step steps[TW_FORMULA_STEPS_MAX];
    size_t places[TW_FORMULA_STEPS_MAX]; /* byte of the text that each step comes from */
    int32_t count;
};

/* False after a fault. Reads `length` bytes of the text. */
bool tw_expression_parse(const char *text, size_t length, enum tw_expression_grammar grammar,
                         const struct tw_expression_names *names, struct tw_expression *expression,
                         struct tw_expression_fault *fault);
/* The value of an expression without inputs and not of TW_EXPRESSION_FORMULA: finite, or false
 * after a fault. */
bool tw_expression_value(const struct tw_expression *expression, double *value,
                         struct tw_expression_fault *fault);

#endif
