/* SPDX-License-Identifier: MIT */
/* Half the slope of the energy of a membrane or a plate along the height of one cell. */
#ifndef TW_NODES_SHAPE_KERNELS_GAP_ENERGY_H
#define TW_NODES_SHAPE_KERNELS_GAP_ENERGY_H

#include <thalweg/node.h>

#include <math.h>

struct tw_gap_energy {
    int32_t width, height;
    bool wrap, plate;
};

/* Cell (x, y), up to two cells beyond the border; -1 where there is none. */
static inline ptrdiff_t tw_gap_cell(const struct tw_gap_energy *e, int32_t x, int32_t y)
{
    if (e->wrap) {
        x = (x + 2 * e->width) % e->width;
        y = (y + 2 * e->height) % e->height;
    }
    bool on = x >= 0 && y >= 0 && x < e->width && y < e->height;
    return on ? (ptrdiff_t)y * e->width + x : -1;
}

/* z - 2 z' + z'' of three cells in a line about (x, y); 0 where one lies beyond the border. */
static inline double tw_gap_bend(const struct tw_gap_energy *e, const double *z, int32_t x,
                                 int32_t y, int32_t east, int32_t south)
{
    ptrdiff_t before = tw_gap_cell(e, x - east, y - south), here = tw_gap_cell(e, x, y);
    ptrdiff_t after = tw_gap_cell(e, x + east, y + south);
    return before < 0 || here < 0 || after < 0 ? 0 : z[before] - 2 * z[here] + z[after];
}

/* The twist of four cells, of which (x, y) is the north-western one. */
static inline double tw_gap_twist(const struct tw_gap_energy *e, const double *z, int32_t x,
                                  int32_t y)
{
    ptrdiff_t nw = tw_gap_cell(e, x, y), ne = tw_gap_cell(e, x + 1, y);
    ptrdiff_t sw = tw_gap_cell(e, x, y + 1), se = tw_gap_cell(e, x + 1, y + 1);
    return nw < 0 || ne < 0 || sw < 0 || se < 0 ? 0 : z[nw] - z[ne] - z[sw] + z[se];
}

/* Near the border some of a plate's terms are missing. */
static inline double tw_gap_plate_rim(const struct tw_gap_energy *e, const double *z, int32_t x,
                                      int32_t y)
{
    double along = tw_gap_bend(e, z, x - 1, y, 1, 0) - 2 * tw_gap_bend(e, z, x, y, 1, 0) +
                   tw_gap_bend(e, z, x + 1, y, 1, 0);
    double across = tw_gap_bend(e, z, x, y - 1, 0, 1) - 2 * tw_gap_bend(e, z, x, y, 0, 1) +
                    tw_gap_bend(e, z, x, y + 1, 0, 1);
    double twist = tw_gap_twist(e, z, x, y) - tw_gap_twist(e, z, x - 1, y) -
                   tw_gap_twist(e, z, x, y - 1) + tw_gap_twist(e, z, x - 1, y - 1);
    return along + across + 2 * twist;
}

static inline double tw_gap_membrane_rim(const struct tw_gap_energy *e, const double *z, int32_t x,
                                         int32_t y)
{
    double here = z[(ptrdiff_t)y * e->width + x], sum = 0;
    for (int k = 0; k < 4; k++) {
        ptrdiff_t near = tw_gap_cell(e, x + (k == 1) - (k == 0), y + (k == 3) - (k == 2));
        sum += near < 0 ? 0 : here - z[near];
    }
    return sum;
}

static inline double tw_gap_energy_slope(const struct tw_gap_energy *e, const double *z,
                                         int32_t cell)
{
    int32_t x = cell % e->width, y = cell / e->width, reach = e->plate ? 2 : 1;
    const double *at = z + cell, *up = at - e->width, *down = at + e->width;
    bool inner = x >= reach && y >= reach && x < e->width - reach && y < e->height - reach;
    if (!e->plate)
        return inner ? 4 * at[0] - (at[-1] + at[1]) - (up[0] + down[0])
                     : tw_gap_membrane_rim(e, z, x, y);
    if (!inner)
        return tw_gap_plate_rim(e, z, x, y);
    double near = (at[-1] + at[1]) + (up[0] + down[0]);
    double corners = (up[-1] + up[1]) + (down[-1] + down[1]);
    double far = (at[-2] + at[2]) + (up[-e->width] + down[e->width]);
    return 20 * at[0] - 8 * near + 2 * corners + far;
}

#endif
