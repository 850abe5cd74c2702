/* SPDX-License-Identifier: MIT */
/* The generators of a terrain whose shadows show a picture (Rusnell, Mould and Eramian 2009,
 * section 4): primary ones where each run of shadow starts, as high as its length asks for, and
 * secondary peaks and ridges elsewhere, below a bound that leaves the shadows as they are. Heights
 * and lengths are in cells. */
#ifndef TW_NODES_FEATURE_KERNELS_SHADOW_GENERATORS_H
#define TW_NODES_FEATURE_KERNELS_SHADOW_GENERATORS_H

#include "feature/kernels/least_cost.h"

enum { TW_SHADOW_PRIMARY, TW_SHADOW_SECONDARY }; /* profiles of generators */

struct tw_shadow_scene {
    struct tw_task *task;
    const float *mask; /* below one half is shadow */
    int32_t width, height, cells;
    double azimuth, fall;  /* of the light; fall: of a ray per cell, 1 / tan(tilt) */
    double *base;          /* heights */
    double *bound;         /* greatest height of secondary features */
    uint8_t *banned;       /* anti-shadow: cells without secondary features */
    double relief, band;   /* of secondary features: above the base; width of the anti-shadow */
    int32_t peaks, ridges; /* secondary ones that are tried */
    double top, longest;   /* the highest point so far; the longest shadow */
    struct tw_weighted_grid grid;
    struct tw_path_source *sources; /* their cost is a height */
    struct tw_path_source *spare;   /* room for as many, to sort them with */
    int32_t room, count, runs, primary;
};

/* Fails with a message where the picture has no shadow. */
enum tw_status tw_shadow_add_primary(struct tw_shadow_scene *s);
/* After the primary ones. */
enum tw_status tw_shadow_add_secondary(struct tw_shadow_scene *s);

/* The scratch of generators in natural pictures; returns how many those have. How many a picture
 * has is counted before memory is taken for them. */
int64_t tw_shadow_generators_forecast(struct tw_forecast *f, int32_t peaks, int32_t ridges);
/* What else secondary ones take. */
void tw_shadow_secondary_forecast(struct tw_forecast *f);

#endif
