/* SPDX-License-Identifier: MIT */
/* The inner step of least_cost.h: a cell of final cost offers paths to its neighbours. */
#ifndef TW_NODES_FEATURE_KERNELS_LEAST_COST_SETTLE_H
#define TW_NODES_FEATURE_KERNELS_LEAST_COST_SETTLE_H

#include "feature/kernels/least_cost.h"

/* Times a cost: the least that changes it, at most twice. */
#define TW_LAST_PLACE 0x1p-52

enum { TW_DIRECTIONS = 8 };

/* Cells of final cost next to those of another settling. */
struct tw_announced {
    int32_t *cells, count;
};

/* A range of cells, whole rows. */
struct tw_cell_range {
    int32_t begin, end;
};

static inline bool tw_cell_within(const struct tw_cell_range *range, int32_t cell)
{
    return cell >= range->begin && cell < range->end;
}

/* One search, or a strip of its rows, while it runs. */
struct tw_settling {
    const struct tw_paths *paths;
    const struct tw_bounds *bounds;
    struct tw_search *search;
    int32_t offset[TW_DIRECTIONS]; /* to the neighbours: E SE S SW W NW N NE */
    double limit;
    int32_t only;    /* the source of all paths; -1: as stored in `reached` */
    int64_t settled; /* cells so far */
    /* Cells that may be improved here, and those of them whose neighbours may all be. */
    struct tw_cell_range own, inner;
    struct tw_announced *announced; /* own cells to the north and to the south of the inner ones */
    /* Settles cells that nothing can improve any more: those of the bucket or, if it is wider than
     * the least increment, those of it below a cost. Puts the others back. */
    void (*settle_bucket)(struct tw_settling *, int64_t bucket, double below);
    /* Settles one cell. */
    void (*settle)(struct tw_settling *, int32_t cell);
    /* Offers paths over cells that others have announced. */
    void (*hear)(struct tw_settling *, const struct tw_announced *);
};

/* Fills in the functions. */
void tw_settling_init(struct tw_settling *settling, enum tw_simd simd);

#endif
