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
/* Cells below one half, -1, and others, 0: row after row, and column after column. */
struct tw_light_lines_dark {
    int32_t width, height;
    int8_t *rows, *columns;
};

/* Of a map of the task's size; TW_MEMORY without memory. */
enum tw_status tw_light_lines_find_dark(struct tw_task *task, const float *mask,
                                        struct tw_light_lines_dark *dark);
/* The longest run of dark cells on the lines, in cells. `runs` holds width + height. */
double tw_light_lines_longest(const struct tw_light_lines *lines,
                              const struct tw_light_lines_dark *dark, enum tw_simd simd,
                              int32_t *runs);

/* The scratch of tw_light_lines_find_dark(). */
void tw_light_lines_forecast(struct tw_forecast *f);

#endif
