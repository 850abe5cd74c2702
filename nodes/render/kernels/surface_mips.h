/* SPDX-License-Identifier: MIT */
/* A surface at every size, each level the box-filtered half of the one before, read between cells
 * and between levels (Williams 1983), so that far ground neither shimmers nor blurs. */
#ifndef TW_NODES_RENDER_KERNELS_SURFACE_MIPS_H
#define TW_NODES_RENDER_KERNELS_SURFACE_MIPS_H

#include "render/kernels/surface_light.h"

enum { TW_MIPS_LEVELS = 18 };

struct tw_surface_mips {
    const struct tw_surface_cell *at[TW_MIPS_LEVELS]; /* level 0 is the surface itself */
    int32_t width[TW_MIPS_LEVELS], height[TW_MIPS_LEVELS];
    int32_t levels;
};

/* What a place sends out, and its share of open water. */
struct tw_surface_sample {
    struct tw_rgb light;
    float water;
};

/* TW_MEMORY or TW_OK. */
enum tw_status tw_surface_mips_build(struct tw_task *task, const struct tw_surface_cell *cells,
                                     int32_t width, int32_t height, struct tw_surface_mips *mips);
/* The scratch that it takes. */
void tw_surface_mips_forecast(struct tw_forecast *f, int32_t width, int32_t height);

/* At (x, y) in cells of the surface, blurred over 2^lod of them. */
struct tw_surface_sample tw_surface_mips_read(const struct tw_surface_mips *mips, float x, float y,
                                              float lod);

#endif
