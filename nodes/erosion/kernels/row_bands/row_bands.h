/* SPDX-License-Identifier: MIT */
/* Cellular automata that change the map at once (Olsen 2004, "Optimizations"). A cell
 * may change itself and four neighbours, so the visiting order is part of the result. `raster`: y,
 * then x. `bands`: bands of 64 rows one after the other, in which every row runs from left to right
 * 3 columns behind the row above it and begins elsewhere in every pass. Passes may take turns with
 * two rules and four mirrorings of the map. Exactly: docs/decisions/visiting-order.md. Cells of one
 * step never touch each other and are computed side by side, as lanes of vectors. */
#ifndef TW_NODES_EROSION_KERNELS_ROW_BANDS_ROW_BANDS_H
#define TW_NODES_EROSION_KERNELS_ROW_BANDS_ROW_BANDS_H

#include <thalweg/simd.h>

enum tw_visiting_order { TW_ORDER_BANDS, TW_ORDER_RASTER };
#define TW_PARAM_VISITING_ORDER(S, field)                                                          \
    TW_PARAM_ENUM(S, field, TW_ORDER_BANDS, "bands|raster", "the order in which cells are visited")

enum {
    TW_ROW_BANDS_ROWS = 64,  /* of a band */
    TW_ROW_BANDS_LANES = 64, /* rows that are swept at once, at most */
    TW_ROW_BANDS_LAG = 3,    /* columns between a row and the one above it */
    TW_ROW_BANDS_AHEAD = 64, /* steps from fetching a slot to its visit: over a window of them */
    TW_ROW_BANDS_TURN = 2    /* passes with alternating rules between two mirrorings */
};

/* The map is a torus. One that is closed is visited as a torus with one more column to the east and
 * one more row to the south, a wall of this height: nothing flows there, and drops that are larger
 * than TW_ROW_BANDS_DROP_MAX, those from the wall, must not move anything. */
#define TW_ROW_BANDS_WALL 1e30f
#define TW_ROW_BANDS_DROP_MAX 1e29f

enum tw_neighbourhood {
    TW_NEIGHBOURS_CROSS,   /* up, left, right, down */
    TW_NEIGHBOURS_DIAGONAL /* (-1, -1), (1, -1), (-1, 1), (1, 1) */
};

/* A part of a band's pass. A band is stored by slots: cell (x, row) lies in slot (x + 3 row) mod
 * width, lane `row`, so that a step of the order is one slot. Lanes -1 and `lanes` hold the rows
 * above and below. */
struct tw_row_bands_run {
    float *cells;       /* lane 0 of slot 0 */
    size_t step, plane; /* floats to the next slot; to the same cell of the second plane */
    int32_t slots;      /* as many as columns: at least 64 */
    int32_t first, count;
    int32_t lanes;   /* 16, 32, 48 or 64 */
    int32_t visited; /* of the lanes, from the first on: all, or some of 16 */
};

struct tw_row_bands_rule {
    const void *constants; /* whatever the functions below need */
    int32_t planes;        /* maps that belong together: 1 or 2 */
    bool closed;
    /* Cells of the border give nothing: the functions below find one more plane after the others,
     * of 0 for those and 1 for the rest. */
    bool kept;
    int32_t apron; /* closed: cells over which gains of the first plane's border are laid; or 0 */
    const struct tw_row_bands_rule *odd; /* of odd passes, alike but for what visits; or NULL */
    enum tw_neighbourhood around;
    /* Visits one cell; the cell of the second plane lies `plane` floats after each address. */
    void (*visit)(const void *constants, float *cell, float *const neighbours[4], size_t plane);
    /* Visits one cell as `visit` does, but moves only a share of it; with `odd` only. */
    void (*visit_partly)(const void *constants, float share, float *cell,
                         float *const neighbours[4], size_t plane);
    /* Visits the run's slots one after the other, lanes of a slot at once. */
    void (*sweep)(const void *constants, const struct tw_row_bands_run *run);
    /* What happens to every cell before a pass, to `count` of them; may be NULL. */
    void (*before)(const void *constants, float *cells, size_t plane, size_t count);
};

