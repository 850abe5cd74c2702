/* SPDX-License-Identifier: MIT */
/* How much of the sky each place sees, at half size: the sky-view factor (Zaksek, Ostir and Kokalj
 * 2011) over horizons taken from smoother levels the further away they are. */
#ifndef TW_NODES_RENDER_KERNELS_SKY_VIEW_H
#define TW_NODES_RENDER_KERNELS_SKY_VIEW_H

#include "render/kernels/scales.h"

/* Planes of the scales' size, 0..1: the whole sky, and the sky weighted towards the sun's azimuth,
 * 1 + cos. */
struct tw_sky_view {
    float *all, *sunward;
};

/* TW_MEMORY, TW_CANCELLED or TW_OK. */
enum tw_status tw_sky_view_find(struct tw_task *task, const struct tw_scales *scales,
                                double sun_azimuth, struct tw_sky_view *view);
/* The scratch that it takes on a map of this size. */
void tw_sky_view_forecast(struct tw_forecast *f, int32_t width, int32_t height);

#endif
