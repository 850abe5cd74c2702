/* SPDX-License-Identifier: MIT */
/* Recursive descent, one function per level of precedence; each appends its steps after those of
 * its operands. Depth, steps and waiting results are bounded, so untrusted text is safe. */
#include "base/expression.h"

#include "base/number.h"
#include "base/suggest.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NESTED_MAX = 64 };

static const char *const op_names[] = {
#define OP_NAME(name, operands, text) text,
    TW_FORMULA_OP_LIST(OP_NAME)
#undef OP_NAME
};
static const int32_t op_operands[] = {
#define OP_OPERANDS(name, operands, text) operands,
    TW_FORMULA_OP_LIST(OP_OPERANDS)
#undef OP_OPERANDS
};

struct reader {
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

static bool TW_PRINTF(3, 4) refuse(struct reader *r, size_t at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->fault->message, sizeof r->fault->message, format, arguments);
    va_end(arguments);
    r->fault->at = at;
    return false;
}

/* Only arithmetic, or all of the language. */
static bool is_formula(const struct reader *r)
{
    return r->grammar == TW_EXPRESSION_FORMULA && !r->in_braces;
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->length && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at])
        r->at++;
}

/* Whether the text goes on with a token; it is not taken. */
static bool sees(const struct reader *r, const char *token)
{
    size_t length = strlen(token);
    return r->length - r->at >= length && memcmp(r->text + r->at, token, length) == 0;
}

static bool take(struct reader *r, const char *token)
{
    skip_blanks(r);
    if (!sees(r, token))
        return false;
    r->at += strlen(token);
    return true;
}

/* What stands here, for a message: a word, a character or the end. */
static bool unexpected(struct reader *r, const char *expected)
{
    skip_blanks(r);
    size_t length = 0, left = r->length - r->at;
    const unsigned char *at = (const unsigned char *)r->text + r->at;
    if (left == 0)
        return refuse(r, r->at, "the text ends here; expected %s", expected);
    while (length < left && length < 40 && (isalnum(at[length]) || at[length] == '_'))
        length++;
    length += length == 0;
    while (length < left && (at[length] & 0xC0) == 0x80)
        length++; /* the rest of a UTF-8 character */
    return refuse(r, r->at, "found '%.*s'; expected %s", (int)length, (const char *)at, expected);
}

static bool append(struct reader *r, struct tw_formula_step step, size_t place)
{
    r->waiting += 1 - op_operands[step.op];
    if (r->out->count == TW_FORMULA_STEPS_MAX)
        return refuse(r, place, "more than %d numbers, names and operations; expected fewer",
                      TW_FORMULA_STEPS_MAX);
    if (r->waiting > TW_FORMULA_WAITING_MAX)
        return refuse(r, place, "more than %d values wait for an operation; expected fewer",
                      TW_FORMULA_WAITING_MAX);
    r->out->places[r->out->count] = place;
    r->out->steps[r->out->count++] = step;
    return true;
}

static bool append_op(struct reader *r, int32_t op, size_t place)
{
    return append(r, (struct tw_formula_step){.op = op}, place);
}

static bool read_choice(struct reader *r);
static bool read_unary(struct reader *r);

/* One more level of operators or parentheses; false when there are too many. */
static bool enter(struct reader *r)
{
    return ++r->nested <= NESTED_MAX ||
           refuse(r, r->at, "nested deeper than %d levels; expected fewer", NESTED_MAX);
}

static bool leave(struct reader *r, bool good)
{
    r->nested--;
    return good;
}

