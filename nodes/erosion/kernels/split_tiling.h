/* SPDX-License-Identifier: MIT */
/* Many passes over a map whose cells look at their neighbours, several of them while a row is in
 * the cache: the bytes of pass after pass, each row computed once a pass. Split tiling:
 * Krishnamoorthy et al. 2007; inside a tile the rows go as a wavefront.
 *
 *     static void relax_row(void *context, int64_t pass, int32_t y) {...}
 *     struct tw_split_tiling t = {.rows = h, .passes = n, .row_bytes = ..., .row = relax_row, ...};
 *     status = tw_split_tiling_run(task, &t);
 *
 * Pass p of row y comes after pass p - 1 of rows y - 1, y and y + 1, and that is all there is to
 * rely on: other rows may be many passes behind or ahead. */
#ifndef TW_NODES_EROSION_KERNELS_SPLIT_TILING_H
#define TW_NODES_EROSION_KERNELS_SPLIT_TILING_H

#include <thalweg/node.h>

struct tw_split_tiling {
    int32_t rows;
    int64_t passes;   /* over all rows */
    size_t row_bytes; /* of one row in all maps that a pass touches */
    /* Pass `pass` of row y, which may read what the passes before left in rows y - 1 and y + 1.
     * Rows of one pass come in any order and side by side. */
    void (*row)(void *context, int64_t pass, int32_t y);
    void *context;
};

/* All passes, on all workers; reports progress. TW_CANCELLED leaves the maps half done. */
enum tw_status tw_split_tiling_run(struct tw_task *task, const struct tw_split_tiling *tiling);

#endif
