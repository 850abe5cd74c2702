/* SPDX-License-Identifier: MIT */
/* Rays of a block of cells march together. Where the lowest of them is above all terrain that they
 * may cross in some steps, found in a pyramid of maxima as in render/kernels/heightfield_raycast.c,
 * these steps are skipped; the others are computed for a row of cells at once. */
#include "common/shadows.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

enum { BLOCK = 16, TILE = 8, LEVELS = 14 };
#define NO_HEIGHT (-1e300)
#define MARGIN 1e-6 /* terrain less than this above a ray does not block it */

struct march {
    const double *heights;
    float *lit;
    int32_t width, height;
    double x, y;    /* unit vector towards the light */
    double rise;    /* of the ray per cell */
    double highest; /* of all heights */
    double slack;   /* above the rounding error of a height between two cells */
    enum tw_simd simd;
    int32_t levels; /* a tile of level l is TILE 2^l cells wide */
    int32_t across[LEVELS];
    double *tops[LEVELS]; /* the greatest height of each tile */
};

struct block {
    int32_t x, y, across, down; /* first cell, cells */
    double lowest;              /* of rows */
    double low[BLOCK];          /* of the cells of a row that are lit so far; -NO_HEIGHT for none */
    int64_t dark[BLOCK][BLOCK];
};

/* Crossings of rays with columns (or with rows). */
struct way {
    bool columns;
    int32_t sign;  /* from column to column */
    double length; /* of the ray per crossing */
    double across; /* along the column, per length */
};

static TW_INLINE double lower(double a, double b) { return b < a ? b : a; }

/* Step k of a block's rays. */
struct crossing {
    int32_t moved; /* columns, or rows, from the start */
    double rise, offset;
    /* Of crossings with a row: where they are; the cell left of the first and what lies between
     * each and its left cell; -1 where cells do not cross side by side. */
    double along[BLOCK], share[BLOCK];
    int32_t left;
};

/* Marks the cells of a row whose ray is below the terrain, at `share` between a and b. */
static TW_INLINE void meet(const struct march *m, double rise, const double *restrict start,
                           const double *restrict a, const double *restrict b,
                           const double *restrict share, int64_t *restrict dark, int32_t count)
{
    const double highest = m->highest;
    for (int32_t i = 0; i < count; i++) {
        double ray = start[i] + rise, height = a[i] + (b[i] - a[i]) * share[i];
        dark[i] |= (height > ray + MARGIN) & (ray <= highest);
    }
}

/* Where a row's rays cross their columns, all at the same share of a cell. */
static TW_INLINE void cross_columns(const struct march *m, const struct crossing *c,
                                    struct block *b, int32_t row)
{
    double along = (double)(b->y + row) + c->offset;
    if (along < 0 || along > (double)(m->height - 1))
        return;
    int32_t low = (int32_t)along, high = low + 1 < m->height ? low + 1 : low;
    int32_t at = b->x + c->moved, first = at < 0 ? -at : 0;
    int32_t last = at + b->across > m->width ? m->width - at : b->across;
    size_t width = (size_t)m->width, column = (size_t)(at + first);
    const double *start = m->heights + (size_t)(b->y + row) * width + (size_t)(b->x + first);
    const double *upper = m->heights + (size_t)low * width + column;
    const double *under = m->heights + (size_t)high * width + column;
    int64_t *dark = b->dark[row] + first;
    double share[BLOCK], between = along - (double)low;
    for (int32_t i = 0; i < BLOCK; i++)
        share[i] = between;
    if (last - first == BLOCK)
        meet(m, c->rise, start, upper, under, share, dark, BLOCK);
    else
        meet(m, c->rise, start, upper, under, share, dark, last - first);
}

/* One cell's ray, where a row's cells do not cross side by side. */
static TW_INLINE void cross_row(const struct march *m, double rise, double along,
                                const double *start, const double *row, int64_t *dark)
{
    if (along < 0 || along > (double)(m->width - 1))
        return;
    int32_t left = (int32_t)along, right = left + 1 < m->width ? left + 1 : left;
    double share = along - (double)left;
    meet(m, rise, start, row + left, row + right, &share, dark, 1);
}

/* Where a row's rays cross another row, in general each between the next two cells. */
static TW_INLINE void cross_rows(const struct march *m, const struct crossing *c, struct block *b,
                                 int32_t row)
{
    int32_t at = b->y + row + c->moved;
    if (at < 0 || at >= m->height)
        return;
    const double *start = m->heights + (size_t)(b->y + row) * (size_t)m->width + (size_t)b->x;
    const double *line = m->heights + (size_t)at * (size_t)m->width;
    if (c->left >= 0) {
        line += c->left;
        meet(m, c->rise, start, line, line + 1, c->share, b->dark[row], BLOCK);
        return;
    }
    for (int32_t i = 0; i < b->across; i++)
        cross_row(m, c->rise, c->along[i], start + i, line, b->dark[row] + i);
}

