/* SPDX-License-Identifier: MIT */
/* Finds what rays see: the ground with its water, a side of the block, or the backdrop. */
#include "render/kernels/noise_tile.h"
#include "render/kernels/view_light.h"

#define HORIZON_HAZE 0.1f /* hides the horizon even in clear air */
#define GOES_ON 0.1f      /* distances behind the ground that a ray meets, in sides */
#define FAR_BEHIND 0.4f
#define NOWHERE 1e9f /* depth of the sky */

/* Of one ray: linear light as shown, and how far away that is. */
struct sight {
    struct tw_rgb colour;
    float depth;
};

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
static struct sight look_beyond(const struct tw_view *v, const struct tw_ray *ray)
{
    const struct tw_map_block *b = &v->block;
    const struct tw_sun *s = &b->scene.sun;
    bool wet = b->sea >= b->low;
    float level = wet ? b->sea : b->low + 0.1f * b->range, side = 1024.0f / b->k;
    double t = ((double)level - ray->from[2]) / ray->along[2];
    if (ray->along[2] > -1e-4 || t < 0)
        return (struct sight){sky_of(v, tw_max((float)ray->along[2], 0.0f)), NOWHERE};
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
    return (struct sight){fade(v, tw_tone_map(c, v->exposure), air), (float)t};
}

/* Returns how near the ray's point is to the border ahead, 0..1: there the map passes into the land
 * beyond. */
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

/* Ground in a scene fades into what lies behind it: only low ground does, into what the ray would
 * meet beyond. Ground before something much further away, or before the sky, keeps its outline. */
static struct tw_rgb end_gently(const struct tw_view *v, const struct tw_ray *ray,
                                const struct tw_hit *hit, struct tw_rgb shown)
{
    float ending = ending_at(v, ray, hit);
    if (ending == 0)
        return shown;
    struct sight beyond = look_beyond(v, ray);
    float gap = (beyond.depth - (float)hit->t) * (v->block.k / 1024.0f);
    return tw_rgb_mix(shown, beyond.colour, ending * tw_smoothstep(FAR_BEHIND, GOES_ON, gap));
}

/* Finds what rays see other than ground and backdrop: a side of the block, the end of a scene, the
 * land beyond. `shown` is the light of ground that the ray meets. */
static struct sight look_alone(const struct tw_view *v, const struct tw_ray *ray,
                               const struct tw_hit *hit, bool ground, struct tw_rgb shown)
{
    if (v->mode == TW_VIEW_BLOCK)
        return (struct sight){tw_tone_map(tw_block_side(&v->block, hit->at), v->exposure),
                              (float)hit->t};
    if (ground)
        return (struct sight){end_gently(v, ray, hit, shown), (float)hit->t};
    return look_beyond(v, ray);
}

static struct tw_rgb light_of(const struct tw_light_packet *packet, int lane)
{
    return (struct tw_rgb){packet->red[lane], packet->green[lane], packet->blue[lane]};
}

static void set_sight(struct tw_view_packet *seen, int lane, struct sight sight)
{
    seen->light.red[lane] = sight.colour.r;
    seen->light.green[lane] = sight.colour.g;
    seen->light.blue[lane] = sight.colour.b;
    seen->depth[lane] = sight.depth;
}

static bool has_met(const struct tw_hit_packet *hits, enum tw_hit_kind kind)
{
    bool any = false;
    for (int i = 0; i < TW_RAYS; i++)
        any |= hits->kind[i] == (int32_t)kind;
    return any;
}

void tw_view_look(enum tw_simd simd, const struct tw_view *view, const double *u, const double *v,
                  const double *sight, struct tw_view_packet *seen)
{
    struct tw_ray_packet rays;
    struct tw_hit_packet hits;
    struct tw_light_packet ground, backdrop;
    bool scene = view->mode == TW_VIEW_SCENE;
    tw_camera_rays(simd, &view->camera, u, v, sight, &rays);
    tw_ray_packet_cast(simd, &view->pyramid, (double)view->block.bottom, &rays, &hits);
    if (has_met(&hits, TW_HIT_GROUND))
        tw_view_ground(simd, view, &rays, &hits, &ground);
    if (!scene && has_met(&hits, TW_HIT_NONE))
        tw_block_backdrop(simd, &view->block, &rays, v, &backdrop);
    for (int i = 0; i < TW_RAYS; i++) {
        bool met = hits.kind[i] == TW_HIT_GROUND;
        if (!scene && hits.kind[i] != TW_HIT_WALL) {
            float depth = met ? (float)hits.t[i] : NOWHERE;
            set_sight(seen, i, (struct sight){light_of(met ? &ground : &backdrop, i), depth});
            continue;
        }
        struct tw_ray ray = tw_ray_of(&rays, i);
        struct tw_hit hit = tw_hit_of(&hits, i);
        struct tw_rgb shown = {0, 0, 0};
        if (met)
            shown = light_of(&ground, i);
        set_sight(seen, i, look_alone(view, &ray, &hit, met, shown));
    }
    for (int i = 0; i < TW_RAYS; i++)
        seen->root[i] = sqrtf(tw_rgb_luminance(light_of(&seen->light, i)));
}
