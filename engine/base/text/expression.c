/* SPDX-License-Identifier: MIT */
/* Recursive descent, one function per level of precedence; each appends its steps after those of
 * its operands. Depth, steps and waiting results are bounded, so untrusted text is safe. */
#include "base/text/expression_private.h"

#include "base/text/number.h"
#include "base/text/suggest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NESTED_MAX = 64 };

static bool append_op(struct tw_expression_reader *r, int32_t op, size_t place)
{
    return tw_reader_append(r, (struct tw_formula_step){.op = op}, place);
}

static bool read_choice(struct tw_expression_reader *r);
static bool read_unary(struct tw_expression_reader *r);

/* Enters one more level of operators or parentheses; false when there are too many. */
static bool enter(struct tw_expression_reader *r)
{
    return ++r->nested <= NESTED_MAX ||
           tw_reader_refuse(r, r->at, "nested deeper than %d levels; expected fewer", NESTED_MAX);
}

static bool leave(struct tw_expression_reader *r, bool ok)
{
    r->nested--;
    return ok;
}

static bool read_number(struct tw_expression_reader *r)
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
        return tw_reader_refuse(r, start,
                                "found '%.*s'; expected a finite number such as 0.25 or 1e3",
                                (int)(end - start < 40 ? end - start : 40), r->text + start);
    r->at = end;
    return tw_reader_append(r, step, start);
}

/* Returns the op of a function in the grammar; -1 for none. */
static int32_t find_function(const struct tw_expression_reader *r, const char *name)
{
    int32_t last = tw_reader_is_formula(r) ? TW_FORMULA_OP_COUNT : TW_FORMULA_ROUND + 1;
    for (int32_t op = 0; op < last; op++)
        if (isalpha((unsigned char)tw_expression_op_names[op][0]) &&
            strcmp(tw_expression_op_names[op], name) == 0)
            return op;
    return -1;
}

static bool unknown_function(struct tw_expression_reader *r, const char *name, size_t place)
{
    struct tw_suggestion suggestion = {.unknown = name};
    char all[120] = "";
    int32_t last = tw_reader_is_formula(r) ? TW_FORMULA_OP_COUNT : TW_FORMULA_ROUND + 1;
    for (int32_t op = 0; op < last; op++) {
        size_t used = strlen(all);
        if (!isalpha((unsigned char)tw_expression_op_names[op][0]))
            continue;
        snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "",
                 tw_expression_op_names[op]);
        tw_suggest_offer(&suggestion, tw_expression_op_names[op]);
    }
    if (suggestion.best)
        snprintf(r->fault->hint, sizeof r->fault->hint, "did you mean '%s'?", suggestion.best);
    return tw_reader_refuse(r, place, "there is no function '%.60s' here; expected one of %s", name,
                            all);
}

/* Reads the arguments after "name("; min and max take any number of them and fold from the left. */
static bool read_call(struct tw_expression_reader *r, const char *name, size_t place)
{
    int32_t op = find_function(r, name), count = 0;
    if (op < 0)
        return unknown_function(r, name, place);
    bool folds = op == TW_FORMULA_MIN || op == TW_FORMULA_MAX;
    do {
        if (!read_choice(r) || (folds && count > 0 && !append_op(r, op, place)))
            return false;
        count++;
    } while (tw_reader_take(r, ","));
    if (folds ? count < 2 : count != tw_expression_op_operands[op])
        return tw_reader_refuse(r, place, "%s has %d argument%s; expected %s%d", name, (int)count,
                                count == 1 ? "" : "s", folds ? "at least " : "",
                                (int)tw_expression_op_operands[op]);
    if (!tw_reader_take(r, ")"))
        return tw_reader_unexpected(r, "',' or ')'");
    return folds || append_op(r, op, place);
}

static bool is_of_name(const struct tw_expression_reader *r, char c)
{
    return isalnum((unsigned char)c) || c == '_' ||
           (c == '.' && r->grammar == TW_EXPRESSION_FIELDS);
}

static bool read_name(struct tw_expression_reader *r)
{
    char name[TW_EXPRESSION_NAME_MAX + 1];
    size_t start = r->at, end = r->at;
    while (end < r->length && is_of_name(r, r->text[end]))
        end++;
    if (end - start > TW_EXPRESSION_NAME_MAX)
        return tw_reader_refuse(r, start, "a name of %zu bytes; expected at most %d", end - start,
                                TW_EXPRESSION_NAME_MAX);
    memcpy(name, r->text + start, end - start);
    name[end - start] = 0;
    r->at = end;
    if (tw_reader_take(r, "("))
        return read_call(r, name, start);
    struct tw_formula_step step = {0};
    r->fault->at = start;
    return r->names->find(r->names->context, name, r->in_braces, &step, r->fault) &&
           tw_reader_append(r, step, start);
}

/* Reads the contents of parentheses or, in a formula, of "${...}". */
static bool read_enclosed(struct tw_expression_reader *r, const char *close)
{
    size_t open = r->at - 1;
    bool braces = r->in_braces;
    r->in_braces = braces || close[0] == '}';
    bool ok = read_choice(r);
    r->in_braces = braces;
    if (!ok || tw_reader_take(r, close))
        return ok;
    tw_reader_skip_blanks(r);
    if (r->at == r->length)
        return tw_reader_refuse(r, open, "this '%c' is not closed; expected a '%s'", r->text[open],
                                close);
    return tw_reader_unexpected(r, close[0] == '}' ? "an operator or '}'" : "an operator or ')'");
}

