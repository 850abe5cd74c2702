/* SPDX-License-Identifier: MIT */
#include "common/plants.h"

const struct tw_plant_row tw_plants[TW_PLANT_COUNT] = {
    {"grass", 0.3f, {124, 150, 60}},    {"shrub", 0.5f, {104, 120, 62}},
    {"cactus", 0.4f, {96, 132, 92}},    {"palm", 0.8f, {74, 132, 58}},
    {"broadleaf", 1.0f, {50, 100, 46}}, {"conifer", 0.9f, {34, 76, 54}},
};
