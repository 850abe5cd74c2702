/* SPDX-License-Identifier: MIT */
/* Rain in whole units, so that sums are exact and do not depend on their order. */
#ifndef TW_NODES_WATER_KERNELS_RAIN_H
#define TW_NODES_WATER_KERNELS_RAIN_H

#include <thalweg/kernel.h>
#include <thalweg/node.h>

#define TW_RAIN_PORT                                                                               \
    {                                                                                              \
        "rain", TW_HEIGHTMAP, TW_OPTIONAL, "that falls on each cell, 0 at least; 1 if not given"   \
    }

struct tw_rain {
    const float *at; /* NULL: 1 everywhere */
    double unit;     /* units in rain 1, a power of 2: a cell gets at most 2^32 */
    int64_t total;   /* of the map, in units */
};

/* The units that fall on a cell. */
static inline int64_t tw_rain_on(const struct tw_rain *rain, size_t cell)
{
    if (!rain->at)
        return (int64_t)1 << 32;
    double units = (double)rain->at[cell] * rain->unit;
    return units > 0 ? (int64_t)(units + 0.5) : 0;
}

/* The rain of `map`, which may be NULL, on at most 2^28 cells. */
static inline struct tw_rain tw_rain_of(const struct tw_value *map, size_t cells)
{
    struct tw_rain rain = {map ? tw_floats(map) : NULL, 0x1p32, 0};
    float greatest = 1;
    for (size_t i = 0; rain.at && i < cells; i++)
        greatest = i == 0 || rain.at[i] > greatest ? rain.at[i] : greatest;
    double power = 1;
    for (; greatest > 0 && power < (double)greatest; power *= 2)
        continue;
    for (; greatest > 0 && power >= 2 * (double)greatest; power /= 2)
        continue;
    rain.unit = 0x1p32 / power;
    for (size_t i = 0; i < cells; i++)
        rain.total += tw_rain_on(&rain, i);
    return rain;
}

#endif
