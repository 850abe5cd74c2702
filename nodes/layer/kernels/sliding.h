/* SPDX-License-Identifier: MIT */
/* Sweeps of loose material that slides down rigid rock until it rests. A sweep visits cells in the
 * order of falling surface, so material falls all the way in one sweep; synchronous passes would
 * take about the square of an apron's length in cells. */
#ifndef TW_NODES_LAYER_KERNELS_SLIDING_H
#define TW_NODES_LAYER_KERNELS_SLIDING_H

#include <thalweg/scratch.h>

struct tw_sliding {
    const float *rock;
    const float *keep; /* depth that never leaves a cell; NULL: 0 everywhere */
    double *loose;     /* depth of the material, at least 0 */
    int32_t width, height;
    bool wraps;
    double rise; /* of a surface at rest, from a cell to the next in its row */
    struct tw_sliding_order {
        uint64_t *cells, *spare; /* (key, index), where greater keys are lower surfaces */
    } order;
};

/* Takes the blocks of the order for maps of up to the task's size. */
bool tw_sliding_lay_out(struct tw_scratch *s, struct tw_sliding_order *order);

/* Runs one sweep. Its result does not depend on the number of threads. */
enum tw_status tw_sliding_sweep(struct tw_task *task, struct tw_sliding *s);

/* Returns the share of cells with loose material (more than a thousandth of `rise` above `keep`)
 * from which the surface falls by more than 1.03 times repose; 0 without such cells. */
double tw_sliding_over(const struct tw_sliding *s);

/* Returns the sum over cells, row by row. */
double tw_sliding_sum(const double *loose, int32_t width, int32_t height);

#endif
