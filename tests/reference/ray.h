/* SPDX-License-Identifier: MIT */
/* A ray by itself as nodes/render/kernels/ray_packet.c takes sixteen: the same steps in the same
 * precision, without vectors. */
#ifndef TW_TESTS_REFERENCE_RAY_H
#define TW_TESTS_REFERENCE_RAY_H

#include "render/kernels/ray_packet.h"

#include <thalweg/kernel.h>

#include <math.h>

struct reference_ray {
    const struct tw_pyramid *pyramid;
    double origin[3], along[3]; /* where the walk begins */
    float at[3], way[3], per[2], never[2];
    float t, out, end;
    int32_t square[2], level;
    bool sideways, outward;
};

static inline double reference_within(double v, double last)
{
    return !(v > 0) ? 0 : v < last ? v : last;
}

/* How far it is above the bilinear surface of the square of level 0 that it is in. */
static inline double reference_height(const struct reference_ray *r, double t)
{
    const struct tw_pyramid *p = r->pyramid;
    const float *upper = p->cells + (size_t)r->square[1] * (size_t)p->width + (size_t)r->square[0];
    const float *lower = upper + p->width;
    double fx = reference_within(r->origin[0] + t * r->along[0] - r->square[0], 1);
    double fy = reference_within(r->origin[1] + t * r->along[1] - r->square[1], 1);
    double above = (double)upper[0] * (1 - fx) + (double)upper[1] * fx;
    double below = (double)lower[0] * (1 - fx) + (double)lower[1] * fx;
    return r->origin[2] + t * r->along[2] - (above * (1 - fy) + below * fy);
}

/* The same in the precision of the walk, where the ray leaves the square. */
static inline float reference_clearance(const struct reference_ray *r)
{
    const struct tw_pyramid *p = r->pyramid;
    const float *upper = p->cells + (size_t)r->square[1] * (size_t)p->width + (size_t)r->square[0];
    const float *lower = upper + p->width;
    float fx = tw_clamp(r->at[0] + r->out * r->way[0] - (float)r->square[0], 0.0f, 1.0f);
    float fy = tw_clamp(r->at[1] + r->out * r->way[1] - (float)r->square[1], 0.0f, 1.0f);
    float above = upper[0] + (upper[1] - upper[0]) * fx;
    float below = lower[0] + (lower[1] - lower[0]) * fx;
    return r->at[2] + r->out * r->way[2] - (above + (below - above) * fy);
}

static inline void reference_clip(double from, double along, double low, double high, double *begin,
                                  double *end)
{
    if (along == 0) {
        *end = from < low || from > high ? -1 : *end;
        return;
    }
    double per = 1 / along, a = (low - from) * per, b = (high - from) * per;
    *begin = fmax(*begin, fmin(a, b));
    *end = fmin(*end, fmax(a, b));
}

static inline void reference_find_exit(struct reference_ray *r)
{
    float t[2];
    int32_t border[2];
    for (int axis = 0; axis < 2; axis++) {
        border[axis] = r->square[axis] + (r->way[axis] > 0);
        float place = (float)(border[axis] << r->level);
        t[axis] = (place - r->at[axis]) * r->per[axis] + r->never[axis];
    }
    r->sideways = t[0] <= t[1];
    r->outward = border[r->sideways ? 0 : 1] % 2 == 0;
    r->out = fmaxf(fminf(r->sideways ? t[0] : t[1], r->end), r->t);
}

static inline bool reference_is_near(const struct reference_ray *r)
{
    const struct tw_pyramid *p = r->pyramid;
    size_t at = (size_t)r->square[1] * (size_t)p->across[r->level] + (size_t)r->square[0];
    float low = r->at[2] + (r->way[2] < 0 ? r->out : r->t) * r->way[2];
    return low <= p->at[r->level][at];
}

