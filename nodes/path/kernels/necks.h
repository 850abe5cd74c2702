/* SPDX-License-Identifier: MIT */
/* Cuts off the loops of a river where it has come back to itself. */
#ifndef TW_NODES_PATH_KERNELS_NECKS_H
#define TW_NODES_PATH_KERNELS_NECKS_H

#include "path/kernels/course.h"

/* The loops that were cut off, as lines of a map of this size. */
struct tw_oxbows {
    struct tw_line_point *at;
    int32_t count, capacity, lines;
    double width, height;
};

bool tw_oxbows_lay_out(struct tw_scratch *s, int64_t expected, struct tw_oxbows *oxbows);

/* Writes the point of a course as one of a line. */
struct tw_line_point tw_course_point_of_line(const struct tw_course_point *p, int32_t line,
                                             double width, double height);

/* Joins points that lie less than 1.2 widths apart but more than 5 widths along the river: the
 * first such point and the last that is as near to it, then further downstream. Returns the number
 * of loops. A loop that finds no more space in `oxbows` is dropped. */
int32_t tw_necks_cut(struct tw_course *course, struct tw_oxbows *oxbows);

#endif
