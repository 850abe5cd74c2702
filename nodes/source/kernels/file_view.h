/* SPDX-License-Identifier: MIT */
/* Where the square cells of a map lie in a file whose cells are oblong, or degrees: the map is the
 * largest that fits into the file's, in its middle. Degrees are drawn by the sinusoidal projection:
 * rows stay rows, and each has its parallel's true length, about the middle meridian. */
#ifndef TW_NODES_SOURCE_KERNELS_FILE_VIEW_H
#define TW_NODES_SOURCE_KERNELS_FILE_VIEW_H

#include <thalweg/earth.h>

struct tw_file_view {
    bool shears;           /* the file's rows differ in length */
    double middle_x;       /* of the file, in cells */
    double first_y;        /* of the map's northern border, in the file's rows */
    double step_x, step_y; /* cells of the file per cell of the map, in the middle row */
    double half;           /* half the map's width, in its cells */
    double north, cell_y;  /* of the file, in degrees */
    double middle_metres;  /* of a degree of longitude in the middle */
};

/* The view of a map on a file with a known place. */
static inline struct tw_file_view tw_file_view_of(const struct tw_file_facts *file, int32_t width,
                                                  int32_t height)
{
    const struct tw_file_place *place = &file->place;
    double cell_x, cell_y;
    tw_earth_cell(place, file->height, &cell_x, &cell_y);
    const double cell = tw_earth_side(file, width, height) / width;
    const double rows = cell / cell_y * height;
    return (struct tw_file_view){.shears = place->metres == 0,
                                 .middle_x = file->width / 2.0,
                                 .first_y = (file->height - rows) / 2,
                                 .step_x = cell / cell_x,
                                 .step_y = cell / cell_y,
                                 .half = width / 2.0,
                                 .north = place->north,
                                 .cell_y = place->cell_y,
                                 .middle_metres =
                                     tw_earth_longitude(tw_earth_middle(place, file->height))};
}

/* The file's row, counted between centres of cells, of row y of the map. */
static inline double tw_file_view_row(const struct tw_file_view *view, int32_t y)
{
    return view->first_y + (y + 0.5) * view->step_y - 0.5;
}

/* Cells of the file per cell of the map where the file's row is `row`. */
static inline double tw_file_view_step(const struct tw_file_view *view, double row)
{
    if (!view->shears)
        return view->step_x;
    return view->step_x * view->middle_metres /
           tw_earth_longitude(view->north - (row + 0.5) * view->cell_y);
}

/* The file's column, counted between centres of cells, of column x of the map with such a step. */
static inline double tw_file_view_column(const struct tw_file_view *view, double step, int32_t x)
{
    return view->middle_x + (x + 0.5 - view->half) * step - 0.5;
}

#endif
