/* SPDX-License-Identifier: MIT */
/* Files of another size than the recipe's. */
#ifndef TW_NODES_SOURCE_KERNELS_RESIZE_H
#define TW_NODES_SOURCE_KERNELS_RESIZE_H

#include <thalweg/node.h>

enum { TW_RESIZE_NONE, TW_RESIZE_BILINEAR, TW_RESIZE_CROP };

/* The row that such a node has; S must have the field `int32_t fit`. */
#define TW_RESIZE_PARAM(S)                                                                         \
    TW_PARAM_ENUM(S, fit, TW_RESIZE_NONE, "none|bilinear|crop",                                    \
                  "how a file of another size becomes the recipe's")

/* TW_OK when the file's `width` x `height` cells can be fitted, or else a message for the user. */
enum tw_status tw_resize_check(struct tw_task *task, const char *file, int32_t width,
                               int32_t height, int32_t fit);

/* out = low + v (high - low) at the task's size: a crop keeps the north-west corner, bilinear
 * clamps at the border. */
void tw_resize(struct tw_task *task, const float *from, int32_t width, int32_t height, int32_t fit,
               float low, float high, float *out);

#endif
