/* SPDX-License-Identifier: MIT */
/* A map as measure.realism sees it: on cells of about 90 m, in double. */
#ifndef TW_NODES_MEASURE_KERNELS_REFERENCE_CELLS_H
#define TW_NODES_MEASURE_KERNELS_REFERENCE_CELLS_H

#include "measure/kernels/ranks.h"

struct tw_reference_cells {
    int32_t width, height, cells;
    bool wrap;
    double *z;             /* heights */
    const float *rank;     /* floats in the order of the heights, equal where those are */
    const double *of_rank; /* the height of each rank; NULL: a rank is the height itself */
    const uint8_t *counts; /* nonzero where the mask counts the cell; NULL: everywhere */
    double count, relief;  /* of the cells that count: their number, highest less lowest */
};

/* Means of factor x factor cells of `in` and `mask` (which may be NULL), from the north-west on; a
 * rest is cut. The task's size is that of the reference cells, in_width that of the maps. */
struct tw_reference_input {
    const float *in, *mask;
    int32_t in_width, factor;
    bool wrap;
};
enum tw_status tw_reference_cells_init(struct tw_task *task, const struct tw_reference_input *input,
                                       struct tw_reference_cells *r);
/* The scratch that it keeps, with a factor of 1; larger ones take less. */
void tw_reference_cells_forecast(struct tw_forecast *f, bool masked);

static inline bool tw_reference_counts(const struct tw_reference_cells *r, int32_t cell)
{
    return !r->counts || r->counts[cell];
}

static inline double tw_reference_height(const struct tw_reference_cells *r, float rank)
{
    return r->of_rank ? r->of_rank[tw_rank_index(rank)] : (double)rank;
}

/* Moves the numbers of the cells that count together, less `frame` cells along a closed border;
 * returns how many there are. */
size_t tw_reference_gather(const struct tw_reference_cells *r, int32_t frame, double *numbers);

#endif
