/* SPDX-License-Identifier: MIT */
/* Cellular automata that change the map at once, on a torus (Olsen 2004, "Optimizations"). A cell
 * may change itself and four neighbours, so the visiting order is part of the result. `raster`: y,
 * then x. `bands`: the map is cut into bands of 8 rows, the last one takes the remaining rows;
 *     for r: for x: for every band b that has a row r: visit (x, row r of b).
 * Cells visited one after the other lie 8 rows apart and never touch each other, so they are
 * computed side by side, as lanes of vectors and in threads. */
#ifndef TW_NODES_EROSION_KERNELS_ROW_BANDS_H
#define TW_NODES_EROSION_KERNELS_ROW_BANDS_H

#include "common/simd.h"

enum tw_visiting_order { TW_ORDER_BANDS, TW_ORDER_RASTER };
#define TW_ROW_BANDS_LABELS "bands|raster" /* for TW_PARAM_ENUM */

enum { TW_ROW_BANDS_LANES = 64 }; /* at most */

enum tw_neighbourhood {
    TW_NEIGHBOURS_CROSS,   /* up, left, right, down */
    TW_NEIGHBOURS_DIAGONAL /* (-1, -1), (1, -1), (-1, 1), (1, 1) */
};

/* Three rows of `lanes` bands side by side: lane b of column x is at [x * step + b]. What belongs
 * to the second plane lies `plane` floats further. */
struct tw_row_bands_rows {
    float *up, *row, *down;
    size_t step, plane;
    int32_t width; /* at least 3 */
    int32_t lanes; /* 16, 32, 48 or 64 */
};

struct tw_row_bands_rule {
    const void *constants; /* whatever the functions below need */
    int32_t planes;        /* maps that belong together: 1 or 2 */
    enum tw_neighbourhood around;
    /* Visits one cell; that of the second plane lies `plane` floats after each address. */
    void (*visit)(const void *constants, float *cell, float *const neighbours[4], size_t plane);
    /* Visits the cells of `row` for x = 0, 1, ...: the same, in as many lanes at once. A cell of
     * height -FLT_MAX, with 0 in the second plane, must never give anything away. */
    void (*sweep)(const void *constants, const struct tw_row_bands_rows *rows);
    /* What happens to every cell before a pass, given as lanes of `row`; may be NULL. */
    void (*before)(const void *constants, const struct tw_row_bands_rows *rows);
};

/* `iterations` passes over `cells`: the planes one after the other, each of the task's size. Maps
 * of fewer than 24 rows are visited in raster order. Returns TW_CANCELLED when the task is. */
enum tw_status tw_row_bands_run(struct tw_task *task, const struct tw_row_bands_rule *rule,
                                enum tw_visiting_order order, int32_t iterations, float *cells);

/* The steepest of four drops. */
static TW_INLINE float tw_row_bands_steepest(float d0, float d1, float d2, float d3)
{
    float early = d1 > d0 ? d1 : d0, late = d3 > d2 ? d3 : d2;
    return late > early ? late : early;
}

/* What the four neighbours lose: -moved for the first with the steepest drop, 0 for the others.
 * Negative, since x - 0 keeps any x's bits. */
struct tw_row_bands_shares {
    float to[4];
};

static TW_INLINE struct tw_row_bands_shares tw_row_bands_share(float moved, float d0, float d1,
                                                               float d2, float d3)
{
    float early = d1 > d0 ? d1 : d0, late = d3 > d2 ? d3 : d2, share = 0 - moved;
    float to_early = late > early ? 0 : share, to_late = late > early ? share : 0;
    return (struct tw_row_bands_shares){{d1 > d0 ? 0 : to_early, d1 > d0 ? to_early : 0,
                                         d3 > d2 ? 0 : to_late, d3 > d2 ? to_late : 0}};
}

/* Makes name(simd), a sweep for each instruction set, of
 *     static TW_INLINE void name_lanes(const type *constants, const struct tw_row_bands_rows *rows,
 *                                      int32_t lanes)
 * Loops over a known number of lanes become straight vector code. */
#define TW_ROW_BANDS_SWEEP(name, type)                                                             \
    static TW_INLINE void name##_body(const void *constants, const struct tw_row_bands_rows *rows) \
    {                                                                                              \
        const type kept = *(const type *)constants;                                                \
        if (rows->lanes == 64)                                                                     \
            name##_lanes(&kept, rows, 64);                                                         \
        else if (rows->lanes == 48)                                                                \
            name##_lanes(&kept, rows, 48);                                                         \
        else if (rows->lanes == 32)                                                                \
            name##_lanes(&kept, rows, 32);                                                         \
        else                                                                                       \
            name##_lanes(&kept, rows, 16);                                                         \
    }                                                                                              \
    TW_SIMD_KERNEL(name, (const void *constants, const struct tw_row_bands_rows *rows),            \
                   (constants, rows))

#endif
