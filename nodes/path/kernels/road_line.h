/* SPDX-License-Identifier: MIT */
/* From the vertices of a way to a smooth line whose heights keep a grade. */
#ifndef TW_NODES_PATH_KERNELS_ROAD_LINE_H
#define TW_NODES_PATH_KERNELS_ROAD_LINE_H

#include "path/kernels/road_search.h"

/* How often corners are cut, and by how much the number of vertices grows at most. */
enum { TW_ROAD_ROUNDS = 3, TW_ROAD_GROWTH = 27 };

/* Cuts corners three times (Chaikin 1974), but none into forbidden cells and none at vertices that
 * are kept. Returns the number of vertices, which are in `way` again; `spare` has its size. */
int32_t tw_road_smooth(const struct tw_road_map *map, struct tw_vertex *way,
                       struct tw_vertex *spare, int32_t count);
/* Returns the length in cells. */
double tw_road_length(const struct tw_vertex *way, int32_t count);
/* Places `points` points at equal distances along the line, both ends among them. */
void tw_road_resample(const struct tw_road_map *map, const struct tw_vertex *way, int32_t count,
                      struct tw_line_point *line, int32_t points);

struct tw_road_profile {
    double *ground, *rise;   /* heights below the points; greatest rise since the point before */
    double *upper, *lower;   /* least majorant and greatest minorant */
    double grade, cut, fill; /* greatest true slope and depths, of the result */
};
bool tw_road_profile_lay_out(struct tw_scratch *s, uint64_t points, struct tw_road_profile *p);
/* Gives the points heights that rise nowhere more than `grade`, a true slope, and meet the ground
 * at both ends; returns false if the line is too short for that. */
bool tw_road_level(const struct tw_road_map *map, double grade, struct tw_line_point *line,
                   int32_t points, struct tw_road_profile *profile);

#endif
