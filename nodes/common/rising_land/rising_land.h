/* SPDX-License-Identifier: MIT */
/* Land that rises while rivers cut it and its hillsides creep, the steps of erosion.stream_power:
 * in each the ground rises, water finds its way, rivers lower their beds and soil creeps. Rates are
 * in map sides, heights and time, so a map of any size is the same land. */
#ifndef TW_NODES_COMMON_RISING_LAND_RISING_LAND_H
#define TW_NODES_COMMON_RISING_LAND_RISING_LAND_H

#include "common/drainage/flow_lines.h"
#include "common/rising_land/adi_diffusion.h"
#include "common/rising_land/incision.h"

#include <thalweg/node.h>

/* What decides how the land changes; maps are of the task's size and stay borrowed. */
struct tw_rising_land_laws {
    float uplift_rate; /* U: height per time */
    float K, m, n;     /* with areas in sides^2, slopes in heights per side */
    float talus;       /* height per map side */
    float diffusion;   /* D: sides^2 per time */
    float channel;     /* A_c: share of the map */
    float dt;          /* time */
    bool wrap;         /* the map is a torus */
    enum tw_adi_ends ends;
    const float *uplift, *hardness; /* may be NULL */
    const uint8_t *outlet;          /* nonzero: a cell that keeps its height; at least one */
};

struct tw_rising_land {
    struct tw_drainage d;
    struct tw_flow_lines lines;
    struct tw_incision incision;
    struct tw_adi_diffusion creep;
    float *z;      /* the ground, given by the user */
    float *raised; /* what else rises alike, such as the ground without erosion; may be NULL */
    const float *uplift;
    const uint8_t *outlet;
    float *bed;    /* heights before creep */
    float *area;   /* cells upstream, itself included */
    float channel; /* that of a river's head */
    float rise;    /* U dt */
    bool creeps;
};

/* Takes memory for a map of the task's size; `z` and `raised` are set afterwards. */
enum tw_status tw_rising_land_init(struct tw_task *task, struct tw_rising_land *s,
                                   const struct tw_rising_land_laws *laws);
enum tw_status tw_rising_land_run(struct tw_task *task, struct tw_rising_land *s, int32_t steps);
/* Fills `area` for the ground as it is. */
enum tw_status tw_rising_land_route(struct tw_task *task, struct tw_rising_land *s);

/* Raises the land of a coarser level (erosion/kernels/levels.h) on its finer map: levels carry over
 * what was eroded, but not what rose. Sets the ground, and `raised`, to `ground`, which did not
 * rise, plus its uplift of so many steps; outlets get their heights in `in`. Both may be the block
 * of z. */
void tw_rising_land_lift(struct tw_task *task, struct tw_rising_land *s, const float *in,
                         const float *ground, int32_t steps);
/* Subtracts the uplift of so many steps from all cells, outlets included: those wear down as fast
 * as they rise, and so do the cells around them on a finer map. */
void tw_rising_land_sink(struct tw_task *task, struct tw_rising_land *s, int32_t steps);

/* The scratch that it takes. */
void tw_rising_land_forecast(struct tw_forecast *f);

#endif
