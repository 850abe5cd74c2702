/* SPDX-License-Identifier: MIT */
/* The sixteen biomes of Weiss 2015 in the order of his Table I, and their properties. */
#ifndef TW_NODES_COMMON_BIOME_H
#define TW_NODES_COMMON_BIOME_H

#include <thalweg/node.h>

enum tw_biome {
    TW_SNOW,
    TW_TUNDRA,
    TW_BARE,
    TW_SCORCHED,
    TW_TAIGA,
    TW_SHRUBLAND,
    TW_TEMPERATE_DESERT,
    TW_TEMPERATE_RAIN_FOREST,
    TW_DECIDUOUS_FOREST,
    TW_GRASSLAND,
    TW_TROPICAL_RAIN_FOREST,
    TW_TROPICAL_SEASONAL_FOREST,
    TW_SUBTROPICAL_DESERT,
    TW_BEACH,
    TW_LAKE,
    TW_OCEAN_BIOME,
    TW_BIOME_COUNT
};

/* As recipes write them. */
#define TW_BIOME_NAMES                                                                             \
    "snow|tundra|bare|scorched|taiga|shrubland|temperate_desert|temperate_rain_forest|"            \
    "deciduous_forest|grassland|tropical_rain_forest|tropical_seasonal_forest|"                    \
    "subtropical_desert|beach|lake|ocean"

struct tw_biome_row {
    const char *name;
    float amplitude, roughness; /* A and R of Table I */
    uint8_t colour[3];
};

extern const struct tw_biome_row tw_biomes[TW_BIOME_COUNT];

/* Fails when a label is not a biome. */
enum tw_status tw_biome_check(struct tw_task *task, const struct tw_value *labels);

#endif
