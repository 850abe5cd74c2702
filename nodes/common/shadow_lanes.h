/* SPDX-License-Identifier: MIT */
/* A part of shadow_crossings.c: a row's crossings in floats, LANES cells at a time. It is included
 * once for each width of vectors, so names end in their width and there is no include guard. */
#define NAME_(name, width) name##_##width
#define NAME__(name, width) NAME_(name, width)
#define NAME(name) NAME__(name, LANES)

typedef float NAME(floats) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(marks) __attribute__((vector_size(4 * LANES)));
typedef float NAME(stored) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t NAME(stored_marks) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#define FLOATS NAME(floats)
#define MARKS NAME(marks)
#define PARTS (BLOCK / LANES)

/* Takes another's lanes where marked. */
static TW_INLINE void NAME(take)(FLOATS *held, const MARKS *mark, const FLOATS *v)
{
    *held = (FLOATS)(((MARKS)*v & *mark) | ((MARKS)*held & ~*mark));
}

static TW_INLINE void NAME(keep_less)(FLOATS *held, const FLOATS *v)
{
    const MARKS less = *v < *held;
    NAME(take)(held, &less, v);
}

static TW_INLINE void NAME(keep_greater)(FLOATS *held, const FLOATS *v)
{
    const MARKS greater = *v > *held;
    NAME(take)(held, &greater, v);
}

static TW_INLINE float NAME(least_of)(const FLOATS *v)
{
    float each[LANES];
    memcpy(each, v, sizeof each);
    for (int from = LANES / 2; from > 0; from /= 2)
        for (int i = 0; i < from; i++)
            each[i] = each[from + i] < each[i] ? each[from + i] : each[i];
    return each[0];
}

static TW_INLINE bool NAME(is_any)(const MARKS *mark)
{
    uint64_t pairs[LANES / 2], any = 0;
    memcpy(pairs, mark, sizeof pairs);
    for (int i = 0; i < LANES / 2; i++)
        any |= pairs[i];
    return any != 0;
}

/* How far the terrain is above the rise of a row's rays, at most. */
static TW_INLINE void NAME(find_above)(const struct even_step *steps, int32_t count,
                                       const float *start, FLOATS above[PARTS])
{
    for (int part = 0; part < PARTS; part++)
        above[part] = (FLOATS){0} - INFINITY;
    for (int32_t k = 0; k < count; k++)
#pragma GCC unroll 4
        for (int part = 0; part < PARTS; part++) {
            const float *at = start + part * LANES;
            FLOATS near = *(const NAME(stored) *)(at + steps[k].near);
            FLOATS far = *(const NAME(stored) *)(at + steps[k].far);
            FLOATS here = near + (far - near) * steps[k].share - steps[k].rise;
            NAME(keep_greater)(&above[part], &here);
        }
}

/* A row's cells that are surely dark; false where doubles must decide on some. */
static TW_INLINE bool NAME(cross_evenly)(const struct tw_shadow_march *m,
                                         const struct even_step *steps, int32_t count,
                                         struct tw_shadow_block *b, int32_t row)
{
    const float *start = m->heights + (size_t)(b->y + row) * (size_t)m->width + (size_t)b->x;
    const FLOATS infinite = (FLOATS){0} + INFINITY;
    FLOATS from[PARTS], above[PARTS], least = infinite;
    MARKS dark[PARTS], unsure[PARTS], any = {0};
    NAME(find_above)(steps, count, start, above);
    for (int part = 0; part < PARTS; part++) {
        from[part] = *(const NAME(stored) *)(start + part * LANES);
        dark[part] = *(const NAME(stored_marks) *)(b->dark[row] + part * LANES);
        unsure[part] = (above[part] > from[part] + m->clear) & ~dark[part];
        any |= unsure[part];
    }
    if (count > 0 && !NAME(is_any)(&any))
        return true;
    any = (MARKS){0};
    for (int part = 0; part < PARTS; part++) {
        MARKS blocked = above[part] > from[part] + m->blocked;
        FLOATS low = from[part];
        dark[part] |= blocked;
        any |= unsure[part] & ~blocked;
        NAME(take)(&low, &dark[part], &infinite);
        *(NAME(stored_marks) *)(b->dark[row] + part * LANES) = dark[part];
        NAME(keep_less)(&least, &low);
    }
    b->low[row] = low_of(m, NAME(least_of)(&least));
    return !NAME(is_any)(&any);
}

#undef FLOATS
#undef MARKS
#undef PARTS
#undef NAME
#undef NAME__
#undef NAME_
#undef LANES
