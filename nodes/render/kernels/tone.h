/* SPDX-License-Identifier: MIT */
/* Between bytes and linear light: sRGB (IEC 61966-2-1) both ways, and the tone curve in between. */
#ifndef TW_NODES_RENDER_KERNELS_TONE_H
#define TW_NODES_RENDER_KERNELS_TONE_H

#include "render/kernels/shading_math.h"

/* Linear light of a colour given as sRGB bytes, 0 to 255. */
struct tw_rgb tw_rgb_from_srgb(float red, float green, float blue);

enum { TW_ENCODE_STEPS = 8192 };

/* Byte of linear light 0..1, by a table over its square root; linear light of a byte. */
struct tw_tone_tables {
    uint8_t encode[TW_ENCODE_STEPS + 1];
    float decode[256];
};

void tw_tone_tables_fill(struct tw_tone_tables *tables);

/* Narkowicz 2015, "ACES filmic tone mapping curve": a rational fit that rolls highlights off. */
static TW_INLINE float tw_tone_curve(float x)
{
    return tw_share_of(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f));
}

/* 0.4 of the curve on luminance, which keeps the hue, 0.6 on each channel, which bleaches what is
 * very bright. The result is linear light in 0..1. */
static TW_INLINE struct tw_rgb tw_tone_map(struct tw_rgb c, float exposure)
{
    c = tw_rgb_scale(c, exposure);
    float light = tw_max(tw_rgb_luminance(c), 1e-6f), ratio = 0.4f * tw_tone_curve(light) / light;
    return (struct tw_rgb){tw_share_of(c.r * ratio + 0.6f * tw_tone_curve(c.r)),
                           tw_share_of(c.g * ratio + 0.6f * tw_tone_curve(c.g)),
                           tw_share_of(c.b * ratio + 0.6f * tw_tone_curve(c.b))};
}

/* The step of `encode` that linear light is at; its byte; the three bytes of a colour. */
static TW_INLINE int32_t tw_tone_step(float light)
{
    return (int32_t)(sqrtf(tw_share_of(light)) * TW_ENCODE_STEPS + 0.5f);
}
static inline uint8_t tw_tone_byte(const struct tw_tone_tables *tables, float light)
{
    return tables->encode[tw_tone_step(light)];
}
static inline void tw_tone_store(const struct tw_tone_tables *tables, struct tw_rgb c, uint8_t *to)
{
    to[0] = tw_tone_byte(tables, c.r);
    to[1] = tw_tone_byte(tables, c.g);
    to[2] = tw_tone_byte(tables, c.b);
}

#endif
