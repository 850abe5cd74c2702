/* SPDX-License-Identifier: MIT */
/* A cross section as slopes by cost, Rusnell, Mould and Eramian 2009, section 3.1: the profile is
 * stretched to costs 0..c_s, and w_s(c) is its slope at cost c over mu_w. */
#ifndef TW_NODES_FEATURE_KERNELS_COST_PROFILE_H
#define TW_NODES_FEATURE_KERNELS_COST_PROFILE_H

#include <thalweg/node.h>

/* Equal ranges of 0..c_s; the last one goes on beyond. */
enum { TW_PROFILE_RANGES = 64 };

/* w_s by cost: scale[i] holds on knot[i] <= c < knot[i + 1], the last one beyond. */
struct tw_cost_profile {
    int32_t count; /* 0: w_s = 1 */
    double *knot, *scale;
    double ranges_per_cost;
    int32_t first[TW_PROFILE_RANGES]; /* no cost of the range has a lower piece than this one */
};

/* Returns true if there are two pairs or more, x rises, p never rises, and the last p is below the
 * first. feature.profile makes only such lists; a list from a shared cache may be any. */
bool tw_cost_profile_falls(const struct tw_value *profile);

/* Slopes of such a profile given as pairs (x, p): p is stretched to costs 0..sea, level pieces
 * vanish. The arrays hold as many entries as the profile has. */
void tw_cost_profile_fill(const struct tw_value *profile, double sea, double mean,
                          struct tw_cost_profile *slopes);

/* The range of cost c. Ranges rise with costs, so where a knot has a lower one it is below c,
 * however their products are rounded. */
static inline int32_t tw_cost_profile_range(const struct tw_cost_profile *slopes, double c)
{
    double range = c * slopes->ranges_per_cost;
    range = range < TW_PROFILE_RANGES - 1 ? range : TW_PROFILE_RANGES - 1;
    return (int32_t)(range > 0 ? range : 0);
}

/* w_s at cost c. */
static inline double tw_cost_profile_scale(const struct tw_cost_profile *slopes, double c)
{
    int32_t piece = slopes->first[tw_cost_profile_range(slopes, c)];
    while (piece + 1 < slopes->count && slopes->knot[piece + 1] <= c)
        piece++;
    return slopes->scale[piece];
}

#endif
