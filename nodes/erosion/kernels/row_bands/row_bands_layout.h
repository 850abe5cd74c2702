/* SPDX-License-Identifier: MIT */
/* Where cells are while row_bands.h iterates: in the plain map, or packed into bands for sweeps. A
 * row is lane `row` of its own band. Two rows lie in lanes of their neighbours, too: the last one
 * of a band in lane -1 of the band below, valid only where that is at work, and the first one in
 * lane `rows` of the band above, valid between passes. */
#ifndef TW_NODES_EROSION_KERNELS_ROW_BANDS_ROW_BANDS_LAYOUT_H
#define TW_NODES_EROSION_KERNELS_ROW_BANDS_ROW_BANDS_LAYOUT_H

#include "erosion/kernels/row_bands/row_bands.h"

struct tw_row_bands_map {
    const struct tw_row_bands_rule *rule;
    float *cells;
    int32_t width, height; /* with the walls of a closed map */
};

struct tw_row_bands_layout {
    struct tw_row_bands_map map;
    bool packed;         /* the map is in the bands rather than in its own cells */
    float *cells;        /* bands; then those of the second plane */
    int32_t rows, count; /* rows that are visited, all but a wall; bands of them */
    size_t band, plane;  /* floats of a band and its seam; to the same cell of the second plane */
};

enum {
    TW_ROW_BANDS_VECTOR = 16, /* lanes of the widest vectors */
    /* Floats of a slot: lanes -1 to 64 from the beginning or the middle of a cache line on, so that
     * neither the first two of them nor the last two straddle lines. With whole lines a pass over a
     * large map, which waits for memory, would move a tenth more. */
    TW_ROW_BANDS_STEP = TW_ROW_BANDS_ROWS + 8
};

/* Sizes for a map; `cells` needs `plane` floats for each of the rule's planes. */
void tw_row_bands_lay_out(struct tw_row_bands_layout *at, const struct tw_row_bands_map *map);
/* Moves the map into its bands or back, unless it is there. */
void tw_row_bands_pack(struct tw_task *task, struct tw_row_bands_layout *at, bool packed);
/* A cell of the first plane of a closed map, wherever that is. */
float *tw_row_bands_cell(const struct tw_row_bands_layout *at, int32_t x, int32_t y);
/* Copies `count` columns of a band's first row to the band above it, in all planes: whoever changes
 * them between passes, or on a torus when the first row is the last one, too. */
void tw_row_bands_renew(const struct tw_row_bands_layout *at, int32_t band, int32_t x,
                        int32_t count);

/* Passes of row_bands_pass.c over a packed map, as vectors: `passes` in bands order, the first of
 * them with this number, one after the other. For maps of 64 columns and 66 rows, walls included,
 * or more. */
void tw_row_bands_pass_run(struct tw_task *task, const struct tw_row_bands_layout *at, int32_t pass,
                           int32_t passes);
/* The most that tw_row_bands_pass_run() takes. */
int32_t tw_row_bands_pass_most(const struct tw_row_bands_layout *at);

static inline int32_t tw_row_bands_rows(const struct tw_row_bands_layout *at, int32_t band)
{
    int32_t below = at->rows - band * TW_ROW_BANDS_ROWS;
    return below < TW_ROW_BANDS_ROWS ? below : TW_ROW_BANDS_ROWS;
}

/* Lane 0 of slot 0. */
static inline float *tw_row_bands_band(const struct tw_row_bands_layout *at, int32_t band)
{
    return at->cells + (size_t)band * at->band + 1;
}

/* Room for two floats of every slot, for the last row of a band and the first one below it. */
static inline float *tw_row_bands_seam(const struct tw_row_bands_layout *at, int32_t band)
{
    return tw_row_bands_band(at, band) - 1 + (size_t)at->map.width * TW_ROW_BANDS_STEP;
}

#endif
