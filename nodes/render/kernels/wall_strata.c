/* SPDX-License-Identifier: MIT */
#include "render/kernels/wall_strata.h"

#include "render/kernels/tone.h"

#define BORDER 0.94f /* share of a layer from which on it passes into the next */

void tw_wall_strata_read(const struct tw_table *table, struct tw_wall_strata *wall)
{
    tw_strata_read(table, &wall->strata);
    for (int32_t i = 0; i < wall->strata.count; i++) {
        const struct tw_stratum *row = &wall->strata.at[i];
        wall->colours[i] = tw_rgb_from_srgb(row->red, row->green, row->blue);
    }
}

/* Between the cells of the map. */
static float bend_at(const struct tw_wall_strata *w, const double *at)
{
    if (!w->bend)
        return 0.5f;
    double u = (at[0] + 0.5) / w->factor - 0.5, v = (at[1] + 0.5) / w->factor - 0.5;
    u = u > 0 ? u : 0;
    v = v > 0 ? v : 0;
    size_t x = (size_t)tw_clamp_index((int32_t)u, w->width);
    size_t y = (size_t)tw_clamp_index((int32_t)v, w->height);
    size_t right = (size_t)tw_clamp_index((int32_t)x + 1, w->width);
    size_t below = (size_t)tw_clamp_index((int32_t)y + 1, w->height);
    const float *upper = w->bend + y * (size_t)w->width;
    const float *lower = w->bend + below * (size_t)w->width;
    float fx = (float)(u - (double)x), fy = (float)(v - (double)y);
    return tw_mix(tw_mix(upper[x], upper[right], fx), tw_mix(lower[x], lower[right], fx), fy);
}

struct tw_rgb tw_wall_strata_colour(const struct tw_wall_strata *wall, const double *at,
                                    float shift)
{
    const struct tw_wall_strata *w = wall;
    double z = at[2] / (double)w->scale + (double)w->datum + (double)shift * w->course.period;
    double q = tw_strata_share(&w->course, z, (double)bend_at(w, at), 0, 0);
    int32_t i = tw_strata_find(&w->strata, q), next = i + 1 < w->strata.count ? i + 1 : 0;
    double thick = w->strata.top[i + 1] - w->strata.top[i];
    float share = thick > 0 ? (float)((q - w->strata.top[i]) / thick) : 0.0f;
    return tw_rgb_mix(w->colours[i], w->colours[next], tw_smoothstep(BORDER, 1.0f, share));
}
