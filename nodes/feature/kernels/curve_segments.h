/* SPDX-License-Identifier: MIT */
/* Feature curves (Weiss 2015, chapter V) as cubics between their control points: Hermite
 * interpolation, in cells of the task's map, whose centres are at whole numbers. */
#ifndef TW_NODES_FEATURE_KERNELS_CURVE_SEGMENTS_H
#define TW_NODES_FEATURE_KERNELS_CURVE_SEGMENTS_H

#include <thalweg/node.h>

enum { TW_CURVE_PIECES_MAX = 256 }; /* that a segment is cut into */

/* The band's limits at a place on a curve, in cells; [0] left, [1] right. */
struct tw_curve_profile {
    double z, elevation, plateau, slope[2], angle[2], envelope[2];
};

/* p(t) = ((c3 t + c2) t + c1) t + c0 between two control points, t in 0..1, in cells. */
struct tw_curve_segment {
    double x[4], y[4];
    struct tw_curve_profile from, to;
    int32_t curve, number; /* counted over all inputs, and in the recipe */
    bool first, last;      /* of its curve */
};

struct tw_curve_segments {
    struct tw_curve_segment *at; /* in curve order */
    int32_t count, curves_max;
};

/* The curves that are inputs `first` and on. */
enum tw_status tw_curve_segments_create(struct tw_task *task, int first,
                                        struct tw_curve_segments *to);
struct tw_curve_profile tw_curve_profile_at(const struct tw_curve_segment *s, double t);

static inline double tw_curve_between(double a, double b, double t) { return a + (b - a) * t; }

static inline void tw_curve_point_at(const struct tw_curve_segment *s, double t, double *x,
                                     double *y)
{
    *x = ((s->x[3] * t + s->x[2]) * t + s->x[1]) * t + s->x[0];
    *y = ((s->y[3] * t + s->y[2]) * t + s->y[1]) * t + s->y[0];
}

static inline void tw_curve_tangent_at(const struct tw_curve_segment *s, double t, double *x,
                                       double *y)
{
    *x = (3 * s->x[3] * t + 2 * s->x[2]) * t + s->x[1];
    *y = (3 * s->y[3] * t + 2 * s->y[2]) * t + s->y[1];
}

#endif
