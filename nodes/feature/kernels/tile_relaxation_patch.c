/* SPDX-License-Identifier: MIT */
#include "feature/kernels/tile_relaxation_patch.h"

#include <thalweg/simd.h>

enum { CELLS = TW_CELLS, PITCH = TW_PITCH, KEYS = TW_KEYS, AROUND = 8 };
enum { SWEEPS = 4 }; /* southward and northward, at most; nearly always fewer do */

/* To neighbour k: in a plane; the kind of edge, which one of the two cells keeps; whether that is
 * in the row above, and how many columns away. */
static const int32_t place_to[AROUND] = {-PITCH - 1, -PITCH,    -PITCH + 1, -1,
                                         1,          PITCH - 1, PITCH,      PITCH + 1};
static const int8_t edge_kind[AROUND] = {1, 2, 3, 0, 0, 3, 2, 1};
static const int8_t edge_above[AROUND] = {1, 1, 1, 0, 0, 0, 0, 0};
static const int8_t edge_column[AROUND] = {-1, 0, 1, -1, 0, 0, 0, 0};

/* A row of a patch is two vectors. */
typedef double lanes __attribute__((vector_size(32)));
typedef int64_t bits __attribute__((vector_size(32)));
typedef double stored __attribute__((vector_size(32), aligned(8), may_alias)); /* among doubles */
enum { HALF = CELLS / 2 };

struct row {
    lanes at[2];
};

/* A row, and the values to the west and to the east of each of its cells. */
struct reach {
    struct row west, here, east;
};

struct work {
    _Alignas(64) double edges[CELLS][AROUND][CELLS];
    struct row floor[CELLS]; /* what a held cell keeps, -TW_FAR for others */
};

static TW_INLINE void load(struct row *row, const double *from)
{
    row->at[0] = *(const stored *)from;
    row->at[1] = *(const stored *)(from + HALF);
}
static TW_INLINE void store(const struct row *row, double *to)
{
    *(stored *)to = row->at[0];
    *(stored *)(to + HALF) = row->at[1];
}
/* Copies member by member: gcc cuts an assignment of structs into pieces that are slow to read
 * back. */
static TW_INLINE void copy(struct row *to, const struct row *from)
{
    to->at[0] = from->at[0];
    to->at[1] = from->at[1];
}

/* *to becomes the lesser of the two, lane by lane. */
static TW_INLINE void lower(lanes *to, const lanes *other)
{
    lanes a = *to, b = *other, c;
    for (int i = 0; i < HALF; i++)
        c[i] = b[i] < a[i] ? b[i] : a[i];
    *to = c;
}
static TW_INLINE void raise(lanes *to, const lanes *other)
{
    lanes a = *to, b = *other, c;
    for (int i = 0; i < HALF; i++)
        c[i] = b[i] > a[i] ? b[i] : a[i];
    *to = c;
}

/* Reads the cells to the left and right of a row from memory. */
static TW_INLINE void reach_from(struct reach *reach, const struct row *here, const double *row)
{
    lanes before = *(const stored *)(row - HALF), after = *(const stored *)(row + CELLS);
    copy(&reach->here, here);
    reach->west.at[0] = __builtin_shufflevector(before, here->at[0], 3, 4, 5, 6);
    reach->west.at[1] = __builtin_shufflevector(here->at[0], here->at[1], 3, 4, 5, 6);
    reach->east.at[0] = __builtin_shufflevector(here->at[0], here->at[1], 1, 2, 3, 4);
    reach->east.at[1] = __builtin_shufflevector(here->at[1], after, 1, 2, 3, 4);
}

/* One row of the grid, which keeps the kinds of edges cell by cell, by kind. */
static TW_INLINE void deinterleave(const float *row, float (*kinds)[2 * CELLS])
{
#pragma GCC unroll 1
    for (int x = 0; x < CELLS; x++) {
        kinds[0][x + HALF] = row[x * TW_WEIGHTED_GRID_EDGES];
        kinds[1][x + HALF] = row[x * TW_WEIGHTED_GRID_EDGES + 1];
        kinds[2][x + HALF] = row[x * TW_WEIGHTED_GRID_EDGES + 2];
        kinds[3][x + HALF] = row[x * TW_WEIGHTED_GRID_EDGES + 3];
    }
    kinds[0][HALF - 1] = row[-TW_WEIGHTED_GRID_EDGES];
    kinds[1][HALF - 1] = row[-TW_WEIGHTED_GRID_EDGES + 1];
    kinds[3][HALF + CELLS] = row[CELLS * TW_WEIGHTED_GRID_EDGES + 3];
}

