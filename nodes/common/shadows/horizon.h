/* SPDX-License-Identifier: MIT */
/* The highest and the lowest that a cell sees of the land around it, direction by direction. A ray
 * from the cell's centre is sampled where it meets the rows or the columns of centres, whichever
 * are denser along it, linearly between two cells, as in mask.light; up to a radius, at least once.
 */
#ifndef TW_NODES_COMMON_SHADOWS_HORIZON_H
#define TW_NODES_COMMON_SHADOWS_HORIZON_H

#include <thalweg/padded.h>

enum { TW_HORIZON_DIRECTIONS_MAX = 64 };

/* A direction: one column (or row) and `across` rows (or columns) a step. */
struct tw_horizon_direction {
    bool columns; /* steps go from column to column */
    int32_t sign; /* to the east or south: 1 */
    double across;
    double length; /* of a step, in cells */
    int32_t steps;
};

struct tw_horizon {
    struct tw_padded heights; /* in cells */
    struct tw_horizon_direction directions[TW_HORIZON_DIRECTIONS_MAX];
    int32_t count;
};

/* Sets `count` directions clockwise from north, to a radius in map sides; tw_padded_load() then
 * loads the heights, in cells. */
enum tw_status tw_horizon_init(struct tw_task *task, struct tw_horizon *h, int32_t count,
                               float radius, bool wrap);
/* The scratch that it takes. */
void tw_horizon_forecast(struct tw_forecast *f, float radius);

/* Computes tangents of the greatest (`up`) and the least (`down`) angle of elevation from `width`
 * cells of row y, from column x on; 0 where the map ends before the first sample. Either may be
 * NULL. */
void tw_horizon_row(const struct tw_horizon *h, enum tw_simd simd, int32_t direction, int32_t x,
                    int32_t y, int32_t width, double *up, double *down);

#endif
