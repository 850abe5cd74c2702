/* SPDX-License-Identifier: MIT */
#include "island/kernels/flora.h"

/* Kinds: grass, shrub, cactus, palm, broadleaf, conifer. */
const struct tw_flora tw_floras[TW_BIOME_COUNT] = {
    [TW_SNOW] = {0.02f, {0, 0, 0, 0, 0, 1}},
    [TW_TUNDRA] = {0.3f, {8, 2, 0, 0, 0, 0}},
    [TW_BARE] = {0.08f, {7, 3, 0, 0, 0, 0}},
    [TW_SCORCHED] = {0.03f, {5, 5, 0, 0, 0, 0}},
    [TW_TAIGA] = {0.8f, {2, 1, 0, 0, 0, 7}},
    [TW_SHRUBLAND] = {0.5f, {3, 6, 0, 0, 0, 1}},
    [TW_TEMPERATE_DESERT] = {0.12f, {6, 4, 0, 0, 0, 0}},
    [TW_TEMPERATE_RAIN_FOREST] = {1.0f, {1, 1, 0, 0, 4, 4}},
    [TW_DECIDUOUS_FOREST] = {0.9f, {1, 1, 0, 0, 7, 1}},
    [TW_GRASSLAND] = {0.6f, {16, 2, 0, 0, 1, 0}},
    [TW_TROPICAL_RAIN_FOREST] = {1.0f, {1, 1, 0, 4, 6, 0}},
    [TW_TROPICAL_SEASONAL_FOREST] = {0.8f, {3, 2, 0, 3, 4, 0}},
    [TW_SUBTROPICAL_DESERT] = {0.1f, {3, 3, 4, 0, 0, 0}},
    [TW_BEACH] = {0.12f, {6, 1, 0, 3, 0, 0}},
    [TW_LAKE] = {0, {0}},
    [TW_OCEAN_BIOME] = {0, {0}},
};
