/* SPDX-License-Identifier: MIT */
/* The crossings are defined in doubles. Floats decide nearly all of them: with u = 2^-24 and
 * heights of at most H, the difference between terrain and ray is wrong by less than 18 u H, the
 * sum of the roundings of share, rise, and six operations on numbers of at most 2 H (a ray that has
 * risen more is above everything). Rows with a cell that is nearer to its decision than 32 u H are
 * computed again in doubles. */
#include "common/shadows/crossings.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { PACKET = TW_SHADOW_PACKET, STEPS = TW_SHADOW_STEPS };
#define MARGIN 1e-6 /* terrain less than this above a ray does not block it; in cells */

/* From begin to before end. */
struct range {
    int32_t begin, end;
};

/* Step k of a packet's rays. */
struct crossing {
    int32_t moved; /* columns, or rows, from the start */
    double rise, offset;
    /* Crossings with a row: their positions; the cell left of the first; each one's share of the
     * way from its left cell. left is -1 where cells do not cross side by side. */
    double along[PACKET], share[PACKET];
    int32_t left;
};

/* A step that all cells take alike: each ray crosses `share` of the way between two cells, which
 * lie at the same distance from every cell. */
struct even_step {
    ptrdiff_t near, far; /* from the cell to those two */
    float share, rise;   /* rise: of the ray, in heights */
    int32_t x, y;        /* of the nearer from the cell */
    double offset;
    struct range rows, cells; /* of a packet that cross within the map */
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
static TW_INLINE void meet(const struct tw_shadow_march *m, double rise, float *restrict from,
                           const float *restrict a, const float *restrict b,
                           const double *restrict share, int32_t count)
{
    const double highest = m->highest, scale = m->scale;
    for (int32_t i = 0; i < count; i++) {
        double ray = (double)from[i] * scale + rise, low = (double)a[i] * scale;
        double height = low + ((double)b[i] * scale - low) * share[i];
        bool blocked = (height > ray + MARGIN) & (ray <= highest);
        from[i] = blocked ? INFINITY : from[i];
    }
}

/* Where a row's rays cross their columns, all at the same share of a cell. */
static TW_INLINE void cross_columns(const struct tw_shadow_march *m, const struct crossing *c,
                                    struct tw_shadow_packet *b, int32_t row)
{
    double along = (double)(b->y + row) + c->offset;
    if (along < 0 || along > (double)(m->height - 1))
        return;
    int32_t low = (int32_t)along, high = low + 1 < m->height ? low + 1 : low;
    int32_t at = b->x + c->moved, first = at < 0 ? -at : 0;
    int32_t last = at + b->across > m->width ? m->width - at : b->across;
    if (first >= last)
        return;
    size_t width = (size_t)m->width, column = (size_t)(at + first);
    const float *upper = m->heights + (size_t)low * width + column;
    const float *under = m->heights + (size_t)high * width + column;
    float *from = b->from[row] + first;
    double share[PACKET], between = along - (double)low;
    for (int32_t i = 0; i < PACKET; i++)
        share[i] = between;
    if (last - first == PACKET)
        meet(m, c->rise, from, upper, under, share, PACKET);
    else
        meet(m, c->rise, from, upper, under, share, last - first);
}

/* One cell's ray, where a row's cells do not cross side by side. */
static TW_INLINE void cross_row(const struct tw_shadow_march *m, double rise, double along,
                                float *from, const float *row)
{
    if (along < 0 || along > (double)(m->width - 1))
        return;
    int32_t left = (int32_t)along, right = left + 1 < m->width ? left + 1 : left;
    double share = along - (double)left;
    meet(m, rise, from, row + left, row + right, &share, 1);
}

/* Where a row's rays cross another row, in general each between the next two cells. */
static TW_INLINE void cross_rows(const struct tw_shadow_march *m, const struct crossing *c,
                                 struct tw_shadow_packet *b, int32_t row)
{
    int32_t at = b->y + row + c->moved;
    if (at < 0 || at >= m->height)
        return;
    const float *line = m->heights + (size_t)at * (size_t)m->width;
    if (c->left >= 0) {
        line += c->left;
        meet(m, c->rise, b->from[row], line, line + 1, c->share, PACKET);
        return;
    }
    for (int32_t i = 0; i < b->across; i++)
        cross_row(m, c->rise, c->along[i], b->from[row] + i, line);
}

/* Step k of all rays. */
static TW_INLINE void prepare(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                              const struct tw_shadow_packet *b, int32_t k, struct crossing *c)
{
    double far = way->length * (double)k, place[PACKET];
    c->moved = way->sign * k;
    c->rise = far * m->rise;
    c->offset = way->across * far;
    c->left = -1;
    if (way->columns)
        return;
    for (int32_t i = 0; i < PACKET; i++)
        place[i] = (double)(b->x + i);
    for (int32_t i = 0; i < PACKET; i++)
        c->along[i] = place[i] + c->offset;
    bool inside =
        b->across == PACKET && c->along[0] >= 0 && c->along[PACKET - 1] < (double)(m->width - 1);
    if (!inside || (int32_t)c->along[PACKET - 1] != (int32_t)c->along[0] + PACKET - 1)
        return;
    c->left = (int32_t)c->along[0];
    double on = (double)(c->left - b->x);
    for (int32_t i = 0; i < PACKET; i++)
        c->share[i] = c->along[i] - (place[i] + on);
}

static void cross_one_way(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                          struct tw_shadow_packet *b, int32_t row, int32_t k, int32_t end)
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

/* A row's crossings as they are defined. */
static void cross_exactly(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                          struct tw_shadow_packet *b, int32_t row, int32_t k, int32_t end)
{
    cross_one_way(m, way, b, row, k, end);
    if (way->diagonal) {
        const struct tw_shadow_way rows = {
            .sign = m->y > 0 ? 1 : -1, .length = way->length, .across = m->x};
        cross_one_way(m, &rows, b, row, k, end);
    }
}

/* Of PACKET places from `first` on, those that lie within 0 to size - 1 when moved by `offset`,
 * which is `whole` rounded down. One that gets to the last place or just beyond it is in where the
 * sum of doubles is, as in cross_columns() and cross_row(); all others are sure. */
static TW_INLINE struct range find_inside(int32_t first, int32_t whole, double offset, int32_t size)
{
    int32_t last = size - 1 - whole;
    bool on_last = (double)last + offset <= (double)(size - 1);
    int32_t begin = -whole - first, end = last - first + on_last;
    return (struct range){begin > 0 ? begin : 0, end < PACKET ? end : PACKET};
}

static TW_INLINE void place_step(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                                 int32_t k, struct even_step *step)
{
    double far = way->length * (double)k, offset = way->across * far;
    double beyond = (double)m->width + (double)m->height;
    offset = fabs(offset) < beyond ? offset : beyond;
    if (way->diagonal)
        offset = way->across > 0 ? k : -k;
    int32_t whole = (int32_t)offset, moved = way->sign * k;
    whole -= (double)whole > offset;
    step->x = way->columns ? moved : whole;
    step->y = way->columns ? whole : moved;
    step->near = (ptrdiff_t)step->y * m->width + step->x;
    step->far = step->near + (way->diagonal ? 0 : way->columns ? m->width : 1);
    step->share = (float)(offset - (double)whole);
    step->rise = (float)(far * m->rise_in_heights);
    step->offset = offset;
}

/* Returns true if all of the packet's rays have both neighbours of a step within the map, and none
 * of its corners is in doubt. */
static bool is_within(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                      const struct tw_shadow_packet *b, const struct even_step *step)
{
    int32_t x = b->x + step->x, y = b->y + step->y;
    int32_t right = x + PACKET - 1 + !way->columns, bottom = y + b->down - 1 + way->columns;
    return b->across == PACKET && x >= 0 && y >= way->diagonal && right < m->width &&
           bottom < m->height;
}

/* Returns true if all that the packet's rays cross lies within the map. */
static bool place_steps(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                        const struct tw_shadow_packet *b, int32_t k, int32_t count,
                        struct even_step *steps)
{
    bool within = true;
    for (int32_t i = 0; i < count; i++) {
        place_step(m, way, k + i, &steps[i]);
        within &= is_within(m, way, b, &steps[i]);
    }
    for (int32_t i = 0; i < count && !within; i++) {
        struct even_step *s = &steps[i];
        double x = way->columns ? (double)s->x : s->offset;
        double y = way->columns ? s->offset : (double)s->y;
        s->cells = find_inside(b->x, s->x, x, m->width);
        s->rows = find_inside(b->y, s->y, y, m->height);
    }
    return within;
}

static TW_INLINE bool is_in(const struct range *r, int32_t i)
{
    return i >= r->begin && i < r->end;
}

/* Returns true if a row may cross a corner of the map, diagonally. Of the two crossings, equal but
 * for rounding, at least one is within the map, but at its corner maybe neither. */
static TW_INLINE bool meets_corner(const struct tw_shadow_march *m, const struct even_step *step,
                                   const struct tw_shadow_packet *b, int32_t row)
{
    int32_t x = b->x + step->x, y = b->y + row + step->y;
    return step->near == step->far && (y == 0 || y == m->height - 1) &&
           (x <= 0 || x + PACKET >= m->width);
}

/* Returns true if floats may decide on a row, whose cells, and what they cross, can be loaded by
 * PACKET cells. */
static TW_INLINE bool is_readable(const struct tw_shadow_march *m, const struct even_step *steps,
                                  int32_t count, const struct tw_shadow_packet *b, int32_t row)
{
    ptrdiff_t start = (ptrdiff_t)(b->y + row) * m->width + b->x;
    ptrdiff_t last = (ptrdiff_t)m->width * m->height - PACKET;
    bool inside = start <= last;
    for (int32_t k = 0; k < count; k++)
        if (is_in(&steps[k].rows, row))
            inside &= start + steps[k].near >= 0 && start + steps[k].far <= last &&
                      !meets_corner(m, &steps[k], b, row);
    return inside;
}

static float least_of(const float *cells)
{
    float least[4] = {cells[0], cells[1], cells[2], cells[3]};
    for (int i = 4; i < PACKET; i += 4)
        for (int k = 0; k < 4; k++)
            least[k] = cells[i + k] < least[k] ? cells[i + k] : least[k];
    float even = least[2] < least[0] ? least[2] : least[0];
    float odd = least[3] < least[1] ? least[3] : least[1];
    return odd < even ? odd : even;
}

/* Finds the lowest lit cells of the rows that `left` has a bit for, and of the packet. */
static void find_low(const struct tw_shadow_march *m, struct tw_shadow_packet *b, uint32_t left)
{
    for (; left; left &= left - 1) {
        int row = __builtin_ctz(left);
        b->low[row] = least_of(b->from[row]);
    }
    float lowest = least_of(b->low);
    b->lowest = lowest < INFINITY ? (double)lowest * m->scale : TW_SHADOW_NOTHING_LIT;
}

void tw_shadow_start(const struct tw_shadow_march *m, struct tw_shadow_packet *b, int32_t x,
                     int32_t y)
{
    b->x = x;
    b->y = y;
    b->across = x + PACKET < m->width ? PACKET : m->width - x;
    b->down = y + PACKET < m->height ? PACKET : m->height - y;
    for (int32_t row = 0; row < PACKET; row++) {
        int32_t count = row < b->down ? b->across : 0, line = count > 0 ? y + row : 0;
        const float *start = m->heights + (size_t)line * (size_t)m->width + (size_t)x;
        for (int32_t i = 0; i < PACKET; i++)
            b->from[row][i] = i < count ? start[i] : INFINITY;
    }
    find_low(m, b, 0xffff);
}

_Alignas(64) static const int32_t places[PACKET] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                    8, 9, 10, 11, 12, 13, 14, 15};

