/* SPDX-License-Identifier: MIT */
/* Included by shadow_crossings.c: a packet's crossings in floats, LANES cells at a time, compiled
 * for TARGET. It is included once for each width of vectors, so names end in their width and there
 * is no include guard. */
#define NAME_(name, width) name##_##width
#define NAME__(name, width) NAME_(name, width)
#define NAME(name) NAME__(name, LANES)

typedef float NAME(floats) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(marks) __attribute__((vector_size(4 * LANES)));
typedef float NAME(stored) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t NAME(stored_marks) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#define FLOATS NAME(floats)
#define MARKS NAME(marks)
#define STORED NAME(stored)
#define VECTORS (PACKET / LANES)

/* Takes the other vector's lanes where marked. */
static TARGET TW_INLINE void NAME(take)(FLOATS *held, const MARKS *mark, const FLOATS *v)
{
    *held = (FLOATS)(((MARKS)*v & *mark) | ((MARKS)*held & ~*mark));
}

static TARGET TW_INLINE void NAME(keep_greater)(FLOATS *held, const FLOATS *v)
{
#if LANES == 16
    *held = (FLOATS)_mm512_max_ps((__m512)*v, (__m512)*held);
#elif LANES == 8
    *held = (FLOATS)_mm256_max_ps((__m256)*v, (__m256)*held);
#elif defined(__x86_64__)
    *held = (FLOATS)_mm_max_ps((__m128)*v, (__m128)*held);
#else
    const MARKS greater = *v > *held;
    NAME(take)(held, &greater, v);
#endif
}

/* A bit for each lane where a is greater than b. */
static TARGET TW_INLINE uint32_t NAME(where_greater)(const FLOATS *a, const FLOATS *b)
{
#if LANES == 16
    return _mm512_cmp_ps_mask((__m512)*a, (__m512)*b, _CMP_GT_OQ);
#elif LANES == 8
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps((__m256)*a, (__m256)*b, _CMP_GT_OQ));
#elif defined(__x86_64__)
    return (uint32_t)_mm_movemask_ps(_mm_cmpgt_ps((__m128)*a, (__m128)*b));
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++)
        bits |= (uint32_t)((*a)[i] > (*b)[i]) << i;
    return bits;
#endif
}

/* A bit for each row with a cell that is lit and not above `limit`. */
static TARGET TW_INLINE uint32_t NAME(find_rows_below)(const struct tw_shadow_packet *b,
                                                       float limit)
{
    const FLOATS limits = (FLOATS){0} + limit;
    uint32_t above = 0;
    for (int vector = 0; vector < VECTORS; vector++) {
        FLOATS low = *(const STORED *)(b->low + vector * LANES);
        above |= NAME(where_greater)(&low, &limits) << (vector * LANES);
    }
    return ~above & 0xffff;
}

/* How far the terrain is above the rise of a row's rays, at most. */
static TARGET TW_INLINE void NAME(find_above)(const struct even_step *steps, int32_t count,
                                              const float *start, int32_t row, bool within,
                                              FLOATS above[VECTORS])
{
    for (int vector = 0; vector < VECTORS; vector++)
        above[vector] = (FLOATS){0} - INFINITY;
    for (int32_t k = 0; k < count; k++) {
        const struct even_step *step = &steps[k];
        if (!within && !is_in(&step->rows, row))
            continue;
#pragma GCC unroll 4
        for (int vector = 0; vector < VECTORS; vector++) {
            const float *at = start + vector * LANES;
            FLOATS near = *(const STORED *)(at + step->near);
            FLOATS far = *(const STORED *)(at + step->far);
            FLOATS here = near + (far - near) * step->share - step->rise;
            if (!within) {
                MARKS place = *(const NAME(stored_marks) *)(places + vector * LANES);
                MARKS inside = (place >= step->cells.begin) & (place < step->cells.end);
                FLOATS met = here;
                here = (FLOATS){0} - INFINITY;
                NAME(take)(&here, &inside, &met);
            }
            NAME(keep_greater)(&above[vector], &here);
        }
    }
}

/* Marks a row's cells that are surely dark. */
static TARGET TW_INLINE struct outcome NAME(cross_row)(const struct tw_shadow_march *m,
                                                       const struct even_step *steps, int32_t count,
                                                       struct tw_shadow_packet *b, int32_t row,
                                                       bool within)
{
    const float *start = m->heights + (size_t)(b->y + row) * (size_t)m->width + (size_t)b->x;
    const FLOATS infinite = (FLOATS){0} + INFINITY;
    FLOATS above[VECTORS];
    uint32_t touched = 0, unsure = 0;
    NAME(find_above)(steps, count, start, row, within, above);
    for (int vector = 0; vector < VECTORS; vector++) {
        STORED *stored = (STORED *)(b->from[row] + vector * LANES);
        FLOATS from = *stored, clear = from + m->clear, blocked = from + m->blocked;
        MARKS dark = above[vector] > blocked;
        uint32_t maybe = NAME(where_greater)(&above[vector], &clear);
        touched |= maybe;
        unsure |= maybe & ~NAME(where_greater)(&above[vector], &blocked);
        NAME(take)(&from, &dark, &infinite);
        *stored = from;
    }
    return (struct outcome){(uint32_t)(touched != 0) << row, (uint32_t)(unsure != 0) << row};
}

/* The rows that `rows` has a bit for; `within`: with all that they cross within the map. */
static TARGET TW_INLINE struct outcome NAME(cross_rows)(const struct tw_shadow_march *m,
                                                        const struct even_step *steps,
                                                        int32_t count, struct tw_shadow_packet *b,
                                                        uint32_t rows, bool within)
{
    struct outcome all = {0, 0};
    for (uint32_t left = rows; left; left &= left - 1) {
        int32_t row = __builtin_ctz(left);
        struct outcome one = {0, 1u << row};
        if (within || is_readable(m, steps, count, b, row))
            one = NAME(cross_row)(m, steps, count, b, row, within);
        all.touched |= one.touched;
        all.unsure |= one.unsure;
    }
    return all;
}

static TARGET struct outcome NAME(cross)(const struct tw_shadow_march *m,
                                         const struct even_step *steps, int32_t count,
                                         struct tw_shadow_packet *b, float limit, bool within)
{
    uint32_t rows = NAME(find_rows_below)(b, limit);
    if (!(m->blocked < INFINITY))
        return (struct outcome){0, rows};
    return within ? NAME(cross_rows)(m, steps, count, b, rows, true)
                  : NAME(cross_rows)(m, steps, count, b, rows, false);
}

#undef FLOATS
#undef MARKS
#undef STORED
#undef VECTORS
#undef NAME
#undef NAME__
#undef NAME_
#undef LANES
#undef TARGET
