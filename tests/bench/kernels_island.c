/* SPDX-License-Identifier: MIT */
/* The polygon map of an island; its time is that of polygons, except for its maps. */
#include "bench/bench.h"

#include <stddef.h>

enum { POLYGONS = 50000 };

#define GROUND "ground: {type: island.polygons, cells: 50000}\n"
#define LAYERS                                                                                     \
    "shape: {type: island.shape, in: ground, base_octave: 2.5, offset: -0.5, scale: 1.2}\n"        \
    "heights: {type: island.elevation, in: shape}\n"                                               \
    "rivers: {type: island.rivers, in: heights, count: 200}\n"                                     \
    "moist: {type: island.moisture, in: rivers}\n"

const struct bench_row bench_island[] = {
    {"island.polygons, of 50,000", "{type: island.polygons, cells: 50000}", 1, NULL, BENCH_NOTHING,
     POLYGONS},
    {"island, shape to biomes, of 50,000", LAYERS "out: {type: island.biomes, in: moist}\n", 1,
     NULL, GROUND, POLYGONS},
    {"island.raster, of 50,000", "{type: island.raster, in: biomes}", 1, NULL,
     GROUND LAYERS "biomes: {type: island.biomes, in: moist}\n"},
    {"render.polymap", "{type: render.polymap, in: p}", 1, NULL, "p: {type: island.polygons}\n"},
    {"render.polymap, smooth", "{type: render.polymap, in: h, layer: elevation, smooth: true}", 1,
     NULL,
     "p: {type: island.polygons}\ns: {type: island.shape, in: p}\n"
     "h: {type: island.elevation, in: s}\n"},
    {"island.raster, perturbed", "{type: island.raster, in: biomes, magnitude: 0.02}", 1, NULL,
     GROUND LAYERS "biomes: {type: island.biomes, in: moist}\n"},
    {NULL, NULL, 0, NULL},
};
