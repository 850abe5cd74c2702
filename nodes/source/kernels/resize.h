/* SPDX-License-Identifier: MIT */
/* A map from a file at the recipe's size, made while the file is read: no more than two of its rows
 * are there at a time. */
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

struct tw_resize {
    int32_t fit;
    float low, high; /* what 0 and 1 of the file become */
    float *out;
    /* A row of the file to cells; NULL when it has them already. */
    void (*convert)(const void *context, const void *row, float *cells, int32_t width);
    const void *context;
};

/* out = low + v (high - low) at the task's size: a crop keeps the north-west corner, bilinear
 * clamps at the border. */
enum tw_status tw_resize(struct tw_task *task, const struct tw_resize *resize);
void tw_resize_forecast(struct tw_forecast *f);

#endif
