/* SPDX-License-Identifier: MIT */
/* What rays see: the ground with its water, a side of the block, or what is around it. */
#include "render/kernels/noise_tile.h"
#include "render/kernels/view_light.h"

#define HORIZON_HAZE 0.1f /* hides the horizon even in clear air */
#define GOES_ON 0.1f      /* distances behind the ground that a ray meets, in sides */
#define FAR_BEHIND 0.4f

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
    view->plain = tw_mood_colour(light->mean);
    tw_tone_tables_fill(&view->tones);
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
    return tw_rgb_scale(v->plain, 1.0f + 0.22f * patches);
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
    struct tw_rgb sky = tw_rgb_mix(s->zenith, s->around, 0.35f);
    struct tw_rgb light = tw_rgb_add(tw_rgb_scale(s->light, tw_max(s->z, 0)), sky);
    struct tw_rgb c =
        tw_rgb_multiply(wet ? b->palette.at[TW_TINT_WATER] : plain_at(v, ray, t), light);
    if (wet)
        c = tw_view_mirror(s, c, (float)ray->along[0], (float)ray->along[1], (float)ray->along[2],
                           1.0f);
    float far = (float)t / side, air = tw_view_air(v, (float)t, level);
    float clear = tw_max(HORIZON_HAZE - TW_CLOSING_HAZE * v->haze, 0.0f);
    air = 1.0f - (1.0f - air) * tw_fast_exp(-clear * far * far * far);
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

/* Ground in a scene, which ends gently behind: low ground only, that goes on in what the ray would
 * meet beyond. What stands before ground much further away, or the sky, keeps its outline. */
static struct tw_rgb end_gently(const struct tw_view *v, const struct tw_ray *ray,
                                const struct tw_hit *hit, struct tw_rgb shown)
{
    float ending = ending_at(v, ray, hit);
    if (ending == 0)
        return shown;
    struct tw_view_sample beyond = look_beyond(v, ray);
    float gap = (beyond.depth - (float)hit->t) * (v->block.k / 1024.0f);
    return tw_rgb_mix(shown, beyond.colour, ending * tw_smoothstep(FAR_BEHIND, GOES_ON, gap));
}

/* What a ray sees that meets a side of the block, or nothing. */
static struct tw_view_sample look_around(const struct tw_view *view, const struct tw_ray *ray,
                                         const struct tw_hit *hit, int32_t kind, double v)
{
    if (view->mode == TW_VIEW_SCENE)
        return look_beyond(view, ray);
    if (kind == TW_HIT_NONE)
        return (struct tw_view_sample){tw_block_backdrop(&view->block, ray, v), 1e9f};
    struct tw_rgb c = tw_block_side(&view->block, hit->at);
    return (struct tw_view_sample){tw_tone_map(c, view->exposure), (float)hit->t};
}

/* Depths as cells along the rays. */
static void find_free(const struct tw_camera *camera, const double *sight,
                      struct tw_ray_packet *rays)
{
    const double *forward = camera->forward;
    for (int i = 0; i < TW_RAYS; i++)
        rays->free[i] =
            sight[i] / (rays->along[0][i] * forward[0] + rays->along[1][i] * forward[1] +
                        rays->along[2][i] * forward[2]);
}

void tw_view_look(enum tw_simd simd, const struct tw_view *view, const double *u, const double *v,
                  const double *sight, struct tw_view_sample *samples)
{
    struct tw_ray_packet rays;
    struct tw_hit_packet hits;
    struct tw_ground_seen ground;
    bool scene = view->mode == TW_VIEW_SCENE;
    tw_camera_rays(&view->camera, u, v, &rays);
    find_free(&view->camera, sight, &rays);
    tw_ray_packet_cast(simd, &view->pyramid, (double)view->block.bottom, &rays, &hits);
    tw_view_ground(simd, view, &rays, &hits, &ground);
    for (int i = 0; i < TW_RAYS; i++) {
        struct tw_rgb shown = {ground.red[i], ground.green[i], ground.blue[i]};
        samples[i] = (struct tw_view_sample){shown, (float)hits.t[i]};
        if (hits.kind[i] == TW_HIT_GROUND && !scene)
            continue;
        struct tw_ray ray = tw_ray_of(&rays, i);
        struct tw_hit hit = tw_hit_of(&hits, i);
        if (hits.kind[i] == TW_HIT_GROUND)
            samples[i].colour = end_gently(view, &ray, &hit, shown);
        else
            samples[i] = look_around(view, &ray, &hit, hits.kind[i], v[i]);
    }
}
