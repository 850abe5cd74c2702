/* SPDX-License-Identifier: MIT */
/* A map from a file at the recipe's size, computed while the file is read: no more of its rows are
 * in memory at a time than one of the map is made from. */
#ifndef TW_NODES_SOURCE_KERNELS_FILE_FIT_H
#define TW_NODES_SOURCE_KERNELS_FILE_FIT_H

#include "source/kernels/file_view.h"

#include <thalweg/node.h>

enum { TW_FIT_NONE, TW_FIT_BILINEAR, TW_FIT_CROP, TW_FIT_LANCZOS };

/* Whether the map's cells are squares of metres, and how those lie in a file. */
enum { TW_VIEW_NONE, TW_VIEW_SINUSOIDAL, TW_VIEW_UTM };

/* The row that such a node has; S must have the field `int32_t fit`. Pictures in colour have the
 * first three. */
#define TW_FILE_FIT_PARAM(S, labels)                                                               \
    TW_PARAM_ENUM(S, fit, TW_FIT_NONE, labels, "how a file of another size becomes the recipe's")
#define TW_FILE_FITS "none|bilinear|crop|lanczos"
#define TW_FILE_FITS_OF_PICTURES "none|bilinear|crop"

/* Fails when a file of that size cannot be fitted to the map. */
enum tw_status tw_file_fit_check(const char *name, const struct tw_file_facts *file, int32_t fit,
                                 int32_t width, int32_t height, struct tw_error *err);

/* Fails when a view (file_view.h) of that file cannot be drawn. */
enum tw_status tw_file_view_check(const char *name, const struct tw_file_facts *file, int32_t fit,
                                  int32_t width, int32_t height, struct tw_error *err);

struct tw_file_fit {
    int32_t fit;
    int32_t view;      /* square cells of a file whose cells may be oblong or degrees */
    int32_t zone;      /* of TW_VIEW_UTM, 1 to 60; 0: that of the file's middle */
    float low, high;   /* what 0 and 1 of the file become */
    float least, most; /* of v */
    float *out;
    /* A row of the file to cells; NULL when it has them already. */
    void (*convert)(const void *context, const void *row, float *cells, int32_t width);
    const void *context;
    bool *gaps; /* set where there are cells without a height; NULL for files that have none */
};

/* out = low + v (high - low) at the task's size: a crop keeps the north-west corner; bilinear and
 * Lanczos, whose sums stay within `least` and `most`, clamp at the border. Cells without a height
 * are NaN. */
enum tw_status tw_file_fit(struct tw_task *task, const struct tw_file_fit *fit);
void tw_file_fit_forecast(struct tw_forecast *f, int32_t fit, bool viewed);

#endif
