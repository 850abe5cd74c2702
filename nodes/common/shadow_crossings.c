/* SPDX-License-Identifier: MIT */
/* The crossings are defined in doubles. Where a whole block crosses within the map, floats decide
 * nearly all of them: with u = 2^-24 and heights of at most H, the difference between terrain and
 * ray is wrong by less than 18 u H, the sum of the roundings of share, rise, and six operations on
 * numbers of at most 2 H (a ray that has risen more is above everything). Rows with a cell that is
 * nearer to its decision than 32 u H are computed again in doubles. */
#include "common/shadow_crossings.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { BLOCK = TW_SHADOW_BLOCK, STEPS = TW_SHADOW_STEPS };
#define MARGIN 1e-6 /* terrain less than this above a ray does not block it; in cells */

/* Step k of a block's rays. */
struct crossing {
    int32_t moved; /* columns, or rows, from the start */
    double rise, offset;
    /* Of crossings with a row: where they are; the cell left of the first and what lies between
     * each and its left cell; -1 where cells do not cross side by side. */
    double along[BLOCK], share[BLOCK];
    int32_t left;
};

/* The same for all cells: each crosses `share` of the way between two cells that lie as far from
 * it as from the others. */
struct even_step {
    ptrdiff_t near, far; /* from the cell to those two */
    float share, rise;   /* rise: of the ray, in heights */
};

void tw_shadow_set_bounds(struct tw_shadow_march *m, float largest)
{
    double unsure = 0x1p-19 * (double)largest + 0x1p-140, margin = MARGIN / m->scale;
    m->rise_in_heights = m->rise / m->scale;
    bool overflow = !(largest < 0x1p125f);
    m->blocked = overflow ? INFINITY : (float)(margin * (1 + 0x1p-20) + unsure);
    m->clear = overflow ? -INFINITY : (float)(margin * (1 - 0x1p-20) - unsure);
}

/* Marks the cells of a row whose ray is below the terrain, at `share` between a and b. */
static TW_INLINE void meet(const struct tw_shadow_march *m, double rise,
                           const float *restrict start, const float *restrict a,
                           const float *restrict b, const double *restrict share,
                           int32_t *restrict dark, int32_t count)
{
    const double highest = m->highest, scale = m->scale;
    for (int32_t i = 0; i < count; i++) {
        double ray = (double)start[i] * scale + rise, from = (double)a[i] * scale;
        double height = from + ((double)b[i] * scale - from) * share[i];
        dark[i] |= -((height > ray + MARGIN) & (ray <= highest));
    }
}

/* Where a row's rays cross their columns, all at the same share of a cell. */
static TW_INLINE void cross_columns(const struct tw_shadow_march *m, const struct crossing *c,
                                    struct tw_shadow_block *b, int32_t row)
{
    double along = (double)(b->y + row) + c->offset;
    if (along < 0 || along > (double)(m->height - 1))
        return;
    int32_t low = (int32_t)along, high = low + 1 < m->height ? low + 1 : low;
    int32_t at = b->x + c->moved, first = at < 0 ? -at : 0;
    int32_t last = at + b->across > m->width ? m->width - at : b->across;
    size_t width = (size_t)m->width, column = (size_t)(at + first);
    const float *start = m->heights + (size_t)(b->y + row) * width + (size_t)(b->x + first);
    const float *upper = m->heights + (size_t)low * width + column;
    const float *under = m->heights + (size_t)high * width + column;
    int32_t *dark = b->dark[row] + first;
    double share[BLOCK], between = along - (double)low;
    for (int32_t i = 0; i < BLOCK; i++)
        share[i] = between;
    if (last - first == BLOCK)
        meet(m, c->rise, start, upper, under, share, dark, BLOCK);
    else
        meet(m, c->rise, start, upper, under, share, dark, last - first);
}

/* One cell's ray, where a row's cells do not cross side by side. */
static TW_INLINE void cross_row(const struct tw_shadow_march *m, double rise, double along,
                                const float *start, const float *row, int32_t *dark)
{
    if (along < 0 || along > (double)(m->width - 1))
        return;
    int32_t left = (int32_t)along, right = left + 1 < m->width ? left + 1 : left;
    double share = along - (double)left;
    meet(m, rise, start, row + left, row + right, &share, dark, 1);
}

/* Where a row's rays cross another row, in general each between the next two cells. */
static TW_INLINE void cross_rows(const struct tw_shadow_march *m, const struct crossing *c,
                                 struct tw_shadow_block *b, int32_t row)
{
    int32_t at = b->y + row + c->moved;
    if (at < 0 || at >= m->height)
        return;
    const float *start = m->heights + (size_t)(b->y + row) * (size_t)m->width + (size_t)b->x;
    const float *line = m->heights + (size_t)at * (size_t)m->width;
    if (c->left >= 0) {
        line += c->left;
        meet(m, c->rise, start, line, line + 1, c->share, b->dark[row], BLOCK);
        return;
    }
    for (int32_t i = 0; i < b->across; i++)
        cross_row(m, c->rise, c->along[i], start + i, line, b->dark[row] + i);
}

