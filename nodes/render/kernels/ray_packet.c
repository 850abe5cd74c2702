/* SPDX-License-Identifier: MIT */
/* The walk of heightfield_raycast.c with a ray in each lane. Loops over lanes have no branches;
 * only reads from the pyramid and the map go lane by lane. A lane that has arrived repeats its last
 * square until all have. */
#include "render/kernels/ray_packet.h"

#include <thalweg/kernel.h>

#include <math.h>

enum { START_LEVEL = 3 }; /* of a ray that begins near the surface */

struct walk {
    double t[TW_RAYS], end[TW_RAYS];
    double size[TW_RAYS]; /* of a square of the ray's level, in cells */
    int32_t level[TW_RAYS];
    int32_t walking[TW_RAYS], met[TW_RAYS]; /* 0 or 1; met: the surface is between t and out */
    double out[TW_RAYS], low[TW_RAYS];      /* where the ray leaves the square; its height there */
    int32_t column[TW_RAYS], row[TW_RAYS];
    int32_t outward[TW_RAYS]; /* 0 or 1: out is on the border of the square around, too */
    int32_t later[TW_RAYS];   /* 0 or 1: began within the block */
};

static TW_INLINE double within(double v, double last)
{
    v = v > 0 ? v : 0;
    return v < last ? v : last;
}

/* How far each ray is above the surface at t. */
static TW_INLINE void find_clearance(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                                     const double *t, double *clearance)
{
    double x[TW_RAYS], y[TW_RAYS], corner[4][TW_RAYS];
    int32_t left[TW_RAYS], top[TW_RAYS];
    double across = p->width - 1, down = p->height - 1;
    int32_t columns = p->width - 2, rows = p->height - 2;
    for (int i = 0; i < TW_RAYS; i++) {
        x[i] = within(r->from[0] + t[i] * r->along[0][i], across);
        y[i] = within(r->from[1] + t[i] * r->along[1][i], down);
        left[i] = (int32_t)x[i];
        top[i] = (int32_t)y[i];
        left[i] = left[i] < columns ? left[i] : columns;
        top[i] = top[i] < rows ? top[i] : rows;
    }
    for (int i = 0; i < TW_RAYS; i++) {
        const float *upper = p->cells + (size_t)top[i] * (size_t)p->width + left[i];
        corner[0][i] = (double)upper[0];
        corner[1][i] = (double)upper[1];
        corner[2][i] = (double)upper[p->width];
        corner[3][i] = (double)upper[p->width + 1];
    }
    for (int i = 0; i < TW_RAYS; i++) {
        double fx = x[i] - left[i], fy = y[i] - top[i];
        double above = corner[0][i] * (1 - fx) + corner[1][i] * fx;
        double below = corner[2][i] * (1 - fx) + corner[3][i] * fx;
        clearance[i] = r->from[2] + t[i] * r->along[2][i] - (above * (1 - fy) + below * fy);
    }
}

/* Narrows begin..t to where the ray is within low..high on an axis. */
static TW_INLINE void clip(double from, const double *along, double low, double high, double *begin,
                           double *end)
{
    bool outside = from < low || from > high;
    for (int i = 0; i < TW_RAYS; i++) {
        double a = (low - from) / along[i], b = (high - from) / along[i];
        double first = a < b ? a : b, last = a < b ? b : a;
        double later = first > begin[i] ? first : begin[i];
        double sooner = last < end[i] ? last : end[i];
        begin[i] = along[i] != 0 ? later : begin[i];
        end[i] = along[i] != 0 ? sooner : outside ? -1 : end[i];
    }
}

/* The square that each ray is in, and where it leaves it. */
static TW_INLINE void find_squares(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                                   struct walk *w)
{
    double across = p->width - 2, down = p->height - 2;
    for (int i = 0; i < TW_RAYS; i++) {
        double ax = r->along[0][i], ay = r->along[1][i], az = r->along[2][i], t = w->t[i];
        double shrink = 1 / w->size[i]; /* exact, as it is a power of two */
        /* Cut to whole squares of level 0, so that the quotient is that of integers. */
        int32_t x = (int32_t)within(r->from[0] + t * ax, across);
        int32_t y = (int32_t)within(r->from[1] + t * ay, down);
        int32_t column = (int32_t)((double)x * shrink), row = (int32_t)((double)y * shrink);
        int32_t right = column + (ax > 0), below = row + (ay > 0);
        double tx = ((double)right * w->size[i] - r->from[0]) / ax;
        double ty = ((double)below * w->size[i] - r->from[1]) / ay;
        tx = ax != 0 ? tx : 1e30;
        ty = ay != 0 ? ty : 1e30;
        w->outward[i] = 1 & ~(tx <= ty ? right : below);
        double out = tx <= ty ? tx : ty;
        out = out < w->end[i] ? out : w->end[i];
        out = out > t ? out : t;
        w->column[i] = column;
        w->row[i] = row;
        w->out[i] = out;
        w->low[i] = r->from[2] + (az < 0 ? out : t) * az;
    }
}

