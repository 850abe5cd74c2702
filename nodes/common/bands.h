/* SPDX-License-Identifier: MIT */
/* Cellular automata that change the map at once, on a torus (Olsen 2004, "Optimizations"). A cell
 * may change itself and four neighbours, so the visiting order is part of the result. `raster`: y,
 * then x. `bands`: the map is cut into bands of 8 rows, the last one takes the remaining rows;
 *     for r: for x: for every band b that has a row r: visit (x, row r of b).
 * Cells visited one after the other lie 8 rows apart and never touch each other. */
#ifndef TW_NODES_BANDS_H
#define TW_NODES_BANDS_H

#include <thalweg/node.h>

enum tw_bands_order { TW_BANDS, TW_RASTER };
#define TW_BANDS_LABELS "bands|raster" /* for TW_PARAM_ENUM */

enum tw_bands_around {
    TW_AROUND_CROSS,   /* up, left, right, down */
    TW_AROUND_DIAGONAL /* (-1, -1), (1, -1), (-1, 1), (1, 1) */
};

struct tw_bands_rule {
    const void *constants; /* whatever visit needs */
    int32_t planes;        /* maps that belong together: 1 or 2 */
    enum tw_bands_around around;
    /* Visits one cell; that of the second plane lies `plane` floats after each address. */
    void (*visit)(const void *constants, float *cell, float *const neighbours[4], size_t plane);
    /* What happens to every cell before a pass; may be NULL. */
    void (*before)(const void *constants, float *cells, size_t count, size_t plane);
};

/* `iterations` passes over `cells`: the planes one after the other, each of the task's size. Maps
 * of fewer than 24 rows are visited in raster order. Returns TW_CANCELLED when the task is. */
enum tw_status tw_bands_run(struct tw_task *task, const struct tw_bands_rule *rule,
                            enum tw_bands_order order, int32_t iterations, float *cells);

#endif
