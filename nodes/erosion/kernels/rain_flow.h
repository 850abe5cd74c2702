/* SPDX-License-Identifier: MIT */
/* Passes of hydraulic erosion by rain that spreads to all lower neighbours: Olsen 2004, "Hydraulic
 * erosion", reference implementation, after Benes and Forsbach. */
#ifndef TW_NODES_EROSION_KERNELS_RAIN_FLOW_H
#define TW_NODES_EROSION_KERNELS_RAIN_FLOW_H

#include "common/framed_map.h"
#include "erosion/kernels/border_apron.h"

struct tw_rain_flow {
    struct tw_framed_map h, w, m;                /* ground, water, its load */
    struct tw_framed_map a, next_a;              /* h + w, and that of the next pass */
    struct tw_framed_map water, sediment, total; /* what a cell gives; the sum of its drops */
    float rain, solubility, left, capacity;      /* Kr, Ks, 1 - Ke, Kc */
    struct tw_border_apron apron;                /* of a closed border; else of 0 cells */
    float *change[2];                            /* in a pass, of the first and the last row */
    const float *hardness, *rain_map;            /* may be NULL */
    bool last;                                   /* no rain after this pass */
    bool kept;                                   /* cells of the border give nothing */
    enum tw_simd simd;
};

/* Takes the maps: w and m are 0, h is the caller's to fill. The constants, `hardness`, `rain_map`
 * and `kept` are set before. False without memory. */
bool tw_rain_flow_create(struct tw_task *task, struct tw_rain_flow *f, bool wraps);
/* Runs that many passes; m then holds the load that water still carries. Returns TW_CANCELLED if
 * the task is cancelled. */
enum tw_status tw_rain_flow_run(struct tw_task *task, struct tw_rain_flow *f, int32_t passes);

/* Takes the blocks of tw_rain_flow_create(), which calls this, or counts them. */
bool tw_rain_flow_lay_out(struct tw_scratch *s, struct tw_rain_flow *f, bool wraps);

#endif
