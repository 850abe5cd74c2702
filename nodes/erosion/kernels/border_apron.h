/* SPDX-License-Identifier: MIT */
/* Ground that moves towards a closed border cannot leave. If all of it stayed on the last cell,
 * slopes would end in a level lip as wide as ground creeps. So it is laid over an apron of several
 * cells, most of it on the border and linearly less inland: a slope stays one, a little gentler,
 * and the sum of heights is kept. What a border cell gives inland is taken from its apron alike. */
#ifndef TW_NODES_EROSION_KERNELS_BORDER_APRON_H
#define TW_NODES_EROSION_KERNELS_BORDER_APRON_H

#include <thalweg/kernel.h>

#include <stddef.h>
#include <stdint.h>

enum { TW_BORDER_APRON_MAX = 256 };

struct tw_border_apron {
    int32_t cells;                    /* 1: the border cell keeps it all */
    float share[TW_BORDER_APRON_MAX]; /* by distance from the border; their sum is 1 */
};

/* Sets an apron of about `wide` cells, at least 1 and at most `most`. */
static inline void tw_border_apron_set(struct tw_border_apron *apron, double wide, int32_t most)
{
    most = most < TW_BORDER_APRON_MAX ? most : TW_BORDER_APRON_MAX;
    int32_t n = wide < (double)most ? (int32_t)(wide + 0.5) : most;
    apron->cells = n > 1 ? n : 1;
    for (int32_t k = 0; k < apron->cells; k++)
        apron->share[k] = 2.0f * (float)(n - k) / ((float)n * (float)(n + 1));
    if (apron->cells == 1)
        apron->share[0] = 1;
}

/* Returns the part of a loss that hard ground does not give: it stays with the border. Gains count
 * in full. */
static inline float tw_border_apron_held(float amount, const float *hardness)
{
    return hardness && amount < 0 ? amount * tw_clamp(*hardness, 0, 1) : 0;
}

/* Spreads `gain`, the gain of the border cell at `cell`, inland. `inland` leads to the next cell,
 * and `hard_inland` from its hardness, which may be NULL, to the next one's. */
static inline void tw_border_apron_lay(const struct tw_border_apron *apron, float *cell,
                                       ptrdiff_t inland, float gain, const float *hardness,
                                       ptrdiff_t hard_inland)
{
    float all_held = 0;
    cell[0] -= gain;
    for (int32_t k = 0; k < apron->cells; k++) {
        float amount = gain * apron->share[k];
        float held =
            k > 0 ? tw_border_apron_held(amount, hardness ? hardness + k * hard_inland : NULL) : 0;
        cell[k * inland] += amount - held;
        all_held += held;
    }
    cell[0] += all_held;
}

#endif
