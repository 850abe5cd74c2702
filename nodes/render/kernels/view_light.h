/* SPDX-License-Identifier: MIT */
/* The light between the eye and the ground, free of branches: haze, and water as a mirror. */
#ifndef TW_NODES_RENDER_KERNELS_VIEW_LIGHT_H
#define TW_NODES_RENDER_KERNELS_VIEW_LIGHT_H

#include "render/kernels/view.h"

#define TW_CLOSING_HAZE 0.15f

/* Returns the share of haze before a point t cells away; it thins with height. In a scene it closes
 * in the end, on the map and beyond alike. */
static TW_INLINE float tw_view_air(const struct tw_view *v, float t, float z)
{
    const struct tw_map_block *b = &v->block;
    bool block = v->mode == TW_VIEW_BLOCK;
    float side = 1024.0f / b->k, range = tw_max(b->range, 0.02f * side);
    float thin = tw_fast_exp(-(z - b->low) / ((block ? 0.25f : 0.6f) * range));
    float far = t / ((block ? 3.0f : 2.2f) * side), sides = t / side;
    float haze = v->haze * (1.0f - tw_fast_exp(-far * thin));
    float open = tw_fast_exp(-TW_CLOSING_HAZE * v->haze * sides * sides * sides * thin);
    return block ? haze : 1.0f - (1.0f - haze) * open;
}

/* The sky mirrored by water, more at grazing angles (Schlick 1994), and the sun's glint. */
static TW_INLINE struct tw_rgb tw_view_mirror(const struct tw_sun *s, struct tw_rgb c, float east,
                                              float south, float up, float water)
{
    float cosine = tw_share_of(-up), grazing = 1.0f - cosine;
    float square = grazing * grazing, fresnel = 0.02f + 0.75f * square * square * grazing;
    struct tw_rgb sky = tw_rgb_mix(s->around, s->zenith, tw_share_of(1.4f * cosine));
    float hx = s->x - east, hy = s->y - south, hz = s->z - up;
    float length = sqrtf(hx * hx + hy * hy + hz * hz);
    float glint = 0.17f * tw_fast_pow(tw_max(hz / tw_max(length, 1e-6f), 0.0f), 200.0f);
    c = tw_rgb_mix(c, sky, fresnel * water);
    return tw_rgb_add(c, tw_rgb_scale(s->light, glint * water));
}

#endif
