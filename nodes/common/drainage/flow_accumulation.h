/* SPDX-License-Identifier: MIT */
/* Upstream area of every cell, in cells and itself included, once depressions are filled. */
#ifndef TW_NODES_COMMON_DRAINAGE_FLOW_ACCUMULATION_H
#define TW_NODES_COMMON_DRAINAGE_FLOW_ACCUMULATION_H

#include "common/drainage/outlets.h"

enum tw_flow_method {
    TW_FLOW_D8, /* all to the receiver: O'Callaghan and Mark 1984 */
    TW_FLOW_MFD /* to every lower neighbour, by slope to a power: Freeman 1991 */
};

enum tw_status tw_flow_accumulation(struct tw_task *task, const float *heights,
                                    const struct tw_exits *exits, enum tw_flow_method method,
                                    float exponent, float *cells);

/* Computes `cells` as tw_flow_accumulation() does, and in `filled` the surface up to which water
 * fills the depressions; `filled` may not be `cells`. */
enum tw_status tw_flow_accumulation_filled(struct tw_task *task, const float *heights,
                                           const struct tw_exits *exits, enum tw_flow_method method,
                                           float exponent, float *cells, float *filled);

/* By D8 after tw_drainage_receivers(): cells upstream of each. Overwrites d->edge. */
void tw_flow_area(struct tw_task *task, const struct tw_drainage *d, uint32_t *area);

/* The scratch that either of the former takes; `map` as in tw_drainage_world_forecast(). */
void tw_flow_accumulation_forecast(struct tw_forecast *f, bool map, enum tw_flow_method method);

#endif