static bool read_number(struct reader *r)
{
    char text[TW_EXPRESSION_NAME_MAX + 1];
    size_t start = r->at, end = r->at;
    while (end < r->length && (isalnum((unsigned char)r->text[end]) || r->text[end] == '.' ||
                               ((r->text[end] == '+' || r->text[end] == '-') && end > start &&
                                (r->text[end - 1] == 'e' || r->text[end - 1] == 'E'))))
        end++;
    struct tw_formula_step step = {.op = TW_FORMULA_NUMBER};
    if (end - start < sizeof text)
        snprintf(text, sizeof text, "%.*s", (int)(end - start), r->text + start);
    if (end - start >= sizeof text || !tw_number_parse(text, &step.number))
        return refuse(r, start, "found '%.*s'; expected a finite number such as 0.25 or 1e3",
                      (int)(end - start < 40 ? end - start : 40), r->text + start);
    r->at = end;
    return append(r, step, start);
}

/* The op of a function that the grammar has; -1 for none. */
static int32_t find_function(const struct reader *r, const char *name)
{
    int32_t last = is_formula(r) ? TW_FORMULA_OP_COUNT : TW_FORMULA_ROUND + 1;
    for (int32_t op = 0; op < last; op++)
        if (isalpha((unsigned char)op_names[op][0]) && strcmp(op_names[op], name) == 0)
            return op;
    return -1;
}

static bool unknown_function(struct reader *r, const char *name, size_t place)
{
    struct tw_suggestion suggestion = {.unknown = name};
    char all[120] = "";
    int32_t last = is_formula(r) ? TW_FORMULA_OP_COUNT : TW_FORMULA_ROUND + 1;
    for (int32_t op = 0; op < last; op++) {
        size_t used = strlen(all);
        if (!isalpha((unsigned char)op_names[op][0]))
            continue;
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", op_names[op]);
        tw_suggest_offer(&suggestion, op_names[op]);
    }
    if (suggestion.best)
        snprintf(r->fault->hint, sizeof r->fault->hint, "did you mean '%s'?", suggestion.best);
    return refuse(r, place, "there is no function '%.60s' here; expected one of %s", name, all);
}

/* The arguments after "name("; min and max take any number of them and fold from the left. */
static bool read_call(struct reader *r, const char *name, size_t place)
{
    int32_t op = find_function(r, name), count = 0;
    if (op < 0)
        return unknown_function(r, name, place);
    bool folds = op == TW_FORMULA_MIN || op == TW_FORMULA_MAX;
    do {
        if (!read_choice(r) || (folds && count > 0 && !append_op(r, op, place)))
            return false;
        count++;
    } while (take(r, ","));
    if (folds ? count < 2 : count != op_operands[op])
        return refuse(r, place, "%s has %d argument%s; expected %s%d", name, (int)count,
                      count == 1 ? "" : "s", folds ? "at least " : "", (int)op_operands[op]);
    if (!take(r, ")"))
        return unexpected(r, "',' or ')'");
    return folds || append_op(r, op, place);
}

static bool read_name(struct reader *r)
{
    char name[TW_EXPRESSION_NAME_MAX + 1];
    size_t start = r->at, end = r->at;
    while (end < r->length && (isalnum((unsigned char)r->text[end]) || r->text[end] == '_'))
        end++;
    if (end - start > TW_EXPRESSION_NAME_MAX)
        return refuse(r, start, "a name of %zu bytes; expected at most %d", end - start,
                      TW_EXPRESSION_NAME_MAX);
    memcpy(name, r->text + start, end - start);
    name[end - start] = 0;
    r->at = end;
    if (take(r, "("))
        return read_call(r, name, start);
    struct tw_formula_step step = {0};
    r->fault->at = start;
    return r->names->find(r->names->context, name, r->in_braces, &step, r->fault) &&
           append(r, step, start);
}

/* What stands in parentheses or, in a formula, in "${...}". */
static bool read_enclosed(struct reader *r, const char *close)
{
    size_t open = r->at - 1;
    bool braces = r->in_braces;
    r->in_braces = braces || close[0] == '}';
    bool good = read_choice(r);
    r->in_braces = braces;
    if (!good || take(r, close))
        return good;
    skip_blanks(r);
    if (r->at == r->length)
        return refuse(r, open, "this '%c' is not closed; expected a '%s'", r->text[open], close);
    return unexpected(r, close[0] == '}' ? "an operator or '}'" : "an operator or ')'");
}

