/* SPDX-License-Identifier: MIT */
/* Slopes and noise, then the ground's colour, then light, then water: each a loop without branches
 * over a piece of a row. */
#include "render/kernels/surface_paint.h"

#include "render/kernels/noise_tile.h"
#include "render/kernels/tints.h"

/* Horn's gradient; at the map's borders one-sided, so that rims are as bright as the rest. */
static TW_INLINE void find_slopes(const struct tw_paint *p, struct tw_paint_piece *c)
{
    const float *up = c->rows[0], *at = c->rows[1], *down = c->rows[2];
    int32_t last = p->width - 1, x = c->x;
    float along = c->y == 0 || c->y == p->height - 1 ? 0.25f : 0.125f;
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        int32_t m = x + i, w = m > 0 ? m - 1 : 0, e = m < last ? m + 1 : last;
        float across = m > 0 && m < last ? 0.125f : 0.25f;
        float east = up[e] + 2.0f * at[e] + down[e], west = up[w] + 2.0f * at[w] + down[w];
        float south = down[w] + 2.0f * down[m] + down[e], north = up[w] + 2.0f * up[m] + up[e];
        c->gx[i] = (east - west) * across;
        c->gy[i] = (south - north) * along;
        c->slope[i] = sqrtf(c->gx[i] * c->gx[i] + c->gy[i] * c->gy[i]);
    }
}

/* The tile at the piece's points (u, v), moved by dx and dy. Samples are read in a loop of their
 * own, two that lie side by side at once: gathered amid a loop of vectors they took twice as long.
 */
static TW_INLINE void read_noise(const float *tile, const struct tw_paint_piece *c, float dx,
                                 float dy, float *to)
{
    int32_t upper[TW_PAINT_CELLS], lower[TW_PAINT_CELLS];
    float fx[TW_PAINT_CELLS], fy[TW_PAINT_CELLS];
    uint64_t above[TW_PAINT_CELLS], below[TW_PAINT_CELLS];
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        struct tw_noise_place at = tw_noise_place_of(c->u[i] + dx, c->v[i] + dy);
        upper[i] = at.upper;
        lower[i] = at.lower;
        fx[i] = at.fx;
        fy[i] = at.fy;
    }
    for (int32_t i = 0; i < c->count; i++) {
        memcpy(&above[i], tile + upper[i], sizeof *above);
        memcpy(&below[i], tile + lower[i], sizeof *below);
    }
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++)
        to[i] = tw_mix(tw_mix(tw_noise_of_pair(above[i], 0), tw_noise_of_pair(above[i], 1), fx[i]),
                       tw_mix(tw_noise_of_pair(below[i], 0), tw_noise_of_pair(below[i], 1), fx[i]),
                       fy[i]);
}

static TW_INLINE void find_noise(const struct tw_paint *p, struct tw_paint_piece *c)
{
    float wide = p->k / 29.0f, fine = p->k / 3.3f, y = (float)c->y;
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        c->u[i] = (float)(c->x + i) * wide;
        c->v[i] = y * wide;
    }
    read_noise(p->noise, c, 0, 0, c->n1);
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        float x = (float)(c->x + i);
        c->u[i] = x * fine + 1.5f * c->n1[i];
        c->v[i] = y * fine + 0.21f * x * fine;
    }
    read_noise(p->noise, c, 0, 0, c->n2);
    for (int32_t i = 0; i < c->count; i++)
        c->bump[i] = p->ground_bump;
}

/* Roughness of the normal that only the light sees: n2 is a bump of 0.8/k cells. */
static TW_INLINE void roughen(const struct tw_paint *p, struct tw_paint_piece *c)
{
    float fine = p->k / 3.3f, bump = p->bump * 0.8f / p->k;
    float right[TW_PAINT_CELLS], below[TW_PAINT_CELLS];
    read_noise(p->noise, c, fine, 0, right);
    read_noise(p->noise, c, 0, fine, below);
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        float rough = bump * c->bump[i] * (0.1f + tw_smoothstep(0.3f, 0.9f, c->slope[i]));
        c->gx[i] += rough * (right[i] - c->n2[i]);
        c->gy[i] += rough * (below[i] - c->n2[i]);
    }
}

