/* SPDX-License-Identifier: MIT */
/* When a front arrives that starts between cells and moves at a speed of its own in each cell:
 * |grad t| = 1 / speed, by fast marching (Sethian 1996), first order, over four neighbours. A value
 * may travel with the front, constant along its way (Adalsteinsson and Sethian 1999). */
#ifndef TW_NODES_EROSION_KERNELS_COAST_FAST_MARCHING_H
#define TW_NODES_EROSION_KERNELS_COAST_FAST_MARCHING_H

#include <thalweg/scratch.h>

struct tw_fast_marching {
    double *time;          /* of arrival; INFINITY where the front has not come */
    float *carried;        /* what travels; read behind the start, written ahead of it */
    int32_t *heap, *place; /* cells that wait; where in the heap a cell is */
    int32_t length, width, height;
    bool wrap;
};

/* The front starts where `ahead` is 0 between a cell above 0 and a neighbour at or below 0, to
 * which it never goes. Cells of INFINITY take part, but the front does not start next to them. */
struct tw_front {
    const float *ahead;
    const float *slowness; /* time for a cell; INFINITY: closed; NULL: 1 everywhere */
    double limit;          /* the march ends there; later times are upper bounds */
    bool carries;
};

bool tw_fast_marching_lay_out(struct tw_scratch *s, struct tw_fast_marching *m);
/* TW_CANCELLED when the task is. */
enum tw_status tw_fast_marching_run(struct tw_task *task, struct tw_fast_marching *m,
                                    const struct tw_front *front);
/* The neighbour to the west, east, north or south (k 0 to 3); -1 beyond a closed border. */
int32_t tw_fast_marching_neighbour(const struct tw_fast_marching *m, int32_t cell, int k);

#endif
