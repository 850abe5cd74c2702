/* SPDX-License-Identifier: MIT */
/* The sides of a triangle are integers, exact, and added up from window to window of four cells;
 * only a cell's shares of the corners are rounded, as they would be by themselves. */
#include "common/polymap/fill.h"

#include <thalweg/simd.h>

enum { STEPS = TW_POLYMAP_STEPS, LANES = 4, CHUNK = 64 };
enum { HIGH = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ }; /* of an integer's halves */

typedef int64_t integers __attribute__((vector_size(32)));
typedef uint64_t naturals __attribute__((vector_size(32)));
typedef double doubles __attribute__((vector_size(32)));
typedef int32_t halves __attribute__((vector_size(32)));
typedef int32_t words __attribute__((vector_size(16)));
typedef float floats __attribute__((vector_size(16)));

/* A triangle that may hold the centres of cells in these rows and columns. */
struct triangle {
    int32_t number, left, right, top, bottom;
    int32_t at[3][2];                  /* the polygon's centre and two corners */
    float value[TW_POLYMAP_PLANES][3]; /* there */
    double area;                       /* twice */
};

/* Its sides, as turn() of two corners, the opposite one's share: at a window's four cells, and what
 * that changes by to the next window, to the next row, and from the window after a row's last one
 * to that. */
struct sides {
    integers at[3];
    int64_t across[3], down[3], back[3];
};

/* Twice the area of (a, b, (x, y)). */
static TW_INLINE int64_t turn(const int32_t *a, const int32_t *b, int64_t x, int64_t y)
{
    return (int64_t)(b[0] - a[0]) * (y - a[1]) - (int64_t)(b[1] - a[1]) * (x - a[0]);
}

/* Of column x, or row x. */
static TW_INLINE int64_t centre_of(int32_t x) { return (int64_t)x * STEPS + STEPS / 2; }

static TW_INLINE int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static TW_INLINE int32_t greatest(int32_t a, int32_t b) { return a > b ? a : b; }

static TW_INLINE void find_sides(const struct triangle *t, int32_t left, int32_t back,
                                 struct sides *s)
{
    for (int i = 0; i < 3; i++) {
        const int32_t *a = t->at[i], *b = t->at[(i + 1) % 3];
        int64_t at = turn(a, b, centre_of(left), centre_of(t->top));
        int64_t step = (int64_t)(a[1] - b[1]) * STEPS;
        const integers from_first = {0, step, 2 * step, 3 * step};
        s->at[i] = from_first + at;
        s->across[i] = LANES * step;
        s->down[i] = (int64_t)(b[0] - a[0]) * STEPS;
        s->back[i] = step * back;
    }
}

/* A corner's share of four cells, side / area. The side's halves become the last bits of two
 * doubles that are too great by 2^52 and 2^84 + 2^63, so that it is rounded once; below AVX-512
 * there is no instruction for it. */
static TW_INLINE void find_share(const integers *side, double area, doubles *share)
{
    naturals low = ((naturals)*side & 0xFFFFFFFF) | 0x4330000000000000;
    naturals high = (naturals)*side >> 32 ^ 0x4530000080000000;
    *share = (((doubles)high - 0x1.00000801p84) + (doubles)low) / area;
}

static TW_INLINE void blend(const float value[3], const doubles share[3], words takes, float *cells,
                            size_t size)
{
    double centre = (double)value[0], from = (double)value[1], to = (double)value[2];
    doubles sum = share[1] * centre + share[2] * from + share[0] * to;
    floats blended = __builtin_convertvector(sum, floats);
    words old = {0};
    memcpy(&old, cells, size);
    old = ((words)blended & takes) | (old & ~takes);
    memcpy(cells, &old, size);
}

/* A window's cells, whose numbers are given, from cell `at` on; fewer than LANES on a map that is
 * not as wide. */
static TW_INLINE void fill_window(const struct tw_polymap_raster *cover, const struct triangle *t,
                                  const integers side[3], int32_t *numbers, size_t at,
                                  int32_t lanes)
{
    const size_t size = (size_t)lanes * sizeof *numbers;
    words cells = {0};
    memcpy(&cells, numbers, size);
    halves outside = (halves)(side[0] | side[1] | side[2]);
    words takes =
        __builtin_shufflevector(outside, outside, HIGH, 2 + HIGH, 4 + HIGH, 6 + HIGH) >= 0;
    takes &= cells > t->number;
    uint64_t any[2];
    memcpy(any, &takes, sizeof any);
    if (!(any[0] | any[1]))
        return;
    cells = (takes & t->number) | (cells & ~takes);
    memcpy(numbers, &cells, size);
    if (cover->plane_count == 0)
        return;
    doubles share[3];
    for (int i = 0; i < 3; i++)
        find_share(&side[i], t->area, &share[i]);
    for (int32_t k = 0; k < cover->plane_count; k++)
        blend(t->value[k], share, takes, cover->planes[k].cells + at, size);
}

/* All windows of a row. The last one may begin within the one before, whose cells are filled. */
static TW_INLINE void fill_windows(const struct tw_polymap_raster *cover, const struct triangle *t,
                                   const struct sides *s, int32_t *numbers, size_t row)
{
    integers side[3] = {s->at[0], s->at[1], s->at[2]};
    int32_t x = t->left;
    for (; x + LANES <= t->right; x += LANES) {
        fill_window(cover, t, side, numbers + x, row + (size_t)x, LANES);
        for (int i = 0; i < 3; i++)
            side[i] += s->across[i];
    }
    if (x == t->right)
        return;
    for (int i = 0; i < 3; i++)
        side[i] -= s->back[i];
    x = t->right - LANES;
    fill_window(cover, t, side, numbers + x, row + (size_t)x, LANES);
}

