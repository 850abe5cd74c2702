/* SPDX-License-Identifier: MIT */
/* Where a ray meets a terrain. */
#ifndef TW_NODES_RENDER_KERNELS_HEIGHTFIELD_RAYCAST_H
#define TW_NODES_RENDER_KERNELS_HEIGHTFIELD_RAYCAST_H

#include <thalweg/simd.h>

#include <math.h>

/* Heights as a pyramid of maxima: a cell of level k covers 2^k x 2^k squares between four cells of
 * the map and holds their greatest height. */
enum { TW_PYRAMID_LEVELS = 17 };
struct tw_pyramid {
    const float *cells; /* heights in cells */
    int32_t width, height;
    int32_t levels;
    int32_t across[TW_PYRAMID_LEVELS], down[TW_PYRAMID_LEVELS]; /* size of each level */
    float *at[TW_PYRAMID_LEVELS];
};

/* Of a map with at least 2 x 2 cells. Fails only with TW_MEMORY. */
enum tw_status tw_pyramid_build(struct tw_task *task, const float *cells, int32_t width,
                                int32_t height, struct tw_pyramid *pyramid);

/* Height, in cells, interpolated between the cells of the map; x and y are clamped to it. */
double tw_pyramid_height(const struct tw_pyramid *pyramid, double x, double y);

struct tw_ray {
    double from[3], along[3]; /* x east, y south, z up, in cells; `along` of length 1 */
};
struct tw_hit {
    bool wall; /* the side of the block, not the surface */
    double t;  /* cells along the ray */
    double at[3];
};

/* A step beyond a border at t, so that the ray surely leaves the square: a millionth of a cell, and
 * for an eye so far away that t is not that fine, a few of its last digits. */
static inline double tw_ray_past(double t)
{
    double fine = t * 0x1p-48;
    return t + (fine > 1e-6 ? fine : 1e-6);
}

/* Where a ray meets the bilinear surface, as a share of its way through a square: its height above
 * that is a parabola, of which three points are known. At an end where it is on one side only, by
 * rounding. */
static TW_INLINE double tw_ray_crossing(double above, double middle, double below)
{
    double curve = 2 * (above + below) - 4 * middle, slope = below - above - curve;
    double root = slope * slope - 4 * above * curve;
    double share = 2 * above / (sqrt(root > 0 ? root : 0) - slope);
    share = below < 0 ? share : 1;
    return above > 0 ? share : 0;
}

/* The first intersection of the ray with the surface, or with the sides of the block down to
 * `bottom` (in cells); false when it misses. */
bool tw_raycast(const struct tw_pyramid *pyramid, double bottom, const struct tw_ray *ray,
                struct tw_hit *hit);

/* The scratch that tw_pyramid_build() takes. */
void tw_pyramid_forecast(struct tw_forecast *f, int32_t width, int32_t height);

#endif
