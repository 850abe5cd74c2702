/* SPDX-License-Identifier: MIT */
/* Evaluates arithmetic when a recipe is loaded. */
#include "base/text/expression_private.h"

#include <math.h>
#include <stdio.h>

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
        count -= tw_expression_op_operands[step->op];
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
