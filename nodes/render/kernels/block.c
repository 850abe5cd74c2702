/* SPDX-License-Identifier: MIT */
/* Strata on the sides, water where the sea is cut, and a soft shadow on the floor. */
#include "render/kernels/block.h"

#include "render/kernels/noise_tile.h"

enum { FOOTPRINTS = 4 }; /* shifted along the light */

void tw_block_set(struct tw_map_block *b)
{
    int32_t longest = b->width > b->height ? b->width : b->height;
    float foot = b->sea > -1e5f && b->sea < b->low ? b->sea : b->low;
    const struct tw_mood_light *light = tw_mood_light(b->scene.mood);
    b->k = 1024.0f / (float)longest;
    b->bottom = foot - 0.06f * (float)longest;
    b->fade = 1.0f / (light->water_depth * (float)longest);
    b->palette = tw_mood_palette(b->scene.mood);
    b->strata[0] = tw_mood_colour(light->stratum[0]);
    b->strata[1] = tw_mood_colour(light->stratum[1]);
    b->soil = tw_mood_colour(light->soil);
    float day = tw_sun_at(0, 45, light->sky).zenith.b;
    float dim = tw_mix(0.05f, 1.0f, tw_share_of(b->scene.sun.zenith.b / day));
    b->backdrop_low = tw_rgb_scale(tw_mood_colour(light->backdrop_low), dim);
    b->backdrop_high = tw_rgb_scale(tw_mood_colour(light->backdrop_high), dim);
}

struct side {
    float x, y;  /* outward normal */
    float along; /* cells along the side */
};

