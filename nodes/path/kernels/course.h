/* SPDX-License-Identifier: MIT */
/* A river's course while it moves: points at even distances from its source to its mouth. */
#ifndef TW_NODES_PATH_KERNELS_COURSE_H
#define TW_NODES_PATH_KERNELS_COURSE_H

#include <thalweg/scratch.h>

/* Place and width in cells, where the centre of cell (0, 0) is at 0.5; z and depth in heights. */
struct tw_course_point {
    double x, y, z, width, depth, flow;
};

struct tw_course {
    struct tw_course_point *at, *spare; /* of `capacity` points */
    double *along;                      /* way from the source, in cells */
    double *bend, *move;                /* for whoever moves the points */
    int32_t count, capacity;
};

/* Takes scratch, of which a large run touches `expected` points. */
bool tw_course_lay_out(struct tw_scratch *s, int64_t expected, struct tw_course *course);

/* Reads a line of a map of this size. Points at the place of the one before are left out. */
void tw_course_read(struct tw_course *course, const struct tw_line_point *points, int32_t count,
                    double width, double height);

/* Sets `along`; returns the length. */
double tw_course_measure(struct tw_course *course);

double tw_course_median_width(struct tw_course *course);

/* Spaces the points evenly, at about `step` cells: along a cubic through them in the plane, linear
 * in all else. Returns false and changes nothing if there would be too many. */
bool tw_course_resample(struct tw_course *course, double step);

#endif
