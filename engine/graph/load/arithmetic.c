/* SPDX-License-Identifier: MIT */
/* Computes numbers of `${...}` from parameters, in double. */
#include "graph/load/load_private.h"

#include "base/text/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* From here on, not every whole number is a double. */
static const double whole_max = 0x1p53;

struct names {
    struct tw_loader *loader;
    struct tw_scope *scope;
};

bool tw_arithmetic_name(struct tw_loader *loader, struct tw_scope *scope, const char *name,
                        double *number, enum tw_quantity *unit, struct tw_expression_fault *fault)
{
    enum tw_quantity found;
    char built_in[TW_BUILT_IN_BYTES];
    const char *text;
    if (!tw_scope_value(loader, scope, name, built_in, &text)) {
        const char *best = tw_scope_nearest(loader, scope, name);
        snprintf(fault->message, sizeof fault->message, "'%.60s' is not a parameter of this recipe",
                 name);
        if (tw_scope_needs_world(scope, loader->recipe, name))
            snprintf(fault->message, sizeof fault->message, TW_NEEDS_WORLD, name);
        else if (best)
            snprintf(fault->hint, sizeof fault->hint, "did you mean '%s'?", best);
        else
            snprintf(fault->hint, sizeof fault->hint, "declare it under params:");
        return false;
    }
    if (!text) /* the parameter's own fault was reported */
        return false;
    bool is_quantity = tw_load_quantity(text, number, &found);
    if (!is_quantity || (!unit && found != TW_QUANTITY_NUMBER)) {
        snprintf(fault->message, sizeof fault->message,
                 "parameter %.60s is '%.60s'; expected a number for arithmetic", name, text);
        if (is_quantity)
            snprintf(fault->hint, sizeof fault->hint,
                     "declare %.60s with unit:, as in unit: height, to convert it", name);
        return false;
    }
    if (unit)
        *unit = found;
    if (fabs(*number) > whole_max && strspn(text, "0123456789") == strlen(text)) {
        snprintf(fault->message, sizeof fault->message,
                 "%.60s is %.60s; expected at most 9007199254740992 for arithmetic", name, text);
        return false;
    }
    return true;
}

static bool find(void *context, const char *name, bool in_braces, struct tw_formula_step *step,
                 struct tw_expression_fault *fault)
{
    const struct names *names = context;
    (void)in_braces;
    enum tw_quantity unit = TW_QUANTITY_NUMBER;
    *step = (struct tw_formula_step){.op = TW_FORMULA_NUMBER};
    if (!tw_arithmetic_name(names->loader, names->scope, name, &step->number, &unit, fault))
        return false;
    step->input = (int32_t)unit;
    return true;
}

/* Finds the unit of a step's result; false if the units of its operands do not fit the step. */
static bool unit_of_step(int32_t op, enum tw_quantity a, enum tw_quantity b,
                         enum tw_quantity *result)
{
    const enum tw_quantity none = TW_QUANTITY_NUMBER;
    *result = a;
    switch (op) {
    case TW_FORMULA_MULTIPLY:
        *result = a == none ? b : a;
        return a == none || b == none;
    case TW_FORMULA_DIVIDE:
        *result = a == b ? none : a;
        return b == none || a == b;
    case TW_FORMULA_ADD:
    case TW_FORMULA_SUBTRACT:
    case TW_FORMULA_MIN:
    case TW_FORMULA_MAX:
        return a == b;
    default:
        return true;
    }
}

static const char *unit_name(enum tw_quantity unit)
{
    static const char *const names[] = {"a plain number", "metres", "degrees"};
    return names[unit];
}

/* Finds the unit of the whole expression. Steps that are numbers hold theirs in `input`. */
static bool find_unit(const struct tw_expression *expression, enum tw_quantity *unit,
                      struct tw_expression_fault *fault)
{
    enum tw_quantity waiting[TW_FORMULA_WAITING_MAX + 1] = {TW_QUANTITY_NUMBER};
    int32_t count = 0;
    for (int32_t i = 0; i < expression->count; i++) {
        const struct tw_formula_step *step = &expression->steps[i];
        enum tw_quantity result = (enum tw_quantity)step->input;
        if (step->op != TW_FORMULA_NUMBER) {
            count -= step->op == TW_FORMULA_NEGATE || step->op == TW_FORMULA_ROUND ? 1 : 2;
            enum tw_quantity a = waiting[count], b = waiting[count + 1];
            if (!unit_of_step(step->op, a, b, &result)) {
                fault->at = expression->places[i];
                snprintf(fault->message, sizeof fault->message,
                         "this joins %s and %s; expected one unit, or a quantity times a number",
                         unit_name(a), unit_name(b));
                return false;
            }
        }
        waiting[count++] = result;
    }
    *unit = waiting[0];
    return true;
}

/* Prints whole numbers in full, as seeds and file names need them. */
static void print(double value, enum tw_quantity unit, char number[TW_BUILT_IN_BYTES])
{
    int length;
    if (value == floor(value) && fabs(value) <= whole_max)
        length = snprintf(number, TW_BUILT_IN_BYTES, "%lld", (long long)value);
    else
        length = tw_number_print(number, TW_BUILT_IN_BYTES, value);
    snprintf(number + length, TW_BUILT_IN_BYTES - (size_t)length, "%s",
             tw_load_quantity_suffix(unit));
}

bool tw_arithmetic(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *scalar,
                   size_t offset, size_t length, char number[TW_BUILT_IN_BYTES])
{
    struct names names = {loader, scope};
    const struct tw_expression_names meaning = {find, &names};
    struct tw_expression expression;
    struct tw_expression_fault fault;
    enum tw_quantity unit;
    double value;
    if (tw_expression_parse(scalar->text + offset, length, TW_EXPRESSION_ARITHMETIC, &meaning,
                            &expression, &fault) &&
        find_unit(&expression, &unit, &fault) && tw_expression_value(&expression, &value, &fault)) {
        print(value, unit, number);
        return true;
    }
    if (fault.message[0])
        tw_fault_log_add(loader->log, TW_RECIPE,
                         tw_fault_log_has_room(loader->log)
                             ? tw_yaml_place_within(scalar, offset + fault.at)
                             : scalar->place,
                         fault.hint, "%s", fault.message);
    return false;
}
