/* SPDX-License-Identifier: MIT */
/* Floats of 16 bits (IEEE 754 binary16): 11 significant bits, at most 65504. */
#ifndef TW_ENGINE_FORMAT_HALF_H
#define TW_ENGINE_FORMAT_HALF_H

#include <stdint.h>
#include <string.h>

static inline float tw_half_to_float(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    const uint32_t exponent = half >> 10 & 0x1fu, fraction = half & 0x3ffu;
    uint32_t bits = sign;
    float number = (float)fraction * 5.9604644775390625e-8f; /* 2^-24: subnormal */
    if (exponent == 0) {
        memcpy(&bits, &number, sizeof bits);
        bits |= sign;
    } else {
        const uint32_t scaled = exponent == 0x1f ? 0xffu : exponent + 112;
        bits |= scaled << 23 | fraction << 13;
    }
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* Rounds to the nearest float of 11 significant bits, ties to even. Below 2^-14 the last bit of a
 * half is 2^-24. */
static inline float tw_round_to_half(float height)
{
    const float least_normal = 6.103515625e-5f, last_bit = 5.9604644775390625e-8f;
    uint32_t bits, sign;
    memcpy(&bits, &height, sizeof bits);
    sign = bits & UINT32_C(0x80000000); /* zero has a sign, too */
    float size = height < 0 ? -height : height;
    if (size < least_normal) {
        const float shift = 12582912.0f * last_bit; /* 1.5 x 2^23 of them: adding rounds */
        volatile float sum = size + shift;
        size = sum - shift;
        memcpy(&bits, &size, sizeof bits);
        bits |= sign;
    } else {
        bits += 0xfff + (bits >> 13 & 1);
        bits &= ~UINT32_C(0x1fff);
    }
    memcpy(&height, &bits, sizeof height);
    return height;
}

#endif
