/* SPDX-License-Identifier: MIT */
/* Strata on the sides, water where the sea is cut, and a soft shadow on the floor. */
#include "render/kernels/block.h"

#include "render/kernels/noise_tile.h"

/* Layers of the map's own: how much they show, and how far noise moves them, in periods. At full
 * share and with straight borders they look printed. */
#define LAYERS 0.6f
#define SHIFT 0.02f

static struct tw_floor_shadow shadow_of(const struct tw_map_block *b)
{
    const struct tw_sun *s = &b->scene.sun;
    float side = 1024.0f / b->k, tall = b->low + 0.35f * b->range - b->bottom;
    float flat = tw_max(sqrtf(s->x * s->x + s->y * s->y), 1e-6f);
    bool lit = s->z > 0.02f;
    float length = lit ? tw_min(tall * flat / s->z, 0.3f * side) : 0.0f;
    struct tw_floor_shadow shadow = {.share = lit ? 0.55f / TW_FOOTPRINTS : 0.0f,
                                     .contact = 0.05f * side};
    for (int i = 0; i < TW_FOOTPRINTS; i++) {
        float far = length * (float)(i + 1) / TW_FOOTPRINTS;
        shadow.x[i] = s->x / flat * far;
        shadow.y[i] = s->y / flat * far;
        shadow.soft[i] = 0.008f * side + 0.35f * far;
    }
    return shadow;
}

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
    b->shadow = shadow_of(b);
}

struct side {
    enum tw_side number;
    float x, y;  /* outward normal */
    float along; /* cells along the side, which goes on from one to the next */
};

static struct side side_at(const struct tw_map_block *b, const double *at)
{
    const double distance[TW_SIDES] = {at[0], b->width - 1 - at[0], at[1], b->height - 1 - at[1]};
    static const float normal[TW_SIDES][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int nearest = 0;
    for (int i = 1; i < TW_SIDES; i++)
        nearest = distance[i] < distance[nearest] ? i : nearest;
    return (struct side){(enum tw_side)nearest, normal[nearest][0], normal[nearest][1],
                         (float)(nearest < TW_NORTH ? at[1] : at[0] + 4096)};
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
static struct tw_rgb rock_of(const struct tw_map_block *b, const struct side *side,
                             const double *at, float ground)
{
    float z = (float)at[2], k = b->k, x = side->along * k, h = k * z;
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
    if (b->layers)
        colour = tw_rgb_mix(
            colour, tw_wall_strata_colour(b->layers, at, SHIFT * (stain + 0.4f * grain)), LAYERS);
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

/* The ground along a side, between its cells. */
static float rim_at(const struct tw_map_block *b, enum tw_side side, const double *at)
{
    double along = side < TW_NORTH ? at[1] : at[0];
    int32_t count = side < TW_NORTH ? b->height : b->width;
    int32_t i = tw_clamp_index((int32_t)along, count), next = tw_clamp_index(i + 1, count);
    return tw_mix(b->rim[side][i], b->rim[side][next], (float)(along - i));
}

struct tw_rgb tw_block_side(const struct tw_map_block *b, const double *at)
{
    const struct tw_sun *s = &b->scene.sun;
    struct side side = side_at(b, at);
    float z = (float)at[2], ground = rim_at(b, side.number, at);
    float depth = b->sea - z;
    if (b->lakes)
        depth = tw_max(depth, height_at(b, b->lakes, at) - z);
    struct tw_rgb colour = z > ground ? water_of(b, depth) : rock_of(b, &side, at, ground);
    float facing = 0.8f * tw_max(side.x * s->x + side.y * s->y, 0.0f);
    struct tw_rgb fill = tw_rgb_add(tw_rgb_scale(s->around, 0.62f), tw_rgb_scale(s->zenith, 0.45f));
    struct tw_rgb light = tw_rgb_add(tw_rgb_scale(s->light, facing), fill);
    return tw_rgb_multiply(colour, light);
}

static TW_INLINE float outside(float v, float last) { return tw_max(tw_max(-v, v - last), 0.0f); }

/* Cells from a point of the floor to the block's footprint, shifted. */
static TW_INLINE float distance_to(const struct tw_map_block *b, float x, float y)
{
    float dx = outside(x, (float)(b->width - 1)), dy = outside(y, (float)(b->height - 1));
    return sqrtf(dx * dx + dy * dy);
}

/* The part of the block that touches the floor and stands before the sun. */
static TW_INLINE float floor_shadow(const struct tw_map_block *b, float x, float y)
{
    const struct tw_floor_shadow *s = &b->shadow;
    float dark = 0.4f * tw_fast_exp(-distance_to(b, x, y) / s->contact);
    for (int i = 0; i < TW_FOOTPRINTS; i++)
        dark +=
            s->share * tw_smoothstep(s->soft[i], 0.0f, distance_to(b, x + s->x[i], y + s->y[i]));
    return tw_share_of(dark);
}

/* What looks up sees no floor. */
static TW_INLINE void backdrop_body(const struct tw_map_block *b, const struct tw_ray_packet *r,
                                    const double *v, struct tw_light_packet *seen)
{
    static const struct tw_rgb tint = {0.42f, 0.46f, 0.55f};
    const double below = (double)b->bottom - r->from[2];
    const struct tw_rgb low = b->backdrop_low, high = b->backdrop_high;
    float x[TW_RAYS], y[TW_RAYS], away[TW_RAYS];
    for (int i = 0; i < TW_RAYS; i++) {
        double t = below / r->along[2][i];
        t = r->along[2][i] <= -1e-4 ? t : 0;
        x[i] = (float)(r->from[0] + t * r->along[0][i]);
        y[i] = (float)(r->from[1] + t * r->along[1][i]);
        away[i] = (float)t;
    }
    for (int i = 0; i < TW_RAYS; i++) {
        float dark = floor_shadow(b, x[i], y[i]);
        dark = away[i] > 0 ? dark : 0;
        struct tw_rgb c = tw_rgb_mix(low, high, tw_smoothstep(-1.0f, 1.0f, (float)v[i]));
        seen->red[i] = c.r * tw_mix(1, tint.r, dark);
        seen->green[i] = c.g * tw_mix(1, tint.g, dark);
        seen->blue[i] = c.b * tw_mix(1, tint.b, dark);
    }
}
TW_SIMD_KERNEL(backdrop,
               (const struct tw_map_block *b, const struct tw_ray_packet *r, const double *v,
                struct tw_light_packet *seen),
               (b, r, v, seen))

void tw_block_backdrop(enum tw_simd simd, const struct tw_map_block *b,
                       const struct tw_ray_packet *rays, const double *v,
                       struct tw_light_packet *seen)
{
    backdrop(simd)(b, rays, v, seen);
}
