/* SPDX-License-Identifier: MIT */
#include "render/kernels/wall_strata.h"

#include "render/kernels/tone.h"

#define BORDER 0.94f /* share of a layer from which on it passes into the next */

void tw_wall_strata_set(struct tw_wall_strata *s, struct tw_rgb soft, struct tw_rgb hard)
{
    tw_strata_tops(s->table, s->tops);
    for (int32_t i = 0; i < s->table->rows; i++) {
        const struct tw_stratum *row = tw_strata_rows(s->table) + i;
        s->colours[i] = row->red < 0 ? tw_rgb_mix(soft, hard, row->hardness)
                                     : tw_rgb_from_srgb(row->red, row->green, row->blue);
    }
}

/* Between the cells of the map. */
static float bend_at(const struct tw_wall_strata *s, const double *at)
{
    if (!s->bend)
        return 0.5f;
    double u = (at[0] + 0.5) / s->factor - 0.5, v = (at[1] + 0.5) / s->factor - 0.5;
    u = u > 0 ? u : 0;
    v = v > 0 ? v : 0;
    size_t x = (size_t)tw_clamp_index((int32_t)u, s->width);
    size_t y = (size_t)tw_clamp_index((int32_t)v, s->height);
    size_t right = (size_t)tw_clamp_index((int32_t)x + 1, s->width);
    size_t below = (size_t)tw_clamp_index((int32_t)y + 1, s->height);
    const float *upper = s->bend + y * (size_t)s->width,
                *lower = s->bend + below * (size_t)s->width;
    float fx = (float)(u - (double)x), fy = (float)(v - (double)y);
    return tw_mix(tw_mix(upper[x], upper[right], fx), tw_mix(lower[x], lower[right], fx), fy);
}

struct tw_rgb tw_wall_strata_colour(const struct tw_wall_strata *s, const double *at, float shift)
{
    float z = (float)at[2] / s->scale + s->datum;
    float q = tw_strata_at(z + shift * s->period, bend_at(s, at), s->fold, s->period);
    int32_t i = 0, last = s->table->rows - 1;
    while (i < last && q >= s->tops[i])
        i++;
    float foot = i > 0 ? s->tops[i - 1] : 0.0f;
    float share = (q - foot) / tw_max(s->tops[i] - foot, 1e-20f); /* layers may be too thin */
    return tw_rgb_mix(s->colours[i], s->colours[i < last ? i + 1 : 0],
                      tw_smoothstep(BORDER, 1.0f, share));
}
