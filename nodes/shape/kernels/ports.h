/* SPDX-License-Identifier: MIT */
/* The ports of most kinds of shape, and the run() of those that work cell by cell. */
#ifndef TW_NODES_SHAPE_KERNELS_PORTS_H
#define TW_NODES_SHAPE_KERNELS_PORTS_H

#include <thalweg/masks.h>
#include <thalweg/pointwise.h>

enum { TW_SHAPE_IN, TW_SHAPE_MASK };

/* The parameter `border` of kinds that look at other cells: beyond a border that ends, its last
 * cell repeats. The field is an int32_t for tw_task_wraps(); the descriptor sets `bordered`. */
#define TW_SHAPE_BORDER(S, field)                                                                  \
    TW_PARAM_ENUM(S, field, TW_BORDER_RECIPE, "recipe|wrap|clamp",                                 \
                  "what lies beyond the border: as the recipe's `borders` say, the other side, "   \
                  "or, where they are closed, the last cell again")

#define TW_SHAPE_BORDER_DETAIL                                                                     \
    "\nborder: wrap goes on at the other side and clamp repeats the last cell. recipe means wrap " \
    "in a world that wraps and clamp in one that is closed."

/* Writes `inputs` and `outputs` of a node from map `in` to map `out`; `help` describes `out`.
 * `flags` is TW_KEEPS_TYPE where masks stay masks, else 0. */
#define TW_SHAPE_PORTS(flags, help)                                                                \
    static const struct tw_port inputs[] = {                                                       \
        {"in", TW_HEIGHTMAP, flags, "the map"}, TW_STRENGTH_PORT, TW_PORT_END};                    \
    static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, flags, help}, TW_PORT_END}

/* float equation(const struct params *p, float v) */
#define TW_SHAPE_POINTWISE(equation)                                                               \
    TW_POINTWISE_KERNEL(equation, maps->context, a[i])                                             \
    static enum tw_status run(struct tw_task *task)                                                \
    {                                                                                              \
        return tw_pointwise_run_masked(task, tw_task_params(task),                                 \
                                       equation##_cells(tw_task_simd(task)),                       \
                                       tw_task_input(task, TW_SHAPE_MASK));                        \
    }

#endif
