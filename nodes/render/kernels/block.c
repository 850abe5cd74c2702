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

/* A tone of its own for each whole number, -1..1. */
static float tone_of(const struct tw_map_block *b, float whole, float salt)
{
    return tw_clamp(2.6f * tw_noise_tile_at(b->noise, whole * 0.37f + 0.13f, salt), -1.0f, 1.0f);
}

/* Which layer a point is in, counted in layers: tilted, gently folded, of uneven thickness, and
 * displaced along faults that lean. */
static float layer_at(const struct tw_map_block *b, float x, float h)
{
    float place = x / 230.0f + h / 420.0f + 0.35f * tw_noise_tile_at(b->noise, x / 500.0f, 0.37f);
    float slip = 16.0f * tone_of(b, (float)tw_floor(place), 0.53f);
    float fold = 27.0f * tw_noise_tile_at(b->noise, x / 330.0f, h / 400.0f + 0.2f) +
                 1.3f * tw_noise_tile_at(b->noise, x / 31.0f, h / 31.0f);
    float depth = (h + fold + slip + 0.045f * x) / 12.0f;
    return depth + 0.9f * tw_noise_tile_at(b->noise, depth / 4.3f, 0.61f);
}

/* Layers of rock below the ground line, soil on top, darker at the foot. A layer is finely bedded
 * or massive and grained, so that no stripe looks like the next. */
static struct tw_rgb rock_of(const struct tw_map_block *b, const struct side *side, float z,
                             float ground)
{
    float k = b->k, x = side->along * k, h = k * z;
    float layer = layer_at(b, x, h), whole = (float)tw_floor(layer), share = layer - whole;
    float grain = tw_noise_tile_at(b->noise, x / 6.0f, h / 5.0f);
    float stain = tw_noise_tile_at(b->noise, x / 47.0f, h / 38.0f);
    float kind = tone_of(b, whole, 0.29f);
    float bedding = tw_noise_tile_at(b->noise, x / 140.0f, layer * 1.3f);
    float texture = 0.4f * grain + 0.3f * stain + (kind < -0.1f ? 0.5f * bedding : 0.0f);
    float border = tw_smoothstep(0.88f, 1.0f, share + 0.06f * grain);
    float tone = tw_mix(tone_of(b, whole, 0.71f), tone_of(b, whole + 1, 0.71f), border);
    float pale = tw_mix(kind, tone_of(b, whole + 1, 0.29f), border);
    struct tw_rgb colour = tw_rgb_mix(b->strata[0], b->strata[1], 0.5f + 0.7f * tone);
    colour = tw_rgb_scale(colour, (1.0f + 0.30f * texture) * (1.0f + 0.28f * pale));
    float soil = tw_smoothstep(5.0f, 2.5f, k * (ground - z) + 4.0f * grain + 3.0f * stain);
    colour =
        tw_rgb_mix(colour, ground < b->sea ? b->palette.at[TW_TINT_BED] : b->soil, 0.8f * soil);
    float depth = (z - b->bottom) / tw_max(ground - b->bottom, 1e-3f);
    return tw_rgb_scale(colour, tw_mix(0.74f, 1.0f, tw_smoothstep(0.0f, 0.5f, depth)));
}

static struct tw_rgb water_of(const struct tw_map_block *b, float depth)
{
    float a = tw_fast_exp(-1.3f * depth * b->fade);
    struct tw_rgb deep = tw_rgb_scale(b->palette.at[TW_TINT_WATER], 1.5f);
    struct tw_rgb near = tw_rgb_mix(b->palette.at[TW_TINT_WATER], b->palette.at[TW_TINT_BED], 0.1f);
    return tw_rgb_mix(deep, near, a);
}

/* Of a plane of the block, between its cells. */
static float height_at(const struct tw_map_block *b, const float *plane, const double *at)
{
    size_t x = (size_t)tw_clamp_index((int32_t)at[0], b->width);
    size_t y = (size_t)tw_clamp_index((int32_t)at[1], b->height);
    size_t right = (size_t)tw_clamp_index((int32_t)x + 1, b->width);
    size_t below = (size_t)tw_clamp_index((int32_t)y + 1, b->height);
    const float *upper = plane + y * (size_t)b->width, *lower = plane + below * (size_t)b->width;
    float fx = (float)(at[0] - (double)x), fy = (float)(at[1] - (double)y);
    return tw_mix(tw_mix(upper[x], upper[right], fx), tw_mix(lower[x], lower[right], fx), fy);
}

struct tw_rgb tw_block_side(const struct tw_map_block *b, const double *at)
{
    const struct tw_sun *s = &b->scene.sun;
    struct side side = side_at(b, at);
    float z = (float)at[2], ground = height_at(b, b->ground, at);
    float depth = b->sea - z;
    if (b->lakes)
        depth = tw_max(depth, height_at(b, b->lakes, at) - z);
    struct tw_rgb colour = z > ground ? water_of(b, depth) : rock_of(b, &side, z, ground);
    float facing = 0.8f * tw_max(side.x * s->x + side.y * s->y, 0.0f);
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
