/* SPDX-License-Identifier: MIT */
/* Channels out of depressions where least ground is taken away: Lindsay 2016. Pits are cells of one
 * height that touch and have no lower neighbour and no outlet. From the lowest pit on each gets the
 * cheapest way over cells to one that is lower, or to an outlet: a channel at the pit's height that
 * falls by `rise` a cell. Deviation: the paper's searches start at single cells, and it lets
 * channels fall evenly to their ends, which cuts deeper. */
#ifndef TW_NODES_SHAPE_KERNELS_LEAST_BREACH_H
#define TW_NODES_SHAPE_KERNELS_LEAST_BREACH_H

#include "common/cost_heap.h"

struct tw_breach {
    /* set by the user */
    const uint8_t *outlet;
    bool wrap;
    double rise;        /* of channels, height per cell */
    double most_length; /* cells; of a channel */
    double most_depth;  /* height that may be taken from a cell */
    float *z;           /* the ground, which is changed */
    /* results */
    int32_t breached, left; /* pits */
    double longest;         /* channel, cells */
    /* its own */
    int32_t width, height;
    struct tw_cost_heap heap;
    double *length;   /* of the way from the pit */
    int32_t *pits;    /* first cell of each, in order */
    int32_t *touched; /* by the search, or the cells of a pit */
    int32_t reached;  /* number of these */
    uint8_t *from;    /* direction to the cell before; PIT in the pit */
};

/* Takes or counts memory; false when there is none. */
bool tw_breach_lay_out(struct tw_scratch *s, struct tw_breach *b);
/* TW_CANCELLED when the task is. */
enum tw_status tw_breach_pits(struct tw_task *task, struct tw_breach *b);

#endif
