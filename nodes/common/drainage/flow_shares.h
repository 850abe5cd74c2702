/* SPDX-License-Identifier: MIT */
/* Multiple flow directions, Freeman 1991: a cell's water goes to every lower neighbour, in
 * proportion to a power of the slope. Where the surface is level, all of it follows the D8
 * receiver. */
#ifndef TW_NODES_COMMON_DRAINAGE_FLOW_SHARES_H
#define TW_NODES_COMMON_DRAINAGE_FLOW_SHARES_H

#include "common/drainage/drainage.h"

#include <thalweg/scratch.h>

struct tw_flow_shares {
    float *weights;     /* 8 x cell + k: what the neighbour in direction k gives to the cell */
    uint8_t *receivers; /* bit k: the neighbour in direction k gets a share */
    uint8_t *donors;    /* bit k: the neighbour in direction k gives to this one */
};

/* False without memory. */
bool tw_flow_shares_lay_out(struct tw_scratch *s, struct tw_flow_shares *shares);
/* The shares after the route `d`, whose filled surface is `filled`; exponent > 0. */
void tw_flow_shares_fill(struct tw_task *task, const struct tw_drainage *d, const float *filled,
                         float exponent, struct tw_flow_shares *s);

#endif
