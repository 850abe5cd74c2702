/* SPDX-License-Identifier: MIT */
/* Formulas as nodes see them. The engine parses and checks them when it loads the recipe, and gives
 * the node a list of steps in postfix order, all in double. A step takes its operands from earlier
 * results that no step has taken yet, and leaves one result; the last step leaves the formula's.
 * COLUMN and ROW are the place of the cell's centre: (column + 1/2) / width and (row + 1/2) /
 * height of the map. */
#ifndef THALWEG_FORMULA_H
#define THALWEG_FORMULA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One row per step: its name, how many operands it takes, and how keys write it. Words are also
 * functions of the language. */
#define TW_FORMULA_OP_LIST(X)                                                                      \
    X(NUMBER, 0, "#")                                                                              \
    X(INPUT, 0, "$")                                                                               \
    X(COLUMN, 0, "@x")                                                                             \
    X(ROW, 0, "@y")                                                                                \
    X(NEGATE, 1, "0-")                                                                             \
    X(ADD, 2, "+")                                                                                 \
    X(SUBTRACT, 2, "-")                                                                            \
    X(MULTIPLY, 2, "*")                                                                            \
    X(DIVIDE, 2, "/")                                                                              \
    X(MIN, 2, "min")                                                                               \
    X(MAX, 2, "max")                                                                               \
    X(ROUND, 1, "round")                                                                           \
    X(POW, 2, "pow")                                                                               \
    X(SQUARE, 1, "^2")                                                                             \
    X(CUBE, 1, "^3")                                                                               \
    X(FOURTH, 1, "^4")                                                                             \
    X(NOT, 1, "!")                                                                                 \
    X(LESS, 2, "<")                                                                                \
    X(LESS_EQUAL, 2, "<=")                                                                         \
    X(GREATER, 2, ">")                                                                             \
    X(GREATER_EQUAL, 2, ">=")                                                                      \
    X(EQUAL, 2, "==")                                                                              \
    X(NOT_EQUAL, 2, "!=")                                                                          \
    X(AND, 2, "&&")                                                                                \
    X(OR, 2, "||")                                                                                 \
    X(SELECT, 3, "?:")                                                                             \
    X(ABS, 1, "abs")                                                                               \
    X(SQRT, 1, "sqrt")                                                                             \
    X(EXP, 1, "exp")                                                                               \
    X(LN, 1, "ln")                                                                                 \
    X(FLOOR, 1, "floor")                                                                           \
    X(SIN, 1, "sin")                                                                               \
    X(COS, 1, "cos")                                                                               \
    X(ATAN2, 2, "atan2")                                                                           \
    X(CLAMP, 3, "clamp")                                                                           \
    X(MIX, 3, "mix")                                                                               \
    X(STEP, 2, "step")                                                                             \
    X(SMOOTH, 3, "smooth")

enum tw_formula_op {
#define TW_FORMULA_OP_ENUM(name, operands, text) TW_FORMULA_##name,
    TW_FORMULA_OP_LIST(TW_FORMULA_OP_ENUM)
#undef TW_FORMULA_OP_ENUM
        TW_FORMULA_OP_COUNT
};

/* Limits of a formula: its steps, and the results that wait for their step at any time. */
#define TW_FORMULA_STEPS_MAX 256
#define TW_FORMULA_WAITING_MAX 24

struct tw_formula_step {
    double number; /* of NUMBER */
    int32_t op;    /* enum tw_formula_op */
    int32_t input; /* of INPUT: which of the node's inputs */
};

/* The value of a TW_PARAM_FORMULA row. */
struct tw_formula {
    int32_t count;
    const struct tw_formula_step *at; /* owned by the recipe */
    const char *text;                 /* as the recipe writes it */
};

/* ---- arithmetic shared by numbers in parameters and formulas over maps ---- */

/* Of equal values the first wins, whatever the signs of zeros. */
static inline double tw_formula_min(double a, double b) { return b < a ? b : a; }
static inline double tw_formula_max(double a, double b) { return b > a ? b : a; }

/* Rounds to the nearest whole number, ties to even: adding and subtracting 2^52 rounds. */
static inline double tw_formula_nearest_even(double v)
{
    double size = v < 0 ? -v : v;
    double whole = size < 0x1p52 ? (size + 0x1p52) - 0x1p52 : size;
    return v < 0 ? -whole : whole;
}

/* Rounds to the nearest whole number, ties away from 0. */
static inline double tw_formula_round(double v)
{
    double size = v < 0 ? -v : v;
    double whole = tw_formula_nearest_even(size);
    whole += size - whole >= 0.5 ? 1.0 : 0.0;
    return v < 0 ? -whole : whole;
}

#ifdef __cplusplus
}
#endif
#endif
