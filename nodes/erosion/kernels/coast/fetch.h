/* SPDX-License-Identifier: MIT */
/* How exposed shores are to waves: the fetch, the way over open water, in 16 directions, each
 * weighted by how nearly waves come from there. */
#ifndef TW_NODES_EROSION_KERNELS_COAST_FETCH_H
#define TW_NODES_EROSION_KERNELS_COAST_FETCH_H

#include <thalweg/node.h>

struct tw_fetch {
    const float *ahead; /* above 0 on land, else sea */
    int32_t width, height;
    bool wrap;
    double azimuth; /* where the waves come from, degrees clockwise from north */
    double reach;   /* cells beyond which a longer way makes no difference */
};

/* Writes 0..1 to the cells of the sea that have one of eight neighbours on land: the mean of such
 * cells up to 3 cells away, over the 95th percentile of the map. 0 elsewhere. `work` is a map. */
enum tw_status tw_fetch_find(struct tw_task *task, const struct tw_fetch *fetch, float *work,
                             float *out);

#endif
