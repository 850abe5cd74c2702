/* SPDX-License-Identifier: MIT */
/* Where plants grow: chapter VII of Weiss 2015 is a title only, so the numbers are ours. */
#ifndef TW_NODES_ISLAND_KERNELS_FLORA_H
#define TW_NODES_ISLAND_KERNELS_FLORA_H

#include "common/biome.h"
#include "common/plants.h"

/* What grows in a biome: the share of places that are taken, and the kinds' shares of those. */
struct tw_flora {
    float cover;
    float kinds[TW_PLANT_COUNT];
};

extern const struct tw_flora tw_floras[TW_BIOME_COUNT];

#endif