/* Without a map of wetness, valleys are wet. */
static TW_INLINE void find_wetness(const struct tw_paint *p, struct tw_paint_piece *c)
{
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++)
        c->wet[i] = tw_smoothstep(-1.0f, 6.0f, (c->valley[i] - c->rows[1][c->x + i]) * p->k);
}

static TW_INLINE struct tw_site site_of(const struct tw_paint *p, const struct tw_paint_piece *c,
                                        int32_t i)
{
    float z = c->rows[1][c->x + i], n1 = c->n1[i], n2 = c->n2[i];
    float t = tw_clamp((z - p->foot) / p->rise, 0.0f, 1.0f);
    float h3 = (c->hollow[i] - z) * p->k;
    float steep = sqrtf(1.0f + c->slope[i] * c->slope[i]);
    float sunward = -(c->gx[i] * p->scene.sun.x + c->gy[i] * p->scene.sun.y) / steep;
    return (struct tw_site){.t = t,
                            .tt = t + 0.06f * n1 + 0.02f * n2,
                            .slope = c->slope[i],
                            .n1 = n1,
                            .n2 = n2,
                            .hollow = tw_smoothstep(0.2f, 3.0f, h3),
                            .crest = tw_smoothstep(0.2f, 3.0f, -h3),
                            .wet = c->wet[i],
                            .sunward = tw_clamp(sunward, -1.0f, 1.0f),
                            .level = p->k * z + p->base,
                            .snow = p->snow};
}

static TW_INLINE void keep(struct tw_paint_piece *c, int32_t i, struct tw_rgb colour)
{
    c->red[i] = colour.r;
    c->green[i] = colour.g;
    c->blue[i] = colour.b;
}

static const struct tw_cover alpine = {0.42f, 0.0f, 0.70f, 0.5f};
static const struct tw_cover temperate = {0.62f, 0.12f, 0.78f, 0.25f};
static const struct tw_cover island = {0.75f, 0.25f, 0.83f, 0.0f};

static TW_INLINE void tint_green(const struct tw_paint *p, struct tw_paint_piece *c,
                                 const struct tw_cover *cover, bool snow)
{
    const struct tw_palette palette = p->palette;
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        struct tw_site site = site_of(p, c, i);
        struct tw_rgb colour = tw_tint_green(&palette, cover, &site);
        if (snow)
            colour = tw_rgb_mix(colour, palette.at[TW_TINT_SNOW], tw_tint_snow(&site));
        keep(c, i, colour);
    }
}

#define TW_TINT_LOOP(tint)                                                                         \
    do {                                                                                           \
        const struct tw_palette palette = p->palette;                                              \
        TW_INDEPENDENT                                                                             \
        for (int32_t i = 0; i < c->count; i++) {                                                   \
            struct tw_site site = site_of(p, c, i);                                                \
            keep(c, i, tint(&palette, &site));                                                     \
        }                                                                                          \
    } while (0)

/* Colours by a ramp, between its steps. */
static TW_INLINE void tint_ramp(const struct tw_paint *p, struct tw_paint_piece *c)
{
    const struct tw_surface_ramp *ramp = p->ramp;
    float scale = TW_RAMP_STEPS / tw_max(ramp->high - ramp->low, 1e-20f);
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        float v = ramp->by == TW_RAMP_HEIGHT  ? c->rows[1][c->x + i]
                  : ramp->by == TW_RAMP_SLOPE ? c->slope[i]
                                              : c->mask[i];
        float at = tw_clamp((v - ramp->low) * scale, 0.0f, (float)TW_RAMP_STEPS);
        int32_t below = (int32_t)at, above = below < TW_RAMP_STEPS ? below + 1 : below;
        struct tw_rgb colour = tw_rgb_mix(ramp->at[below], ramp->at[above], at - (float)below);
        colour = tw_rgb_mix(colour, ramp->below, v < ramp->low ? 1.0f : 0.0f);
        keep(c, i, tw_rgb_mix(colour, ramp->above, v > ramp->high ? 1.0f : 0.0f));
    }
}

