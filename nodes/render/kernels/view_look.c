/* SPDX-License-Identifier: MIT */
/* What one ray sees: the ground with its water, a side of the block, or what is around it. */
#include "render/kernels/noise_tile.h"
#include "render/kernels/view.h"

static const float sky_horizon[3] = {198, 217, 234}, sky_zenith[3] = {58, 104, 178};

void tw_view_set(struct tw_view *view, double degrees)
{
    const struct tw_mood_light *light = tw_mood_light(view->block.scene.mood);
    float strong = view->mode == TW_VIEW_SCENE ? 2.5f : 1.0f;
    view->pixel = 2.0f * (float)(tw_sin_degrees(degrees / 2) / tw_cos_degrees(degrees / 2)) /
                  (float)view->width;
    view->exposure *= light->exposure;
    view->haze = tw_min(view->haze * light->haze * strong, 1.0f);
    struct tw_rgb day = tw_sun_at(0, 45, light->sky).zenith;
    float dim = tw_rgb_luminance(view->block.scene.sun.zenith) / tw_rgb_luminance(day);
    view->haze_colour = tw_rgb_scale(tw_mood_colour(light->haze_colour), 1.6f * dim);
    struct tw_rgb low = tw_rgb_from_srgb(sky_horizon[0], sky_horizon[1], sky_horizon[2]);
    struct tw_rgb high = tw_rgb_from_srgb(sky_zenith[0], sky_zenith[1], sky_zenith[2]);
    view->horizon = tw_rgb_scale(tw_rgb_mix(low, tw_mood_colour(light->haze_colour), 0.4f), dim);
    view->zenith = tw_rgb_scale(high, dim);
    tw_tone_tables_fill(&view->tones);
}

/* The share of haze before a point t cells away; it thins with height. */
static float air_of(const struct tw_view *v, float t, float z)
{
    const struct tw_map_block *b = &v->block;
    bool block = v->mode == TW_VIEW_BLOCK;
    float side = 1024.0f / b->k, range = tw_max(b->range, 0.02f * side);
    float thin = tw_fast_exp(-(z - b->low) / ((block ? 0.25f : 0.6f) * range));
    float far = t / ((block ? 3.0f : 2.2f) * side);
    return v->haze * (1.0f - tw_fast_exp(-far * thin));
}

/* The sky mirrored by water, more at grazing angles (Schlick 1994), and the sun's glint. */
static struct tw_rgb add_mirror(const struct tw_view *v, struct tw_rgb c, const double *along,
                                float water)
{
    const struct tw_sun *s = &v->block.scene.sun;
    float cosine = tw_share_of((float)-along[2]), grazing = 1.0f - cosine;
    float square = grazing * grazing, fresnel = 0.02f + 0.75f * square * square * grazing;
    struct tw_rgb sky = tw_rgb_mix(s->around, s->zenith, tw_share_of(1.4f * cosine));
    float hx = s->x - (float)along[0], hy = s->y - (float)along[1], hz = s->z - (float)along[2];
    float length = sqrtf(hx * hx + hy * hy + hz * hz);
    float glint = 0.17f * tw_fast_pow(tw_max(hz / tw_max(length, 1e-6f), 0.0f), 200.0f);
    c = tw_rgb_mix(c, sky, fresnel * water);
    return tw_rgb_add(c, tw_rgb_scale(s->light, glint * water));
}

/* Cosine between the ray and the patch that it meets. */
static float facing(const struct tw_pyramid *p, const struct tw_hit *hit, const double *along)
{
    int32_t x = tw_clamp_index((int32_t)hit->at[0], p->width - 1);
    int32_t y = tw_clamp_index((int32_t)hit->at[1], p->height - 1);
    const float *upper = p->cells + (size_t)y * (size_t)p->width + x, *lower = upper + p->width;
    float gx = 0.5f * ((upper[1] - upper[0]) + (lower[1] - lower[0]));
    float gy = 0.5f * ((lower[0] - upper[0]) + (lower[1] - upper[1]));
    float dot = gx * (float)along[0] + gy * (float)along[1] - (float)along[2];
    return tw_max(dot, 0.0f) / sqrtf(1.0f + gx * gx + gy * gy);
}

static struct tw_rgb look_at_ground(const struct tw_view *v, const struct tw_ray *ray,
                                    const struct tw_hit *hit)
{
    float cosine = tw_max(facing(&v->pyramid, hit, ray->along), 0.12f);
    float lod = tw_fast_log2(tw_max(v->blur * (float)hit->t * v->pixel / sqrtf(cosine), 1e-3f));
    struct tw_surface_sample sample =
        tw_surface_mips_read(&v->mips, (float)hit->at[0], (float)hit->at[1], lod);
    struct tw_rgb c = sample.light;
    if (sample.water > 0)
        c = add_mirror(v, c, ray->along, sample.water);
    return c;
}

/* The sky as shown, without the tone curve: pale where the air is thick, `up` being the ray's rise.
 */
