/* SPDX-License-Identifier: MIT */
/* Kinds of plants. A plant travels as a placement: its size is the width of its crown. */
#ifndef TW_NODES_COMMON_PLANTS_H
#define TW_NODES_COMMON_PLANTS_H

#include <stdint.h>

enum tw_plant { TW_GRASS, TW_SHRUB, TW_CACTUS, TW_PALM, TW_BROADLEAF, TW_CONIFER, TW_PLANT_COUNT };

struct tw_plant_row {
    const char *name;
    float size; /* as a share of the least distance between plants */
    uint8_t colour[3];
};

extern const struct tw_plant_row tw_plants[TW_PLANT_COUNT];

#endif
