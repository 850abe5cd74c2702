/* SPDX-License-Identifier: MIT */
/* The front of points in the plane, where more is better of both coordinates: those of which no
 * other is better in one and at least as good in the other. */
#ifndef TW_ENGINE_STUDY_STATISTICS_FRONT_H
#define TW_ENGINE_STUDY_STATISTICS_FRONT_H

#include <stdbool.h>
#include <stdint.h>

struct tw_front_point {
    double x, y;
    int32_t at; /* the caller's number of the point; different for each */
};

/* Sorts the points of the front to the beginning, by rising x, and returns how many they are; equal
 * points are all on it. The others follow in any order. Coordinates must be finite. */
int32_t tw_front_find(struct tw_front_point *points, int32_t count);

/* The knee of a front that tw_front_find() sorted: the point that lies furthest beyond the line
 * between the front's ends, each coordinate as a share of its range; the first of equal ones. -1 if
 * none lies beyond it. */
int32_t tw_front_knee(const struct tw_front_point *front, int32_t count);

#endif
