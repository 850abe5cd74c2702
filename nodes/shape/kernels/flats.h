/* SPDX-License-Identifier: MIT */
/* Flats: cells of one height, joined in rows and columns. */
#ifndef TW_NODES_SHAPE_KERNELS_FLATS_H
#define TW_NODES_SHAPE_KERNELS_FLATS_H

#include <thalweg/scratch.h>

struct tw_flats {
    const float *heights;
    const float *keep; /* a cell from 1/2 on is in no flat; may be NULL */
    int32_t width, height;
    bool wrap;
    int32_t *first; /* of each cell: the first cell of its flat */
    int32_t *area;  /* of that cell: the cells of its flat */
    int32_t *edges; /* of that cell: sides between its flat and other heights */
    float *jumps;   /* of that cell: sum of the differences over these sides */
};

static inline bool tw_flats_keep(const struct tw_flats *f, int32_t cell)
{
    return f->keep && f->keep[cell] >= 0.5f;
}

/* The cell in direction k: west, east, north, south; -1 for none. `*beyond`: it lies beyond the
 * border of a torus. */
int32_t tw_flats_beside(const struct tw_flats *f, int32_t cell, int k, bool *beyond);

/* Takes or counts memory; false when there is none. */
bool tw_flats_lay_out(struct tw_scratch *s, struct tw_flats *f);
/* Finds the flats of a map of the task's size; heights, keep and wrap are set. */
void tw_flats_find(struct tw_task *task, struct tw_flats *f);

#endif
