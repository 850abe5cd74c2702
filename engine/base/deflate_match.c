/* SPDX-License-Identifier: MIT */
/* One greedy pass looks for a match at the last place where the same four bytes began. Where
 * nothing matched for long it looks at fewer places, as LZ4 does, and a short match from far away
 * is left out, since its distance takes as many bits as its bytes: noise then costs little time. */
#include "base/deflate_private.h"

enum {
    MATCH_MAX = 258,
    WINDOW = 32768,  /* as of RFC 1951 */
    NEAR = 8192,     /* bytes; from further away a match must have */
    FAR_MIN = 6,     /* so many */
    KEPT_MAX = 16,   /* places within a match that may be found later */
    MISSES_SHIFT = 5 /* every 32 misses one more place is passed over */
};

static inline uint32_t *place(struct tw_deflate *deflate, uint32_t four)
{
    return &deflate->last[four * 2654435761u >> (32 - TW_DEFLATE_HASH_BITS)];
}

/* How many bytes from `a` on are those from `b` on, up to `most`; the first four are. */
static inline size_t match_length(const unsigned char *a, const unsigned char *b, size_t most)
{
    size_t length = TW_DEFLATE_MATCH_MIN;
    for (; length + 8 <= most; length += 8) {
        uint64_t difference = tw_get_u64(a + length) ^ tw_get_u64(b + length);
        if (difference)
            return length + ((size_t)__builtin_ctzll(difference) >> 3);
    }
    while (length < most && a[length] == b[length])
        length++;
    return length;
}

/* The match at `at`, whose place in the table becomes this one; of length 0 where none is worth it.
 */
static inline struct tw_deflate_step find_match(struct tw_deflate *deflate,
                                                const unsigned char *from, size_t at, size_t end)
{
    uint32_t four = tw_get_u32(from + at), *last = place(deflate, four);
    size_t before = *last, distance = at + 1 - before;
    *last = (uint32_t)at + 1;
    if (before == 0 || distance > WINDOW || tw_get_u32(from + at - distance) != four)
        return (struct tw_deflate_step){0};
    size_t most = end - at < MATCH_MAX ? end - at : MATCH_MAX;
    size_t length = match_length(from + at - distance, from + at, most);
    if (distance > NEAR && length < FAR_MIN)
        return (struct tw_deflate_step){0};
    return (struct tw_deflate_step){.length = (uint16_t)length, .distance = (uint16_t)distance};
}

static void add_step(struct tw_deflate *deflate, struct tw_deflate_step step, size_t literals)
{
    step.literals = (uint16_t)literals;
    deflate->steps[deflate->step_count++] = step;
}

void tw_deflate_find_matches(struct tw_deflate *deflate, const unsigned char *from, size_t begin,
                             size_t end)
{
    size_t at = begin, literals = begin; /* from here on none is in a step yet */
    unsigned misses = 0;
    deflate->step_count = 0;
    while (at + 8 <= end) {
        struct tw_deflate_step step = find_match(deflate, from, at, end);
        if (step.length == 0) {
            at += 1 + (misses++ >> MISSES_SHIFT);
            continue;
        }
        add_step(deflate, step, at - literals);
        size_t kept = step.length < KEPT_MAX ? step.length : KEPT_MAX;
        for (size_t i = at + 1; i < at + kept && i + 4 <= end; i++)
            *place(deflate, tw_get_u32(from + i)) = (uint32_t)i + 1;
        at += step.length;
        literals = at;
        misses = 0;
    }
    add_step(deflate, (struct tw_deflate_step){0}, end - literals);
}
