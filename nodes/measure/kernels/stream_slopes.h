/* SPDX-License-Identifier: MIT */
/* Water on reference cells: lakes, and how slopes go with the area upstream. Water runs to the
 * steepest of eight neighbours over the filled map; over lakes and level ground as a priority-flood
 * by level, then by cell, came from the outlets. */
#ifndef TW_NODES_MEASURE_KERNELS_STREAM_SLOPES_H
#define TW_NODES_MEASURE_KERNELS_STREAM_SLOPES_H

#include "measure/kernels/reference_cells.h"

struct tw_stream_slopes {
    double hollows;        /* share of cells below the fill */
    double turned_hollows; /* of the map upside down */
    double theta, scatter; /* S falls as A to -theta (Flint 1974); quartiles of log2 S apart */
    double branching;      /* to the base 16, dry cells of 16 upstream over those of 256 */
};

/* `filled` and `work` are memory for as many doubles as there are cells. */
enum tw_status tw_stream_slopes_find(struct tw_task *task, const struct tw_reference_cells *r,
                                     double *filled, double *work, struct tw_stream_slopes *s);
/* The scratch that it takes, and gives back. */
void tw_stream_slopes_forecast(struct tw_forecast *f, bool wrap);

#endif
