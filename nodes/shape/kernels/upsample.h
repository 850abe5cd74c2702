/* SPDX-License-Identifier: MIT */
/* A coarse map shown on all cells of the task's map, by the usual filters. */
#ifndef TW_NODES_SHAPE_KERNELS_UPSAMPLE_H
#define TW_NODES_SHAPE_KERNELS_UPSAMPLE_H

#include <thalweg/node.h>

enum tw_upsample_by {
    TW_UPSAMPLE_NEAREST,
    TW_UPSAMPLE_BILINEAR,
    TW_UPSAMPLE_CUBIC,
    TW_UPSAMPLE_LANCZOS
};

/* `coarse` has 1 to as many cells a side as the task's map. */
struct tw_upsample {
    enum tw_upsample_by by;
    const float *coarse;
    int32_t width, height; /* of it */
    bool wrap;             /* beyond its border lies the other side, else it goes on as it falls */
    float *out;
};

/* TW_MEMORY, TW_CANCELLED or TW_OK. */
enum tw_status tw_upsample(struct tw_task *task, const struct tw_upsample *up);
/* `height` is that of the coarse map. */
void tw_upsample_forecast(struct tw_forecast *f, enum tw_upsample_by by, int32_t height);

#endif
