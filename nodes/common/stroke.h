/* SPDX-License-Identifier: MIT */
/* Straight strokes with soft edges on a grid, for river masks and drawings. */
#ifndef TW_NODES_COMMON_STROKE_H
#define TW_NODES_COMMON_STROKE_H

#include <stdint.h>

/* In cells; the centre of cell (0, 0) is at 0.5. */
struct tw_stroke {
    float from[2], to[2], half_width;
};

/* Raises cells of rows begin..end-1 to the share of them that the stroke covers, by the distance
 * of their centres. Raising makes the order of strokes irrelevant. */
void tw_stroke_draw(const struct tw_stroke *stroke, int32_t width, int32_t begin, int32_t end,
                    float *mask);

#endif
