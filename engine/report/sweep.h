/* SPDX-License-Identifier: MIT */
/* Variants that differ in the values of parameters, as charts show them: those of one sweep, or of
 * the matrix. Over one parameter that is a curve, over two a grid; further parameters, and words,
 * cut a matrix into slices of which each is one. Points that were drawn lie on no grid. */
#ifndef TW_ENGINE_REPORT_SWEEP_H
#define TW_ENGINE_REPORT_SWEEP_H

#include "study/experiment.h"

enum { TW_SWEEP_PARAMS_MAX = 16 };

enum tw_sweep_kind {
    TW_SWEEP_CURVE,  /* over params[0] */
    TW_SWEEP_GRID,   /* over params[0] and params[1] */
    TW_SWEEP_SCATTER /* over each of params, whatever the others are */
};

struct tw_sweep {
    enum tw_sweep_kind kind;
    const char *name;  /* of the variant that sweeps, "matrix", or what a slice holds: "hills=1" */
    int32_t family;    /* slices of one matrix have the same */
    bool sliced;       /* it is one of several */
    int32_t *variants; /* in the experiment's order */
    int32_t count;
    const char *params[TW_SWEEP_PARAMS_MAX]; /* numbers that vary; of a slice its one or two axes */
    int32_t param_count;
    struct tw_sweep *next;
};

/* In the experiment's order, in the arena; NULL for none. Variants that leave a parameter of their
 * sweep or matrix alone stand nowhere on its scale and are left out. */
struct tw_sweep *tw_sweeps_find(struct tw_arena *arena, const struct tw_experiment *e);
/* The value of a parameter of a variant of a sweep. */
double tw_sweep_value(const struct tw_experiment *e, int32_t variant, const char *param);
/* The different values of a parameter over some variants, rising, in the arena; NULL without
 * memory. */
double *tw_sweep_values(struct tw_arena *arena, const struct tw_experiment *e,
                        const int32_t *variants, int32_t variant_count, const char *param,
                        int32_t *count);

#endif
