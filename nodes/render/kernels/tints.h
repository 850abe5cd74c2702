/* SPDX-License-Identifier: MIT */
/* The cover of the ground: the colour of one place by height, slope, hollows and noise. Later
 * layers cover earlier ones; noise breaks every border. */
#ifndef TW_NODES_RENDER_KERNELS_TINTS_H
#define TW_NODES_RENDER_KERNELS_TINTS_H

#include "render/kernels/moods.h"

struct tw_site {
    float t, tt;   /* height from the sea or the lowest, 0, to the highest, 1; roughened by noise */
    float slope;   /* rise per cell */
    float n1, n2;  /* noise, wide and fine */
    float hollow;  /* 0..1: lower than its surroundings */
    float crest;   /* 0..1: higher than its surroundings */
    float wet;     /* 0..1: in a valley */
    float sunward; /* -1..1: a steep face towards the sun */
    float level;   /* k z: height in 1/1024 sides */
    float snow;    /* the snow line as t */
};

/* Vegetation and rock, common to the moods with both. */
struct tw_cover {
    float forest_high; /* tt above which no forest grows */
    float forest;      /* how much there is */
    float rock;        /* slope from which rock shows */
    float bare;        /* how much sooner it does higher up */
};

static TW_INLINE struct tw_rgb tw_tint_green(const struct tw_palette *p, const struct tw_cover *v,
                                             const struct tw_site *c)
{
    const struct tw_rgb *at = p->at;
    float steep =
        c->slope + 0.14f * c->n2 + v->bare * tw_smoothstep(0.22f, 0.6f, c->tt) + 0.12f * c->crest;
    float rock = tw_smoothstep(v->rock - 0.08f, v->rock + 0.25f, steep);
    struct tw_rgb ground =
        tw_rgb_mix(at[TW_TINT_FLAT], at[TW_TINT_MEADOW],
                   tw_smoothstep(0.02f, 0.2f, c->slope + 0.05f * c->n1 + 0.1f * (c->wet - 0.5f)));
    ground = tw_rgb_mix(ground, at[TW_TINT_DRY], tw_smoothstep(0.3f, 0.6f, c->tt));
    ground = tw_rgb_mix(ground, at[TW_TINT_PATCH], 0.6f * tw_smoothstep(0.05f, 0.5f, c->n1));
    float forest =
        tw_smoothstep(0.06f, 0.15f, c->slope + 0.04f * c->n1) *
        tw_smoothstep(v->forest_high + 0.03f, v->forest_high - 0.04f, c->tt) *
        tw_smoothstep(-0.22f, 0.1f, 0.6f * c->n1 + 0.5f * c->n2 + 0.4f * c->wet + v->forest) *
        (1.0f - 0.75f * c->crest);
    ground = tw_rgb_mix(ground, tw_rgb_scale(at[TW_TINT_FOREST], 0.9f + 0.25f * c->n2), forest);
    float scree = tw_smoothstep(0.36f, 0.46f, c->slope + 0.05f * c->n2) *
                  tw_smoothstep(0.82f, 0.68f, c->slope) * tw_smoothstep(0.31f, 0.39f, c->tt);
    ground = tw_rgb_mix(ground, at[TW_TINT_SCREE], 0.8f * scree);
    float bed = 0.5f + 0.45f * c->n1 + 0.4f * c->n2 + 0.3f * (c->hollow - 0.3f);
    struct tw_rgb stone = tw_rgb_mix(at[TW_TINT_ROCK], at[TW_TINT_DARK_ROCK], tw_share_of(bed));
    return tw_rgb_mix(ground, stone, rock);
}

/* Snow: none on steep faces, tongues in gullies, islands of rock. */
static TW_INLINE float tw_tint_snow(const struct tw_site *c)
{
    float cover = 10.0f * (c->t - c->snow) + 0.5f * c->n1 + 0.35f * c->n2 + 0.5f * c->hollow -
                  0.25f * tw_max(c->sunward, 0.0f) + 0.15f * tw_max(-c->sunward, 0.0f);
    float cling = 1.25f - c->slope + 0.35f * c->hollow + 0.42f * c->n2 +
                  0.55f * tw_smoothstep(c->snow, c->snow + 0.35f, c->t);
    return tw_smoothstep(-0.15f, 0.45f, cover) * tw_smoothstep(0.02f, 0.22f, cling);
}