static bool read_atom(struct tw_expression_reader *r)
{
    tw_reader_skip_blanks(r);
    unsigned char next = r->at < r->length ? (unsigned char)r->text[r->at] : 0;
    if (isdigit(next) || next == '.')
        return read_number(r);
    if (isalpha(next) || next == '_')
        return read_name(r);
    if (tw_reader_take(r, "("))
        return read_enclosed(r, ")");
    if (tw_reader_is_formula(r) && tw_reader_take(r, "${"))
        return read_enclosed(r, "}");
    return tw_reader_unexpected(r, "a number, a name or '('");
}

/* Literal exponents 2, 3 and 4 become multiplications. */
static int32_t small_power(const struct tw_expression_reader *r, int32_t first)
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
static bool read_power(struct tw_expression_reader *r)
{
    if (!read_atom(r))
        return false;
    tw_reader_skip_blanks(r);
    size_t place = r->at;
    if (!tw_reader_is_formula(r) || !tw_reader_take(r, "^"))
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

static bool read_signed(struct tw_expression_reader *r)
{
    tw_reader_skip_blanks(r);
    size_t place = r->at;
    if (tw_reader_take(r, "-"))
        return read_unary(r) && append_op(r, TW_FORMULA_NEGATE, place);
    if (tw_reader_is_formula(r) && !tw_reader_sees(r, "!=") && tw_reader_take(r, "!"))
        return read_unary(r) && append_op(r, TW_FORMULA_NOT, place);
    return read_power(r);
}

static bool read_unary(struct tw_expression_reader *r)
{
    return enter(r) && leave(r, read_signed(r));
}

/* Binary operators of one level, left-associative: operand {operator operand}. */
struct operator
{
    const char *token;
    int32_t op;
};

static bool read_level(struct tw_expression_reader *r, const struct operator* operators,
                       bool (*operand)(struct tw_expression_reader *r))
{
    if (!operand(r))
        return false;
    for (const struct operator* o = operators; o->token;) {
        tw_reader_skip_blanks(r);
        size_t place = r->at;
        if (!tw_reader_take(r, o->token)) {
            o++;
            continue;
        }
        if (!operand(r) || !append_op(r, o->op, place))
            return false;
        o = operators;
    }
    return true;
}

static bool read_term(struct tw_expression_reader *r)
{
    static const struct operator operators[] = {
        {"*", TW_FORMULA_MULTIPLY}, {"/", TW_FORMULA_DIVIDE}, {NULL, 0}};
    return read_level(r, operators, read_unary);
}

static bool read_sum(struct tw_expression_reader *r)
{
    static const struct operator operators[] = {
        {"+", TW_FORMULA_ADD}, {"-", TW_FORMULA_SUBTRACT}, {NULL, 0}};
    return read_level(r, operators, read_term);
}

/* Longer tokens precede their prefixes. */
static const struct operator relations[] = {{"<=", TW_FORMULA_LESS_EQUAL},
                                            {">=", TW_FORMULA_GREATER_EQUAL},
                                            {"==", TW_FORMULA_EQUAL},
                                            {"!=", TW_FORMULA_NOT_EQUAL},
                                            {"<", TW_FORMULA_LESS},
                                            {">", TW_FORMULA_GREATER},
                                            {NULL, 0}};

static const struct operator* take_relation(struct tw_expression_reader *r)
{
    for (const struct operator* o = relations; o->token; o++)
        if (tw_reader_take(r, o->token))
            return o;
    return NULL;
}

/* sum [relation sum] */
static bool read_comparison(struct tw_expression_reader *r)
{
    if (!read_sum(r))
        return false;
    tw_reader_skip_blanks(r);
    size_t place = r->at;
    const struct operator* relation = take_relation(r);
    if (!relation)
        return true;
    if (!read_sum(r) || !append_op(r, relation->op, place))
        return false;
    tw_reader_skip_blanks(r);
    place = r->at;
    if (take_relation(r))
        return tw_reader_refuse(
            r, place, "a second comparison; expected '&&' between them, as in a < b && b < c");
    return true;
}

static bool read_and(struct tw_expression_reader *r)
{
    static const struct operator operators[] = {{"&&", TW_FORMULA_AND}, {NULL, 0}};
    return read_level(r, operators, read_comparison);
}

static bool read_or(struct tw_expression_reader *r)
{
    static const struct operator operators[] = {{"||", TW_FORMULA_OR}, {NULL, 0}};
    return read_level(r, operators, read_and);
}

/* or ["?" choice ":" choice]; arithmetic has sums only. */
static bool read_condition(struct tw_expression_reader *r)
{
    if (!tw_reader_is_formula(r))
        return read_sum(r);
    if (!read_or(r))
        return false;
    tw_reader_skip_blanks(r);
    size_t place = r->at;
    if (!tw_reader_take(r, "?"))
        return true;
    if (!read_choice(r))
        return false;
    if (!tw_reader_take(r, ":"))
        return tw_reader_unexpected(r, "':' and the value where the condition does not hold");
    return read_choice(r) && append_op(r, TW_FORMULA_SELECT, place);
}

static bool read_choice(struct tw_expression_reader *r)
{
    return enter(r) && leave(r, read_condition(r));
}

bool tw_expression_parse(const char *text, size_t length, enum tw_expression_grammar grammar,
                         const struct tw_expression_names *names, struct tw_expression *expression,
                         struct tw_expression_fault *fault)
{
    struct tw_expression_reader r = {.text = text,
                                     .length = length,
                                     .grammar = grammar,
                                     .names = names,
                                     .out = expression,
                                     .fault = fault};
    expression->count = 0;
    *fault = (struct tw_expression_fault){0};
    if (!read_choice(&r))
        return false;
    tw_reader_skip_blanks(&r);
    return r.at == length ||
           tw_reader_unexpected(&r, tw_reader_is_formula(&r) ? "an operator or the end"
                                                             : "+, -, *, / or the end");
}
