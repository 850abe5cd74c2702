/* SPDX-License-Identifier: MIT */
/* Kinds of plants and where they grow: chapter VII of Weiss 2015 is a title only, so the numbers
 * are ours. A plant travels as a placement: its size is the width of its crown. */
#ifndef TW_NODES_COMMON_PLANTS_H
#define TW_NODES_COMMON_PLANTS_H

#include "common/biome.h"

enum tw_plant { TW_GRASS, TW_SHRUB, TW_CACTUS, TW_PALM, TW_BROADLEAF, TW_CONIFER, TW_PLANT_COUNT };

struct tw_plant_row {
    const char *name;
    float size; /* as a share of the least distance between plants */
    uint8_t colour[3];
};

/* What grows in a biome: the share of places that are taken, and the kinds' shares of those. */
struct tw_flora {
    float cover;
    float kinds[TW_PLANT_COUNT];
};

extern const struct tw_plant_row tw_plants[TW_PLANT_COUNT];
extern const struct tw_flora tw_floras[TW_BIOME_COUNT];

#endif