/* `iterations` passes over `cells`: the planes one after the other, each of the task's size. Maps
 * of fewer than 24 rows are visited in raster order. Returns TW_CANCELLED when the task is. */
enum tw_status tw_row_bands_run(struct tw_task *task, const struct tw_row_bands_rule *rule,
                                enum tw_visiting_order order, int32_t iterations, float *cells);

/* Lane 0 of a slot, -slots <= slot < 2 slots. */
static TW_INLINE float *tw_row_bands_slot(const struct tw_row_bands_run *run, int32_t slot)
{
    slot += slot < 0 ? run->slots : 0;
    slot -= slot >= run->slots ? run->slots : 0;
    return run->cells + (size_t)slot * run->step;
}

/* Fetches the lanes of a slot some steps ahead: hardware does not foresee runs that are so short.
 */
static TW_INLINE void tw_row_bands_fetch(const struct tw_row_bands_run *run, int32_t slot)
{
    const float *ahead = tw_row_bands_slot(run, slot + TW_ROW_BANDS_AHEAD) - 1;
    for (int32_t lane = 0; lane <= TW_ROW_BANDS_LANES; lane += 16)
        __builtin_prefetch(ahead + lane, 1);
}

/* The steepest of four drops. */
static TW_INLINE float tw_row_bands_steepest(float d0, float d1, float d2, float d3)
{
    float early = d1 > d0 ? d1 : d0, late = d3 > d2 ? d3 : d2;
    return late > early ? late : early;
}

/* What is subtracted from the four neighbours: -amount from the first with the steepest drop, 0
 * from the others. Negative, since x - 0 keeps any x's bits. */
struct tw_row_bands_shares {
    float of[4];
};

static TW_INLINE struct tw_row_bands_shares tw_row_bands_share(float amount, float d0, float d1,
                                                               float d2, float d3)
{
    float early = d1 > d0 ? d1 : d0, late = d3 > d2 ? d3 : d2, share = 0 - amount;
    float of_early = late > early ? 0 : share, of_late = late > early ? share : 0;
    return (struct tw_row_bands_shares){{d1 > d0 ? 0 : of_early, d1 > d0 ? of_early : 0,
                                         d3 > d2 ? 0 : of_late, d3 > d2 ? of_late : 0}};
}

/* Makes name(simd), a sweep for each instruction set, of
 *     static TW_INLINE void name_lanes(const type *constants, const struct tw_row_bands_run *run,
 *                                      int32_t lanes, bool all)
 * where `all` lanes are visited, or some of them. Loops over a known number of lanes become
 * straight vector code. */
#define TW_ROW_BANDS_SWEEP(name, type)                                                             \
    static TW_INLINE void name##_body(const void *constants, const struct tw_row_bands_run *run)   \
    {                                                                                              \
        const type kept = *(const type *)constants;                                                \
        if (run->visited < run->lanes)                                                             \
            name##_lanes(&kept, run, 16, false);                                                   \
        else if (run->lanes == 64)                                                                 \
            name##_lanes(&kept, run, 64, true);                                                    \
        else if (run->lanes == 48)                                                                 \
            name##_lanes(&kept, run, 48, true);                                                    \
        else if (run->lanes == 32)                                                                 \
            name##_lanes(&kept, run, 32, true);                                                    \
        else                                                                                       \
            name##_lanes(&kept, run, 16, true);                                                    \
    }                                                                                              \
    TW_SIMD_KERNEL(name, (const void *constants, const struct tw_row_bands_run *run),              \
                   (constants, run))

/* The scratch that a run takes: by planes, closed, kept and apron of the rule. */
void tw_row_bands_forecast(struct tw_forecast *f, enum tw_visiting_order order,
                           const struct tw_row_bands_rule *rule);

#endif