static bool read_atom(struct reader *r)
{
    skip_blanks(r);
    unsigned char next = r->at < r->length ? (unsigned char)r->text[r->at] : 0;
    if (isdigit(next) || next == '.')
        return read_number(r);
    if (isalpha(next) || next == '_')
        return read_name(r);
    if (take(r, "("))
        return read_enclosed(r, ")");
    if (is_formula(r) && take(r, "${"))
        return read_enclosed(r, "}");
    return unexpected(r, "a number, a name or '('");
}

/* A literal 2, 3 or 4 after ^ multiplies. */
static int32_t small_power(const struct reader *r, int32_t first)
{
    const struct tw_formula_step *step = &r->out->steps[first];
    if (r->out->count != first + 1 || step->op != TW_FORMULA_NUMBER ||
        !isdigit((unsigned char)r->text[r->out->places[first]]))
        return -1;
    return step->number == 2   ? TW_FORMULA_SQUARE
           : step->number == 3 ? TW_FORMULA_CUBE
           : step->number == 4 ? TW_FORMULA_FOURTH
                               : -1;
}

/* atom [^ unary] */
static bool read_power(struct reader *r)
{
    if (!read_atom(r))
        return false;
    skip_blanks(r);
    size_t place = r->at;
    if (!is_formula(r) || !take(r, "^"))
        return true;
    int32_t exponent = r->out->count;
    if (!read_unary(r))
        return false;
    int32_t op = small_power(r, exponent);
    if (op < 0)
        return append_op(r, TW_FORMULA_POW, place);
    r->out->count--;
    r->waiting--;
    return append_op(r, op, place);
}

static bool read_signed(struct reader *r)
{
    skip_blanks(r);
    size_t place = r->at;
    if (take(r, "-"))
        return read_unary(r) && append_op(r, TW_FORMULA_NEGATE, place);
    if (is_formula(r) && !sees(r, "!=") && take(r, "!"))
        return read_unary(r) && append_op(r, TW_FORMULA_NOT, place);
    return read_power(r);
}

static bool read_unary(struct reader *r) { return enter(r) && leave(r, read_signed(r)); }

/* Binary operators of one level, from the left: operand {operator operand}. */
struct operator
{
    const char *token;
    int32_t op;
};

static bool read_level(struct reader *r, const struct operator* operators,
                       bool (*operand)(struct reader *r))
{
    if (!operand(r))
        return false;
    for (const struct operator* o = operators; o->token;) {
        skip_blanks(r);
        size_t place = r->at;
        if (!take(r, o->token)) {
            o++;
            continue;
        }
        if (!operand(r) || !append_op(r, o->op, place))
            return false;
        o = operators;
    }
    return true;
}

static bool read_term(struct reader *r)
{
    static const struct operator operators[] = {
        {"*", TW_FORMULA_MULTIPLY}, {"/", TW_FORMULA_DIVIDE}, {NULL, 0}};
    return read_level(r, operators, read_unary);
}

static bool read_sum(struct reader *r)
{
    static const struct operator operators[] = {
        {"+", TW_FORMULA_ADD}, {"-", TW_FORMULA_SUBTRACT}, {NULL, 0}};
    return read_level(r, operators, read_term);
}

/* The longer of two tokens comes first. */
static const struct operator relations[] = {{"<=", TW_FORMULA_LESS_EQUAL},
                                            {">=", TW_FORMULA_GREATER_EQUAL},
                                            {"==", TW_FORMULA_EQUAL},
                                            {"!=", TW_FORMULA_NOT_EQUAL},
                                            {"<", TW_FORMULA_LESS},
                                            {">", TW_FORMULA_GREATER},
                                            {NULL, 0}};

static const struct operator* take_relation(struct reader *r)
{
    for (const struct operator* o = relations; o->token; o++)
        if (take(r, o->token))
            return o;
    return NULL;
}

