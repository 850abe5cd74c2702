/* SPDX-License-Identifier: MIT */
/* What deflate.c (blocks), deflate_match.c (matches) and deflate_head.c (codes in a file) share. */
#ifndef TW_ENGINE_BASE_DEFLATE_PRIVATE_H
#define TW_ENGINE_BASE_DEFLATE_PRIVATE_H

#include "base/byte_order.h"
#include "base/deflate.h"
#include "base/huffman.h"

enum {
    TW_DEFLATE_BLOCK = 65535,  /* bytes, as many as fit into a block without codes */
    TW_DEFLATE_HASH_BITS = 13, /* a table that stays in the first cache */
    TW_DEFLATE_MATCH_MIN = 4,  /* deflate's is 3: those save nothing where one is found */
    TW_DEFLATE_LITERALS = 286, /* bytes, the end of a block, 29 lengths */
    TW_DEFLATE_END_OF_BLOCK = 256,
    TW_DEFLATE_DISTANCES = 30,
    TW_DEFLATE_STEPS_MAX = TW_DEFLATE_BLOCK / TW_DEFLATE_MATCH_MIN + 1
};

/* Bytes as they are, then a match unless its length is 0. */
struct tw_deflate_step {
    uint16_t literals, length, distance;
};

struct tw_deflate_code {
    uint32_t counts[TW_HUFFMAN_SYMBOLS_MAX];
    uint16_t codes[TW_HUFFMAN_SYMBOLS_MAX];
    unsigned char lengths[TW_HUFFMAN_SYMBOLS_MAX];
};

struct tw_deflate {
    uint32_t last[1 << TW_DEFLATE_HASH_BITS]; /* 1 + where four bytes lay last; 0: nowhere */
    struct tw_deflate_step steps[TW_DEFLATE_STEPS_MAX]; /* of a block; the last has no match */
    int step_count;
    struct tw_deflate_code literals, distances;
};

/* ---- bits, the first one lowest ---- */

struct tw_deflate_bits {
    unsigned char *at;
    uint64_t word;
    int count; /* in the word; below 8 after a flush */
};

/* At most 56 bits between two flushes. */
static inline void tw_deflate_put(struct tw_deflate_bits *bits, uint64_t value, int count)
{
    bits->word |= value << bits->count;
    bits->count += count;
}

static inline void tw_deflate_put_symbol(struct tw_deflate_bits *bits,
                                         const struct tw_deflate_code *code, unsigned symbol)
{
    tw_deflate_put(bits, code->codes[symbol], code->lengths[symbol]);
}

/* Writes 8 bytes, of which those that are not full yet are written again. */
static inline void tw_deflate_flush(struct tw_deflate_bits *bits)
{
    tw_put_u64(bits->at, bits->word);
    bits->at += bits->count >> 3;
    bits->word >>= bits->count & ~7;
    bits->count &= 7;
}

/* ---- symbols of lengths and distances (RFC 1951, 3.2.5) ---- */

struct tw_deflate_symbol {
    unsigned code, extra;
    int extra_bits;
};

/* Of a value that has 2^fine codes for each power of two, with the bits below behind them. */
static inline struct tw_deflate_symbol tw_deflate_symbol_of(unsigned value, int fine)
{
    int bits = value < 2u << fine ? 0 : 31 - __builtin_clz(value) - fine;
    return (struct tw_deflate_symbol){((unsigned)bits << fine) + (value >> bits),
                                      value & ((1u << bits) - 1), bits};
}

static inline struct tw_deflate_symbol tw_deflate_length_symbol(unsigned length)
{
    struct tw_deflate_symbol symbol = tw_deflate_symbol_of(length - 3, 2);
    if (length == 258)
        symbol = (struct tw_deflate_symbol){28, 0, 0};
    symbol.code += TW_DEFLATE_END_OF_BLOCK + 1;
    return symbol;
}

static inline struct tw_deflate_symbol tw_deflate_distance_symbol(unsigned distance)
{
    return tw_deflate_symbol_of(distance - 1, 1);
}

/* ---- the parts ---- */

/* deflate_match.c: the steps of the block from `begin` to `end`, positions in `from`. */
void tw_deflate_find_matches(struct tw_deflate *deflate, const unsigned char *from, size_t begin,
                             size_t end);

/* deflate_head.c: the codes of a block as the block says them (RFC 1951, 3.2.7). */
struct tw_deflate_head {
    unsigned char symbols[2 * TW_HUFFMAN_SYMBOLS_MAX], extras[2 * TW_HUFFMAN_SYMBOLS_MAX];
    int count, literals, distances, length_codes;
    struct tw_deflate_code code; /* of the lengths of the codes */
};
void tw_deflate_make_head(const struct tw_deflate *deflate, struct tw_deflate_head *head);
uint64_t tw_deflate_head_bits(const struct tw_deflate_head *head);
void tw_deflate_put_head(struct tw_deflate_bits *bits, const struct tw_deflate_head *head);

#endif
