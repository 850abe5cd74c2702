/* SPDX-License-Identifier: MIT */
/* Connected components: ones joined by 4-neighbour steps, which cross the border of a torus. */
#ifndef TW_NODES_COMMON_COMPONENTS_H
#define TW_NODES_COMMON_COMPONENTS_H

#include "common/bitmap.h"

/* Ones side by side in a row, from column `begin` to end - 1. */
struct tw_cell_run {
    int32_t begin, end;
    int32_t group; /* the first run of those that are joined */
};

/* The runs of a map in raster order; on a torus one that leads over a row's end is two that are
 * joined. */
struct tw_cell_runs {
    int32_t height;
    struct tw_cell_run *run;
    int32_t *row; /* a row's first run; height + 1 entries */
};

/* Takes or counts memory for runs of maps of the task's size; false when there is none. */
bool tw_cell_runs_lay_out(struct tw_scratch *s, struct tw_cell_runs *runs);
/* TW_CANCELLED when the task is. */
enum tw_status tw_cell_runs_find(struct tw_task *task, const struct tw_bitmap *map,
                                 struct tw_cell_runs *runs);

/* Leaves, of the ones, only the group whose size x size squares, each with its upper left cell at a
 * one, cover most cells; the first in raster order on ties. The squares must be those that
 * tw_opening_erode() finds. Linear in cells, independent of size. */
enum tw_status tw_components_keep_widest(struct tw_task *task, int32_t size,
                                         struct tw_bitmap *places);

/* The scratch that it takes. */
void tw_components_forecast(struct tw_forecast *f, int32_t size);

#endif