static TW_INLINE void tint(const struct tw_paint *p, struct tw_paint_piece *c)
{
    if (c->has_image) {
        TW_INDEPENDENT
        for (int32_t i = 0; i < c->count; i++)
            keep(c, i, c->image[i]);
        return;
    }
    if (p->ramp) {
        tint_ramp(p, c);
        return;
    }
    switch (p->scene.mood) {
    case TW_ALPINE:
        tint_green(p, c, &alpine, true);
        break;
    case TW_TEMPERATE:
        tint_green(p, c, &temperate, false);
        break;
    case TW_DESERT:
        TW_TINT_LOOP(tw_tint_desert);
        break;
    case TW_VOLCANIC:
        TW_TINT_LOOP(tw_tint_volcanic);
        break;
    case TW_MOON:
        TW_TINT_LOOP(tw_tint_moon);
        break;
    case TW_ISLAND:
    case TW_MOODS:
        tint_green(p, c, &island, false);
        break;
    }
}

/* A strip of sand along the sea, where it is not steep; on flat shores no wider than waves reach,
 * the distance from the water being about height / slope. Sand covers the bed, too. */
static TW_INLINE void add_beach(const struct tw_paint *p, struct tw_paint_piece *c)
{
    const struct tw_rgb sand = p->palette.at[TW_TINT_BEACH];
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        float rise = p->k * (c->rows[1][c->x + i] - p->sea), slope = c->slope[i];
        float above = rise + 1.5f * c->n2[i], away = rise / (slope + 0.01f) + 9.0f * c->n1[i];
        float share = tw_smoothstep(5.0f, 1.5f, above) * tw_smoothstep(28.0f, 10.0f, away) *
                      tw_max(tw_smoothstep(0.7f, 0.35f, slope), tw_smoothstep(0.0f, -5.0f, rise));
        c->red[i] = tw_mix(c->red[i], sand.r, share);
        c->green[i] = tw_mix(c->green[i], sand.g, share);
        c->blue[i] = tw_mix(c->blue[i], sand.b, share);
    }
}

static TW_INLINE void add_layers(struct tw_paint_piece *c)
{
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        c->red[i] = c->red[i] * c->bare[i] + c->over_red[i];
        c->green[i] = c->green[i] * c->bare[i] + c->over_green[i];
        c->blue[i] = c->blue[i] * c->bare[i] + c->over_blue[i];
    }
}

/* Sun, sky from above and from the sun's side, and light that comes back from the ground. */
static TW_INLINE struct tw_rgb light_of(const struct tw_paint *p, const struct tw_paint_piece *c,
                                        int32_t i)
{
    const struct tw_sun *s = &p->scene.sun;
    float steep = 1.0f / sqrtf(1.0f + c->gx[i] * c->gx[i] + c->gy[i] * c->gy[i]);
    float facing = tw_max((s->z - s->x * c->gx[i] - s->y * c->gy[i]) * steep, 0.0f);
    float sun = facing * c->sun[i], zenith = c->sky[i] * (0.5f + 0.5f * steep) * 0.65f;
    float around = c->sunward[i] * 0.35f, back = (1.0f - c->sky[i]) * 0.9f;
    return (struct tw_rgb){
        sun * s->light.r + zenith * s->zenith.r + around * s->around.r + back * p->bounce.r,
        sun * s->light.g + zenith * s->zenith.g + around * s->around.g + back * p->bounce.g,
        sun * s->light.b + zenith * s->zenith.b + around * s->around.b + back * p->bounce.b};
}

/* Light on level ground in the open, and on water, where the shadow is half as dark. */
static TW_INLINE struct tw_rgb light_on_level(const struct tw_sun *s, float sun)
{
    return (struct tw_rgb){sun * s->light.r + 0.65f * s->zenith.r + 0.35f * s->around.r,
                           sun * s->light.g + 0.65f * s->zenith.g + 0.35f * s->around.g,
                           sun * s->light.b + 0.65f * s->zenith.b + 0.35f * s->around.b};
}

/* Lays water over the ground's colour: Beer and Lambert's law, and a bed that is lighter than
 * earth. */
static TW_INLINE float water_channel(float ground, float bed, float deep, float absorption,
                                     float depth)
{
    float a = tw_fast_exp(-absorption * depth);
    return (0.4f * ground + 0.6f * bed) * a * a + deep * (1.0f - a);
}