/* Step k of all rays. */
static TW_INLINE void prepare(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                              const struct tw_shadow_block *b, int32_t k, struct crossing *c)
{
    double far = way->length * (double)k, place[BLOCK];
    c->moved = way->sign * k;
    c->rise = far * m->rise;
    c->offset = way->across * far;
    c->left = -1;
    if (way->columns)
        return;
    for (int32_t i = 0; i < BLOCK; i++)
        place[i] = (double)(b->x + i);
    for (int32_t i = 0; i < BLOCK; i++)
        c->along[i] = place[i] + c->offset;
    bool inside =
        b->across == BLOCK && c->along[0] >= 0 && c->along[BLOCK - 1] < (double)(m->width - 1);
    if (!inside || (int32_t)c->along[BLOCK - 1] != (int32_t)c->along[0] + BLOCK - 1)
        return;
    c->left = (int32_t)c->along[0];
    double on = (double)(c->left - b->x);
    for (int32_t i = 0; i < BLOCK; i++)
        c->share[i] = c->along[i] - (place[i] + on);
}

/* A row's crossings as they are defined. */
static TW_INLINE void cross_exactly(const struct tw_shadow_march *m,
                                    const struct tw_shadow_way *way, struct tw_shadow_block *b,
                                    int32_t row, int32_t k, int32_t end)
{
    for (int32_t i = k; i < end; i++) {
        struct crossing c;
        prepare(m, way, b, i, &c);
        if (way->columns)
            cross_columns(m, &c, b, row);
        else
            cross_rows(m, &c, b, row);
    }
}

/* False where not all cells of the block have both neighbours of step k within the map. */
static TW_INLINE bool find_even_step(const struct tw_shadow_march *m,
                                     const struct tw_shadow_way *way,
                                     const struct tw_shadow_block *b, int32_t k,
                                     struct even_step *step)
{
    double far = way->length * (double)k, offset = way->across * far;
    if (!(fabs(offset) < (double)m->width + (double)m->height))
        return false;
    int32_t whole = (int32_t)offset - (offset < 0), moved = way->sign * k; /* below the offset */
    int32_t x = b->x + (way->columns ? moved : whole), y = b->y + (way->columns ? whole : moved);
    int32_t right = x + BLOCK - 1 + !way->columns, bottom = y + b->down - 1 + way->columns;
    if (x < 0 || y < 0 || right >= m->width || bottom >= m->height)
        return false;
    step->near = (ptrdiff_t)(y - b->y) * m->width + (x - b->x);
    step->far = step->near + (way->columns ? m->width : 1);
    step->share = (float)(offset - (double)whole);
    step->rise = (float)(far * m->rise_in_heights);
    return true;
}

static TW_INLINE double low_of(const struct tw_shadow_march *m, float least)
{
    return least < INFINITY ? (double)least * m->scale : TW_SHADOW_NOTHING_LIT;
}

static TW_INLINE void find_low(const struct tw_shadow_march *m, struct tw_shadow_block *b,
                               int32_t row)
{
    const float *start = m->heights + (size_t)(b->y + row) * (size_t)m->width + (size_t)b->x;
    float least = INFINITY;
    for (int32_t i = 0; i < b->across; i++)
        least = !b->dark[row][i] && start[i] < least ? start[i] : least;
    b->low[row] = low_of(m, least);
}

#define LANES 4
#include "common/shadow_lanes.h"
#define LANES 8
#include "common/shadow_lanes.h"

/* `wide` is a constant: the width of the vectors is part of the code, since compilers split wider
 * ones than the processor has into scalars wherever they are compared. */
static TW_INLINE void cross_block(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                                  struct tw_shadow_block *b, int32_t k, int32_t end, double top,
                                  bool wide)
{
    struct even_step steps[STEPS];
    double first = way->length * (double)k * m->rise;
    bool even = b->across == BLOCK && m->blocked < INFINITY; /* with no step at all, too */
    const int32_t count = end - k;
    for (int32_t i = 0; i < count && even; i++)
        even = find_even_step(m, way, b, k + i, &steps[i]);
    b->lowest = TW_SHADOW_NOTHING_LIT;
    for (int32_t row = 0; row < b->down; row++) {
        bool below = b->low[row] + first <= top;
        bool done = !below || (even && (wide ? cross_evenly_8(m, steps, count, b, row)
                                             : cross_evenly_4(m, steps, count, b, row)));
        if (!done) {
            cross_exactly(m, way, b, row, k, end);
            find_low(m, b, row);
        }
        b->lowest = b->low[row] < b->lowest ? b->low[row] : b->lowest;
    }
}

static void cross_base(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                       struct tw_shadow_block *b, int32_t k, int32_t end, double top)
{
    cross_block(m, way, b, k, end, top, false);
}

#if defined(__x86_64__)
__attribute__((target("avx2,bmi2"))) static void cross_avx2(const struct tw_shadow_march *m,
                                                            const struct tw_shadow_way *way,
                                                            struct tw_shadow_block *b, int32_t k,
                                                            int32_t end, double top)
{
    cross_block(m, way, b, k, end, top, true);
}

TW_TARGET_AVX512 static void cross_avx512(const struct tw_shadow_march *m,
                                          const struct tw_shadow_way *way,
                                          struct tw_shadow_block *b, int32_t k, int32_t end,
                                          double top)
{
    cross_block(m, way, b, k, end, top, true);
}
#endif

void tw_shadow_cross(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                     struct tw_shadow_block *b, int32_t k, int32_t end, double top)
{
#if defined(__x86_64__)
    if (m->simd == TW_SIMD_AVX512)
        cross_avx512(m, way, b, k, end, top);
    else if (m->simd == TW_SIMD_AVX2)
        cross_avx2(m, way, b, k, end, top);
    else
#endif
        cross_base(m, way, b, k, end, top);
}
