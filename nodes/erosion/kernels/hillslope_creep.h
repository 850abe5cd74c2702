/* SPDX-License-Identifier: MIT */
/* Explicit steps of hillslope creep, linear or nonlinear: the flux between two cells follows from
 * the slope along and across it. */
#ifndef TW_NODES_EROSION_KERNELS_HILLSLOPE_CREEP_H
#define TW_NODES_EROSION_KERNELS_HILLSLOPE_CREEP_H

#include "erosion/kernels/border_apron.h"

#include <thalweg/scratch.h>

#define TW_HILLSLOPE_CREEP_LIMIT 4 /* of the nonlinear factor; reached at S = 0.866 S_c */

/* Both maps have a frame one cell wide, which repeats the other side or, at a closed border, the
 * border cells. */
struct tw_hillslope_creep {
    const float *in, *hardness; /* hardness may be NULL */
    float *soft;                /* 1 - hardness, with the maps' frame; NULL without */
    float *from, *to;
    int32_t width, height;
    size_t stride;
    bool nonlinear, wrap;
    float rate;  /* D dt / cell^2 */
    float steep; /* (1 / (S_c cell))^2: times a drop squared it is (S / S_c)^2 */
    float *row_steepest;
    struct tw_border_apron apron;
    void (*move)(const struct tw_hillslope_creep *, int32_t);
};

/* Takes memory and the heights of m->in, once `width`, `height`, `wrap` are set. */
enum tw_status tw_hillslope_creep_init(struct tw_task *task, struct tw_hillslope_creep *m);
/* The largest dq/dS over D: how much less time a stable step has than a linear one. */
double tw_hillslope_creep_stiffness(struct tw_task *task, struct tw_hillslope_creep *m);
/* One step of m->from, which is the result then. */
void tw_hillslope_creep_step(struct tw_task *task, struct tw_hillslope_creep *m);

/* Row y's first cell in m->from. */
static inline float *tw_hillslope_creep_row(const struct tw_hillslope_creep *m, int32_t y)
{
    return m->from + (size_t)(y + 1) * m->stride + 1;
}

/* Takes the blocks of tw_hillslope_creep_init(), which calls this, or counts them. */
bool tw_hillslope_creep_lay_out(struct tw_scratch *s, struct tw_hillslope_creep *m, bool hard);

#endif
