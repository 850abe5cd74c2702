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
                        double *number, struct tw_expression_fault *fault)
{
    char built_in[TW_BUILT_IN_BYTES];
    const char *text;
    if (!tw_scope_value(loader, scope, name, built_in, &text)) {
        const char *best = tw_scope_nearest(loader, scope, name);
        snprintf(fault->message, sizeof fault->message, "'%.60s' is not a parameter of this recipe",
                 name);
        if (best)
            snprintf(fault->hint, sizeof fault->hint, "did you mean '%s'?", best);
        else
            snprintf(fault->hint, sizeof fault->hint, "declare it under params:");
        return false;
    }
    if (!text) /* the parameter's own fault was reported */
        return false;
    if (!tw_number_parse(text, number)) {
        snprintf(fault->message, sizeof fault->message,
                 "parameter %.60s is '%.60s'; expected a number for arithmetic", name, text);
        return false;
    }
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
    *step = (struct tw_formula_step){.op = TW_FORMULA_NUMBER};
    return tw_arithmetic_name(names->loader, names->scope, name, &step->number, fault);
}

/* Prints whole numbers in full, as seeds and file names need them. */
static void print(double value, char number[TW_BUILT_IN_BYTES])
{
    if (value == floor(value) && fabs(value) <= whole_max)
        snprintf(number, TW_BUILT_IN_BYTES, "%lld", (long long)value);
    else
        tw_number_print(number, TW_BUILT_IN_BYTES, value);
}

bool tw_arithmetic(struct tw_loader *loader, struct tw_scope *scope, const struct tw_yaml *scalar,
                   size_t offset, size_t length, char number[TW_BUILT_IN_BYTES])
{
    struct names names = {loader, scope};
    const struct tw_expression_names meaning = {find, &names};
    struct tw_expression expression;
    struct tw_expression_fault fault;
    double value;
    if (tw_expression_parse(scalar->text + offset, length, TW_EXPRESSION_ARITHMETIC, &meaning,
                            &expression, &fault) &&
        tw_expression_value(&expression, &value, &fault)) {
        print(value, number);
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
