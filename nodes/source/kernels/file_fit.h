/* SPDX-License-Identifier: MIT */
/* A map from a file at the recipe's size, computed while the file is read: no more than two of its
 * rows are in memory at a time. */
#ifndef TW_NODES_SOURCE_KERNELS_FILE_FIT_H
#define TW_NODES_SOURCE_KERNELS_FILE_FIT_H

#include <thalweg/node.h>

enum { TW_FIT_NONE, TW_FIT_BILINEAR, TW_FIT_CROP };

/* The row that such a node has; S must have the field `int32_t fit`. */
#define TW_FILE_FIT_PARAM(S)                                                                       \
    TW_PARAM_ENUM(S, fit, TW_FIT_NONE, "none|bilinear|crop",                                       \
                  "how a file of another size becomes the recipe's")

/* Fails when a file of that size cannot be fitted to the map. */
enum tw_status tw_file_fit_check(const char *name, const struct tw_file_facts *file, int32_t fit,
                                 int32_t width, int32_t height, struct tw_error *err);

struct tw_file_fit {
    int32_t fit;
    float low, high; /* what 0 and 1 of the file become */
    float *out;
    /* A row of the file to cells; NULL when it has them already. */
    void (*convert)(const void *context, const void *row, float *cells, int32_t width);
    const void *context;
};

/* out = low + v (high - low) at the task's size: a crop keeps the north-west corner, bilinear
 * clamps at the border. */
enum tw_status tw_file_fit(struct tw_task *task, const struct tw_file_fit *fit);
void tw_file_fit_forecast(struct tw_forecast *f);

#endif
