/* SPDX-License-Identifier: MIT */
/* A surface as a map: seen straight from above, at any size. */
#ifndef TW_NODES_RENDER_KERNELS_TOP_VIEW_H
#define TW_NODES_RENDER_KERNELS_TOP_VIEW_H

#include "render/kernels/surface_light.h"

struct tw_top_view {
    const struct tw_surface_cell *cells;
    int32_t width, height;
    float exposure;    /* 0: the cells are colours as shown */
    struct tw_rgb air; /* light of the air above, when exposed */
};

/* Writes the picture into an image. TW_MEMORY, TW_CANCELLED or TW_OK. */
enum tw_status tw_top_view_paint(struct tw_task *task, const struct tw_top_view *view,
                                 struct tw_value *image);
/* The scratch that it takes. */
void tw_top_view_forecast(struct tw_forecast *f, int32_t width, int32_t height);

#endif
