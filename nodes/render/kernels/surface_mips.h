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

/* What places send out, and their shares of open water. */
enum { TW_MIPS_SAMPLES = 16 };
struct tw_mips_samples {
    float red[TW_MIPS_SAMPLES], green[TW_MIPS_SAMPLES], blue[TW_MIPS_SAMPLES];
    float water[TW_MIPS_SAMPLES];
};

/* TW_MEMORY or TW_OK. */
enum tw_status tw_surface_mips_build(struct tw_task *task, const struct tw_surface_cell *cells,
                                     int32_t width, int32_t height, struct tw_surface_mips *mips);
/* The scratch that it takes. */
void tw_surface_mips_forecast(struct tw_forecast *f, int32_t width, int32_t height);

/* The four cells around each point: where the upper left one lies in its level, how far the right
 * and the lower ones are from it, as stored, and their shares. */
struct tw_mips_corners {
    uint32_t first[TW_MIPS_SAMPLES]; /* no level has more than 2^32 cells */
    uint32_t right[TW_MIPS_SAMPLES], below[TW_MIPS_SAMPLES];
    uint64_t cell[4][TW_MIPS_SAMPLES];
    float share[4][TW_MIPS_SAMPLES];
};

static TW_INLINE void tw_mips_find_corners(const struct tw_surface_mips *m, const int32_t *level,
                                           const float *x, const float *y, const float *weight,
                                           struct tw_mips_corners *to)
{
    const int32_t last = m->width[0] - 1, lowest = m->height[0] - 1;
    for (int i = 0; i < TW_MIPS_SAMPLES; i++) {
        int32_t end = last >> level[i], bottom = lowest >> level[i];
        float step = 1.0f / (float)(1 << level[i]);
        float u = tw_clamp((x[i] + 0.5f) * step - 0.5f, 0.0f, (float)end);
        float v = tw_clamp((y[i] + 0.5f) * step - 0.5f, 0.0f, (float)bottom);
        int32_t left = (int32_t)u, top = (int32_t)v, width = end + 1;
        float fx = u - (float)left, fy = v - (float)top;
        to->first[i] = (uint32_t)top * (uint32_t)width + (uint32_t)left;
        to->right[i] = left < end;
        to->below[i] = (uint32_t)width * (top < bottom);
        to->share[0][i] = weight[i] * (1 - fx) * (1 - fy);
        to->share[1][i] = weight[i] * fx * (1 - fy);
        to->share[2][i] = weight[i] * (1 - fx) * fy;
        to->share[3][i] = weight[i] * fx * fy;
    }
    for (int i = 0; i < TW_MIPS_SAMPLES; i++) {
        const struct tw_surface_cell *upper = m->at[level[i]] + to->first[i];
        const struct tw_surface_cell *lower = upper + to->below[i];
        memcpy(&to->cell[0][i], upper, sizeof *upper);
        memcpy(&to->cell[1][i], upper + to->right[i], sizeof *upper);
        memcpy(&to->cell[2][i], lower, sizeof *lower);
        memcpy(&to->cell[3][i], lower + to->right[i], sizeof *lower);
    }
}

/* Member k of a cell, in the order of its declaration. */
static TW_INLINE uint16_t tw_mips_member(uint64_t cell, int k)
{
    int shift = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 16 * k : 48 - 16 * k;
    return (uint16_t)(cell >> shift);
}

static TW_INLINE void tw_mips_add_light(const struct tw_mips_corners *c, int k, float *to)
{
    for (int i = 0; i < TW_MIPS_SAMPLES; i++) {
        float light[4];
        for (int n = 0; n < 4; n++)
            light[n] = tw_surface_unpack(tw_mips_member(c->cell[n][i], k)) * c->share[n][i];
        to[i] += (light[0] + light[1]) + (light[2] + light[3]);
    }
}

static TW_INLINE void tw_mips_add_level(const struct tw_surface_mips *m, const int32_t *level,
                                        const float *x, const float *y, const float *weight,
                                        struct tw_mips_samples *to)
{
    struct tw_mips_corners c;
    tw_mips_find_corners(m, level, x, y, weight, &c);
    tw_mips_add_light(&c, 0, to->red);
    tw_mips_add_light(&c, 1, to->green);
    tw_mips_add_light(&c, 2, to->blue);
    for (int i = 0; i < TW_MIPS_SAMPLES; i++) {
        float water[4];
        for (int n = 0; n < 4; n++)
            water[n] = (float)tw_mips_member(c.cell[n][i], 3) * (c.share[n][i] * (1.0f / 65535.0f));
        to->water[i] += (water[0] + water[1]) + (water[2] + water[3]);
    }
}

/* At places (x, y) in cells of the surface, each blurred over 2^lod of them. */
static TW_INLINE void tw_surface_mips_read(const struct tw_surface_mips *m, const float *x,
                                           const float *y, const float *lod,
                                           struct tw_mips_samples *to)
{
    int32_t level[TW_MIPS_SAMPLES], next[TW_MIPS_SAMPLES];
    float near[TW_MIPS_SAMPLES], far[TW_MIPS_SAMPLES];
    *to = (struct tw_mips_samples){{0}, {0}, {0}, {0}};
    for (int i = 0; i < TW_MIPS_SAMPLES; i++) {
        float detail = tw_clamp(lod[i], 0.0f, (float)(m->levels - 1));
        level[i] = (int32_t)detail;
        next[i] = level[i] + 1 < m->levels ? level[i] + 1 : level[i];
        far[i] = detail - (float)level[i];
        near[i] = 1.0f - far[i];
    }
    tw_mips_add_level(m, level, x, y, near, to);
    tw_mips_add_level(m, next, x, y, far, to);
}

#endif
