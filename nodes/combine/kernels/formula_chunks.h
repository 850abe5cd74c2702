/* SPDX-License-Identifier: MIT */
/* A formula over maps, one operation at a time on chunks of 256 cells: the chunks stay in the first
 * cache, and an operation costs one pass over them however it is reached. */
#ifndef TW_NODES_COMBINE_KERNELS_FORMULA_CHUNKS_H
#define TW_NODES_COMBINE_KERNELS_FORMULA_CHUNKS_H

#include <thalweg/formula.h>
#include <thalweg/node.h>

#define TW_FORMULA_INPUTS_MAX 8
#define TW_FORMULA_CHUNK 256 /* cells */

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
    uint32_t inputs; /* bit i: input i is read; its chunk is TW_FORMULA_WAITING_MAX + i */
};

/* Folding uses the functions of the cells, so it changes no bit. */
void tw_formula_plan_build(const struct tw_formula *formula, enum tw_simd simd,
                           struct tw_formula_plan *plan);
/* Computes cells begin..end of `out` from those of the inputs; each is cut to `low` and `high` and
 * rounded once. `out` may be one of the inputs. */
void tw_formula_plan_run(const struct tw_formula_plan *plan, enum tw_simd simd,
                         const float *const inputs[TW_FORMULA_INPUTS_MAX], float *out, size_t begin,
                         size_t end, double low, double high);

#endif
