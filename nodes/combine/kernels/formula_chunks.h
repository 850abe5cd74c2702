/* SPDX-License-Identifier: MIT */
/* A formula over maps, one operation at a time on chunks of 256 cells: the chunks stay in the first
 * cache, and an operation costs one pass over them however it is reached. */
#ifndef TW_NODES_COMBINE_KERNELS_FORMULA_CHUNKS_H
#define TW_NODES_COMBINE_KERNELS_FORMULA_CHUNKS_H

#include <thalweg/formula.h>
#include <thalweg/node.h>

#define TW_FORMULA_INPUTS_MAX 8
#define TW_FORMULA_CHUNK 256 /* cells */
/* What cells read: the inputs, then the column and the row of the cell. */
#define TW_FORMULA_READ_MAX (TW_FORMULA_INPUTS_MAX + 2)

/* An operand: a chunk of results or inputs, or a number that all cells share. */
struct tw_formula_operand {
    int32_t chunk; /* -1: the number */
    double number;
};

struct tw_formula_operation {
    int32_t op, target; /* the chunk of the result */
    struct tw_formula_operand operands[3];
};

/* A formula ready to run: numbers folded, every result in a chunk of its own. */
struct tw_formula_plan {
    struct tw_formula_operation operations[TW_FORMULA_STEPS_MAX];
    int32_t count;
    struct tw_formula_operand result;
    uint32_t inputs; /* bit i: input i, column or row is read into TW_FORMULA_WAITING_MAX + i */
};

/* The cells that a run has: rows of the map from `top`, on a torus past the last to the first. */
struct tw_formula_rows {
    int32_t width, map_height, top;
};

/* Folding uses the functions of the cells, so it changes no bit. */
void tw_formula_plan_build(const struct tw_formula *formula, enum tw_simd simd,
                           struct tw_formula_plan *plan);
/* Whether the formula depends on the place of the cell. */
bool tw_formula_reads_place(const struct tw_formula *formula);
/* Computes cells begin..end of `out` from those of the inputs; each is cut to `low` and `high` and
 * rounded once. `out` may be one of the inputs. */
void tw_formula_plan_run(const struct tw_formula_plan *plan, enum tw_simd simd,
                         const struct tw_formula_rows *rows,
                         const float *const inputs[TW_FORMULA_INPUTS_MAX], float *out, size_t begin,
                         size_t end, double low, double high);

#endif
