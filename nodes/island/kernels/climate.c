/* SPDX-License-Identifier: MIT */
#include "island/kernels/climate.h"

/* Weiss gives no thresholds; these follow Patel 2010. The first row that matches applies. */
static const struct {
    float below;   /* temperature */
    float moister; /* than this */
    enum tw_biome biome;
} climates[] = {
    {0.2f, 0.5f, TW_SNOW},
    {0.2f, 0.33f, TW_TUNDRA},
    {0.2f, 0.16f, TW_BARE},
    {0.2f, -1, TW_SCORCHED},
    {0.4f, 0.66f, TW_TAIGA},
    {0.4f, 0.33f, TW_SHRUBLAND},
    {0.4f, -1, TW_TEMPERATE_DESERT},
    {0.7f, 0.83f, TW_TEMPERATE_RAIN_FOREST},
    {0.7f, 0.5f, TW_DECIDUOUS_FOREST},
    {0.7f, 0.16f, TW_GRASSLAND},
    {0.7f, -1, TW_TEMPERATE_DESERT},
    {1e9f, 0.66f, TW_TROPICAL_RAIN_FOREST},
    {1e9f, 0.33f, TW_TROPICAL_SEASONAL_FOREST},
    {1e9f, 0.16f, TW_GRASSLAND},
    {1e9f, -1, TW_SUBTROPICAL_DESERT},
};

enum tw_biome tw_biome_of_climate(float temperature, float moisture)
{
    int i = 0;
    while (i < (int)(sizeof climates / sizeof *climates) - 1 &&
           !(temperature < climates[i].below && moisture > climates[i].moister))
        i++;
    return climates[i].biome;
}
