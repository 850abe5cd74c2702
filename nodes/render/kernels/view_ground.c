/* SPDX-License-Identifier: MIT */
/* The ground that a packet of rays meets, a ray in each lane: cells are read lane by lane, the rest
 * is loops without branches. */
#include "render/kernels/view_light.h"

_Static_assert((int)TW_RAYS == (int)TW_MIPS_SAMPLES, "a sample for each ray");

#define GRAZING 0.12f /* least cosine: blur has a bound */

/* Cosine between each ray and the patch that it meets. */
static TW_INLINE void find_facing(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                                  const struct tw_hit_packet *hits, float *cosine)
{
    float corner[4][TW_RAYS];
    double across = p->width - 2, down = p->height - 2;
    for (int i = 0; i < TW_RAYS; i++) {
        double at_x = hits->at[0][i], at_y = hits->at[1][i];
        int32_t x = (int32_t)(at_x > 0 ? at_x < across ? at_x : across : 0);
        int32_t y = (int32_t)(at_y > 0 ? at_y < down ? at_y : down : 0);
        const float *upper = p->cells + (size_t)y * (size_t)p->width + x;
        corner[0][i] = upper[0];
        corner[1][i] = upper[1];
        corner[2][i] = upper[p->width];
        corner[3][i] = upper[p->width + 1];
    }
    for (int i = 0; i < TW_RAYS; i++) {
        float gx = 0.5f * ((corner[1][i] - corner[0][i]) + (corner[3][i] - corner[2][i]));
        float gy = 0.5f * ((corner[2][i] - corner[0][i]) + (corner[3][i] - corner[1][i]));
        float dot = gx * (float)r->along[0][i] + gy * (float)r->along[1][i] - (float)r->along[2][i];
        cosine[i] = tw_max(tw_max(dot, 0.0f) / sqrtf(1.0f + gx * gx + gy * gy), GRAZING);
    }
}

static TW_INLINE void shade(const struct tw_view *v, const struct tw_ray_packet *r,
                            const struct tw_hit_packet *hits, const struct tw_mips_samples *m,
                            struct tw_light_packet *seen)
{
    bool scene = v->mode == TW_VIEW_SCENE;
    const struct tw_sun sun = v->block.scene.sun;
    const struct tw_rgb haze = v->haze_colour, horizon = v->horizon;
    for (int i = 0; i < TW_RAYS; i++) {
        struct tw_rgb c = {m->red[i], m->green[i], m->blue[i]};
        c = tw_view_mirror(&sun, c, (float)r->along[0][i], (float)r->along[1][i],
                           (float)r->along[2][i], m->water[i]);
        float air = tw_view_air(v, (float)hits->t[i], (float)hits->at[2][i]);
        c = tw_tone_map(tw_rgb_mix(c, haze, scene ? 0.0f : air), v->exposure);
        c = tw_rgb_mix(c, horizon, scene ? air : 0.0f);
        seen->red[i] = c.r;
        seen->green[i] = c.g;
        seen->blue[i] = c.b;
    }
}

static TW_INLINE void look_body(const struct tw_view *v, const struct tw_ray_packet *r,
                                const struct tw_hit_packet *hits, struct tw_light_packet *seen)
{
    float cosine[TW_RAYS], x[TW_RAYS], y[TW_RAYS], lod[TW_RAYS];
    struct tw_mips_samples samples;
    find_facing(&v->pyramid, r, hits, cosine);
    for (int i = 0; i < TW_RAYS; i++) {
        lod[i] =
            tw_fast_log2(tw_max(v->blur * (float)hits->t[i] * v->pixel / sqrtf(cosine[i]), 1e-3f));
        x[i] = (float)hits->at[0][i];
        y[i] = (float)hits->at[1][i];
    }
    tw_surface_mips_read(&v->mips, x, y, lod, &samples);
    shade(v, r, hits, &samples, seen);
}
TW_SIMD_KERNEL(look,
               (const struct tw_view *v, const struct tw_ray_packet *r,
                const struct tw_hit_packet *hits, struct tw_light_packet *seen),
               (v, r, hits, seen))

void tw_view_ground(enum tw_simd simd, const struct tw_view *view, const struct tw_ray_packet *rays,
                    const struct tw_hit_packet *hits, struct tw_light_packet *seen)
{
    look(simd)(view, rays, hits, seen);
}
