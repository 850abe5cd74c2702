/* SPDX-License-Identifier: MIT */
/* The steps that build an island, for the examples of its later nodes: each needs all earlier
 * steps. */
#ifndef TW_NODES_COMMON_ISLAND_EXAMPLE_H
#define TW_NODES_COMMON_ISLAND_EXAMPLE_H

#define TW_ISLAND_SHAPE                                                                            \
    "land: {type: island.polygons, cells: 500}\n"                                                  \
    "shape: {type: island.shape, in: land, offset: -0.5, scale: 1.2}\n"
#define TW_ISLAND_HEIGHT TW_ISLAND_SHAPE "height: {type: island.elevation, in: shape}\n"
#define TW_ISLAND_RIVERS TW_ISLAND_HEIGHT "rivers: {type: island.rivers, in: height}\n"
#define TW_ISLAND_MOIST TW_ISLAND_RIVERS "moist: {type: island.moisture, in: rivers}\n"
#define TW_ISLAND_BIOMES TW_ISLAND_MOIST "biomes: {type: island.biomes, in: moist}\n"
#define TW_ISLAND_MAP TW_ISLAND_BIOMES "map: {type: island.raster, in: biomes}\n"

#endif
