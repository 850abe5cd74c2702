/* SPDX-License-Identifier: MIT */
/* Shallow water in virtual pipes between neighbouring cells, with the sediment it carries: Mei,
 * Decaudin, Hu 2007. Two passes a step, each over whole rows, several steps while a row is in
 * the cache: pipes, then everything else. */
#ifndef TW_NODES_EROSION_KERNELS_VIRTUAL_PIPES_H
#define TW_NODES_EROSION_KERNELS_VIRTUAL_PIPES_H

#include "common/drainage/exits.h"
#include "erosion/kernels/levels.h"
#include "erosion/kernels/split_tiling.h"

#include <thalweg/scratch.h>

enum { TW_VIRTUAL_PIPES_LEFT, TW_VIRTUAL_PIPES_RIGHT, TW_VIRTUAL_PIPES_UP, TW_VIRTUAL_PIPES_DOWN };

enum {
    TW_VIRTUAL_PIPES_LEAD = 16
}; /* floats before a row's first cell, which is aligned to 64 bytes */

/* Totals of every row, over its cells and all steps. */
enum {
    TW_VIRTUAL_PIPES_RAINED,
    TW_VIRTUAL_PIPES_EVAPORATED,
    TW_VIRTUAL_PIPES_WATER_OUT,
    TW_VIRTUAL_PIPES_SEDIMENT_OUT,
    TW_VIRTUAL_PIPES_TOTALS
};

/* Every map has a frame one cell wide. That of ground and water repeats the border, so nothing
 * flows into it (or, open, holds no water), and so does that of what water can carry; that of the
 * fluxes stays 0. */
struct tw_virtual_pipes {
    int32_t width, height;
    size_t stride;
    float *ground, *next; /* b */
    float *water;         /* d */
    float *sediment;      /* s */
    float *load;          /* c: sediment that goes with a flux of 1: dt s / d */
    float *carries;       /* C of the step before: sediment that the water can carry */
    float *carries_next;
    float *flux[4];        /* f: outflow, height per time */
    const float *rain;     /* mask; may be NULL */
    const float *hardness; /* may be NULL */
    const float *in;
    unsigned open;                        /* bits of TW_SIDE_*: water leaves over these sides */
    float drag;                           /* share of the flux that is left after a step */
    float dt, push;                       /* push: dt A g / l^2 */
    float keep, falls;                    /* share of water left, water that falls in a step */
    float capacity, dissolve, deposit;    /* capacity: K_c l; rates: a step's share */
    float slope, min_tilt, inverse_depth; /* slope: relief / (2 l) */
    double *totals;                       /* TOTALS per row; NULL when not used */
    void (*flow)(const struct tw_virtual_pipes *, int32_t, struct tw_stretch);
    void (*erode)(const struct tw_virtual_pipes *, int32_t, struct tw_stretch);
    void (*wet)(const struct tw_virtual_pipes *, int32_t, struct tw_stretch);
    void (*sum)(const struct tw_virtual_pipes *, int32_t);
};

/* What a level leaves beside its ground: water, sediment and four fluxes. */
enum { TW_VIRTUAL_PIPES_STATES = 6 };

/* Goes on with the water, sediment and fluxes that the coarser level left. */
void tw_virtual_pipes_resume(struct tw_task *task, const struct tw_level *level,
                             const struct tw_virtual_pipes *m);
/* Leaves them and the ground to the finer level. */
void tw_virtual_pipes_leave(struct tw_task *task, const struct tw_level *level,
                            const struct tw_virtual_pipes *m);

/* Velocities of the `width` cells of row y, in map sides per time, each part of them at most
 * `fastest`. */
void tw_virtual_pipes_velocity(const struct tw_virtual_pipes *m, int32_t y, float fastest,
                               struct tw_vector *velocity);

/* Allocates about 44 bytes per cell for a map of the task's size. The caller then sets all fields
 * but the maps, `totals` and `width` to `stride`. */
enum tw_status tw_virtual_pipes_init(struct tw_task *task, struct tw_virtual_pipes *m, bool totals);
/* Takes the ground from m->in and runs the steps. */
enum tw_status tw_virtual_pipes_run(struct tw_task *task, struct tw_virtual_pipes *m,
                                    int32_t steps);

/* Where row y begins in the maps. */
static inline size_t tw_virtual_pipes_row(const struct tw_virtual_pipes *m, int32_t y)
{
    return (size_t)(y + 1) * m->stride + TW_VIRTUAL_PIPES_LEAD;
}

/* Takes the blocks of tw_virtual_pipes_init(), which calls this, or counts them. */
bool tw_virtual_pipes_lay_out(struct tw_scratch *s, struct tw_virtual_pipes *m, bool totals);

#endif
