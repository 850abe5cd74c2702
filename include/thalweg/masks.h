/* SPDX-License-Identifier: MIT */
/* Conventions for masks: strength inputs, and outputs that may be masks. Nodes that change a map
 * take an optional input `mask`, the share of the change that each cell takes: out = in + mask
 * (changed - in). A mask of 0 or below keeps `in` bit for bit; one of 1 or above gives `changed`
 * bit for bit. Nodes whose output has TW_KEEPS_TYPE, and so may be a mask itself, clamp its shares
 * to 0..1. */
#ifndef THALWEG_MASKS_H
#define THALWEG_MASKS_H

#include <thalweg/simd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The row of the port `mask`, which every node calls by that name. */
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

/* Blends `in` and `changed` over `count` cells into `out`, which may be either of them. */
TW_API void tw_strength_cells(enum tw_simd simd, const float *in, const float *changed,
                              const float *mask, float *out, size_t count);
/* Blends `in` and `changed` over whole maps of the task's size; without a mask copies `changed`. */
TW_API void tw_strength_apply(struct tw_task *task, const float *in, const float *changed,
                              const struct tw_value *mask, float *out);

/* Clamps `count` cells to 0..1. */
TW_API void tw_keep_mask_cells(enum tw_simd simd, float *cells, size_t count);
/* Clamps output 0 to 0..1 if it is a mask; leaves a heightmap unchanged. */
TW_API void tw_keep_mask(struct tw_task *task);

#ifdef __cplusplus
}
#endif
#endif
