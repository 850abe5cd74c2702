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
/* Takes the blocks of tw_sky_view_find(), which calls this, or counts them. */
bool tw_sky_view_lay_out(struct tw_scratch *scratch, const struct tw_scales *scales,
                         struct tw_sky_view *view);

#endif
