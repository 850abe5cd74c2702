/* SPDX-License-Identifier: MIT */
/* The state of erosion.coast: coast_retreat.c finds the land that the sea takes, coast_profile.c
 * gives it cliffs, platforms and beaches. */
#ifndef TW_NODES_EROSION_KERNELS_COAST_COAST_H
#define TW_NODES_EROSION_KERNELS_COAST_COAST_H

#include "erosion/kernels/coast/fast_marching.h"

#define TW_COAST_WIDTHS 3.0 /* of a beach above the water, within which sand fades out */

/* As erosion.coast documents them. */
struct tw_coast_params {
    float level;
    float azimuth;
    float reach;
    float retreat;
    float power;
    float tall;
    float cliff;
    float platform;
    float berm;
    float beach;
    float share;
    int32_t border;
};

enum { TW_COAST_LAND, TW_COAST_SEA, TW_COAST_TAKEN };

struct tw_coast {
    struct tw_task *task;
    const struct tw_coast_params *p;
    const float *in, *hardness, *mask;
    float *changed;      /* heights with cliffs and platforms, at last with sand */
    float *ahead, *slow; /* of a front */
    float *sand;         /* wanted depths */
    uint8_t *kind;       /* TW_COAST_LAND, ... */
    struct tw_fast_marching march;
    int32_t cells;
    double cell; /* in map sides */
    float level;
    double eroded, laid;
};

/* Marks what lies below the level and is joined to the border; on a torus, and where no such cell
 * is at the border, all that lies below. Returns how many cells that is. */
int32_t tw_coast_find_sea(struct tw_coast *c);
/* Marks what the sea takes. Leaves in `ahead` the time until it would come, below 0 where it came
 * and at most 1; INFINITY in the sea. */
enum tw_status tw_coast_take_land(struct tw_coast *c);
/* Takes land, changes heights and finds the sand that lies on them, of a map with land and sea. */
enum tw_status tw_coast_erode(struct tw_coast *c);
/* Runs a front over `ahead`. */
enum tw_status tw_coast_march(struct tw_coast *c, const float *slowness, double limit,
                              bool carries);

#endif
