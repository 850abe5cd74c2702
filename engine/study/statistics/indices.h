/* SPDX-License-Identifier: MIT */
/* Sobol indices: the shares of a function's variance that its arguments cause. The first order is
 * the share of one argument alone, the total that of the argument with all interactions it takes
 * part in. Saltelli, Annoni, Azzini, Campolongo, Ratto & Tarantola 2010, "Variance based
 * sensitivity analysis of model output", Comput. Phys. Commun. 181, 259, with both estimators of
 * Jansen 1999, "Analysis of variance designs for model output", Comput. Phys. Commun. 117, 35. */
#ifndef TW_ENGINE_STUDY_STATISTICS_INDICES_H
#define TW_ENGINE_STUDY_STATISTICS_INDICES_H

#include <stdbool.h>
#include <stdint.h>

struct tw_index {
    double first, total;          /* estimates may lie outside 0 to 1 */
    double first_low, first_high; /* 95 % intervals, by a bootstrap of the rows */
    double total_low, total_high;
};

/* Values [row][arguments + 2] of the function: at a point A, at an independent point B, and at A
 * with one argument after the other taken from B. */
struct tw_index_rows {
    const double *values;
    int32_t count, arguments;
};

/* Column of `values` in which an argument is B's. */
static inline int32_t tw_index_column(int32_t argument) { return argument + 2; }

/* Finds the indices of every argument. All are NaN if the function is constant. The bootstrap's
 * draws depend on the number of rows alone. False if memory runs out. */
bool tw_indices_find(const struct tw_index_rows *rows, struct tw_index *indices);

#endif
