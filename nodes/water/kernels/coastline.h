/* SPDX-License-Identifier: MIT */
/* How long and how crooked the border between land and sea is. */
#ifndef TW_NODES_WATER_KERNELS_COASTLINE_H
#define TW_NODES_WATER_KERNELS_COASTLINE_H

#include <thalweg/scratch.h>

struct tw_coastline {
    uint8_t *boxes;
    int64_t edges;    /* between a cell of land and one of the sea */
    double dimension; /* by box counting; 0 where fewer than two sizes of boxes meet the coast */
};

/* Takes the boxes, or counts them for the forecast. */
bool tw_coastline_lay_out(struct tw_scratch *s, struct tw_coastline *coast);
/* Measures the coast of a mask of the sea, 0 or 1. */
void tw_coastline_measure(struct tw_coastline *coast, const float *sea, int32_t width,
                          int32_t height, bool wrap);

#endif
