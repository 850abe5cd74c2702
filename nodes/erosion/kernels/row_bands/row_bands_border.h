/* SPDX-License-Identifier: MIT */
/* Borders of maps that row_bands.h visits: the wall around a closed one and the aprons before it,
 * and cells of the border that give nothing. */
#ifndef TW_NODES_EROSION_KERNELS_ROW_BANDS_ROW_BANDS_BORDER_H
#define TW_NODES_EROSION_KERNELS_ROW_BANDS_ROW_BANDS_BORDER_H

#include "erosion/kernels/border_apron.h"
#include "erosion/kernels/row_bands/row_bands_layout.h"

#include <thalweg/scratch.h>

struct tw_row_bands_border {
    struct tw_border_apron apron;
    float *before; /* heights before the pass: west, east, north, south; NULL without an apron */
    float floor, ceiling; /* of the heights: no cell gets lower or higher */
};

/* False without memory. */
bool tw_row_bands_border_lay_out(struct tw_scratch *s, struct tw_row_bands_border *border,
                                 const struct tw_row_bands_map *map);
void tw_row_bands_border_init(struct tw_row_bands_border *border,
                              const struct tw_row_bands_layout *at);
/* Before the first pass, and whenever the map has been mirrored. */
void tw_row_bands_border_note(const struct tw_row_bands_border *border,
                              const struct tw_row_bands_layout *at);
/* After a pass. */
void tw_row_bands_border_lay(const struct tw_row_bands_border *border,
                             const struct tw_row_bands_layout *at);

/* The map between walls, planes of 0 for the water there. */
void tw_row_bands_enter_walls(const struct tw_row_bands_map *walled, const float *cells);
void tw_row_bands_leave_walls(const struct tw_row_bands_map *walled, float *cells);

/* 1 in every cell but those of the border, which give nothing. */
void tw_row_bands_fill_givers(float *gives, int32_t width, int32_t height);

#endif
