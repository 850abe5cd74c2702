/* SPDX-License-Identifier: MIT */
/* The codes of a block stand in its header (RFC 1951, 3.2.7); its last bits are the code of its
 * end, and zeros follow. That place is the only one: if the code, with zeros up to the end of the
 * byte, also matched d bits further on, each of its bits would equal the one d bits later and its
 * last d bits would be zeros, so all of them would be. */
#include "base/deflate_end.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    DYNAMIC = 2, /* a block's type */
    CODE_BITS_MAX = 15,
    LENGTH_CODES = 19, /* symbols of the code in which the lengths of the others stand */
    CODES_MAX = 288 + 32,
    END_SYMBOL = 256
};

struct bits {
    const unsigned char *at;
    size_t count, next; /* next may be beyond count, where bits are zeros */
};

static unsigned bit_at(const struct bits *bits, size_t i)
{
    return i < bits->count ? (unsigned)bits->at[i / 8] >> i % 8 & 1u : 0;
}

/* From the lowest bit on. */
static unsigned take(struct bits *bits, int count)
{
    unsigned number = 0;
    for (int i = 0; i < count; i++)
        number |= bit_at(bits, bits->next++) << i;
    return number;
}

/* Symbols in the order of their codes, and how many have a code of each length. */
struct code {
    uint16_t counts[CODE_BITS_MAX + 1], symbols[LENGTH_CODES];
};

static void set_code(struct code *code, const unsigned char *lengths, int count)
{
    int used = 0;
    *code = (struct code){{0}, {0}};
    for (int length = 1; length <= CODE_BITS_MAX; length++)
        for (int symbol = 0; symbol < count; symbol++)
            if (lengths[symbol] == length) {
                code->counts[length]++;
                code->symbols[used++] = (uint16_t)symbol;
            }
}

/* -1 when the bits are not a symbol's. Codes of one length are consecutive numbers. */
static int take_symbol(struct bits *bits, const struct code *code)
{
    unsigned word = 0, first = 0, index = 0;
    for (int length = 1; length <= CODE_BITS_MAX; length++) {
        word = word << 1 | take(bits, 1);
        unsigned count = code->counts[length];
        if (word - first < count)
            return code->symbols[index + (word - first)];
        index += count;
        first = (first + count) << 1;
    }
    return -1;
}

static void take_length_code(struct bits *bits, int count, struct code *code)
{
    static const unsigned char order[LENGTH_CODES] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    unsigned char lengths[LENGTH_CODES] = {0};
    for (int i = 0; i < count; i++)
        lengths[order[i]] = (unsigned char)take(bits, 3);
    set_code(code, lengths, LENGTH_CODES);
}

/* Lengths of `count` codes; false when they are damaged. */
static bool take_lengths(struct bits *bits, const struct code *code, int count,
                         unsigned char *lengths)
{
    enum { AGAIN = 16, ZEROS = 17, MANY_ZEROS = 18 };
    for (int at = 0; at < count;) {
        const int symbol = take_symbol(bits, code);
        int times = 1;
        if (symbol < 0 || (symbol == AGAIN && at == 0))
            return false;
        if (symbol >= AGAIN)
            times = symbol == AGAIN   ? 3 + (int)take(bits, 2)
                    : symbol == ZEROS ? 3 + (int)take(bits, 3)
                                      : 11 + (int)take(bits, 7);
        if (times > count - at)
            return false;
        const unsigned char length = symbol < AGAIN    ? (unsigned char)symbol
                                     : symbol == AGAIN ? lengths[at - 1]
                                                       : 0;
        for (; times > 0; times--)
            lengths[at++] = length;
    }
    return true;
}

/* The code of the block's end, by the lengths of all literals and lengths. */
static unsigned end_code(const unsigned char *lengths, int count)
{
    unsigned counts[CODE_BITS_MAX + 1] = {0}, code = 0;
    const int own = lengths[END_SYMBOL];
    for (int symbol = 0; symbol < count; symbol++)
        counts[lengths[symbol]]++;
    counts[0] = 0;
    for (int length = 1; length <= own; length++)
        code = (code + counts[length - 1]) << 1;
    for (int symbol = 0; symbol < END_SYMBOL; symbol++)
        code += lengths[symbol] == own;
    return code;
}

static bool ends_with(const struct bits *bits, size_t end, unsigned code, size_t length)
{
    for (size_t i = end; i < bits->count; i++)
        if (bit_at(bits, i) != 0)
            return false;
    for (size_t i = 0; i < length; i++)
        if (bit_at(bits, end - 1 - i) != (code >> i & 1u))
            return false;
    return true;
}

size_t tw_deflate_find_end(const unsigned char *packed, size_t length)
{
    struct bits bits = {packed, 8 * length, 0};
    struct code code;
    unsigned char lengths[CODES_MAX] = {0};
    const bool last = take(&bits, 1) == 1;
    if (take(&bits, 2) != DYNAMIC || !last)
        return 0;
    const int count = 257 + (int)take(&bits, 5), distances = 1 + (int)take(&bits, 5);
    take_length_code(&bits, 4 + (int)take(&bits, 4), &code);
    if (!take_lengths(&bits, &code, count + distances, lengths))
        return 0;
    const size_t own = lengths[END_SYMBOL], head = bits.next;
    const unsigned end = own > 0 ? end_code(lengths, count) : 0;
    for (size_t left = 0; left < 8 && end > 0; left++)
        if (bits.count >= head + own + left && ends_with(&bits, bits.count - left, end, own))
            return bits.count - left;
    return 0;
}
