/* SPDX-License-Identifier: MIT */
/* Which biome a climate gives. */
#ifndef TW_NODES_ISLAND_KERNELS_CLIMATE_H
#define TW_NODES_ISLAND_KERNELS_CLIMATE_H

#include "common/biome.h"

/* The biome of land by temperature and moisture, both 0..1. */
enum tw_biome tw_biome_of_climate(float temperature, float moisture);

#endif
