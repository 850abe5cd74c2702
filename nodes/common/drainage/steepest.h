/* SPDX-License-Identifier: MIT */
/* The steepest of eight ways down, for heights of any type: REAL is the type, CODE a number of its
 * width, in which vectors hold directions, and NO_WAY the direction of cells without a lower
 * neighbour. Of equally steep ways the first in reading order. There is no include guard: a file
 * defines the three names and includes this once. */

enum { CODES = 64 }; /* directions at a time that become bytes: vectors of 32 would not fit */
#define DIAGONAL ((REAL)0.7071067811865476)

struct slopes {
    struct tw_drainage *d;
    const REAL *heights;
};

/* The inner cells of one row. */
static TW_INLINE void steepest_body(const struct slopes *s, int32_t y)
{
    size_t w = (size_t)s->d->width, end = (size_t)(y + 1) * w - 1;
    CODE codes[CODES];
    for (size_t first = (size_t)y * w + 1, count; first < end; first += count) {
        const REAL *here = s->heights + first, *up = here - w, *down = here + w;
        uint8_t *to = s->d->to + first;
        count = end - first < CODES ? end - first : CODES;
        for (size_t x = 0; x < count; x++) {
            REAL z = here[x], best = 0, drop;
            CODE code = NO_WAY;
#define CONSIDER(k, neighbour, weight)                                                             \
    drop = (z - (neighbour)) * (weight);                                                           \
    code = drop > best ? (k) : code;                                                               \
    best = drop > best ? drop : best;
            CONSIDER(0, up[x - 1], DIAGONAL)
            CONSIDER(1, up[x], (REAL)1)
            CONSIDER(2, up[x + 1], DIAGONAL)
            CONSIDER(3, here[x - 1], (REAL)1)
            CONSIDER(4, here[x + 1], (REAL)1)
            CONSIDER(5, down[x - 1], DIAGONAL)
            CONSIDER(6, down[x], (REAL)1)
            CONSIDER(7, down[x + 1], DIAGONAL)
#undef CONSIDER
            codes[x] = code;
        }
        for (size_t x = 0; x < count; x++)
            to[x] = (uint8_t)codes[x];
    }
}
TW_SIMD_KERNEL(steepest, (const struct slopes *s, int32_t y), (s, y))

/* The direction from a border cell that is not an outlet; looks up each neighbour. */
static uint8_t steepest_on_rim(const struct slopes *s, int32_t cell)
{
    REAL best = 0;
    uint8_t code = NO_WAY;
    for (int k = 0; k < 8; k++) {
        const int32_t next = tw_drainage_rim_neighbour(s->d, cell, k);
        const bool straight = k == 1 || k == 3 || k == 4 || k == 6;
        if (next < 0)
            continue;
        const REAL drop = (s->heights[cell] - s->heights[next]) * (straight ? 1 : DIAGONAL);
        code = drop > best ? (uint8_t)k : code;
        best = drop > best ? drop : best;
    }
    return code;
}
