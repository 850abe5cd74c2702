/* SPDX-License-Identifier: MIT */
/* The colour and the light of a piece of a row; internal to the surface. */
#ifndef TW_NODES_RENDER_KERNELS_SURFACE_PAINT_H
#define TW_NODES_RENDER_KERNELS_SURFACE_PAINT_H

#include "render/kernels/surface_light.h"

enum { TW_PAINT_CELLS = 256 };

/* What all cells share; lengths in cells of the working grid. */
struct tw_paint {
    struct tw_palette palette;
    struct tw_scene scene;
    int32_t width, height;
    float k;          /* 1024 / the wider side */
    float base;       /* k times the datum, of which heights count from */
    float sea;        /* level */
    float foot, rise; /* t = (z - foot) / rise */
    int32_t enlarge;  /* cells per cell of the map and axis */
    float snow, bump, shading;
    float ground_bump; /* share of the bump where no layer lies: an image has none */
    float fade;        /* 1 / D: of light in water */
    float least_fade;  /* of water by mask: as if it were at least so deep, in D */
    float film;        /* depth of a lake from which on it is seen */
    float lake;        /* 1 / how much deeper it hides the ground */
    struct tw_rgb bounce;
    const float *noise; /* the tile */
    const struct tw_surface_ramp *ramp;
    const struct tw_layers *layers; /* NULL for none */
};

/* A piece of a row, all arrays TW_PAINT_CELLS long. */
struct tw_paint_piece {
    const float *rows[3]; /* z of the row above, this one and the one below; clamped */
    int32_t y, x, count;
    float hollow[TW_PAINT_CELLS], valley[TW_PAINT_CELLS]; /* M_3 and M_5 */
    float sky[TW_PAINT_CELLS], sunward[TW_PAINT_CELLS];
    float sun[TW_PAINT_CELLS];  /* share of the sun */
    float lake[TW_PAINT_CELLS]; /* depth, in cells */
    float wet[TW_PAINT_CELLS], mask[TW_PAINT_CELLS];
    float water[TW_PAINT_CELLS]; /* share that it covers */
    struct tw_rgb image[TW_PAINT_CELLS];
    bool has_wet, has_water, has_image;
    /* Found by the kernels. */
    float gx[TW_PAINT_CELLS], gy[TW_PAINT_CELLS], slope[TW_PAINT_CELLS];
    float u[TW_PAINT_CELLS], v[TW_PAINT_CELLS]; /* where noise is read */
    float n1[TW_PAINT_CELLS], n2[TW_PAINT_CELLS];
    float red[TW_PAINT_CELLS], green[TW_PAINT_CELLS], blue[TW_PAINT_CELLS];
    /* What layers add to the ground's colour, of which they leave a share; share of the bump. */
    float over_red[TW_PAINT_CELLS], over_green[TW_PAINT_CELLS], over_blue[TW_PAINT_CELLS];
    float bare[TW_PAINT_CELLS], bump[TW_PAINT_CELLS];
};

/* Lays the layers, once the piece has its noise. */
void tw_paint_layers(enum tw_simd simd, const struct tw_paint *paint, struct tw_paint_piece *piece);

void tw_paint_piece(enum tw_simd simd, const struct tw_paint *paint, struct tw_paint_piece *piece,
                    struct tw_surface_cell *to);

#endif
