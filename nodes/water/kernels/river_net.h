/* SPDX-License-Identifier: MIT */
/* The rivers of a map as a tree of cells: flow, Strahler's orders, and stems, which follow the
 * greater flow at every confluence. */
#ifndef TW_NODES_WATER_KERNELS_RIVER_NET_H
#define TW_NODES_WATER_KERNELS_RIVER_NET_H

#include "common/drainage/outlets.h"
#include "common/ranking.h"
#include "water/kernels/rain.h"

#include <thalweg/scratch.h>

/* How often a river's course has crossed the border of a torus, from its mouth on. */
struct tw_winding {
    int32_t x, y;
};

/* Of a river's cell: the direction of the donor with most flow, or TW_OUTLET at a source, and
 * whether other rivers end here. */
enum { TW_RIVER_MAIN = 0x0F, TW_RIVER_JOINED = 0x10 };

struct tw_river_net {
    struct tw_drainage d;
    struct tw_rain rain;
    float threshold;
    uint8_t *outlet;
    int64_t *sum;            /* rain upstream, in units */
    float *level;            /* of the water that fills depressions */
    float *flow;             /* share of the rain that runs through a cell */
    int32_t *order;          /* Strahler's; 0 where no river is */
    uint8_t *donor;          /* TW_RIVER_MAIN, TW_RIVER_JOINED; the drainage's `edge` */
    struct tw_ranked *stems; /* by falling flow; `cell` is the last one of the stem's own */
    int32_t count, mouths;
};

/* `flow` and `order` are the indices of the node's outputs. */
bool tw_river_net_lay_out(struct tw_scratch *s, struct tw_river_net *net, int flow, int order);
void tw_river_net_forecast(struct tw_forecast *f);
/* Routes the rain over `heights`; rain, threshold and outlets are set. */
enum tw_status tw_river_net_find(struct tw_task *task, struct tw_river_net *net,
                                 const float *heights, bool wrap);

static inline bool tw_river_runs(const struct tw_river_net *net, int32_t cell)
{
    return net->flow[cell] > 0 && net->flow[cell] >= net->threshold;
}

#endif
