/* SPDX-License-Identifier: MIT */
/* The state of the expression parser: the text, token by token, and the steps so far. */
#ifndef TW_ENGINE_BASE_TEXT_EXPRESSION_PRIVATE_H
#define TW_ENGINE_BASE_TEXT_EXPRESSION_PRIVATE_H

#include "base/text/expression.h"

#include <thalweg/status.h>

/* For each TW_FORMULA_*: its written form, and how many values it takes. */
extern const char *const tw_expression_op_names[TW_FORMULA_OP_COUNT];
extern const int32_t tw_expression_op_operands[TW_FORMULA_OP_COUNT];

struct tw_expression_reader {
    const char *text;
    size_t length, at;
    enum tw_expression_grammar grammar;
    const struct tw_expression_names *names;
    struct tw_expression *out;
    struct tw_expression_fault *fault;
    int32_t waiting; /* results that no step has taken yet */
    int nested;
    bool in_braces;
};

/* Stops reading: fills in the fault and returns false. */
bool tw_reader_refuse(struct tw_expression_reader *r, size_t at, const char *format, ...)
    TW_PRINTF(3, 4);
/* Refuses the next word, character or end of text. */
bool tw_reader_unexpected(struct tw_expression_reader *r, const char *expected);
/* True for the whole language, false for arithmetic only. */
bool tw_reader_is_formula(const struct tw_expression_reader *r);
void tw_reader_skip_blanks(struct tw_expression_reader *r);
/* Returns whether the next token is `token`, without taking it. */
bool tw_reader_sees(const struct tw_expression_reader *r, const char *token);
/* Skips blanks and takes a token; false if the next one differs. */
bool tw_reader_take(struct tw_expression_reader *r, const char *token);
/* Appends a step for the text at `place`; false if there are too many. */
bool tw_reader_append(struct tw_expression_reader *r, struct tw_formula_step step, size_t place);

#endif
