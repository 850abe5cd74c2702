/* SPDX-License-Identifier: MIT */
/* One implicit step of linear diffusion, stable for any size of step:
 * (1 - a dxx)(1 - a dyy) z' = z, one direction after the other. */
#ifndef TW_NODES_COMMON_RISING_LAND_ADI_DIFFUSION_H
#define TW_NODES_COMMON_RISING_LAND_ADI_DIFFUSION_H

#include <thalweg/node.h>

/* What happens at the border: its cells keep their values; nothing crosses it; the other side is
 * its neighbour. */
enum tw_adi_ends { TW_ADI_FIXED, TW_ADI_CLOSED, TW_ADI_WRAP };

/* The system of one row or column. */
struct tw_adi_line {
    int32_t first, last;  /* unknowns, `last` excluded */
    float *a;             /* between cell i - 1 and i, `count` + 1 of them */
    float *pivots, *back; /* back: of the backward sweep */
    float *closing; /* what closes the ring, where it is one (Sherman and Morrison); else NULL */
    float tail, scale;
};

struct tw_adi_diffusion {
    struct tw_adi_line across, along;
    float *kept; /* one value a column */
    int32_t width, height;
};

/* Takes memory for the pivots and computes them. a: diffusivity x time / cell length^2. At closed
 * ends, what moves towards the border and from it fades to nothing over so many cells, so that
 * ground does not end level. */
enum tw_status tw_adi_diffusion_init(struct tw_task *task, struct tw_adi_diffusion *s, float a,
                                     enum tw_adi_ends ends, double fade);
void tw_adi_diffusion_step(struct tw_task *task, const struct tw_adi_diffusion *s, float *z);

/* The scratch that it takes. */
void tw_adi_diffusion_forecast(struct tw_forecast *f);

#endif