static inline void reference_descend(struct reference_ray *r)
{
    const struct tw_pyramid *p = r->pyramid;
    r->level--;
    for (int axis = 0; axis < 2; axis++) {
        int32_t second = 2 * r->square[axis] + 1;
        float place = r->at[axis] + r->t * r->way[axis];
        bool exists = second < (axis == 0 ? p->across : p->down)[r->level];
        r->square[axis] = second - !(exists && place >= (float)(second << r->level));
    }
}

/* False when the ray has left the map. */
static inline bool reference_pass(struct reference_ray *r)
{
    const struct tw_pyramid *p = r->pyramid;
    int axis = r->sideways ? 0 : 1;
    int32_t to = r->square[axis] + (r->way[axis] > 0 ? 1 : -1);
    if (to < 0 || to >= (axis == 0 ? p->across : p->down)[r->level])
        return false;
    r->square[axis] = to;
    r->t = r->out;
    if (r->outward && r->level < p->levels - 1) {
        r->level++;
        r->square[0] /= 2;
        r->square[1] /= 2;
    }
    return r->t < r->end;
}

/* The zero of the parabola through three heights. */
static inline double reference_meet(const struct reference_ray *r)
{
    double t = (double)r->t, out = (double)r->out, above = reference_height(r, t);
    double middle = reference_height(r, 0.5 * (t + out)), below = reference_height(r, out);
    double curve = 2 * (above + below) - 4 * middle, slope = below - above - curve;
    if (!(above > 0))
        return t + (out - t) * 0;
    if (!(below < 0))
        return t + (out - t) * 1;
    double root = slope * slope - 4 * above * curve;
    return t + (out - t) * (2 * above / (sqrt(root > 0 ? root : 0) - slope));
}

static inline enum tw_hit_kind reference_walk(struct reference_ray *r, double *t)
{
    for (;;) {
        reference_find_exit(r);
        bool near = reference_is_near(r);
        if (near && r->level > 0) {
            reference_descend(r);
            continue;
        }
        if (near && reference_clearance(r) < 0) {
            *t = reference_meet(r);
            return TW_HIT_GROUND;
        }
        if (!reference_pass(r))
            return TW_HIT_NONE;
    }
}

/* What the ray meets, and how far away; `open` cells along it are free. */
static inline enum tw_hit_kind reference_cast(const struct tw_pyramid *p, double bottom,
                                              const struct tw_ray *ray, double open, double *t)
{
    struct reference_ray r = {.pyramid = p};
    double begin = 0, end = 1e30;
    const double last[2] = {p->width - 1, p->height - 1};
    reference_clip(ray->from[0], ray->along[0], 0, last[0], &begin, &end);
    reference_clip(ray->from[1], ray->along[1], 0, last[1], &begin, &end);
    reference_clip(ray->from[2], ray->along[2], bottom, 1e30, &begin, &end);
    double later = open > begin ? open : begin, along = 0;
    if (!(later < end))
        return TW_HIT_NONE;
    for (int axis = 0; axis < 3; axis++) {
        r.along[axis] = ray->along[axis];
        r.way[axis] = (float)ray->along[axis];
        r.origin[axis] = ray->from[axis] + later * ray->along[axis];
        if (axis < 2)
            r.origin[axis] = reference_within(r.origin[axis], last[axis]);
        r.at[axis] = (float)r.origin[axis];
    }
    for (int axis = 0; axis < 2; axis++) {
        bool parallel = fabs(ray->along[axis]) < 1e-12;
        r.per[axis] = parallel ? 0 : (float)(1 / ray->along[axis]);
        r.never[axis] = parallel ? 1e30f : 0;
        r.square[axis] = (int32_t)reference_within(r.origin[axis], last[axis] - 1);
    }
    r.end = (float)(end - later);
    *t = later;
    if (open <= begin + 1 && reference_height(&r, 0) < 0)
        return TW_HIT_WALL;
    r.level = p->levels - 1 < 3 ? p->levels - 1 : 3;
    r.square[0] >>= r.level;
    r.square[1] >>= r.level;
    enum tw_hit_kind kind = reference_walk(&r, &along);
    *t += along;
    return kind;
}

#endif