/* Down a level where the square reaches up to the ray; the number of rays that have to compare
 * with the surface itself, marked in `leaf`. Conditions are numbers here and in advance(), and what
 * they choose is computed for all: gcc takes the loops for vectors only so. */
static TW_INLINE int32_t descend(const struct tw_pyramid *p, struct walk *w, int32_t *leaf,
                                 int32_t *near)
{
    double top[TW_RAYS];
    int32_t leaves = 0;
    for (int i = 0; i < TW_RAYS; i++) {
        int32_t level = w->level[i];
        top[i] =
            (double)
                p->at[level][(size_t)w->row[i] * (size_t)p->across[level] + (size_t)w->column[i]];
    }
    for (int i = 0; i < TW_RAYS; i++) {
        near[i] = (w->low[i] <= top[i]) & w->walking[i];
        leaf[i] = near[i] & (w->level[i] == 0);
        leaves += leaf[i];
        int32_t down = near[i] - leaf[i];
        w->level[i] -= down;
        w->size[i] *= 1 - 0.5 * down;
    }
    return leaves;
}

/* Past the square where the ray is above it, and up a level where it leaves the square around. */
static TW_INLINE int32_t advance(const struct tw_pyramid *p, struct walk *w, const int32_t *leaf,
                                 const int32_t *near, const double *clearance)
{
    int32_t last = p->levels - 1, walking = 0;
    for (int i = 0; i < TW_RAYS; i++) {
        int32_t hit = (clearance[i] < 0) & leaf[i];
        int32_t pass = w->walking[i] & (1 - hit) & (leaf[i] | (1 - near[i]));
        int32_t up = pass & w->outward[i] & (w->level[i] < last);
        double past = tw_ray_past(w->out[i]);
        double t = pass != 0 ? past : w->t[i];
        w->met[i] |= hit;
        w->level[i] += up;
        w->size[i] *= 1 + up;
        w->t[i] = t;
        w->walking[i] &= (1 - hit) & (t < w->end[i]);
        walking |= w->walking[i];
    }
    return walking;
}

static TW_INLINE void step(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                           struct walk *w, int32_t *walking)
{
    double clearance[TW_RAYS];
    int32_t leaf[TW_RAYS], near[TW_RAYS];
    find_squares(p, r, w);
    for (int i = 0; i < TW_RAYS; i++)
        clearance[i] = 1;
    if (descend(p, w, leaf, near) > 0)
        find_clearance(p, r, w->out, clearance);
    *walking = advance(p, w, leaf, near, clearance);
}

/* Moves t, above the surface, or out, below it, to the middle. */
static TW_INLINE void narrow(const double *middle, const double *height, double *above,
                             double *below, struct walk *w)
{
    for (int i = 0; i < TW_RAYS; i++) {
        bool over = height[i] >= 0, open = above[i] > 0;
        w->t[i] = open && over ? middle[i] : w->t[i];
        above[i] = open && over ? height[i] : above[i];
        w->out[i] = open && !over ? middle[i] : w->out[i];
        below[i] = open && !over ? height[i] : below[i];
    }
}

/* Two secant steps and the last middle, which becomes t. */
static TW_INLINE void meet(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                           struct walk *w)
{
    double above[TW_RAYS], below[TW_RAYS], middle[TW_RAYS], height[TW_RAYS];
    find_clearance(p, r, w->t, above);
    find_clearance(p, r, w->out, below);
    for (int count = 0; count < 3; count++) {
        for (int i = 0; i < TW_RAYS; i++) {
            double m = w->t[i] + (w->out[i] - w->t[i]) * above[i] / (above[i] - below[i]);
            middle[i] = above[i] > 0 ? m : w->t[i];
        }
        if (count == 2)
            break;
        find_clearance(p, r, middle, height);
        narrow(middle, height, above, below, w);
    }
    for (int i = 0; i < TW_RAYS; i++)
        w->t[i] = middle[i];
}

/* Begins where the eye surely sees nothing yet. That is two cells early, and only where the square
 * there is left before the sight ends: where a ray meets the surface depends, in its last digits,
 * on where it enters the square of the hit, which has to be the square's border. */
static TW_INLINE void skip_free(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                                struct walk *w)
{
    struct walk first;
    int32_t level = p->levels - 1 < START_LEVEL ? p->levels - 1 : START_LEVEL;
    double size = (double)(1 << level);
    for (int i = 0; i < TW_RAYS; i++) {
        double t = r->free[i] - 2;
        t = t < w->end[i] ? t : w->end[i];
        first.t[i] = t > w->t[i] ? t : w->t[i];
        first.end[i] = w->end[i];
        first.size[i] = 1;
    }
    find_squares(p, r, &first);
    for (int i = 0; i < TW_RAYS; i++) {
        bool later = (first.t[i] > w->t[i]) & (first.out[i] <= r->free[i]);
        w->later[i] = later;
        w->t[i] = later ? first.t[i] : w->t[i];
        w->size[i] = later ? size : w->size[i];
        w->level[i] = later ? level : w->level[i];
        w->walking[i] &= w->t[i] < w->end[i];
    }
}

