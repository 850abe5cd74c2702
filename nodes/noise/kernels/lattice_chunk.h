/* SPDX-License-Identifier: MIT */
/* A chunk of cells whose lattice points are hashed one by one, in stages: a loop for each, over
 * arrays that stay in the first cache. One loop for all of it is a chain of a hundred operations
 * that wait for each other, longer than what processors look ahead; steps of a short one overlap,
 * and take three quarters of the time. */
#ifndef TW_NODES_NOISE_KERNELS_LATTICE_CHUNK_H
#define TW_NODES_NOISE_KERNELS_LATTICE_CHUNK_H

#include "noise/kernels/lattice.h"

enum { TW_LATTICE_CHUNK = 64 };

/* A lattice row at a chunk's cells, as P + Q y: lattice_rows.h. */
struct tw_lattice_terms {
    TW_LATTICE_ALIGNED float p[TW_LATTICE_CHUNK];
    TW_LATTICE_ALIGNED float q[TW_LATTICE_CHUNK];
};

/* Of the lattice points of two random numbers, `x` of the way from the left to the right one. */
static TW_INLINE void tw_lattice_across(bool gradients, const uint32_t *restrict left,
                                        const uint32_t *restrict right, const float *restrict x,
                                        int32_t count, struct tw_lattice_terms *restrict out)
{
    for (int32_t i = 0; i < count; i++) {
        float p0, p1, q0 = 0, q1 = 0, t = tw_fade(x[i]);
        if (gradients) {
            tw_lattice_gradient(left[i], &p0, &q0);
            tw_lattice_gradient(right[i], &p1, &q1);
        } else {
            p0 = tw_lattice_value(left[i]);
            p1 = tw_lattice_value(right[i]);
        }
        p0 = tw_lattice_ramp(gradients, p0, x[i]);
        p1 = tw_lattice_ramp(gradients, p1, x[i] - 1.0f);
        out->p[i] = p0 + t * (p1 - p0);
        if (gradients)
            out->q[i] = q0 + t * (q1 - q0);
    }
}

#endif
