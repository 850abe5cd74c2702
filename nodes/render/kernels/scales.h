/* SPDX-License-Identifier: MIT */
/* The terrain at half size in rising smoothness: M_0 are means of 2 x 2 cells, M_(j+1) is M_j
 * blurred by 1/4 1/2 1/4 over neighbours 2^j half-cells apart (a-trous; Holschneider et al. 1989).
 */
#ifndef TW_NODES_RENDER_KERNELS_SCALES_H
#define TW_NODES_RENDER_KERNELS_SCALES_H

#include <thalweg/scratch.h>

enum { TW_SCALES = 6 };

struct tw_scales {
    float *at[TW_SCALES];
    int32_t width, height; /* half of the map's, rounded up */
};

/* `z` has width x height heights in cells; so have the levels. TW_MEMORY or TW_OK. */
enum tw_status tw_scales_build(struct tw_task *task, const float *z, int32_t width, int32_t height,
                               struct tw_scales *scales);
/* Takes the blocks of tw_scales_build(), which calls this, or counts them. */
bool tw_scales_lay_out(struct tw_scratch *scratch, int32_t width, int32_t height,
                       struct tw_scales *scales);

/* A half-size plane of the map at cells x .. x + count - 1 of row y, bilinear; x must be even. */
enum { TW_SCALES_CELLS = 256 };
void tw_scales_read(enum tw_simd simd, const float *plane, const struct tw_scales *scales,
                    int32_t y, int32_t x, int32_t count, float *to);

#endif