/* Whether a ray that began later came into the square of its hit otherwise than by one step past
 * the later one of its two borders there, or next to a corner, where it may stop at either of them
 * as the squares before were large or small. Rounding widens corners. */
static TW_INLINE bool is_doubtful(const struct tw_ray_packet *r, const struct walk *w)
{
    int32_t doubtful = 0;
    for (int i = 0; i < TW_RAYS; i++) {
        double ax = r->along[0][i], ay = r->along[1][i], t = w->t[i];
        double x = ((double)(w->column[i] + (ax < 0)) - r->from[0]) / ax;
        double y = ((double)(w->row[i] + (ay < 0)) - r->from[1]) / ay;
        double last = x > y ? x : y, slower = fabs(ax) < fabs(ay) ? fabs(ax) : fabs(ay);
        double beyond = fabs(x - y) - 2 * (tw_ray_past(t) - t);
        doubtful |=
            w->later[i] & w->met[i] & ((t != tw_ray_past(last)) | (beyond * slower <= t * 0x1p-50));
    }
    return doubtful != 0;
}

static TW_INLINE void set_hits(const struct tw_ray_packet *r, const struct walk *w,
                               const double *begin, const int32_t *wall, struct tw_hit_packet *hits)
{
    for (int i = 0; i < TW_RAYS; i++) {
        double t = wall[i] ? begin[i] : w->t[i];
        hits->kind[i] = wall[i] ? TW_HIT_WALL : w->met[i] ? TW_HIT_GROUND : TW_HIT_NONE;
        hits->t[i] = t;
        for (int axis = 0; axis < 3; axis++)
            hits->at[axis][i] = r->from[axis] + t * r->along[axis][i];
    }
}

/* How many rays enter the block where the ground may be: not before their free sight ends, of which
 * skip_free() leaves two cells as well. */
static TW_INLINE int32_t count_unsure(const struct tw_ray_packet *r, const double *begin,
                                      const double *end)
{
    int32_t count = 0;
    for (int i = 0; i < TW_RAYS; i++)
        count += (begin[i] < end[i]) & (begin[i] > r->free[i] - 2);
    return count;
}

/* False when the rays have to begin at the block's border. */
static TW_INLINE bool try_cast(const struct tw_pyramid *p, double bottom,
                               const struct tw_ray_packet *r, bool skip, struct tw_hit_packet *hits)
{
    struct walk w;
    double begin[TW_RAYS], clearance[TW_RAYS];
    int32_t wall[TW_RAYS], walking = 0;
    double whole = (double)((int64_t)1 << (p->levels - 1));
    for (int i = 0; i < TW_RAYS; i++) {
        begin[i] = 0;
        w.end[i] = 1e30;
        w.level[i] = p->levels - 1;
        w.size[i] = whole;
        w.met[i] = w.later[i] = 0;
    }
    clip(r->from[0], r->along[0], 0, p->width - 1, begin, w.end);
    clip(r->from[1], r->along[1], 0, p->height - 1, begin, w.end);
    clip(r->from[2], r->along[2], bottom, 1e30, begin, w.end);
    for (int i = 0; i < TW_RAYS; i++)
        clearance[i] = 1;
    if (count_unsure(r, begin, w.end) > 0)
        find_clearance(p, r, begin, clearance);
    for (int i = 0; i < TW_RAYS; i++) {
        int32_t inside = begin[i] < w.end[i] ? 1 : 0, under = clearance[i] < 0 ? 1 : 0;
        wall[i] = inside & under;
        w.walking[i] = inside & (1 - under);
        w.t[i] = begin[i];
    }
    if (skip)
        skip_free(p, r, &w);
    for (int i = 0; i < TW_RAYS; i++)
        walking |= w.walking[i];
    while (walking)
        step(p, r, &w, &walking);
    for (int i = 0; i < TW_RAYS; i++)
        walking |= w.met[i];
    if (walking && is_doubtful(r, &w))
        return false;
    if (walking)
        meet(p, r, &w);
    set_hits(r, &w, begin, wall, hits);
    return true;
}

static TW_INLINE void cast_body(const struct tw_pyramid *p, double bottom,
                                const struct tw_ray_packet *r, struct tw_hit_packet *hits)
{
    for (bool skip = true; !try_cast(p, bottom, r, skip, hits);)
        skip = false;
}
TW_SIMD_KERNEL(cast,
               (const struct tw_pyramid *p, double bottom, const struct tw_ray_packet *r,
                struct tw_hit_packet *hits),
               (p, bottom, r, hits))

void tw_ray_packet_cast(enum tw_simd simd, const struct tw_pyramid *pyramid, double bottom,
                        const struct tw_ray_packet *rays, struct tw_hit_packet *hits)
{
    cast(simd)(pyramid, bottom, rays, hits);
}