/* Step k of all rays. */
static TW_INLINE void prepare(const struct march *m, const struct way *way, const struct block *b,
                              int32_t k, struct crossing *c)
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

/* The lowest start of the row's rays that are lit so far. */
static TW_INLINE void find_low(const struct march *m, struct block *b, int32_t row)
{
    const double *start = m->heights + (size_t)(b->y + row) * (size_t)m->width + (size_t)b->x;
    double lit[BLOCK], low[4];
    if (b->across == BLOCK) {
        for (int32_t i = 0; i < BLOCK; i++)
            lit[i] = b->dark[row][i] ? -NO_HEIGHT : start[i];
    } else {
        for (int32_t i = 0; i < BLOCK; i++)
            lit[i] = i < b->across && !b->dark[row][i] ? start[i] : -NO_HEIGHT;
    }
    for (int32_t i = 0; i < 4; i++)
        low[i] = lower(lower(lit[i], lit[i + 4]), lower(lit[i + 8], lit[i + 12]));
    b->low[row] = lower(lower(low[0], low[1]), lower(low[2], low[3]));
}

static TW_INLINE void find_lowest(struct block *b)
{
    b->lowest = -NO_HEIGHT;
    for (int32_t row = 0; row < b->down; row++)
        b->lowest = lower(b->lowest, b->low[row]);
}

/* The greatest height of the tiles that meet the rectangle; NO_HEIGHT outside the map. */
static double top_of(const struct march *m, int level, double left, double top, double right,
                     double bottom)
{
    double x_last = m->width - 1, y_last = m->height - 1, highest = NO_HEIGHT;
    if (right < 0 || bottom < 0 || left > x_last || top > y_last)
        return highest;
    int32_t size = TILE << level;
    int32_t x0 = left > 0 ? (int32_t)left / size : 0, y0 = top > 0 ? (int32_t)top / size : 0;
    int32_t x1 = (int32_t)(right < x_last ? right : x_last) / size;
    int32_t y1 = (int32_t)(bottom < y_last ? bottom : y_last) / size;
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++) {
            double tile = m->tops[level][(size_t)y * (size_t)m->across[level] + (size_t)x];
            highest = tile > highest ? tile : highest;
        }
    return highest;
}

/* No height that the block's rays cross from step k to before `end` is greater. */
static double top_ahead(const struct march *m, const struct way *way, const struct block *b,
                        int level, int32_t k, int32_t end)
{
    double a = way->across * (way->length * (double)k);
    double z = way->across * (way->length * (double)(end - 1));
    double least = lower(a, z) - 1, most = a + z - lower(a, z) + 2;
    double near = way->sign > 0 ? k : 1 - end, far = way->sign > 0 ? end - 1 : -k;
    double right = b->x + b->across - 1, bottom = b->y + b->down - 1;
    double top = way->columns
                     ? top_of(m, level, b->x + near, b->y + least, right + far, bottom + most)
                     : top_of(m, level, b->x + least, b->y + near, right + most, bottom + far);
    return top + m->slack;
}

static TW_INLINE void take_steps(const struct march *m, const struct way *way, struct block *b,
                                 int32_t k, int32_t end, double top)
{
    double first = way->length * (double)k * m->rise;
    for (int32_t i = k; i < end; i++) {
        struct crossing c;
        prepare(m, way, b, i, &c);
        for (int32_t row = 0; row < b->down; row++) {
            if (b->low[row] + c.rise > top)
                continue;
            if (way->columns)
                cross_columns(m, &c, b, row);
            else
                cross_rows(m, &c, b, row);
        }
    }
    for (int32_t row = 0; row < b->down; row++)
        if (b->low[row] + first <= top)
            find_low(m, b, row);
    find_lowest(b);
}

/* Up a level after steps that were skipped, down one where the terrain may reach a ray. */
static TW_INLINE void follow(const struct march *m, const struct way *way, struct block *b)
{
    int32_t size = way->columns ? m->width : m->height, level = 0, end = 0;
    int32_t first = way->columns ? b->x : b->y, count = way->columns ? b->across : b->down;
    int32_t last = way->sign > 0 ? size - 1 - first : first + count - 1;
    for (int32_t k = 1; k <= last; k = end) {
        double ray = b->lowest + way->length * (double)k * m->rise;
        if (ray > m->highest)
            return;
        double steps = (double)(TILE << level) / way->length;
        int32_t stride = steps > 1 ? (int32_t)steps : 1;
        end = (k / stride + 1) * stride;
        double top = top_ahead(m, way, b, level, k, end);
        if (ray > top) {
            level += level < m->levels - 1;
        } else if (level > 0) {
            level--;
            end = k;
        } else {
            take_steps(m, way, b, k, end, top);
        }
    }
}

