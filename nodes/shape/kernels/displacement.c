/* SPDX-License-Identifier: MIT */
/* Displaced look-ups; see the header. Tiles, so that the transposed noise is read along its rows,
 * too; a row of a tile in steps: places, cells, the heights there, the blend between them. All but
 * the reading of heights are vector code. */
#include "shape/kernels/displacement.h"

#include "common/transpose.h"

#include <thalweg/kernel.h>
#include <thalweg/simd.h>

#include <string.h>

enum { COLUMNS = 128, ROWS = 64 }; /* of a tile: its noise stays in the nearer caches */

struct tile {
    float along[ROWS][COLUMNS];   /* transposed noise */
    float x[COLUMNS], y[COLUMNS]; /* places; later how far they lie beyond the cell before them */
    int32_t left[COLUMNS], right[COLUMNS], upper[COLUMNS], lower[COLUMNS];
    float nw[COLUMNS], ne[COLUMNS], sw[COLUMNS], se[COLUMNS];
};

struct tiles {
    struct tw_displacement d;
    enum tw_simd simd;
};

/* n(y, x) of a square map. */
static void transpose_noise(const struct tw_displacement *d, int32_t x, int32_t y, int32_t columns,
                            int32_t rows, struct tile *tile)
{
    const float *from = d->noise + (ptrdiff_t)x * d->stride + y;
    int32_t i = 0, whole_rows = rows / 4 * 4;
    for (; i < columns / 4 * 4; i += 4)
        for (int32_t j = 0; j < whole_rows; j += 4)
            tw_transpose_4x4(from + (ptrdiff_t)i * d->stride + j, d->stride, &tile->along[j][i],
                             COLUMNS);
    for (int32_t j = whole_rows; j < rows; j++)
        for (int32_t k = 0; k < i; k++)
            tile->along[j][k] = from[(ptrdiff_t)k * d->stride + j];
    for (; i < columns; i++)
        for (int32_t j = 0; j < rows; j++)
            tile->along[j][i] = from[(ptrdiff_t)i * d->stride + j];
}

/* Where a cell of the one side lies among the cells of the other. */
struct between {
    int32_t before, after;
    float share; /* of the cell after */
};

static struct between find_between(int32_t i, int32_t side, int32_t other, bool wrap)
{
    const int64_t cell = 2 * (int64_t)side, place = (2 * (int64_t)i + 1) * other - side;
    const int32_t before = place < 0 ? -1 : (int32_t)(place / cell), after = before + 1;
    return (struct between){
        .before = before >= 0 ? before
                  : wrap      ? other - 1
                              : 0,
        .after = after < other ? after
                 : wrap        ? 0
                               : other - 1,
        .share = (float)(place - before * cell) / (float)cell,
    };
}

/* On maps that are not square the transposed place lies at the same fractions of the sides, between
 * four cells: the nearest one would be the same for several columns of a wide map, which would show
 * as steps. */
static void turn_noise(const struct tw_displacement *d, int32_t x, int32_t y, int32_t columns,
                       int32_t rows, struct tile *tile)
{
    struct between across[ROWS];
    if (d->width == d->height) {
        transpose_noise(d, x, y, columns, rows, tile);
        return;
    }
    for (int32_t j = 0; j < rows; j++)
        across[j] = find_between(y + j, d->height, d->width, d->wrap);
    for (int32_t i = 0; i < columns; i++) {
        const struct between down = find_between(x + i, d->width, d->height, d->wrap);
        const float *upper = d->noise + (ptrdiff_t)down.before * d->stride;
        const float *lower = d->noise + (ptrdiff_t)down.after * d->stride;
        for (int32_t j = 0; j < rows; j++) {
            const struct between *at = &across[j];
            float above = upper[at->before] + at->share * (upper[at->after] - upper[at->before]);
            float below = lower[at->before] + at->share * (lower[at->after] - lower[at->before]);
            tile->along[j][i] = above + down.share * (below - above);
        }
    }
}

/* tw_cut_to_integer() by size and sign: gcc makes branches of its two comparisons. */
static TW_INLINE float cut(float v)
{
    uint32_t bits, sign;
    memcpy(&bits, &v, sizeof bits);
    sign = bits & 0x80000000u;
    bits ^= sign;
    memcpy(&v, &bits, sizeof v);
    v = v < 0x1p30f ? v : 0x1p30f;
    memcpy(&bits, &v, sizeof bits);
    bits |= sign;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Largest integer not above v, which has been cut. */
static TW_INLINE int32_t floor_of(float v)
{
    int32_t i = (int32_t)v;
    return i - ((float)i > v);
}

/* The cells before and after places along a line of n cells, and the fraction between; borders are
 * mirrors half a cell beyond the first and the last centre. */
static TW_INLINE void split_mirrored(float *place, int32_t count, int32_t n, int32_t *before,
                                     int32_t *after)
{
    float last = (float)(n - 1), side = (float)n;
    TW_INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        float at = place[i], turns = cut((at + 0.5f) / side);
        int32_t whole = floor_of(turns);
        float rest = turns - (float)whole;
        float turned = ((whole & 1) != 0 ? 1.0f - rest : rest) * side - 0.5f;
        at = cut(((at < 0) | (at > last)) ? turned : at);
        int32_t cell = floor_of(at), next = cell + 1;
        place[i] = at - (float)cell;
        cell = cell < 0 ? 0 : cell;
        next = next < 0 ? 0 : next;
        before[i] = cell < n ? cell : n - 1;
        after[i] = next < n ? next : n - 1;
    }
}

