/* SPDX-License-Identifier: MIT */
/* One-to-one volume transport, Coats 2008, section 2.2: a drop picks up ground at most once on
 * its way downhill and deposits it where it comes to rest. */
#ifndef TW_NODES_EROSION_KERNELS_DROPLETS_VOLUME_TRANSPORT_H
#define TW_NODES_EROSION_KERNELS_DROPLETS_VOLUME_TRANSPORT_H

#include <thalweg/node.h>

struct tw_volume_transport {
    float *cells;
    float *eroded, *deposited, *flow; /* each NULL or filled with 0; flow: drops on each cell */
    const float *rain_map;            /* chance that a drop on a cell falls; NULL: all do */
    float chance;                     /* of a drop to take up ground at a cell that it visits */
    float pickup;                     /* the most that it takes, as a share of the cell's height */
};

/* Runs `count` drops with the task's seed; TW_CANCELLED, TW_MEMORY or TW_OK. */
enum tw_status tw_volume_transport_run(struct tw_task *task,
                                       const struct tw_volume_transport *model, int32_t count,
                                       bool sequential);

/* The scratch that a run takes. */
void tw_volume_transport_forecast(struct tw_forecast *f, int32_t count, bool sequential);

#endif