/* Returns the share of foam on the water: along the shore, and in a broken line further out. */
static TW_INLINE float foam_of(const struct tw_paint *p, float depth, float slope, float n1,
                               float n2)
{
    float shore = p->k * depth / (slope + 0.01f) + 1.2f * n2;
    float line = tw_smoothstep(3.8f, 5.0f, shore) * tw_smoothstep(6.2f, 5.0f, shore);
    float broken = tw_clamp(0.5f + 0.95f * n1 + 0.5f * n2, 0.05f, 1.0f);
    return 0.55f * broken * (1.0f - tw_smoothstep(0.3f, 2.2f, shore)) +
           0.25f * line * tw_smoothstep(-0.05f, 0.35f, n1 + 0.4f * n2);
}

/* Without a mask of water, how much of the ground a lake hides: none below a film of rain. */
static TW_INLINE void find_water(const struct tw_paint *p, struct tw_paint_piece *c)
{
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++)
        c->water[i] = tw_smoothstep(0.0f, 1.0f, (c->lake[i] - p->film) * p->lake);
}

static TW_INLINE void finish(const struct tw_paint *p, const struct tw_paint_piece *c,
                             struct tw_surface_cell *to)
{
    const struct tw_rgb bed = p->palette.at[TW_TINT_BED], deep = p->palette.at[TW_TINT_WATER];
    const struct tw_rgb k = p->palette.absorption;
    const struct tw_rgb flat = light_on_level(&p->scene.sun, p->scene.sun.z);
    TW_INDEPENDENT
    for (int32_t i = 0; i < c->count; i++) {
        float depth = tw_max(p->sea - c->rows[1][c->x + i], c->lake[i]);
        float d = tw_max(tw_max(depth, 0.0f) * p->fade, p->least_fade * c->water[i]);
        float waves = p->sea > c->rows[1][c->x + i] ? 1.0f : 0.0f; /* lakes have no surf */
        float wet = tw_max(waves, c->water[i]);
        float foam = waves * foam_of(p, depth, c->slope[i], c->n1[i], c->n2[i]);
        struct tw_rgb ground = {c->red[i], c->green[i], c->blue[i]};
        struct tw_rgb water = {water_channel(ground.r, bed.r, deep.r, k.r, d),
                               water_channel(ground.g, bed.g, deep.g, k.g, d),
                               water_channel(ground.b, bed.b, deep.b, k.b, d)};
        water = tw_rgb_scale(water, 1.0f + 0.07f * c->n1[i] + 0.025f * c->n2[i]);
        water = tw_rgb_mix(water, (struct tw_rgb){0.85f, 0.9f, 0.92f}, foam);
        struct tw_rgb dry = tw_rgb_mix(flat, light_of(p, c, i), p->shading);
        struct tw_rgb level =
            light_on_level(&p->scene.sun, p->scene.sun.z * (0.35f + 0.65f * c->sun[i]));
        struct tw_rgb lit =
            tw_rgb_mix(tw_rgb_multiply(ground, dry), tw_rgb_multiply(water, level), wet);
        to[i] = (struct tw_surface_cell){tw_surface_pack(lit.r), tw_surface_pack(lit.g),
                                         tw_surface_pack(lit.b),
                                         (uint16_t)(int32_t)(wet * (1.0f - foam) * 65535.0f)};
    }
}

static TW_INLINE void examine_body(const struct tw_paint *paint, struct tw_paint_piece *piece)
{
    find_slopes(paint, piece);
    find_noise(paint, piece);
}
TW_SIMD_KERNEL(examine, (const struct tw_paint *paint, struct tw_paint_piece *piece),
               (paint, piece))

static TW_INLINE void paint_body(const struct tw_paint *paint, struct tw_paint_piece *piece,
                                 struct tw_surface_cell *to)
{
    roughen(paint, piece);
    if (!piece->has_wet)
        find_wetness(paint, piece);
    tint(paint, piece);
    if (!piece->has_image)
        add_beach(paint, piece);
    if (paint->layers)
        add_layers(piece);
    if (!piece->has_water)
        find_water(paint, piece);
    finish(paint, piece, to);
}
TW_SIMD_KERNEL(paint,
               (const struct tw_paint *paint, struct tw_paint_piece *piece,
                struct tw_surface_cell *to),
               (paint, piece, to))

void tw_paint_piece(enum tw_simd simd, const struct tw_paint *p, struct tw_paint_piece *piece,
                    struct tw_surface_cell *to)
{
    examine(simd)(p, piece);
    if (p->layers)
        tw_paint_layers(simd, p, piece);
    paint(simd)(p, piece, to);
}
