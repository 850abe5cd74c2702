/* SPDX-License-Identifier: MIT */
#include "feature/kernels/cost_profile.h"

bool tw_cost_profile_falls(const struct tw_value *profile)
{
    const float *pairs = tw_floats(profile);
    int32_t last = profile->width - 1;
    bool falls = last >= 1 && pairs[1] > pairs[2 * last + 1];
    for (int32_t i = 0; i < last && falls; i++)
        falls = pairs[2 * i] < pairs[2 * i + 2] && pairs[2 * i + 1] >= pairs[2 * i + 3];
    return falls;
}

static void fill_ranges(struct tw_cost_profile *slopes, double sea)
{
    int32_t piece = 0;
    slopes->ranges_per_cost = TW_PROFILE_RANGES / sea;
    for (int32_t range = 0; range < TW_PROFILE_RANGES; range++) {
        while (piece + 1 < slopes->count &&
               tw_cost_profile_range(slopes, slopes->knot[piece + 1]) < range)
            piece++;
        slopes->first[range] = piece;
    }
}

void tw_cost_profile_fill(const struct tw_value *profile, double sea, double mean,
                          struct tw_cost_profile *slopes)
{
    const float *pairs = tw_floats(profile);
    int32_t last = profile->width - 1;
    double top = (double)pairs[1], fall = top - (double)pairs[2 * last + 1];
    slopes->count = 0;
    for (int32_t i = 0; i < last; i++) {
        double from = sea * (top - (double)pairs[2 * i + 1]) / fall;
        double to = sea * (top - (double)pairs[2 * i + 3]) / fall;
        if (to <= from)
            continue;
        slopes->knot[slopes->count] = from;
        slopes->scale[slopes->count] =
            (to - from) / ((double)pairs[2 * i + 2] - (double)pairs[2 * i]) / mean;
        slopes->count++;
    }
    fill_ranges(slopes, sea);
}