static TW_INLINE void fill_triangle(const struct tw_polymap_raster *cover,
                                    const struct tw_polymap_batch *batch, const struct triangle *t,
                                    int32_t lanes)
{
    const size_t width = (size_t)cover->width;
    const int32_t columns = t->right - t->left;
    bool narrow = columns <= lanes;
    int32_t left = narrow ? least(t->left, cover->width - lanes) : t->left;
    struct sides s;
    find_sides(t, left, (LANES - columns % LANES) % LANES, &s);
    size_t row = (size_t)t->top * width;
    int32_t *numbers = batch->triangle + (size_t)(t->top - batch->row_begin) * width;
    for (int32_t y = t->top; y < t->bottom; y++, row += width, numbers += width) {
        if (narrow)
            fill_window(cover, t, s.at, numbers + left, row + (size_t)left, lanes);
        else
            fill_windows(cover, t, &s, numbers, row);
        for (int i = 0; i < 3; i++)
            s.at[i] += s.down[i];
    }
}

/* Edges lie anywhere in memory: what the next ones take is fetched while these are filled. */
static TW_INLINE void fetch(const struct tw_polymap_raster *cover, const int32_t *edges,
                            int32_t count, int32_t after)
{
    for (int32_t i = count; i < after; i++)
        __builtin_prefetch(&cover->map->edge[edges[i]]);
    for (int32_t i = 0; i < count; i++) {
        const struct tw_polymap_edge *edge = &cover->map->edge[edges[i]];
        int32_t other = edge->d1 < 0 ? edge->d0 : edge->d1;
        __builtin_prefetch(&cover->corner[edge->v0]);
        __builtin_prefetch(&cover->corner[edge->v1]);
        __builtin_prefetch(&cover->centre[edge->d0]);
        __builtin_prefetch(&cover->centre[other]);
        for (int32_t k = 0; k < cover->plane_count; k++) {
            __builtin_prefetch(&cover->planes[k].corners[edge->v0]);
            __builtin_prefetch(&cover->planes[k].corners[edge->v1]);
            __builtin_prefetch(&cover->planes[k].polygons[edge->d0]);
            __builtin_prefetch(&cover->planes[k].polygons[other]);
        }
    }
}

/* Returns false if the triangle holds no cell's centre. Its corners turn from x to y as the sides
 * of its polygon do. */
static TW_INLINE bool prepare(const struct tw_polymap_raster *cover,
                              const struct tw_polymap_batch *batch, int32_t number,
                              struct triangle *t)
{
    const struct tw_polymap_edge *edge = &cover->map->edge[number / 2];
    bool second = number % 2, exists = !second | (edge->d1 >= 0);
    int32_t polygon = second && exists ? edge->d1 : edge->d0;
    int32_t from = second ? edge->v1 : edge->v0, to = second ? edge->v0 : edge->v1;
    const int32_t *a = cover->centre[polygon], *b = cover->corner[from], *c = cover->corner[to];
    int64_t area = turn(a, b, c[0], c[1]);
    t->number = number;
    t->left = 0;
    t->right = cover->width;
    t->top = batch->row_begin;
    t->bottom = batch->row_end;
    t->area = (double)area;
    memcpy(t->at[0], a, sizeof t->at[0]);
    memcpy(t->at[1], b, sizeof t->at[1]);
    memcpy(t->at[2], c, sizeof t->at[2]);
    for (int32_t k = 0; k < cover->plane_count; k++) {
        t->value[k][0] = cover->planes[k].polygons[polygon];
        t->value[k][1] = cover->planes[k].corners[from];
        t->value[k][2] = cover->planes[k].corners[to];
    }
    tw_polymap_cells_within(least(least(a[0], b[0]), c[0]), greatest(greatest(a[0], b[0]), c[0]),
                            &t->left, &t->right);
    tw_polymap_cells_within(least(least(a[1], b[1]), c[1]), greatest(greatest(a[1], b[1]), c[1]),
                            &t->top, &t->bottom);
    return exists & (area > 0) & (t->left < t->right) & (t->top < t->bottom);
}

static TW_INLINE void fill_body(const struct tw_polymap_raster *cover,
                                const struct tw_polymap_batch *batch)
{
    struct triangle chunk[2 * CHUNK + 1];
    for (int32_t i = 0, end; i < batch->count; i = end) {
        int32_t count = 0;
        end = least(batch->count, i + CHUNK);
        fetch(cover, batch->edges + i, end - i, least(batch->count, end + CHUNK) - i);
        for (int32_t k = i; k < end; k++) {
            count += prepare(cover, batch, 2 * batch->edges[k], &chunk[count]);
            count += prepare(cover, batch, 2 * batch->edges[k] + 1, &chunk[count]);
        }
        for (int32_t k = 0; k < count; k++)
            if (cover->width < LANES)
                fill_triangle(cover, batch, &chunk[k], cover->width);
            else
                fill_triangle(cover, batch, &chunk[k], LANES);
    }
}
TW_SIMD_KERNEL(fill, (const struct tw_polymap_raster *cover, const struct tw_polymap_batch *batch),
               (cover, batch))

void tw_polymap_fill(const struct tw_polymap_raster *cover, enum tw_simd simd,
                     const struct tw_polymap_batch *batch)
{
    fill(simd)(cover, batch);
}
