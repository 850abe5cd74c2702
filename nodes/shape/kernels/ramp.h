/* SPDX-License-Identifier: MIT */
/* A ramp: a corridor along a way, in which heights become gentle. */
#ifndef TW_NODES_SHAPE_KERNELS_RAMP_H
#define TW_NODES_SHAPE_KERNELS_RAMP_H

#include "common/unit_ground.h"

struct tw_ramp {
    const float *mask; /* cells below 1/2 keep their heights; NULL for none */
    int32_t turns;     /* 1, or 2 and 4: the map has as many equal parts around its centre */
    float rise;        /* g, the greatest difference of neighbours, in heights */
    uint8_t *corridor; /* 1 in its cells */
    double *upper;     /* u of each cell */
};

bool tw_ramp_lay_out(struct tw_scratch *s, struct tw_ramp *ramp);
void tw_ramp_clear(const struct tw_unit_ground *ground, const struct tw_ramp *ramp);
/* Adds to the corridor, and to its images, all cells within 1.5 (k / 2 + 1) cells of the centre of
 * a unit at this place. */
void tw_ramp_add(const struct tw_unit_ground *ground, const struct tw_ramp *ramp, int32_t place);
/* Gives the corridor's cells the mean of the least majorant and of the greatest minorant of their
 * heights that rise by at most g from one cell of the corridor to the next. TW_CANCELLED when the
 * task is. */
enum tw_status tw_ramp_level(struct tw_task *task, struct tw_unit_ground *ground,
                             const struct tw_ramp *ramp, float *heights);

#endif
