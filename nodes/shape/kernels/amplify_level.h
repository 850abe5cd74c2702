/* SPDX-License-Identifier: MIT */
/* One doubling of shape.amplify: a map of half the cells becomes land of the task's size with the
 * valleys, slopes and floors of that size, and keeps its means. */
#ifndef TW_NODES_SHAPE_KERNELS_AMPLIFY_LEVEL_H
#define TW_NODES_SHAPE_KERNELS_AMPLIFY_LEVEL_H

#include "common/regrid.h"

struct tw_amplify_laws {
    float K, m;       /* as in erosion.stream_power */
    float diffusion;  /* sides^2 per time */
    float talus;      /* height per map side; its default is in multiples of `steep` */
    float deposition; /* G */
    float roughness;  /* height of the noise, in rises from cell to cell */
    double steep;     /* root mean square slope of the map, height per side */
    int32_t steps;
    int32_t hold; /* cells of the coarse map, over which means stay */
    bool wrap;
    unsigned closed; /* bits of TW_SIDE_*: sides over which no water leaves */
    uint64_t seed;
};

/* Fills z from `coarse`, of `size` and without depressions, or without it works on z as it is, of
 * which `size` is the size. `doubling` numbers this one. */
enum tw_status tw_amplify_level(struct tw_task *task, const struct tw_amplify_laws *laws,
                                int32_t doubling, const float *coarse, struct tw_regrid_size size,
                                float *z);
/* The scratch that it takes on a map of the forecast's size. `closed`: sides are. */
void tw_amplify_level_forecast(struct tw_forecast *f, struct tw_regrid_size size, int32_t hold,
                               bool wrap, bool closed);

#endif