static struct side side_at(const struct tw_map_block *b, const double *at)
{
    const double distance[4] = {at[0], b->width - 1 - at[0], at[1], b->height - 1 - at[1]};
    static const float normal[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int nearest = 0;
    for (int i = 1; i < 4; i++)
        nearest = distance[i] < distance[nearest] ? i : nearest;
    return (struct side){normal[nearest][0], normal[nearest][1],
                         (float)(nearest < 2 ? at[1] : at[0] + 4096)};
}

/* Layers of rock below the ground line, soil on top, darker at the foot. */
static struct tw_rgb rock_of(const struct tw_map_block *b, const struct side *side, float z,
                             float ground)
{
    float k = b->k, x = side->along * k;
    float wide = tw_noise_tile_at(b->noise, x / 190.0f, k * z / 90.0f);
    float fine = tw_noise_tile_at(b->noise, x / 23.0f, k * z / 5.0f);
    float band = 0.06f * (k * z + 7.0f * wide + 1.1f * fine) + 0.0011f * x;
    float whole = (float)tw_floor(band), share = band - whole;
    /* Each layer has a tone of its own; borders are one tenth of a layer wide. */
    float here = 0.5f + 1.3f * tw_noise_tile_at(b->noise, whole * 0.37f + 0.13f, 0.71f);
    float next = 0.5f + 1.3f * tw_noise_tile_at(b->noise, (whole + 1) * 0.37f + 0.13f, 0.71f);
    float tone = tw_mix(tw_share_of(here), tw_share_of(next), tw_smoothstep(0.86f, 1.0f, share));
    tone = tw_mix(-0.25f, 1.25f, tone) + 0.12f * fine;
    struct tw_rgb colour = tw_rgb_mix(b->strata[0], b->strata[1], tone);
    float soil = tw_smoothstep(6.0f, 3.0f, k * (ground - z) + 1.6f * fine);
    colour = tw_rgb_mix(colour, b->soil, soil);
    float depth = (z - b->bottom) / tw_max(ground - b->bottom, 1e-3f);
    return tw_rgb_scale(colour, tw_mix(0.74f, 1.0f, tw_smoothstep(0.0f, 0.5f, depth)));
}

static struct tw_rgb water_of(const struct tw_map_block *b, float depth)
{
    float a = tw_fast_exp(-1.3f * depth * b->fade);
    struct tw_rgb deep = tw_rgb_scale(b->palette.at[TW_TINT_WATER], 0.8f);
    struct tw_rgb near = tw_rgb_mix(b->palette.at[TW_TINT_WATER], b->palette.at[TW_TINT_BED], 0.2f);
    return tw_rgb_mix(deep, near, a);
}

struct tw_rgb tw_block_side(const struct tw_map_block *b, const double *at)
{
    const struct tw_sun *s = &b->scene.sun;
    struct side side = side_at(b, at);
    size_t x = (size_t)tw_clamp_index((int32_t)at[0], b->width);
    size_t y = (size_t)tw_clamp_index((int32_t)at[1], b->height);
    size_t right = (size_t)tw_clamp_index((int32_t)x + 1, b->width);
    size_t below = (size_t)tw_clamp_index((int32_t)y + 1, b->height);
    const float *upper = b->ground + y * (size_t)b->width,
                *lower = b->ground + below * (size_t)b->width;
    float fx = (float)(at[0] - (double)x), fy = (float)(at[1] - (double)y), z = (float)at[2];
    float ground =
        tw_mix(tw_mix(upper[x], upper[right], fx), tw_mix(lower[x], lower[right], fx), fy);
    struct tw_rgb colour = z > ground ? water_of(b, b->sea - z) : rock_of(b, &side, z, ground);
    float facing = tw_max(side.x * s->x + side.y * s->y, 0.0f);
    struct tw_rgb fill = tw_rgb_add(tw_rgb_scale(s->around, 0.62f), tw_rgb_scale(s->zenith, 0.45f));
    struct tw_rgb light = tw_rgb_add(tw_rgb_scale(s->light, facing), fill);
    return tw_rgb_multiply(colour, light);
}

static float outside(float v, float last) { return v < 0 ? -v : v > last ? v - last : 0; }

/* Cells from a point of the floor to the block's footprint, shifted. */
static float distance_to(const struct tw_map_block *b, float x, float y)
{
    float dx = outside(x, (float)(b->width - 1)), dy = outside(y, (float)(b->height - 1));
    return sqrtf(dx * dx + dy * dy);
}

/* Contact shadow, and the block's own cast as four footprints, softer the further. */
static float floor_shadow(const struct tw_map_block *b, float x, float y)
{
    const struct tw_sun *s = &b->scene.sun;
    float side = 1024.0f / b->k, sum = 0;
    float tall = b->low + 0.35f * b->range - b->bottom;
    float flat = tw_max(sqrtf(s->x * s->x + s->y * s->y), 1e-6f);
    float length = s->z > 0.02f ? tw_min(tall * flat / s->z, 0.3f * side) : 0.0f;
    for (int i = 1; i <= FOOTPRINTS; i++) {
        float far = length * (float)i / FOOTPRINTS, soft = 0.008f * side + 0.35f * far;
        float d = distance_to(b, x + s->x / flat * far, y + s->y / flat * far);
        sum += tw_smoothstep(soft, 0.0f, d);
    }
    float cast = s->z > 0.02f ? 0.55f * sum / FOOTPRINTS : 0.0f;
    return tw_share_of(0.4f * tw_fast_exp(-distance_to(b, x, y) / (0.05f * side)) + cast);
}

struct tw_rgb tw_block_backdrop(const struct tw_map_block *b, const struct tw_ray *ray, double v)
{
    static const struct tw_rgb tint = {0.42f, 0.46f, 0.55f};
    struct tw_rgb c =
        tw_rgb_mix(b->backdrop_low, b->backdrop_high, tw_smoothstep(-1.0f, 1.0f, (float)v));
    if (ray->along[2] > -1e-4)
        return c;
    double t = ((double)b->bottom - ray->from[2]) / ray->along[2];
    float x = (float)(ray->from[0] + t * ray->along[0]);
    float y = (float)(ray->from[1] + t * ray->along[1]);
    float dark = t > 0 ? floor_shadow(b, x, y) : 0.0f;
    struct tw_rgb dim = {tw_mix(1, tint.r, dark), tw_mix(1, tint.g, dark), tw_mix(1, tint.b, dark)};
    return tw_rgb_multiply(c, dim);
}
