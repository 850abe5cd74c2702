/* SPDX-License-Identifier: MIT */
/* A map in the Swiss manner (Imhof 1965): no cast shadow and no black, yellow light and violet
 * shade, more contrast the higher, and mist in the lowlands. */
#ifndef TW_NODES_RENDER_KERNELS_SWISS_H
#define TW_NODES_RENDER_KERNELS_SWISS_H

#include "render/kernels/surface_light.h"

struct tw_swiss_job {
    const float *heights; /* of the map */
    int32_t width, height, enlarge;
    float exaggeration, sea;
    float low, high;    /* heights of the first and the last colour */
    float shading;      /* 0 gives flat colours */
    const float *shade; /* light 0..1 instead of its own; may be NULL */
};

/* Colours as shown, not light to be exposed. TW_MEMORY, TW_CANCELLED or TW_OK. */
enum tw_status tw_swiss_paint(struct tw_task *task, const struct tw_swiss_job *job,
                              struct tw_surface_cell *to);
/* The scratch that it takes. */
void tw_swiss_forecast(struct tw_forecast *f, int32_t width, int32_t height, int32_t enlarge);

#endif
