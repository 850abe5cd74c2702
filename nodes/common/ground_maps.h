/* SPDX-License-Identifier: MIT */
/* Optional inputs of erosions about places: how hard the ground is, and where it rains. They follow
 * the input `mask`. */
#ifndef TW_NODES_COMMON_GROUND_MAPS_H
#define TW_NODES_COMMON_GROUND_MAPS_H

#include <thalweg/kernel.h>
#include <thalweg/node.h>
#include <thalweg/simd.h>

#define TW_HARDNESS_PORT                                                                           \
    {                                                                                              \
        "hardness", TW_MASK, TW_OPTIONAL,                                                          \
            "0: ground erodes as if not given; 1: it does not; what settles on it is as hard"      \
    }
#define TW_RAIN_MAP_PORT                                                                           \
    {                                                                                              \
        "rain_map", TW_MASK, TW_OPTIONAL, "how much of the rain falls; all of it if not given"     \
    }

/* What hardness leaves of an erosion. */
static TW_INLINE float tw_softness(float hardness) { return 1.0f - tw_clamp(hardness, 0, 1); }

/* The cells of an optional input; NULL when it is not connected. */
static inline const float *tw_optional_cells(const struct tw_task *task, int port)
{
    const struct tw_value *map = tw_task_input(task, port);
    return map ? tw_floats(map) : NULL;
}

#endif