/* sum [relation sum] */
static bool read_comparison(struct reader *r)
{
    if (!read_sum(r))
        return false;
    skip_blanks(r);
    size_t place = r->at;
    const struct operator* relation = take_relation(r);
    if (!relation)
        return true;
    if (!read_sum(r) || !append_op(r, relation->op, place))
        return false;
    skip_blanks(r);
    place = r->at;
    if (take_relation(r))
        return refuse(r, place,
                      "a second comparison; expected '&&' between them, as in a < b && b < c");
    return true;
}

static bool read_and(struct reader *r)
{
    static const struct operator operators[] = {{"&&", TW_FORMULA_AND}, {NULL, 0}};
    return read_level(r, operators, read_comparison);
}

static bool read_or(struct reader *r)
{
    static const struct operator operators[] = {{"||", TW_FORMULA_OR}, {NULL, 0}};
    return read_level(r, operators, read_and);
}

/* or ["?" choice ":" choice]; arithmetic has sums only. */
static bool read_condition(struct reader *r)
{
    if (!is_formula(r))
        return read_sum(r);
    if (!read_or(r))
        return false;
    skip_blanks(r);
    size_t place = r->at;
    if (!take(r, "?"))
        return true;
    if (!read_choice(r))
        return false;
    if (!take(r, ":"))
        return unexpected(r, "':' and the value where the condition does not hold");
    return read_choice(r) && append_op(r, TW_FORMULA_SELECT, place);
}

static bool read_choice(struct reader *r) { return enter(r) && leave(r, read_condition(r)); }

bool tw_expression_parse(const char *text, size_t length, enum tw_expression_grammar grammar,
                         const struct tw_expression_names *names, struct tw_expression *expression,
                         struct tw_expression_fault *fault)
{
    struct reader r = {.text = text,
                       .length = length,
                       .grammar = grammar,
                       .names = names,
                       .out = expression,
                       .fault = fault};
    expression->count = 0;
    *fault = (struct tw_expression_fault){0};
    if (!read_choice(&r))
        return false;
    skip_blanks(&r);
    return r.at == length ||
           unexpected(&r, is_formula(&r) ? "an operator or the end" : "+, -, *, / or the end");
}

static double compute(int32_t op, double a, double b)
{
    switch (op) {
    case TW_FORMULA_NEGATE:
        return -a;
    case TW_FORMULA_ADD:
        return a + b;
    case TW_FORMULA_SUBTRACT:
        return a - b;
    case TW_FORMULA_MULTIPLY:
        return a * b;
    case TW_FORMULA_DIVIDE:
        return a / b;
    case TW_FORMULA_MIN:
        return tw_formula_min(a, b);
    case TW_FORMULA_MAX:
        return tw_formula_max(a, b);
    default:
        return tw_formula_round(a);
    }
}

bool tw_expression_value(const struct tw_expression *expression, double *value,
                         struct tw_expression_fault *fault)
{
    double waiting[TW_FORMULA_WAITING_MAX + 1] = {0};
    int32_t count = 0;
    for (int32_t i = 0; i < expression->count; i++) {
        const struct tw_formula_step *step = &expression->steps[i];
        fault->at = expression->places[i];
        if (step->op == TW_FORMULA_NUMBER) {
            waiting[count++] = step->number;
            continue;
        }
        count -= op_operands[step->op];
        double second = waiting[count + 1];
        if (step->op == TW_FORMULA_DIVIDE && second == 0) {
            snprintf(fault->message, sizeof fault->message,
                     "division by zero; expected a divisor other than 0");
            return false;
        }
        double result = compute(step->op, waiting[count], second);
        if (!isfinite(result)) {
            snprintf(fault->message, sizeof fault->message,
                     "the result of this is beyond all numbers; expected a finite one");
            return false;
        }
        waiting[count++] = result;
    }
    *value = waiting[0];
    return true;
}
