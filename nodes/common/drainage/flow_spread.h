/* SPDX-License-Identifier: MIT */
/* How water that spreads over several receivers adds up. */
#ifndef TW_NODES_COMMON_DRAINAGE_FLOW_SPREAD_H
#define TW_NODES_COMMON_DRAINAGE_FLOW_SPREAD_H

#include "common/drainage/flow_shares.h"

/* The results for a computed cell. */
struct tw_flow_place {
    double area;   /* upstream of it */
    uint64_t turn; /* of it to give; see flow_spread.c */
};

/* Computes the area upstream of every cell: 1 and the shares of its donors' areas. Sums of doubles
 * depend on their order, which is that of a queue: first cells without donors in raster order, then
 * cells as their last donor leaves the queue, directions in ascending order. Overwrites label,
 * order and edge of the drainage; `places` is scratch of as many cells. */
void tw_flow_spread(struct tw_task *task, const struct tw_drainage *d,
                    const struct tw_flow_shares *shares, struct tw_flow_place *places,
                    float *cells);

#endif
