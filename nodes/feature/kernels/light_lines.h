/* SPDX-License-Identifier: MIT */
/* Digital lines over a map along the direction of light. Azimuth is where the light comes from,
 * clockwise from north. Lengths are in cells. */
#ifndef TW_NODES_FEATURE_KERNELS_LIGHT_LINES_H
#define TW_NODES_FEATURE_KERNELS_LIGHT_LINES_H

#include <thalweg/node.h>

/* Digital lines in the direction that shadows fall: one cell a column (or a row, when the light is
 * more north than east), every cell on exactly one line. */
struct tw_light_lines {
    int32_t width, height;
    bool along_x;         /* lines step from column to column */
    bool backwards;       /* from the last column or row to the first */
    double slope;         /* across per step in rising columns or rows */
    double step;          /* length between neighbours on a line */
    int32_t first, count; /* numbers of the lines that meet the map */
};

void tw_light_lines_set(struct tw_light_lines *lines, int32_t width, int32_t height,
                        double azimuth);
/* The cells of line number first + i, in order; `cells` holds max(width, height). Returns how many
 * there are. */
int32_t tw_light_lines_walk(const struct tw_light_lines *lines, int32_t i, int32_t *cells);
/* Finds the azimuth, 0 to 179 whole degrees, from which the dark cells of a map of the task's size
 * can be cast by the lowest terrain: that whose longest run of them is shortest. Opposite lights
 * have the same runs. Ties go to the smaller one. Fails only when out of memory. */
enum tw_status tw_light_lines_find_azimuth(struct tw_task *task, const float *mask,
                                           double *azimuth);

/* The scratch that it takes. */
void tw_light_lines_forecast(struct tw_forecast *f);

#endif
