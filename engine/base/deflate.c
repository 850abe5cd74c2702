/* SPDX-License-Identifier: MIT */
/* Blocks of 64 KiB, each in the shorter of two forms: with codes of its own, or without any. A part
 * ends with an empty block without codes, which is what fills its last byte. */
#include "base/deflate_private.h"

#include <stdlib.h>
#include <string.h>

enum {
    STORED = 0, /* the three bits that a block begins with */
    CODED = 4,
    STORED_HEAD = 5,    /* bytes, with those bits */
    LITERAL_BITS = 14,  /* so that four of them fit between two flushes */
    DISTANCE_BITS = 15, /* as many as deflate has */
    SLACK = 8           /* what a flush writes beyond the end */
};

struct tw_deflate *tw_deflate_create(void) { return malloc(sizeof(struct tw_deflate)); }
void tw_deflate_release(struct tw_deflate *deflate) { free(deflate); }

/* ---- counting ---- */

/* Four tables, since a byte that repeats would wait for itself. */
static void count_literals(struct tw_deflate *deflate, const unsigned char *from)
{
    uint32_t counts[4][256] = {{0}};
    for (int i = 0; i < deflate->step_count; i++) {
        const unsigned char *end = from + deflate->steps[i].literals;
        for (; end - from >= 4; from += 4)
            for (int lane = 0; lane < 4; lane++)
                counts[lane][from[lane]]++;
        for (; from < end; from++)
            counts[0][*from]++;
        from += deflate->steps[i].length;
    }
    for (int byte = 0; byte < 256; byte++)
        deflate->literals.counts[byte] =
            counts[0][byte] + counts[1][byte] + counts[2][byte] + counts[3][byte];
}

/* Returns the bits that are behind lengths and distances. */
static uint64_t count_symbols(struct tw_deflate *deflate, const unsigned char *from)
{
    uint64_t extra = 0;
    memset(deflate->literals.counts, 0, sizeof deflate->literals.counts);
    memset(deflate->distances.counts, 0, sizeof deflate->distances.counts);
    count_literals(deflate, from);
    for (int i = 0; i < deflate->step_count - 1; i++) {
        struct tw_deflate_symbol length = tw_deflate_length_symbol(deflate->steps[i].length);
        struct tw_deflate_symbol distance = tw_deflate_distance_symbol(deflate->steps[i].distance);
        deflate->literals.counts[length.code]++;
        deflate->distances.counts[distance.code]++;
        extra += (uint64_t)length.extra_bits + (uint64_t)distance.extra_bits;
    }
    deflate->literals.counts[TW_DEFLATE_END_OF_BLOCK] = 1;
    return extra;
}

static uint64_t make_code(struct tw_deflate_code *code, int count, int limit)
{
    uint64_t bits = 0;
    tw_huffman_lengths(code->counts, count, limit, code->lengths);
    tw_huffman_codes(code->lengths, count, code->codes);
    for (int i = 0; i < count; i++)
        bits += (uint64_t)code->counts[i] * code->lengths[i];
    return bits;
}

/* ---- writing ---- */

static inline void put_match(struct tw_deflate_bits *bits, const struct tw_deflate *deflate,
                             const struct tw_deflate_step *step)
{
    struct tw_deflate_symbol length = tw_deflate_length_symbol(step->length);
    struct tw_deflate_symbol distance = tw_deflate_distance_symbol(step->distance);
    tw_deflate_put_symbol(bits, &deflate->literals, length.code);
    tw_deflate_put(bits, length.extra, length.extra_bits);
    tw_deflate_put_symbol(bits, &deflate->distances, distance.code);
    tw_deflate_put(bits, distance.extra, distance.extra_bits); /* 14 + 5 + 15 + 13 in all */
    tw_deflate_flush(bits);
}

static void put_steps(struct tw_deflate_bits *to, const struct tw_deflate *deflate,
                      const unsigned char *from)
{
    struct tw_deflate_bits bits = *to; /* stay in registers */
    const struct tw_deflate_code *code = &deflate->literals;
    for (int i = 0; i < deflate->step_count; i++) {
        const struct tw_deflate_step *step = &deflate->steps[i];
        const unsigned char *end = from + step->literals;
        for (; end - from >= 4; from += 4) {
            for (int lane = 0; lane < 4; lane++)
                tw_deflate_put_symbol(&bits, code, from[lane]);
            tw_deflate_flush(&bits);
        }
        for (; from < end; from++)
            tw_deflate_put_symbol(&bits, code, *from);
        tw_deflate_flush(&bits);
        if (step->length > 0)
            put_match(&bits, deflate, step);
        from += step->length;
    }
    tw_deflate_put_symbol(&bits, code, TW_DEFLATE_END_OF_BLOCK);
    tw_deflate_flush(&bits);
    *to = bits;
}

static void put_stored(struct tw_deflate_bits *bits, const unsigned char *from, size_t length)
{
    tw_deflate_put(bits, STORED, 3);
    tw_deflate_flush(bits);
    bits->at += bits->count > 0; /* the flush wrote its bits */
    tw_put_u32(bits->at, (uint32_t)length | ~(uint32_t)length << 16);
    if (length > 0)
        memcpy(bits->at + 4, from, length);
    *bits = (struct tw_deflate_bits){.at = bits->at + 4 + length};
}

static void put_block(struct tw_deflate *deflate, struct tw_deflate_bits *bits,
                      const unsigned char *from, size_t begin, size_t end)
{
    struct tw_deflate_head head;
    tw_deflate_find_matches(deflate, from, begin, end);
    uint64_t length = count_symbols(deflate, from + begin);
    length += make_code(&deflate->literals, TW_DEFLATE_LITERALS, LITERAL_BITS);
    length += make_code(&deflate->distances, TW_DEFLATE_DISTANCES, DISTANCE_BITS);
    tw_deflate_make_head(deflate, &head);
    length += tw_deflate_head_bits(&head);
    if (length >= 8 * (uint64_t)(end - begin)) {
        put_stored(bits, from + begin, end - begin);
        return;
    }
    tw_deflate_put(bits, CODED, 3);
    tw_deflate_put_head(bits, &head);
    put_steps(bits, deflate, from + begin);
}

size_t tw_deflate_bound(size_t length)
{
    return length + (length / TW_DEFLATE_BLOCK + 2) * (STORED_HEAD + 1) + SLACK;
}

size_t tw_deflate_part(struct tw_deflate *deflate, const unsigned char *from, size_t length,
                       unsigned char *to)
{
    struct tw_deflate_bits bits = {.at = to};
    memset(deflate->last, 0, sizeof deflate->last);
    for (size_t at = 0; at < length; at += TW_DEFLATE_BLOCK) {
        size_t left = length - at;
        put_block(deflate, &bits, from, at,
                  at + (left < TW_DEFLATE_BLOCK ? left : TW_DEFLATE_BLOCK));
    }
    put_stored(&bits, NULL, 0);
    return (size_t)(bits.at - to);
}