/* The edge to neighbour k, for every cell of every row. Rows below the map are its border. */
static TW_INLINE void load_edges(const struct tw_patch *at, struct work *work)
{
    float by_kind[CELLS + 1][TW_WEIGHTED_GRID_EDGES][2 * CELLS];
    deinterleave(at->edges - at->stride * TW_WEIGHTED_GRID_EDGES, by_kind[0]);
    for (int y = 0; y < CELLS; y++)
        deinterleave(at->edges + (size_t)(y < at->rows ? y : at->rows) * at->stride *
                                     TW_WEIGHTED_GRID_EDGES,
                     by_kind[y + 1]);
    for (int y = 0; y < CELLS; y++)
#pragma GCC unroll 8
        for (int k = 0; k < AROUND; k++) {
            const float *from =
                by_kind[y + 1 - edge_above[k]][edge_kind[k]] + HALF + edge_column[k];
#pragma GCC unroll 1
            for (int x = 0; x < CELLS; x++)
                work->edges[y][k][x] = (double)from[x];
        }
}

/* One row from the rows around it. */
static TW_INLINE void relax_row(const struct reach *north, const struct reach *here,
                                const struct reach *south, const double (*edges)[CELLS],
                                lanes best[2])
{
    for (int i = 0; i < 2; i++) {
        const stored *w = (const stored *)(edges[0] + i * HALF);
        lanes a = north->west.at[i] + w[0], b = north->here.at[i] + w[2];
        lanes c = north->east.at[i] + w[4], d = here->west.at[i] + w[6];
        lanes e = here->east.at[i] + w[8], f = south->west.at[i] + w[10];
        lanes g = south->here.at[i] + w[12], h = south->east.at[i] + w[14];
        best[i] = here->here.at[i];
        lower(&a, &b);
        lower(&c, &d);
        lower(&e, &f);
        lower(&g, &h);
        lower(&a, &c);
        lower(&e, &g);
        lower(&best[i], &a);
        lower(&best[i], &e);
    }
}

/* Relaxes all rows, southward or northward, each from the new one before it; true if something
 * changed. */
static TW_INLINE bool sweep(struct row rows[CELLS], const double *values, const struct work *work,
                            bool held, bool up)
{
    struct reach behind, here, ahead;
    struct row halo;
    bits changed = {0};
    const double *edge = values + (up ? CELLS * PITCH : -PITCH);
    load(&halo, edge);
    reach_from(&behind, &halo, edge);
    reach_from(&here, &rows[up ? CELLS - 1 : 0], values + (up ? (CELLS - 1) * PITCH : 0));
#pragma GCC unroll 8
    for (int i = 0; i < CELLS; i++) {
        int y = up ? CELLS - 1 - i : i, next = up ? y - 1 : y + 1;
        if (i < CELLS - 1)
            copy(&halo, &rows[next]);
        else
            load(&halo, values + next * PITCH);
        reach_from(&ahead, &halo, values + next * PITCH);
        struct row best;
        relax_row(up ? &ahead : &behind, &here, up ? &behind : &ahead, work->edges[y], best.at);
        for (int j = 0; j < 2; j++) {
            if (held)
                raise(&best.at[j], &work->floor[y].at[j]);
            changed |= (bits)best.at[j] ^ (bits)rows[y].at[j];
        }
        copy(&rows[y], &best);
        reach_from(&behind, &best, values + y * PITCH);
        copy(&here.west, &ahead.west);
        copy(&here.here, &ahead.here);
        copy(&here.east, &ahead.east);
    }
    return (changed[0] | changed[1] | changed[2] | changed[3]) != 0;
}

static TW_INLINE double least_of(const struct row *row)
{
    lanes both = row->at[0];
    lower(&both, &row->at[1]);
    double even = both[0] < both[2] ? both[0] : both[2];
    double odd = both[1] < both[3] ? both[1] : both[3];
    return even < odd ? even : odd;
}

