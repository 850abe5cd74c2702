/* SPDX-License-Identifier: MIT */
/* The optional input `mask` of erosions. An erosion runs on the whole map as without one; then each
 * cell takes as much of its change as the mask says. So the ground beyond the mask still acts on
 * the ground within it: water comes from there, and slopes cross the edge. */
#ifndef TW_NODES_EROSION_KERNELS_MASKED_H
#define TW_NODES_EROSION_KERNELS_MASKED_H

#include <thalweg/masks.h>

#include <string.h>

/* Documents the mask in a node's `.detail`. */
#define TW_MASKED_DETAIL                                                                           \
    "\nmask: erosion runs as without one, then each cell takes its share of the change:\n"         \
    "    out = in + mask (changed - in).\n"                                                        \
    "Where the mask is 0 the ground keeps its heights; where it is 1 it takes the whole change."
/* TW_MASKED_DETAIL for nodes that also have the maps and the ledger of mass_balance.h. */
#define TW_MASKED_LEDGER_DETAIL                                                                    \
    TW_MASKED_DETAIL " `eroded` and `deposited` describe out, as maps and in the ledger:\n"        \
                     "    sum(out) = sum(in) - eroded + deposited."

/* Input 0 as it will be needed after output 0 is written: with a mask a copy, since both may be one
 * block. NULL without memory. */
static inline const float *tw_masked_before(struct tw_task *task, const struct tw_value *mask)
{
    const struct tw_value *in = tw_task_input(task, 0);
    if (!mask)
        return tw_floats(in);
    float *copy = tw_task_scratch(task, tw_value_count(in), sizeof *copy);
    if (copy)
        memcpy(copy, in->data, tw_value_count(in) * sizeof *copy);
    return copy;
}

/* Masks output 0 and, each unless NULL, the maps of what was taken from and put on its cells;
 * nothing without a mask. */
void tw_masked_apply(struct tw_task *task, const float *before, const struct tw_value *mask,
                     float *eroded, float *deposited);

/* The scratch of tw_masked_before(); `port`: of the mask. */
static inline void tw_masked_forecast(struct tw_forecast *f, int port)
{
    if (f->inputs[port] > 0)
        tw_forecast_maps(f, 1, sizeof(float));
}

#endif