struct outcome {
    uint32_t touched, unsure; /* rows where a cell may be dark now; where doubles must decide */
};

#define LANES 4
#define TARGET
#include "common/shadows/lanes.h"
#if defined(__x86_64__)
#define LANES 8
#define TARGET __attribute__((target("avx2,bmi2")))
#include "common/shadows/lanes.h"
#define LANES 16
#define TARGET TW_TARGET_AVX512
#include "common/shadows/lanes.h"
#endif

void tw_shadow_cross(const struct tw_shadow_march *m, const struct tw_shadow_way *way,
                     struct tw_shadow_packet *b, int32_t k, int32_t end, double top)
{
    double first = way->length * (double)k * m->rise;
    double limit = (top - first + 0x1p-22 * (fabs(top) + fabs(first))) / m->scale;
    struct outcome outcome;
    struct even_step steps[STEPS];
    bool within = place_steps(m, way, b, k, end - k, steps);
#if defined(__x86_64__)
    if (m->simd == TW_SIMD_AVX512)
        outcome = cross_16(m, steps, end - k, b, (float)limit, within);
    else if (m->simd == TW_SIMD_AVX2)
        outcome = cross_8(m, steps, end - k, b, (float)limit, within);
    else
#endif
        outcome = cross_4(m, steps, end - k, b, (float)limit, within);
    for (uint32_t left = outcome.unsure; left; left &= left - 1)
        cross_exactly(m, way, b, __builtin_ctz(left), k, end);
    find_low(m, b, outcome.touched | outcome.unsure);
}
