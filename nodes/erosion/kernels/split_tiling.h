/* SPDX-License-Identifier: MIT */
/* Many passes over a map whose cells look at their neighbours, several of them while a row is in
 * the cache: the bytes of pass after pass, each cell computed once a pass. Split tiling:
 * Krishnamoorthy et al. 2007; inside a tile the rows go as a wavefront, long ones stretch by
 * stretch.
 *
 *     static void relax(void *context, int64_t pass, int32_t y, struct tw_stretch stretch) {...}
 *     struct tw_split_tiling t = {.rows = h, .columns = w, .passes = n, .relax = relax, ...};
 *     status = tw_split_tiling_run(task, &t);
 *
 * Pass p of a cell comes after pass p - 1 of the cell and its eight neighbours, and that is all
 * there is to rely on: other cells may be many passes behind or ahead. */
#ifndef TW_NODES_EROSION_KERNELS_SPLIT_TILING_H
#define TW_NODES_EROSION_KERNELS_SPLIT_TILING_H

#include <thalweg/node.h>

/* Columns begin to end - 1 of a row; begin is a multiple of 16. */
struct tw_stretch {
    int32_t begin, end;
};

struct tw_split_tiling {
    int32_t rows, columns;
    int64_t passes;    /* over all cells */
    size_t cell_bytes; /* of one cell in all maps that a pass touches */
    bool whole_rows;   /* a stretch is a row, however long */
    /* Runs pass `pass` over a part of row y; may read what the passes before left in the cells
     * around. Parts of one pass come in any order, rows side by side as well. */
    void (*relax)(void *context, int64_t pass, int32_t y, struct tw_stretch stretch);
    void *context;
};

/* Runs all passes, on all workers; reports progress. TW_CANCELLED leaves the maps half done. */
enum tw_status tw_split_tiling_run(struct tw_task *task, const struct tw_split_tiling *tiling);

#endif
