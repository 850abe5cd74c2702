/* SPDX-License-Identifier: MIT */
/* How fair a map is to the players that start on it: Liapis, Yannakakis and Togelius 2013, "Towards
 * a generic method of evaluating game levels", with the length of the shortest way as distance. */
#ifndef TW_NODES_MEASURE_KERNELS_FAIRNESS_H
#define TW_NODES_MEASURE_KERNELS_FAIRNESS_H

#include "measure/kernels/reach_ways.h"

enum { TW_STARTS_MAX = 64 };

/* The two shortest ways to each place. */
struct tw_nearest {
    double *best, *second; /* infinite where fewer starts reach the place */
    int32_t *who;          /* number of the nearest start, from 1; 0 where none reaches it */
};
bool tw_nearest_lay_out(struct tw_scratch *s, struct tw_nearest *nearest);
void tw_nearest_clear(const struct tw_unit_ground *ground, const struct tw_nearest *nearest);
/* Takes in the lengths of all ways from a start. */
void tw_nearest_add(const struct tw_unit_ground *ground, int32_t start,
                    const struct tw_nearest *nearest);

/* Returns the safety of a place for its nearest start; for every other start it is 0:
 *     s(t, i) = min over j of max(0, (d_tj - d_ti) / (d_tj + d_ti)). */
double tw_safety(const struct tw_nearest *nearest, int32_t place);

/* Returns E_i, the mean over the other starts of how many places a flood from this start fills
 * until it stops there; all that it reaches where it does not come there, or if it is alone. */
double tw_explore(const struct tw_flood *flood, const int32_t *starts, int32_t count, int32_t self);

/* Returns 1 - mean over i != j of |v_i - v_j| / max(v_i, v_j); 1 of one value. */
double tw_balance(const double *values, int32_t count);

#endif
