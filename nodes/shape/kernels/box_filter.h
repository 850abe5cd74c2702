/* SPDX-License-Identifier: MIT */
/* An extended box filter of sixteen lines side by side, Gwosdek, Grewenig, Bruhn and Weickert 2011,
 * "Theoretical foundations of Gaussian convolution by extended box filtering": 2 r + 1 cells of
 * weight 1 and one of weight alpha at either end, by a running sum. Sums are kept in double: a flat
 * line stays flat.
 *
 * The sum begins anew with every chunk of cells. A cell then follows from those around it alone, as
 * the running sum's last bits would not, and a piece of a line has the bytes of the whole. What a
 * new sum adds up are the sums of the cells that entered the window in the chunks before, and the
 * few cells that these leave over. */
#ifndef TW_NODES_SHAPE_KERNELS_BOX_FILTER_H
#define TW_NODES_SHAPE_KERNELS_BOX_FILTER_H

#include <thalweg/node.h>

#include <stddef.h>

enum { TW_BOX_LINES = 16 };

struct tw_box {
    int32_t radius;      /* r */
    double alpha, scale; /* scale: 1 / the sum of the weights */
    int32_t chunk;       /* cells from one new sum to the next; the last of a line may be shorter */
    int32_t partials;    /* sums of whole chunks in a window: partials * chunk + rest = 2 r + 1 */
    int32_t rest;
    int32_t margin; /* cells that are read beyond either end of a line */
};

/* Where a line of `length` cells begins in a map whose chunks begin anew every `period` cells. */
struct tw_box_grid {
    int32_t first, period, length;
};

struct tw_box tw_box_of_variance(double variance);

/* Cell 0, of TW_BOX_LINES floats side by side, and the floats from cell to cell: TW_BOX_LINES in a
 * strip, more in a map, which one end of the path may be. */
struct tw_box_path {
    const float *from;
    float *to;
    ptrdiff_t from_step, to_step;
};

/* All cells and those of the margins are finite. Writes the line, and fewer than a chunk before it
 * where it begins within one. */
void tw_box_filter(enum tw_simd simd, const struct tw_box *box, struct tw_box_grid grid,
                   const struct tw_box_path *path);

#endif
