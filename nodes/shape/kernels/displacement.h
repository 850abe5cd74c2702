/* SPDX-License-Identifier: MIT */
/* A map sampled at a displaced place for every cell. One noise map says how far: in x by its value
 * at the cell, in y by its value at the transposed place. */
#ifndef TW_NODES_SHAPE_KERNELS_DISPLACEMENT_H
#define TW_NODES_SHAPE_KERNELS_DISPLACEMENT_H

#include <thalweg/node.h>

struct tw_displacement {
    const float *in;    /* width x height cells */
    const float *noise; /* rows of `stride` cells; 0.5 displaces nothing */
    float *out;         /* neither of them */
    int32_t width, height;
    int32_t stride;
    float magnitude; /* sides by which a noise of 1.5 displaces */
    bool wrap;       /* beyond the border is the other side; else mirrors half a cell beyond
                      * the centres of the outermost cells */
};

/* Bilinear, on all workers. */
void tw_displace(struct tw_task *task, const struct tw_displacement *displacement);

#endif
