/* SPDX-License-Identifier: MIT */
/* Stream power incision of any age in one step, by the method of characteristics (Royden and Perron
 * 2013; Steer 2021): heights travel up the rivers as waves of speed a = K A^m, and the land of age
 * t at a place is what was t before at the place that a wave has left since, raised by what rose on
 * its way. Exact for slopes to the power 1 on a given drainage. Hillsides may add to the speed as
 * far as they are short: a = K A^m + (k_h / C) A^-h with h = 0.6, C = 1.4 (Tzathas et al. 2024,
 * equation 26). */
#ifndef TW_NODES_EROSION_KERNELS_CHARACTERISTICS_H
#define TW_NODES_EROSION_KERNELS_CHARACTERISTICS_H

#include "common/drainage/drainage.h"

#include <thalweg/scratch.h>

/* A cell of the way from an outlet up to the cell in work. */
struct tw_wave_place {
    double tau;   /* time that a wave takes from the outlet */
    double risen; /* uplift that it meets on the way */
    float start;  /* height at age 0 */
    float now;    /* height of this age */
};

struct tw_characteristics {
    double uplift_rate;             /* height per time */
    double K, m;                    /* with areas in sides^2 and slopes in heights per side */
    double hillslope;               /* k_h: sides^2.2 per time */
    double talus;                   /* height per map side */
    double age;                     /* time, above 0 */
    const float *start;             /* heights at age 0; outlets have theirs in z */
    const float *uplift, *hardness; /* may be NULL */
    const uint32_t *area;           /* cells upstream, itself included */
    double own; /* share of the new heights in z, whose other part is what z was; 1: all */
    struct tw_wave_place *way;    /* by distance from the outlet in cells */
    struct tw_wave_visit *visits; /* stack */
};

/* Takes the stacks. They are as long as the longest river, which is at most the map. */
bool tw_characteristics_lay_out(struct tw_scratch *s, struct tw_characteristics *c);
/* Moves z to the age, tree by tree from the outlets up. Slopes along the flow stay above 0 and
 * within the talus. TW_CANCELLED when the task is. */
enum tw_status tw_characteristics_step(struct tw_task *task, const struct tw_characteristics *c,
                                       const struct tw_drainage *d, float *z);

#endif