static TW_INLINE void light_block_body(const struct march *m, struct block *b)
{
    for (int32_t row = 0; row < b->down; row++)
        find_low(m, b, row);
    find_lowest(b);
    for (int axis = 0; axis < 2; axis++) {
        double along = axis == 0 ? m->x : m->y;
        struct way way = {axis == 0, along > 0 ? 1 : -1, 1 / fabs(along), axis == 0 ? m->y : m->x};
        if (fabs(along) >= 1e-9)
            follow(m, &way, b);
    }
}
TW_SIMD_KERNEL(light_block, (const struct march *m, struct block *b), (m, b))

static void light_rows(void *context, int32_t begin, int32_t end)
{
    const struct march *m = context;
    int32_t blocks = (m->width - 1) / BLOCK + 1;
    for (int32_t i = begin * blocks; i < end * blocks; i++) {
        struct block b = {.x = i % blocks * BLOCK, .y = i / blocks * BLOCK};
        b.across = b.x + BLOCK < m->width ? BLOCK : m->width - b.x;
        b.down = b.y + BLOCK < m->height ? BLOCK : m->height - b.y;
        light_block(m->simd)(m, &b);
        for (int32_t row = 0; row < b.down; row++)
            for (int32_t x = 0; x < b.across; x++)
                m->lit[(size_t)(b.y + row) * (size_t)m->width + (size_t)(b.x + x)] =
                    b.dark[row][x] ? 0.0f : 1.0f;
    }
}

/* The greatest of the tiles, or cells, of a square of `side` below a tile. */
struct rise {
    const double *from;
    double *to;
    int32_t from_across, from_down, across, side;
};

static void raise_rows(void *context, int32_t begin, int32_t end)
{
    const struct rise *r = context;
    for (int32_t i = begin * r->across; i < end * r->across; i++) {
        int32_t left = i % r->across * r->side, top = i / r->across * r->side;
        int32_t right = left + r->side < r->from_across ? left + r->side : r->from_across;
        int32_t bottom = top + r->side < r->from_down ? top + r->side : r->from_down;
        r->to[i] = NO_HEIGHT;
        for (int32_t y = top; y < bottom; y++)
            for (int32_t x = left; x < right; x++) {
                double h = r->from[(size_t)y * (size_t)r->from_across + (size_t)x];
                r->to[i] = h > r->to[i] ? h : r->to[i];
            }
    }
}

static enum tw_status build_tops(struct tw_task *task, struct march *m)
{
    struct rise r = {m->heights, NULL, m->width, m->height, 0, TILE};
    do {
        int32_t down = (r.from_down - 1) / r.side + 1;
        r.across = (r.from_across - 1) / r.side + 1;
        r.to = tw_task_scratch(task, (size_t)r.across * (size_t)down, sizeof *r.to);
        if (!r.to)
            return tw_task_no_memory(task);
        tw_rows(task, down, 8, raise_rows, &r);
        m->across[m->levels] = r.across;
        m->tops[m->levels++] = r.to;
        r = (struct rise){r.to, NULL, r.across, down, 0, 2};
    } while (r.from_across > 1 || r.from_down > 1);
    return TW_OK;
}

enum tw_status tw_shadows_cast(struct tw_task *task, const double *heights, int32_t width,
                               int32_t height, double azimuth, double tilt, float *lit)
{
    struct march march = {.heights = heights,
                          .lit = lit,
                          .width = width,
                          .height = height,
                          .x = tw_sin_degrees(azimuth),
                          .y = -tw_cos_degrees(azimuth),
                          .rise = tw_cos_degrees(tilt) / tw_sin_degrees(tilt),
                          .highest = heights[0],
                          .simd = tw_task_simd(task)};
    double lowest = heights[0];
    for (size_t i = 1; i < (size_t)width * (size_t)height; i++) {
        march.highest = heights[i] > march.highest ? heights[i] : march.highest;
        lowest = lower(lowest, heights[i]);
    }
    march.slack = 1e-14 * (fabs(march.highest) + fabs(lowest));
    if (build_tops(task, &march) != TW_OK)
        return TW_MEMORY;
    tw_rows(task, (height - 1) / BLOCK + 1, 1, light_rows, &march);
    return TW_OK;
}

void tw_shadows_forecast(struct tw_forecast *f)
{
    uint64_t across = (uint64_t)f->width, down = (uint64_t)f->height, side = TILE;
    do {
        across = (across - 1) / side + 1;
        down = (down - 1) / side + 1;
        tw_forecast_scratch(f, across * down, sizeof(double));
        side = 2;
    } while (across > 1 || down > 1);
}
