/* SPDX-License-Identifier: MIT */
/* The optional input `mask` of nodes that change a map: how much of the change each cell takes,
 * out = in + mask (changed - in). Where the mask is 0 or below, `in` stays bit for bit; where it is
 * 1 or above, so does `changed`. */
#ifndef TW_NODES_COMMON_STRENGTH_H
#define TW_NODES_COMMON_STRENGTH_H

#include "common/simd.h"

/* The row of that port; its name is the same in every node. */
#define TW_STRENGTH_PORT                                                                           \
    {                                                                                              \
        "mask", TW_MASK, TW_OPTIONAL, "how much of the change takes place; 1 if not given"         \
    }

static TW_INLINE float tw_strength_blend(float in, float changed, float mask)
{
    float blended = in + mask * (changed - in);
    blended = mask >= 1.0f ? changed : blended;
    return mask <= 0.0f ? in : blended;
}

/* out = blend of `in` and `changed` over `count` cells; `out` may be either of them. */
void tw_strength_cells(enum tw_simd simd, const float *in, const float *changed, const float *mask,
                       float *out, size_t count);

/* The same over whole maps of the task's size; without a mask `changed` is copied. */
void tw_strength_apply(struct tw_task *task, const float *in, const float *changed,
                       const struct tw_value *mask, float *out);

#endif