/* Splits places as split_mirrored() does, but on a torus; returns true if cells are left that are
 * more than a side away. */
static TW_INLINE bool split_wrapped(float *place, int32_t count, int32_t n, int32_t *before,
                                    int32_t *after)
{
    int32_t outside = 0;
    TW_INDEPENDENT
    for (int32_t i = 0; i < count; i++) {
        float at = cut(place[i]);
        int32_t cell = floor_of(at);
        place[i] = at - (float)cell;
        cell += cell < 0 ? n : 0;
        cell -= cell >= n ? n : 0;
        outside |= (cell < 0) | (cell >= n);
        before[i] = cell;
        after[i] = cell + 1 == n ? 0 : cell + 1;
    }
    return outside != 0;
}

static void wrap_cells(int32_t count, int32_t n, int32_t *before, int32_t *after)
{
    for (int32_t i = 0; i < count; i++) {
        before[i] = tw_wrap(before[i], n);
        after[i] = before[i] + 1 == n ? 0 : before[i] + 1;
    }
}

static TW_INLINE void split(float *place, int32_t count, int32_t n, bool wrap, int32_t *before,
                            int32_t *after)
{
    if (!wrap)
        split_mirrored(place, count, n, before, after);
    else if (split_wrapped(place, count, n, before, after))
        wrap_cells(count, n, before, after);
}

static TW_INLINE void displace_row_body(const struct tw_displacement *d, int32_t x, int32_t y,
                                        int32_t count, const float *along, struct tile *t)
{
    float reach_x = d->magnitude * (float)d->width, reach_y = d->magnitude * (float)d->height;
    const float *across = d->noise + (size_t)y * (size_t)d->stride + (size_t)x;
    float *out = d->out + (size_t)y * (size_t)d->width + (size_t)x;
    for (int32_t i = 0; i < count; i++) {
        t->x[i] = (float)(x + i) + reach_x * (across[i] - 0.5f);
        t->y[i] = (float)y + reach_y * (along[i] - 0.5f);
    }
    split(t->x, count, d->width, d->wrap, t->left, t->right);
    split(t->y, count, d->height, d->wrap, t->upper, t->lower);
    for (int32_t i = 0; i < count; i++) {
        const float *upper = d->in + (size_t)t->upper[i] * (size_t)d->width;
        const float *lower = d->in + (size_t)t->lower[i] * (size_t)d->width;
        t->nw[i] = upper[t->left[i]];
        t->ne[i] = upper[t->right[i]];
        t->sw[i] = lower[t->left[i]];
        t->se[i] = lower[t->right[i]];
    }
    for (int32_t i = 0; i < count; i++) {
        float above = t->nw[i] * (1.0f - t->x[i]) + t->ne[i] * t->x[i];
        float below = t->sw[i] * (1.0f - t->x[i]) + t->se[i] * t->x[i];
        out[i] = above * (1.0f - t->y[i]) + below * t->y[i];
    }
}
TW_SIMD_KERNEL(displace_row,
               (const struct tw_displacement *d, int32_t x, int32_t y, int32_t count,
                const float *along, struct tile *t),
               (d, x, y, count, along, t))

static void displace_tiles(void *context, int32_t begin, int32_t end)
{
    const struct tiles *tiles = context;
    const struct tw_displacement *d = &tiles->d;
    struct tile tile;
    for (int32_t y = begin * ROWS; y < end * ROWS && y < d->height; y += ROWS)
        for (int32_t x = 0; x < d->width; x += COLUMNS) {
            int32_t rows = d->height - y < ROWS ? d->height - y : ROWS;
            int32_t columns = d->width - x < COLUMNS ? d->width - x : COLUMNS;
            turn_noise(d, x, y, columns, rows, &tile);
            for (int32_t j = 0; j < rows; j++)
                displace_row(tiles->simd)(d, x, y + j, columns, tile.along[j], &tile);
        }
}

void tw_displace(struct tw_task *task, const struct tw_displacement *displacement)
{
    struct tiles tiles = {*displacement, tw_task_simd(task)};
    tw_rows(task, (displacement->height + ROWS - 1) / ROWS, 1, displace_tiles, &tiles);
}
