/* SPDX-License-Identifier: MIT */
/* Maps of fewer cells than the task's on all of them: the way back from tw_area_mean(). Sums stay:
 * that of the larger map is that of the smaller times the ratio of their cells. */
#ifndef TW_NODES_COMMON_REGRID_H
#define TW_NODES_COMMON_REGRID_H

#include <thalweg/scratch.h>

/* Cells of the smaller map: from 1 to those of the task's. */
struct tw_regrid_size {
    int32_t width, height;
};

/* One row or column of the smaller map: reciprocal pivots, and what closes a ring, else NULL. */
struct tw_regrid_line {
    int32_t count;
    float *pivots, *closing, scale;
};

/* Coefficients that reach a cell of the larger map, and the mean of each one's spline over it. */
enum { TW_REGRID_TAPS = 4 };
struct tw_regrid_tap {
    int32_t at[TW_REGRID_TAPS];
    float weight[TW_REGRID_TAPS];
};

struct tw_regrid {
    struct tw_regrid_size small, large;
    bool wraps;
    struct tw_regrid_line row, column;
    struct tw_regrid_tap *across; /* one per column of the larger map */
    float *tall;                  /* as wide as the smaller map, as high as the larger one */
    float *coarse, *fine;         /* of the call under way */
    size_t stride;                /* of fine */
};

/* Prepares to carry maps between `size` and the task's size. On a torus of three cells a side or
 * more, opposite borders meet; elsewhere the surface goes on as its mirror image. Returns TW_MEMORY
 * or TW_OK. Any number of maps may follow, one at a time. */
enum tw_status tw_regrid_init(struct tw_task *task, struct tw_regrid *r, struct tw_regrid_size size,
                              bool wraps);

/* The smooth surface whose mean over each cell of `coarse` is that cell, averaged over each cell of
 * `fine`: a histospline (Boneva, Kendall, Stefanov 1971) of quadratic splines, which may overshoot
 * a little next to steps. `coarse` is overwritten. */
void tw_regrid_spread(struct tw_task *task, struct tw_regrid *r, float *coarse, float *fine);
/* The quadratic B-splines of the cells of `coarse`, averaged over each cell of `fine`, whose rows
 * begin `stride` cells apart: smoother, and between the least and the greatest of the cells around.
 * It keeps the sum, not every mean. */
void tw_regrid_smooth(struct tw_task *task, struct tw_regrid *r, float *coarse, float *fine,
                      size_t stride);

/* Takes the blocks of tw_regrid_init(), which calls this, or counts them. */
bool tw_regrid_lay_out(struct tw_scratch *s, struct tw_regrid *r, struct tw_regrid_size size,
                       bool wraps);

#endif
