/* SPDX-License-Identifier: MIT */
/* Rivers as lines: one for each stem, its corners cut (Chaikin 1974). */
#ifndef TW_NODES_WATER_KERNELS_RIVER_LINES_H
#define TW_NODES_WATER_KERNELS_RIVER_LINES_H

#include "water/kernels/river_net.h"

/* Width and depth of a river that drains the whole map. */
struct tw_river_size {
    double width, depth;
};

/* The number of points of all lines; above INT32_MAX, too many. */
int64_t tw_river_lines_points(const struct tw_river_net *net);
/* Writes these points; returns the length of all lines in map sides. Overwrites `sum` and `level`
 * of the rivers' net, and the order of its drainage. */
double tw_river_lines_write(struct tw_river_net *net, struct tw_river_size size,
                            struct tw_line_point *points);

#endif
