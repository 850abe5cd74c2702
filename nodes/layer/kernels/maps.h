/* SPDX-License-Identifier: MIT */
/* What the kinds of layers share: the input rock, and the outputs out, depth, mask and ledger. */
#ifndef TW_NODES_LAYER_KERNELS_MAPS_H
#define TW_NODES_LAYER_KERNELS_MAPS_H

#include <thalweg/kernel.h>
#include <thalweg/node.h>

#define TW_PARAM_COVER(S)                                                                          \
    TW_PARAM_F32(S, cover, 0.0005, 1e-9, 1e6, TW_UNIT_HEIGHT,                                      \
                 "depth from which it hides the rock in `mask`", TW_USUAL(0.0001, 0.01))
#define TW_LAYER_MASK                                                                              \
    {                                                                                              \
        "mask", TW_MASK, TW_ON_DEMAND,                                                             \
            "how far it hides the rock: 0 without any, 1 from `cover` on"                          \
    }

enum { TW_LAYER_ROCK };
enum { TW_LAYER_OUT, TW_LAYER_DEPTH, TW_LAYER_MAP_MASK, TW_LAYER_LEDGER };

/* Returns the cells of an input; NULL if it is not connected. */
static inline const float *tw_layer_cells(const struct tw_task *task, int input)
{
    const struct tw_value *value = tw_task_input(task, input);
    return value ? tw_floats(value) : NULL;
}

struct tw_layer_maps {
    const float *rock;
    float *out, *depth, *mask; /* depth and mask: NULL when not used */
    float cover;
};

static inline struct tw_layer_maps tw_layer_maps_of(struct tw_task *task, float cover)
{
    return (struct tw_layer_maps){.rock = tw_floats(tw_task_input(task, TW_LAYER_ROCK)),
                                  .out = tw_floats(tw_task_output(task, TW_LAYER_OUT)),
                                  .depth = tw_floats(tw_task_output(task, TW_LAYER_DEPTH)),
                                  .mask = tw_floats(tw_task_output(task, TW_LAYER_MAP_MASK)),
                                  .cover = cover};
}

/* Stores cell i of all maps; rock without material keeps its bits. */
static inline void tw_layer_store(const struct tw_layer_maps *m, size_t i, float depth)
{
    const float share = tw_min(depth / m->cover, 1);
    m->out[i] = depth > 0 ? m->rock[i] + depth : m->rock[i];
    if (m->depth)
        m->depth[i] = depth;
    if (m->mask)
        m->mask[i] = share * share * (3 - 2 * share);
}

#endif
