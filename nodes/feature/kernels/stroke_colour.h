/* SPDX-License-Identifier: MIT */
/* Colours of a painted picture, as a person would name them. */
#ifndef TW_NODES_FEATURE_KERNELS_STROKE_COLOUR_H
#define TW_NODES_FEATURE_KERNELS_STROKE_COLOUR_H

#include <thalweg/node.h>

struct tw_stroke_colour {
    int32_t strength;   /* 0 for grey to 255 */
    int32_t brightness; /* of the strongest channel, 0 to 255 */
    int32_t hue;        /* degrees from red, 0 to 359 */
};

/* The strongest colour among the pixels under cell x, y of a map of width x height: thin strokes
 * survive on coarse maps, and strokes stay whole on fine ones. */
struct tw_stroke_colour tw_stroke_colour_under(const struct tw_value *picture, int32_t width,
                                               int32_t height, int32_t x, int32_t y);

#endif
