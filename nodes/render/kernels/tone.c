/* SPDX-License-Identifier: MIT */
/* The sRGB transfer function and its inverse. */
#include "render/kernels/tone.h"

static float linear_of(float value)
{
    double v = (double)value / 255.0;
    return (float)(v <= 0.04045 ? v / 12.92 : tw_pow((v + 0.055) / 1.055, 2.4));
}

struct tw_rgb tw_rgb_from_srgb(float red, float green, float blue)
{
    return (struct tw_rgb){linear_of(red), linear_of(green), linear_of(blue)};
}

void tw_tone_tables_fill(struct tw_tone_tables *tables)
{
    for (int i = 0; i < 256; i++)
        tables->decode[i] = linear_of((float)i);
    for (int i = 0; i <= TW_ENCODE_STEPS; i++) {
        double root = (double)i / TW_ENCODE_STEPS, v = root * root;
        v = v <= 0.0031308 ? 12.92 * v : 1.055 * tw_pow(v, 1.0 / 2.4) - 0.055;
        tables->encode[i] = (uint8_t)(v * 255.0 + 0.5);
    }
}
