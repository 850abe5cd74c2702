/* SPDX-License-Identifier: MIT */
/* One implicit step of linear diffusion with fixed border cells, stable for any size of step:
 * (1 - a dxx)(1 - a dyy) z' = z, one direction after the other. */
#ifndef TW_NODES_EROSION_KERNELS_ADI_DIFFUSION_H
#define TW_NODES_EROSION_KERNELS_ADI_DIFFUSION_H

#include <thalweg/node.h>

struct tw_adi_diffusion {
    float a;       /* diffusivity x time / cell length^2 */
    float *across; /* pivots of a row's system, one a cell */
    float *along;  /* pivots of a column's system */
    int32_t width, height;
};

/* Takes memory for the pivots and computes them. */
enum tw_status tw_adi_diffusion_init(struct tw_task *task, struct tw_adi_diffusion *s, float a);
void tw_adi_diffusion_step(struct tw_task *task, const struct tw_adi_diffusion *s, float *z);

#endif