static TW_INLINE float tw_fraction(float v)
{
    float small = fabsf(v) < 0x1p23f ? v : 0; /* larger numbers are whole */
    int32_t whole = (int32_t)small;
    float rest = small - (float)whole;
    return rest < 0 ? rest + 1.0f : rest;
}

/* 0 at whole numbers, 1 halfway between. */
static TW_INLINE float tw_zigzag(float v) { return 1.0f - fabsf(2.0f * tw_fraction(v) - 1.0f); }

static TW_INLINE struct tw_rgb tw_tint_desert(const struct tw_palette *p, const struct tw_site *c)
{
    const struct tw_rgb *at = p->at;
    struct tw_rgb sand =
        tw_rgb_mix(at[TW_TINT_FLAT], at[TW_TINT_DRY], tw_smoothstep(0.15f, 0.85f, c->tt));
    float sage = 0.22f * tw_smoothstep(0.5f, 0.95f, c->wet + 0.2f * c->n1) *
                 tw_smoothstep(0.12f, 0.05f, c->slope);
    sand = tw_rgb_mix(sand, at[TW_TINT_PATCH], sage);
    sand = tw_rgb_scale(sand, 1.0f + 0.06f * c->n1 + 0.03f * c->n2);
    /* Members, beds in them and laminae in these: no stripe is as thick as the next. */
    float layer = 0.042f * c->level + 0.3f * c->n1 + 0.04f * c->n2;
    float bed = 2.7f * layer + 0.6f * tw_zigzag(0.83f * layer);
    float tone = 0.42f * tw_zigzag(layer) + 0.38f * tw_zigzag(bed) + 0.2f * tw_zigzag(3.1f * bed);
    struct tw_rgb strata = tw_rgb_mix(at[TW_TINT_DARK_ROCK], at[TW_TINT_ROCK],
                                      tw_smoothstep(0.3f, 0.7f, tone + 0.08f * c->n2));
    strata = tw_rgb_mix(strata, at[TW_TINT_FOREST],
                        0.7f * tw_smoothstep(0.72f, 0.9f, tw_zigzag(0.37f * layer + 0.3f)));
    return tw_rgb_mix(sand, strata, tw_smoothstep(0.25f, 0.6f, c->slope + 0.06f * c->n2));
}

static TW_INLINE struct tw_rgb tw_tint_volcanic(const struct tw_palette *p, const struct tw_site *c)
{
    const struct tw_rgb *at = p->at;
    struct tw_rgb ash = tw_rgb_mix(at[TW_TINT_FLAT], at[TW_TINT_DRY],
                                   tw_share_of(0.5f + 0.4f * c->n1 + 0.3f * c->n2));
    struct tw_rgb green = tw_rgb_mix(at[TW_TINT_MEADOW], at[TW_TINT_FOREST],
                                     tw_share_of(0.4f + 0.6f * c->n1 + 0.3f * c->wet));
    float grown = tw_smoothstep(0.46f, 0.24f, c->tt + 0.08f * c->n2 - 0.08f * c->wet) *
                  tw_smoothstep(0.6f, 0.4f, c->slope);
    ash = tw_rgb_mix(ash, green, grown);
    ash = tw_rgb_mix(ash, at[TW_TINT_PATCH],
                     0.8f * tw_smoothstep(0.66f, 0.78f, c->tt) *
                         tw_smoothstep(-0.1f, 0.3f, c->n1 + 0.3f * c->n2));
    struct tw_rgb rock =
        tw_rgb_mix(at[TW_TINT_ROCK], at[TW_TINT_DARK_ROCK], tw_share_of(0.5f + 0.5f * c->n2));
    return tw_rgb_mix(ash, rock, 0.7f * tw_smoothstep(0.6f, 0.95f, c->slope + 0.14f * c->n2));
}

static TW_INLINE struct tw_rgb tw_tint_moon(const struct tw_palette *p, const struct tw_site *c)
{
    const struct tw_rgb *at = p->at;
    float grey = tw_share_of(0.35f + 0.35f * c->n1 + 0.1f * c->n2 + 0.5f * (c->t - 0.4f));
    struct tw_rgb dust = tw_rgb_mix(at[TW_TINT_FLAT], at[TW_TINT_DRY], grey);
    return tw_rgb_mix(dust, at[TW_TINT_ROCK], tw_smoothstep(0.4f, 0.9f, c->slope));
}

#endif
