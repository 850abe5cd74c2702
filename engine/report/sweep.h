/* SPDX-License-Identifier: MIT */
/* Groups variants that differ in the values of parameters, for charts: those of one sweep, or of
 * the matrix. One parameter gives a curve, two a grid; further parameters, and those that are
 * words, cut a matrix into slices. Drawn points lie on no grid. */
#ifndef TW_ENGINE_REPORT_SWEEP_H
#define TW_ENGINE_REPORT_SWEEP_H

#include "study/experiment.h"

enum { TW_SWEEP_PARAMS_MAX = 16 };

enum tw_sweep_kind {
    TW_SWEEP_CURVE,  /* over params[0] */
    TW_SWEEP_GRID,   /* over params[0] and params[1] */
    TW_SWEEP_SCATTER /* over each of params, whatever the others' values */
};

struct tw_sweep {
    enum tw_sweep_kind kind;
    const char *name;  /* of the sweeping variant, "matrix", or a slice's values: "hills=1" */
    int32_t family;    /* equal for slices of one matrix */
    bool sliced;       /* one of several slices */
    int32_t *variants; /* in the experiment's order */
    int32_t count;
    const char
        *params[TW_SWEEP_PARAMS_MAX]; /* numbers that vary; for a slice its one or two axes */
    int32_t param_count;
    struct tw_sweep *next;
};

/* Finds sweeps in the experiment's order, in the arena; NULL: none. Omits variants that do not set
 * a parameter of their sweep or matrix, since they have no place on its scale. */
struct tw_sweep *tw_sweeps_find(struct tw_arena *arena, const struct tw_experiment *e);
/* The value of a parameter of a variant of a sweep. */
double tw_sweep_value(const struct tw_experiment *e, int32_t variant, const char *param);
/* Returns the distinct values of a parameter over some variants, rising, in the arena; NULL if
 * memory runs out. */
double *tw_sweep_values(struct tw_arena *arena, const struct tw_experiment *e,
                        const int32_t *variants, int32_t variant_count, const char *param,
                        int32_t *count);

#endif
