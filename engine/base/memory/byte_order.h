/* SPDX-License-Identifier: MIT */
/* Little-endian numbers for files, cache entries, keys and digests, so that they are identical on
 * every machine. No other file depends on the machine's byte order. */
#ifndef TW_ENGINE_BASE_MEMORY_BYTE_ORDER_H
#define TW_ENGINE_BASE_MEMORY_BYTE_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TW_LITTLE_ENDIAN 1
#elif __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TW_LITTLE_ENDIAN 0
#else
#error "expected a little-endian or a big-endian machine"
#endif

static inline void tw_put_u32(unsigned char *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> (8 * i));
}

static inline void tw_put_u64(unsigned char *at, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(number >> (8 * i));
}

static inline void tw_put_f32(unsigned char *at, float number)
{
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    tw_put_u32(at, bits);
}

static inline uint16_t tw_get_u16(const unsigned char *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t tw_get_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t tw_get_u64(const unsigned char *at)
{
    return tw_get_u32(at) | (uint64_t)tw_get_u32(at + 4) << 32;
}

/* Reverses a number of `size` bytes; `to` and `from` must not overlap. */
static inline void tw_reverse_bytes(unsigned char *to, const unsigned char *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = from[size - 1 - i];
}

#endif
