/* SPDX-License-Identifier: MIT */
/* A cross section as slopes by cost, Rusnell, Mould and Eramian 2009, section 3.1: the profile is
 * stretched to costs 0..c_s, and w_s(c) is its slope at cost c over mu_w. */
#ifndef TW_NODES_FEATURE_KERNELS_COST_PROFILE_H
#define TW_NODES_FEATURE_KERNELS_COST_PROFILE_H

#include <thalweg/node.h>

/* w_s by cost: scale[i] holds on knot[i] <= c < knot[i + 1], the last one beyond. */
struct tw_cost_profile {
    int32_t count; /* 0: w_s = 1 */
    double *knot, *scale;
};

/* Whether there are two pairs or more, x rises, p never does, and the last p lies below the first:
 * what feature.profile makes, but not what any list of a cache that others write to is. */
bool tw_cost_profile_falls(const struct tw_value *profile);

/* Slopes of such a profile given as pairs (x, p): p is stretched to costs 0..sea, level pieces
 * vanish. The arrays hold as many entries as the profile has. */
void tw_cost_profile_fill(const struct tw_value *profile, double sea, double mean,
                          struct tw_cost_profile *slopes);

/* w_s at cost c, by binary search. */
static inline double tw_cost_profile_scale(const struct tw_cost_profile *slopes, double c)
{
    int32_t low = 0, length = slopes->count;
    while (length > 1) {
        int32_t half = length / 2;
        low += slopes->knot[low + half] <= c ? half : 0;
        length -= half;
    }
    return slopes->scale[low];
}

#endif
