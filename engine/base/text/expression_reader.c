/* SPDX-License-Identifier: MIT */
#include "base/text/expression_private.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const tw_expression_op_names[TW_FORMULA_OP_COUNT] = {
#define OP_NAME(name, operands, text) text,
    TW_FORMULA_OP_LIST(OP_NAME)
#undef OP_NAME
};
const int32_t tw_expression_op_operands[TW_FORMULA_OP_COUNT] = {
#define OP_OPERANDS(name, operands, text) operands,
    TW_FORMULA_OP_LIST(OP_OPERANDS)
#undef OP_OPERANDS
};

bool tw_reader_refuse(struct tw_expression_reader *r, size_t at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->fault->message, sizeof r->fault->message, format, arguments);
    va_end(arguments);
    r->fault->at = at;
    return false;
}

bool tw_reader_is_formula(const struct tw_expression_reader *r)
{
    return r->grammar == TW_EXPRESSION_FORMULA && !r->in_braces;
}

void tw_reader_skip_blanks(struct tw_expression_reader *r)
{
    while (r->at < r->length && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at])
        r->at++;
}

bool tw_reader_sees(const struct tw_expression_reader *r, const char *token)
{
    size_t length = strlen(token);
    return r->length - r->at >= length && memcmp(r->text + r->at, token, length) == 0;
}

bool tw_reader_take(struct tw_expression_reader *r, const char *token)
{
    tw_reader_skip_blanks(r);
    if (!tw_reader_sees(r, token))
        return false;
    r->at += strlen(token);
    return true;
}

/* Quotes the next word, character or end of text. */
bool tw_reader_unexpected(struct tw_expression_reader *r, const char *expected)
{
    tw_reader_skip_blanks(r);
    size_t length = 0, left = r->length - r->at;
    const unsigned char *at = (const unsigned char *)r->text + r->at;
    if (left == 0)
        return tw_reader_refuse(r, r->at, "the text ends here; expected %s", expected);
    while (length < left && length < 40 && (isalnum(at[length]) || at[length] == '_'))
        length++;
    length += length == 0;
    while (length < left && (at[length] & 0xC0) == 0x80)
        length++; /* the rest of a UTF-8 character */
    return tw_reader_refuse(r, r->at, "found '%.*s'; expected %s", (int)length, (const char *)at,
                            expected);
}

bool tw_reader_append(struct tw_expression_reader *r, struct tw_formula_step step, size_t place)
{
    r->waiting += 1 - tw_expression_op_operands[step.op];
    if (r->out->count == TW_FORMULA_STEPS_MAX)
        return tw_reader_refuse(r, place,
                                "more than %d numbers, names and operations; expected fewer",
                                TW_FORMULA_STEPS_MAX);
    if (r->waiting > TW_FORMULA_WAITING_MAX)
        return tw_reader_refuse(r, place,
                                "more than %d values wait for an operation; expected fewer",
                                TW_FORMULA_WAITING_MAX);
    r->out->places[r->out->count] = place;
    r->out->steps[r->out->count++] = step;
    return true;
}