static struct tw_rgb sky_of(const struct tw_view *v, float up)
{
    if (v->block.scene.mood == TW_MOON)
        return v->block.backdrop_low;
    return tw_rgb_mix(v->horizon, v->zenith, 1.0f - tw_fast_exp(-4.5f * up));
}

/* A scene fades into its horizon. */
static struct tw_rgb fade(const struct tw_view *v, struct tw_rgb shown, float air)
{
    return v->block.scene.mood == TW_MOON ? shown : tw_rgb_mix(shown, v->horizon, air);
}

/* Level ground without relief, so that nothing is made up: the mood's mean, in patches. */
static struct tw_rgb plain_at(const struct tw_view *v, const struct tw_ray *ray, double t)
{
    const struct tw_map_block *b = &v->block;
    float x = b->k * (float)(ray->from[0] + t * ray->along[0]);
    float y = b->k * (float)(ray->from[1] + t * ray->along[1]);
    float far = 1024.0f / tw_max(b->k * (float)t, 1.0f);
    float patches = tw_noise_tile_at(b->noise, x / 410.0f, y / 410.0f) +
                    tw_share_of(far) * tw_noise_tile_at(b->noise, x / 60.0f, y / 60.0f);
    struct tw_rgb c = tw_mood_colour(tw_mood_light(b->scene.mood)->mean);
    return tw_rgb_scale(c, 1.0f + 0.22f * patches);
}

/* Beyond the border of a scene: the sea, or a plain that the haze soon hides. */
static struct tw_view_sample look_beyond(const struct tw_view *v, const struct tw_ray *ray)
{
    const struct tw_map_block *b = &v->block;
    const struct tw_sun *s = &b->scene.sun;
    bool wet = b->sea >= b->low;
    float level = wet ? b->sea : b->low + 0.1f * b->range, side = 1024.0f / b->k;
    double t = ((double)level - ray->from[2]) / ray->along[2];
    if (ray->along[2] > -1e-4 || t < 0)
        return (struct tw_view_sample){sky_of(v, tw_max((float)ray->along[2], 0.0f)), 1e9f};
    t = t < 1e3 * (double)side ? t : 1e3 * (double)side;
    struct tw_rgb light = tw_rgb_add(tw_rgb_scale(s->light, tw_max(s->z, 0)), s->zenith);
    struct tw_rgb c =
        tw_rgb_multiply(wet ? b->palette.at[TW_TINT_WATER] : plain_at(v, ray, t), light);
    if (wet)
        c = add_mirror(v, c, ray->along, 1.0f);
    float far = (float)t / side, air = air_of(v, (float)t, level);
    air = 1.0f - (1.0f - air) * tw_fast_exp(-0.16f * far * far);
    return (struct tw_view_sample){fade(v, tw_tone_map(c, v->exposure), air), (float)t};
}

/* How near the ray's point is to the border ahead, 0..1: there the map passes into what is beyond.
 */
static float ending_at(const struct tw_view *v, const struct tw_ray *ray, const struct tw_hit *hit)
{
    const struct tw_map_block *b = &v->block;
    const double last[2] = {b->width - 1, b->height - 1};
    double side = 1024.0 / (double)b->k, ahead = side;
    for (int i = 0; i < 2; i++) {
        double along = ray->along[i], left = along > 0 ? last[i] - hit->at[i] : hit->at[i];
        double far = fabs(along) > 1e-3 ? left / fabs(along) : side;
        ahead = far < ahead ? far : ahead;
    }
    return tw_smoothstep(0.14f, 0.0f, (float)(ahead / side)) *
           tw_smoothstep(0.4f, 0.9f, (float)(hit->t / side));
}

static struct tw_view_sample look_in_scene(const struct tw_view *v, const struct tw_ray *ray,
                                           const struct tw_hit *hit)
{
    struct tw_rgb shown = tw_tone_map(look_at_ground(v, ray, hit), v->exposure);
    shown = fade(v, shown, air_of(v, (float)hit->t, (float)hit->at[2]));
    float ending = ending_at(v, ray, hit);
    if (ending > 0)
        shown = tw_rgb_mix(shown, look_beyond(v, ray).colour, ending);
    return (struct tw_view_sample){shown, (float)hit->t};
}

struct tw_view_sample tw_view_look(const struct tw_view *view, double u, double v)
{
    struct tw_ray ray = tw_camera_ray(&view->camera, u, v);
    struct tw_hit hit;
    bool found = tw_raycast(&view->pyramid, (double)view->block.bottom, &ray, &hit);
    if (view->mode == TW_VIEW_SCENE)
        return found && !hit.wall ? look_in_scene(view, &ray, &hit) : look_beyond(view, &ray);
    if (!found)
        return (struct tw_view_sample){tw_block_backdrop(&view->block, &ray, v), 1e9f};
    struct tw_rgb c = hit.wall ? tw_block_side(&view->block, hit.at)
                               : tw_rgb_mix(look_at_ground(view, &ray, &hit), view->haze_colour,
                                            air_of(view, (float)hit.t, (float)hit.at[2]));
    return (struct tw_view_sample){tw_tone_map(c, view->exposure), (float)hit.t};
}
