/* SPDX-License-Identifier: MIT */
/* What belongs to a mood: the light, the colours of the ground, of water and of what is around. */
#ifndef TW_NODES_RENDER_KERNELS_MOODS_H
#define TW_NODES_RENDER_KERNELS_MOODS_H

#include "render/kernels/shading_math.h"

#define TW_MOOD_LABELS "alpine|temperate|desert|volcanic|moon|island"
enum tw_mood { TW_ALPINE, TW_TEMPERATE, TW_DESERT, TW_VOLCANIC, TW_MOON, TW_ISLAND, TW_MOODS };

/* Colours of the ground; a mood leaves out what it does not have. */
enum tw_tint {
    TW_TINT_FLAT,   /* level and low */
    TW_TINT_MEADOW, /* on slopes */
    TW_TINT_DRY,    /* high */
    TW_TINT_PATCH,
    TW_TINT_FOREST,
    TW_TINT_SCREE,
    TW_TINT_ROCK,
    TW_TINT_DARK_ROCK,
    TW_TINT_SNOW,
    TW_TINT_BEACH,
    TW_TINT_BED,   /* of water */
    TW_TINT_WATER, /* deep */
    TW_TINTS
};

/* The colours of enum tw_tint in linear light. */
struct tw_palette {
    struct tw_rgb at[TW_TINTS];
    struct tw_rgb absorption; /* K of water */
};

struct tw_mood_light {
    float sky, exposure, haze, bounce;
    float bump;        /* roughness that only shading sees */
    float water_depth; /* D: map sides in which light fades */
    uint8_t mean[3];   /* of the ground, for light that bounces */
    uint8_t backdrop_low[3], backdrop_high[3], haze_colour[3];
    uint8_t stratum[2][3], soil[3]; /* of the block's sides */
};

const struct tw_mood_light *tw_mood_light(enum tw_mood mood);
struct tw_palette tw_mood_palette(enum tw_mood mood);
struct tw_rgb tw_mood_colour(const uint8_t *bytes);

#endif
