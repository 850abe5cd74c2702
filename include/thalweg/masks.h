/* SPDX-License-Identifier: MIT */
/* Conventions for masks: strength inputs, and outputs that may be masks. Nodes that change a map
 * take an optional input `mask`: how much of the change each cell takes,
 * out = in + mask (changed - in). Where the mask is 0 or below, `in` stays bit for bit; where it is
 * 1 or above, so does `changed`. Those with an output of TW_KEEPS_TYPE, which may be a mask itself,
 * keep its shares within 0..1. */
#ifndef THALWEG_MASKS_H
#define THALWEG_MASKS_H

#include <thalweg/simd.h>

#ifdef __cplusplus
extern "C" {
#endif

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
TW_API void tw_strength_cells(enum tw_simd simd, const float *in, const float *changed,
                              const float *mask, float *out, size_t count);
/* The same over whole maps of the task's size; without a mask `changed` is copied. */
TW_API void tw_strength_apply(struct tw_task *task, const float *in, const float *changed,
                              const struct tw_value *mask, float *out);

/* Cuts `count` cells to 0..1. */
TW_API void tw_keep_mask_cells(enum tw_simd simd, float *cells, size_t count);
/* Cuts output 0 where it is a mask; a heightmap stays as it is. */
TW_API void tw_keep_mask(struct tw_task *task);

#ifdef __cplusplus
}
#endif
#endif
