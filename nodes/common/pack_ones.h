/* SPDX-License-Identifier: MIT */
/* 64 comparisons of a vector loop as the bits of a word. */
#ifndef TW_NODES_COMMON_PACK_ONES_H
#define TW_NODES_COMMON_PACK_ONES_H

#include <thalweg/simd.h>

/* Bit i is byte i, which is 0 or 1. Of eight bytes times this factor, bit 56 + i is that of byte i
 * alone. */
static TW_INLINE uint64_t tw_pack_ones(const uint8_t ones[64])
{
    uint64_t bits = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t eight = 0;
        for (int k = 0; k < 8; k++)
            eight |= (uint64_t)ones[i + k] << 8 * k;
        bits |= (eight * 0x0102040810204080u >> 56) << i;
    }
    return bits;
}

#endif
