/* SPDX-License-Identifier: MIT */
/* The only parser of arithmetic: numbers within `${...}` of a recipe, and formulas of nodes. Turns
 * text into the steps of formula.h; the caller resolves names. */
#ifndef TW_ENGINE_BASE_TEXT_EXPRESSION_H
#define TW_ENGINE_BASE_TEXT_EXPRESSION_H

#include <thalweg/formula.h>

#include <stdbool.h>
#include <stddef.h>

/* Arithmetic has + - * / ( ) min max round and names of numbers. Over fields, names have dots, as
 * in score.game. A formula has everything of formula.h, and `${...}` with arithmetic inside. */
enum tw_expression_grammar {
    TW_EXPRESSION_ARITHMETIC,
    TW_EXPRESSION_FIELDS,
    TW_EXPRESSION_FORMULA
};

#define TW_EXPRESSION_NAME_MAX 100 /* bytes of a name */

struct tw_expression_fault {
    size_t at; /* offset of the fault in the text */
    char message[240];
    char hint[160]; /* "" for none */
};

struct tw_expression_names {
    /* Resolves a name into `step`: TW_FORMULA_NUMBER or TW_FORMULA_INPUT. `in_braces` is true in
     * `${...}` of a formula. On failure returns false with the fault's message and hint. */
    bool (*find)(void *context, const char *name, bool in_braces, struct tw_formula_step *step,
                 struct tw_expression_fault *fault);
    void *context;
};

struct tw_expression {
    struct tw_formula_step steps[TW_FORMULA_STEPS_MAX];
    size_t places[TW_FORMULA_STEPS_MAX]; /* offset in the text that each step comes from */
    int32_t count;
};

/* Parses `length` bytes of the text; false after a fault. */
bool tw_expression_parse(const char *text, size_t length, enum tw_expression_grammar grammar,
                         const struct tw_expression_names *names, struct tw_expression *expression,
                         struct tw_expression_fault *fault);
/* Computes the value of an expression without inputs, which is not of TW_EXPRESSION_FORMULA. False
 * after a fault, which includes a value that is not finite. */
bool tw_expression_value(const struct tw_expression *expression, double *value,
                         struct tw_expression_fault *fault);

#endif
