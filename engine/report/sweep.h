/* SPDX-License-Identifier: MIT */
/* Variants that differ in the value of one parameter or two: those of a sweep or of a matrix. */
#ifndef TW_ENGINE_REPORT_SWEEP_H
#define TW_ENGINE_REPORT_SWEEP_H

#include "experiment/experiment.h"

struct tw_sweep {
    const char *name; /* of the variant that sweeps, `name_length` bytes; "matrix" */
    int name_length;
    int32_t *variants; /* in the experiment's order */
    int32_t count;
    const char *params[2]; /* that vary */
    int32_t param_count;
    struct tw_sweep *next;
};

/* Sweeps of numbers over one parameter or two, in order, in the arena; NULL for none. */
struct tw_sweep *tw_sweeps_find(struct tw_arena *arena, const struct tw_experiment *e);
/* The value of a parameter of a variant of a sweep. */
double tw_sweep_value(const struct tw_experiment *e, int32_t variant, const char *param);

#endif