/* `changed` holds a changed cell's cost, else TW_KEY_NONE. Returns the least. */
static TW_INLINE double wake_around(double *key, const struct row changed[CELLS])
{
    const struct row *top = &changed[0], *bottom = &changed[CELLS - 1];
    struct row column;
    copy(&column, top);
    for (int y = 1; y < CELLS; y++) {
        lower(&column.at[0], &changed[y].at[0]);
        lower(&column.at[1], &changed[y].at[1]);
    }
    tw_wake(key - 1, column.at[0][0]);
    tw_wake(key + 1, column.at[1][HALF - 1]);
    tw_wake(key - KEYS, least_of(top));
    tw_wake(key + KEYS, least_of(bottom));
    tw_wake(key - KEYS - 1, top->at[0][0]);
    tw_wake(key - KEYS + 1, top->at[1][HALF - 1]);
    tw_wake(key + KEYS - 1, bottom->at[0][0]);
    tw_wake(key + KEYS + 1, bottom->at[1][HALF - 1]);
    return least_of(&column);
}

static TW_INLINE void set_floor(struct work *work, const struct row *rows, uint64_t held)
{
    for (int y = 0; y < CELLS; y++)
        for (int x = 0; x < CELLS; x++)
            work->floor[y].at[x / HALF][x % HALF] =
                held >> (y * CELLS + x) & 1 ? rows[y].at[x / HALF][x % HALF] : -TW_FAR;
}

/* Returns whether there may be more to do. */
static TW_INLINE bool sweeps(struct row rows[CELLS], const double *values, const struct work *work,
                             bool held)
{
    for (int i = 0; i < SWEEPS; i++) {
        if (!sweep(rows, values, work, held, false))
            return false;
        if (!sweep(rows, values, work, held, true))
            return false;
    }
    return true;
}

/* Where costs are final, labels are least costs too: nothing to pay for the edges through which a
 * cell's cost comes, and no way through others. */
static TW_INLINE void keep_tight(struct work *work, const double *cost)
{
    const lanes none = {TW_FAR, TW_FAR, TW_FAR, TW_FAR};
    for (int y = 0; y < CELLS; y++)
#pragma GCC unroll 8
        for (int k = 0; k < AROUND; k++)
            for (int i = 0; i < 2; i++) {
                const double *here = cost + y * PITCH + i * HALF;
                stored *edge = (stored *)(work->edges[y][k] + i * HALF);
                bits loose = *(const stored *)(here + place_to[k]) + *edge != *(const stored *)here;
                *edge = (lanes)(loose & (bits)none);
            }
}

/* Costs of the cells that changed, TW_KEY_NONE for others. */
static TW_INLINE void find_changed(struct row *changed, const struct row *after,
                                   const struct row *before, const struct row *cost)
{
    const lanes none = {TW_KEY_NONE, TW_KEY_NONE, TW_KEY_NONE, TW_KEY_NONE};
    for (int i = 0; i < 2; i++) {
        bits less = after->at[i] < before->at[i];
        changed->at[i] = (lanes)(((bits)cost->at[i] & less) | ((bits)none & ~less));
    }
}

static TW_INLINE void visit_body(struct tw_tile *tile, double *values, const struct tw_patch *at)
{
    size_t first = tw_tile_place(at->number % TW_PATCHES * CELLS, at->number / TW_PATCHES * CELLS);
    const double *cost = tile->cost + first;
    uint64_t held = tile->held[at->number];
    struct row rows[CELLS], changed[CELLS];
    struct work work;
    bool more;
    load_edges(at, &work);
    if (values != tile->cost)
        keep_tight(&work, cost);
    values += first;
    for (int y = 0; y < CELLS; y++)
        load(&rows[y], values + y * PITCH);
    if (held) {
        set_floor(&work, rows, held);
        more = sweeps(rows, values, &work, true);
    } else
        more = sweeps(rows, values, &work, false);
#pragma GCC unroll 8
    for (int y = 0; y < CELLS; y++) {
        struct row before, price;
        load(&before, values + y * PITCH);
        store(&rows[y], values + y * PITCH);
        load(&price, cost + y * PITCH);
        find_changed(&changed[y], &rows[y], &before, &price);
    }
    double *key = tw_tile_key(tile, at->number), lowest = wake_around(key, changed);
    *key = more ? lowest : TW_KEY_NONE;
}
TW_SIMD_KERNEL(visit, (struct tw_tile * tile, double *values, const struct tw_patch *at),
               (tile, values, at))

tw_visit_fn *tw_tile_relaxation_visit(enum tw_simd simd) { return visit(simd); }
