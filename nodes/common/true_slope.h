/* SPDX-License-Identifier: MIT */
/* True slopes of a map: by the recipe's `world:`, else those of a map on which height 1 measures
 * .15 sides, such as 1.5 km on 10 km. */
#ifndef TW_NODES_COMMON_TRUE_SLOPE_H
#define TW_NODES_COMMON_TRUE_SLOPE_H

#include <thalweg/kernel.h>
#include <thalweg/node.h>

/* Returns what height 1 measures in map sides. The node sets `physical` in its descriptor. */
static inline double tw_height_in_sides(const struct tw_task *task)
{
    const struct tw_world *world = tw_task_world(task);
    return world->given ? world->height_m / world->side_m : 0.15;
}

/* The rise per map side of a slope in degrees. */
static inline double tw_rise_of_degrees(const struct tw_task *task, double degrees)
{
    return tw_sin_degrees(degrees) / tw_cos_degrees(degrees) / tw_height_in_sides(task);
}

#endif
