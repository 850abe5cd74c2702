/* SPDX-License-Identifier: MIT */
/* Feature curves (Weiss 2015, chapter V) as cubics between their control points, in cells of the
 * task's map, whose centres are at whole numbers. */
#ifndef TW_NODES_FEATURE_KERNELS_CURVE_SEGMENTS_H
#define TW_NODES_FEATURE_KERNELS_CURVE_SEGMENTS_H

#include <thalweg/node.h>

enum { TW_CURVE_PIECES_MAX = 256 }; /* that a segment is cut into */

/* The band's limits at a place on a curve, in cells, linear between the control points; [0] left,
 * [1] right. */
struct tw_curve_profile {
    double elevation, plateau, slope[2], angle[2], envelope[2];
};

/* p(t) = ((c3 t + c2) t + c1) t + c0 between two control points, t in 0..1; x, y in cells. The
 * height z is part of the position and so on the cubic, too. */
struct tw_curve_segment {
    double x[4], y[4], z[4];
    struct tw_curve_profile from, to;
    int32_t curve, number; /* counted over all inputs, and in the recipe */
    bool first, last;      /* of its curve */
    bool straight;         /* kinks where it meets the others of its curve */
};

struct tw_curve_segments {
    struct tw_curve_segment *at; /* in curve order */
    int32_t count, curves_max;
};

/* Coefficients, as of tw_curve_segment, of one coordinate from b[1] to b[2]; b[0] and b[3] are the
 * points before and after, which do not count where the segment is the first or last. */
void tw_curve_coefficients(enum tw_interpolation interpolation, const double b[4], bool first,
                           bool last, double c[4]);

/* The curves that are inputs `first` and on. */
enum tw_status tw_curve_segments_create(struct tw_task *task, int first,
                                        struct tw_curve_segments *to);
struct tw_curve_profile tw_curve_profile_at(const struct tw_curve_segment *s, double t);

static inline double tw_curve_between(double a, double b, double t) { return a + (b - a) * t; }

static inline double tw_curve_cubic_at(const double *c, double t)
{
    return ((c[3] * t + c[2]) * t + c[1]) * t + c[0];
}

static inline void tw_curve_point_at(const struct tw_curve_segment *s, double t, double *x,
                                     double *y)
{
    *x = tw_curve_cubic_at(s->x, t);
    *y = tw_curve_cubic_at(s->y, t);
}

static inline void tw_curve_tangent_at(const struct tw_curve_segment *s, double t, double *x,
                                       double *y)
{
    *x = (3 * s->x[3] * t + 2 * s->x[2]) * t + s->x[1];
    *y = (3 * s->y[3] * t + 2 * s->y[2]) * t + s->y[1];
}

#endif
