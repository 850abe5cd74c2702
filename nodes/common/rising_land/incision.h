/* SPDX-License-Identifier: MIT */
/* Stream power incision, one step implicit in time, along the flow lines of
 * common/drainage/flow_lines.h: with base the height where a cell's flow line meets
 * the side between its two receivers, a length L away, z' - base + f (z' - base)^n = z - base, f =
 * K dt A^m / L^n (Braun and Willett 2013, eq. 21 to 23, with one receiver). No slope along a flow
 * line stays above the talus. */
#ifndef TW_NODES_COMMON_RISING_LAND_INCISION_H
#define TW_NODES_COMMON_RISING_LAND_INCISION_H

#include "common/drainage/flow_lines.h"

/* A^m is taken from a table: for every power of 2, 2^FINE intervals, interpolated linearly. */
enum { TW_INCISION_FINE = 8, TW_INCISION_POWERS = (31 << TW_INCISION_FINE) + 2 };

struct tw_incision {
    double n;
    bool wrap;
    bool mirrors; /* the border is land: a river along it keeps the area of its middle, too */
    const float *hardness; /* may be NULL */
    float talus_rise;      /* from cell to cell */
    /* K dt A^m / (cell length)^n by the leading bits of the float A, in cells, from 1 */
    float powers[TW_INCISION_POWERS];
};

/* K dt with areas in sides^2 and heights per side, on a map of `width` cells a side. */
void tw_incision_init(struct tw_incision *s, double erodibility_dt, double m, double n,
                      double talus, int32_t width);
/* Turns upstream areas into those that erode: the flow through a width of
 * 8/3 cells, by binomial weights over 5 x 5 cells. A river along a row keeps its area at its
 * middle, and one at any other angle has the same there, so none is favoured; its floor gets a few
 * cells wide. Overwrites f->filled. */
void tw_incision_widen(struct tw_task *task, const struct tw_incision *s,
                       const struct tw_flow_lines *f, float *area);
/* Lowers `z`, whose flow lines and widened areas are given; outlets keep their heights.
 * Overwrites f->filled. */
void tw_incision_step(struct tw_task *task, const struct tw_incision *s,
                      const struct tw_flow_lines *f, const float *area, float *z);

#endif
