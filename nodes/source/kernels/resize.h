/* SPDX-License-Identifier: MIT */
/* Files whose size is not the recipe's. */
#ifndef TW_NODES_SOURCE_KERNELS_RESIZE_H
#define TW_NODES_SOURCE_KERNELS_RESIZE_H

#include <thalweg/node.h>

enum { TW_RESIZE_NONE, TW_RESIZE_BILINEAR, TW_RESIZE_CROP };

/* The row that such a node has; S must have the field `int32_t fit`. */
#define TW_RESIZE_PARAM(S)                                                                         \
    TW_PARAM_ENUM(S, fit, TW_RESIZE_NONE, "none|bilinear|crop",                                    \
                  "how a file of another size becomes the recipe's")

/* Whether a file of that size can be fitted to the map; else what is wrong in `message`. */
bool tw_resize_takes(const char *name, const struct tw_file_facts *file, int32_t fit, int32_t width,
                     int32_t height, char *message, size_t size);

/* out = low + v (high - low) at the task's size: a crop keeps the north-west corner, bilinear
 * clamps at the border. */
void tw_resize(struct tw_task *task, const float *from, int32_t width, int32_t height, int32_t fit,
               float low, float high, float *out);

#endif
