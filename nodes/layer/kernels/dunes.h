/* SPDX-License-Identifier: MIT */
/* Sand in slabs on a lattice of square cells, moved by wind (Werner 1995). All that moves in a
 * sweep is drawn on the state at its start and added as integers, so the order of cells and the
 * number of threads change no byte. Heights are in slabs, lengths in cells. */
#ifndef TW_NODES_LAYER_KERNELS_DUNES_H
#define TW_NODES_LAYER_KERNELS_DUNES_H

#include <thalweg/scratch.h>

enum { TW_DUNES_SLABS_PER_CELL = 3, TW_DUNES_REACH = 64, TW_DUNES_HOPS = 32 };
enum { TW_DUNES_LONGEST_HOP = 24, TW_DUNES_WAYS = TW_DUNES_HOPS * TW_DUNES_LONGEST_HOP };

/* A wind as steps on the lattice. */
struct tw_wind {
    double east, south;                           /* where it blows, of length 1 */
    int32_t dx[TW_DUNES_WAYS], dy[TW_DUNES_WAYS]; /* after 1, 2, ... cells of way */
};

struct tw_dunes {
    int32_t width, height;
    bool wraps;
    uint64_t seed;
    double rise;       /* repose: slabs from a cell to the next in its row */
    const float *hold; /* share of vegetation; NULL for none */
    float *rock;
    int32_t *sand;    /* slabs on each cell */
    float *tops;      /* rock and sand, framed by one cell all around */
    uint8_t *shade;   /* 1 in the shadow of the wind; where sand falls, to which neighbour */
    int32_t *moves;   /* destination of a cell's slab; slabs that it gives downhill */
    float *around;    /* mean of the tops in a wide square, brought up to date now and then */
    int64_t *sums;    /* of columns of that square */
    int32_t *offsets; /* of a line of wind from its first cell, by steps */
    int64_t gone;     /* slabs blown over closed borders */
    int32_t sweep;    /* sweeps so far */
};

/* Takes the blocks for `width` x `height` cells, without hold. */
bool tw_dunes_lay_out(struct tw_scratch *s, struct tw_dunes *d);

/* Returns the wind from an azimuth in degrees, clockwise from north. */
struct tw_wind tw_dunes_wind(double azimuth);

/* Marks the cells in shadow: those below the line that falls by 15 degrees from any cell upwind. */
void tw_dunes_shade(struct tw_task *task, const struct tw_dunes *d, const struct tw_wind *wind);

/* Updates `around` from `tops`. */
void tw_dunes_look_around(const struct tw_dunes *d);

/* Updates `tops` from rock and sand. */
void tw_dunes_raise(struct tw_task *task, const struct tw_dunes *d);

/* Lets sand fall that lies steeper than repose, at most `passes` times; each needs and updates
 * `tops`. Returns the number of passes in which anything fell. */
int32_t tw_dunes_fall(struct tw_task *task, const struct tw_dunes *d, int32_t passes);

/* Runs one sweep: shadows, hops, at most 4 falls. */
void tw_dunes_sweep(struct tw_task *task, struct tw_dunes *d, const struct tw_wind *wind);

#endif
