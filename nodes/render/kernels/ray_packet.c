/* SPDX-License-Identifier: MIT */
/* The walk of heightfield_raycast.c with a ray in each lane, in single precision from where a ray
 * comes near the ground, so that places are exact to a few 2^-24 of the map; where a ray meets the
 * surface of the square that it found is computed in double precision. From square to square rays
 * go by whole numbers, so that rounding can neither stop nor turn them. Loops over lanes have no
 * branches; only reads from the pyramid and the map go lane by lane. A lane that has arrived
 * repeats its last square until all have. */
#include "render/kernels/ray_packet.h"

#include <thalweg/kernel.h>

#include <math.h>

enum { START_LEVEL = 3 }; /* of a ray that begins near the surface */
#define PARALLEL 1e-12    /* to an axis: less than a millionth of a cell over any map */
#define FAR 1e30f
#define NEXT 1.0 /* cells behind a side within which free sight may end by rounding alone */

/* Conditions are 0 or 1, so that what follows from them is arithmetic: gcc takes loops for vectors
 * only so. Axis 0 is x, to the east, axis 1 y, to the south. */
struct walk {
    double begin[TW_RAYS], from[3][TW_RAYS]; /* cells from the eye, and where that is */
    float at[3][TW_RAYS], along[3][TW_RAYS];
    float per[2][TW_RAYS], never[2][TW_RAYS]; /* cells along the ray per cell of an axis; FAR */
    int32_t ahead[2][TW_RAYS];                /* 1: the border that the ray comes to is the right */
    float end[TW_RAYS];
    float t[TW_RAYS], out[TW_RAYS];             /* into the square and out of it */
    int32_t level[TW_RAYS], square[2][TW_RAYS]; /* column and row, counted in its own size */
    uint32_t number[TW_RAYS];                   /* of the square in its level, of 2^32 at most */
    int32_t corner[2][TW_RAYS];                 /* column and row of its upper left cell */
    int32_t sideways[TW_RAYS];                  /* it leaves through the border of axis 0 */
    int32_t outward[TW_RAYS];                   /* which is also that of the square around */
    int32_t walking[TW_RAYS], met[TW_RAYS];     /* met: the surface is between t and out */
};

static TW_INLINE double within(double v, double last)
{
    v = v > 0 ? v : 0;
    return v < last ? v : last;
}

/* Heights of the four corners of squares of level 0: upper left, upper right, and below. */
static TW_INLINE void read_corners(const struct tw_pyramid *p, const int32_t *column,
                                   const int32_t *row, float corner[4][TW_RAYS])
{
    for (int i = 0; i < TW_RAYS; i++) {
        const float *upper = p->cells + (size_t)row[i] * (size_t)p->width + (size_t)column[i];
        corner[0][i] = upper[0];
        corner[1][i] = upper[1];
        corner[2][i] = upper[p->width];
        corner[3][i] = upper[p->width + 1];
    }
}

/* Narrows begin..end to where the ray is within low..high on an axis. */
static TW_INLINE void clip(double from, const double *along, double low, double high, double *begin,
                           double *end)
{
    bool outside = from < low || from > high;
    for (int i = 0; i < TW_RAYS; i++) {
        double per = 1 / along[i], a = (low - from) * per, b = (high - from) * per;
        double first = a < b ? a : b, last = a < b ? b : a, from_t = begin[i], to_t = end[i];
        double later = first > from_t ? first : from_t, sooner = last < to_t ? last : to_t;
        begin[i] = along[i] != 0 ? later : from_t;
        end[i] = along[i] != 0 ? sooner : outside ? -1 : to_t;
    }
}

/* Which square each ray is in, and where it leaves it. */
static TW_INLINE void find_exits(struct walk *w, int32_t last)
{
    for (int i = 0; i < TW_RAYS; i++) {
        int32_t column = w->square[0][i], row = w->square[1][i], level = w->level[i];
        int32_t right = column + w->ahead[0][i], below = row + w->ahead[1][i];
        float x = (float)(right << level), y = (float)(below << level);
        float tx = (x - w->at[0][i]) * w->per[0][i] + w->never[0][i];
        float ty = (y - w->at[1][i]) * w->per[1][i] + w->never[1][i];
        float t = w->t[i], end = w->end[i], out = tx <= ty ? tx : ty;
        out = out < end ? out : end;
        int32_t sideways = tx <= ty;
        w->sideways[i] = sideways;
        w->outward[i] = 1 & ~(below + sideways * (right - below));
        w->out[i] = out > t ? out : t;
        w->number[i] = (uint32_t)row * (uint32_t)((last >> level) + 1) + (uint32_t)column;
        w->corner[0][i] = column << level;
        w->corner[1][i] = row << level;
    }
}

/* Marks rays that come below the top of their square, and those of them whose square is of level
 * 0, of which it returns the number. */
static TW_INLINE int32_t find_near(const struct tw_pyramid *p, const struct walk *w, int32_t *near,
                                   int32_t *leaf)
{
    float top[TW_RAYS];
    int32_t leaves = 0;
    for (int i = 0; i < TW_RAYS; i++)
        top[i] = p->at[w->level[i]][w->number[i]];
    for (int i = 0; i < TW_RAYS; i++) {
        float up = w->along[2][i], t = w->t[i], out = w->out[i];
        float low = w->at[2][i] + (up < 0 ? out : t) * up;
        near[i] = (low <= top[i]) & w->walking[i];
        leaf[i] = near[i] & (w->level[i] == 0);
        leaves += leaf[i];
    }
    return leaves;
}

/* How far each ray is above the surface where it leaves its square, whatever its level: of use for
 * those of level 0. */
static TW_INLINE void find_clearance(const struct tw_pyramid *p, const struct walk *w,
                                     float *clearance)
{
    float corner[4][TW_RAYS];
    read_corners(p, w->corner[0], w->corner[1], corner);
    for (int i = 0; i < TW_RAYS; i++) {
        float x = w->at[0][i] + w->out[i] * w->along[0][i] - (float)w->corner[0][i];
        float y = w->at[1][i] + w->out[i] * w->along[1][i] - (float)w->corner[1][i];
        float fx = tw_clamp(x, 0.0f, 1.0f), fy = tw_clamp(y, 0.0f, 1.0f);
        float above = corner[0][i] + (corner[1][i] - corner[0][i]) * fx;
        float below = corner[2][i] + (corner[3][i] - corner[2][i]) * fx;
        clearance[i] = w->at[2][i] + w->out[i] * w->along[2][i] - (above + (below - above) * fy);
    }
}

/* Along an axis: past the square, `go`, into the larger one, `up`, or into the half of it that the
 * ray is in, `down`. 0 when that leaves the map; then it stays where it is. */
static TW_INLINE int32_t move(struct walk *w, int axis, int i, int32_t last, int32_t go, int32_t up,
                              int32_t down)
{
    int32_t level = w->level[i], from = w->square[axis][i];
    int32_t by = go * (2 * w->ahead[axis][i] - 1), to = from + by;
    int32_t inside = (to >= 0) & (to <= last >> level);
    to = (from + inside * by) >> up;
    float place = w->at[axis][i] + w->t[i] * w->along[axis][i];
    int32_t middle = (2 * from + 1) << level; /* twice where it is */
    int32_t half = (place + place >= (float)middle) & (middle >> 1 <= last);
    w->square[axis][i] = to + down * (2 * from + half - to);
    return inside;
}

/* Down a level where the square reaches up to the ray; past it where the ray is above it, and up a
 * level where it leaves the square around. Whether any ray is still under way. */
static TW_INLINE int32_t advance(const struct tw_pyramid *p, struct walk *w, const int32_t *near,
                                 const int32_t *leaf, const float *clearance)
{
    int32_t highest = p->levels - 1, right = p->width - 2, bottom = p->height - 2, walking = 0;
    for (int i = 0; i < TW_RAYS; i++) {
        int32_t hit = leaf[i] & (clearance[i] < 0), down = near[i] & (1 - leaf[i]);
        int32_t pass = w->walking[i] & (1 - hit) & (1 - down);
        int32_t up = pass & w->outward[i] & (w->level[i] < highest);
        int32_t inside = move(w, 0, i, right, pass & w->sideways[i], up, down) &
                         move(w, 1, i, bottom, pass & (1 - w->sideways[i]), up, down);
        float t = w->t[i], out = w->out[i];
        t = pass != 0 ? out : t;
        w->t[i] = t;
        w->level[i] += up - down;
        w->met[i] |= hit;
        w->walking[i] &= (1 - hit) & inside & (t < w->end[i]);
        walking |= w->walking[i];
    }
    return walking;
}

static TW_INLINE int32_t step(const struct tw_pyramid *p, struct walk *w)
{
    float clearance[TW_RAYS];
    int32_t near[TW_RAYS], leaf[TW_RAYS];
    find_exits(w, p->width - 2);
    for (int i = 0; i < TW_RAYS; i++)
        clearance[i] = 1;
    if (find_near(p, w, near, leaf) > 0)
        find_clearance(p, w, clearance);
    return advance(p, w, near, leaf, clearance);
}

/* How far each ray is above the surface of the square with these corners, t cells from where its
 * walk began. */
static TW_INLINE void find_heights(const struct walk *w, float corner[4][TW_RAYS],
                                   const struct tw_ray_packet *r, const double *t, double *height)
{
    for (int i = 0; i < TW_RAYS; i++) {
        double fx = within(w->from[0][i] + t[i] * r->along[0][i] - w->corner[0][i], 1);
        double fy = within(w->from[1][i] + t[i] * r->along[1][i] - w->corner[1][i], 1);
        double above = (double)corner[0][i] * (1 - fx) + (double)corner[1][i] * fx;
        double below = (double)corner[2][i] * (1 - fx) + (double)corner[3][i] * fx;
        height[i] = w->from[2][i] + t[i] * r->along[2][i] - (above * (1 - fy) + below * fy);
    }
}

/* `to` is of use for rays that have met the surface. */
static TW_INLINE void meet(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                           const struct walk *w, double *to)
{
    double t[TW_RAYS], out[TW_RAYS], half[TW_RAYS];
    double above[TW_RAYS], middle[TW_RAYS], below[TW_RAYS];
    float corner[4][TW_RAYS];
    for (int i = 0; i < TW_RAYS; i++) {
        t[i] = (double)w->t[i];
        out[i] = (double)w->out[i];
        half[i] = 0.5 * (t[i] + out[i]);
    }
    read_corners(p, w->corner[0], w->corner[1], corner);
    find_heights(w, corner, r, t, above);
    find_heights(w, corner, r, half, middle);
    find_heights(w, corner, r, out, below);
    for (int i = 0; i < TW_RAYS; i++)
        to[i] = t[i] + (out[i] - t[i]) * tw_ray_crossing(above[i], middle[i], below[i]);
}

static TW_INLINE void set_hits(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                               const struct walk *w, const int32_t *wall,
                               struct tw_hit_packet *hits)
{
    double t[TW_RAYS];
    int32_t met = 0;
    for (int i = 0; i < TW_RAYS; i++) {
        hits->kind[i] = wall[i] ? TW_HIT_WALL : w->met[i] ? TW_HIT_GROUND : TW_HIT_NONE;
        hits->t[i] = w->begin[i];
        met |= w->met[i];
    }
    if (met) {
        meet(p, r, w, t);
        for (int i = 0; i < TW_RAYS; i++)
            hits->t[i] += w->met[i] != 0 ? t[i] : 0;
    }
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < TW_RAYS; i++)
            hits->at[axis][i] = r->from[axis] + hits->t[i] * r->along[axis][i];
}

/* At level 0, `begin` cells from the eye. */
static TW_INLINE void start(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                            const double *begin, struct walk *w)
{
    const int32_t size[2] = {p->width, p->height};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < TW_RAYS; i++) {
            double last = axis < 2 ? size[axis] - 1 : 0,
                   from = r->from[axis] + begin[i] * r->along[axis][i];
            w->from[axis][i] = axis < 2 ? within(from, last) : from;
            w->at[axis][i] = (float)w->from[axis][i];
            w->along[axis][i] = (float)r->along[axis][i];
        }
    for (int axis = 0; axis < 2; axis++)
        for (int i = 0; i < TW_RAYS; i++) {
            double along = r->along[axis][i];
            bool parallel = fabs(along) < PARALLEL;
            w->per[axis][i] = parallel ? 0 : (float)(1 / along);
            w->never[axis][i] = parallel ? FAR : 0;
            w->ahead[axis][i] = along > 0;
            w->square[axis][i] = (int32_t)within(w->from[axis][i], size[axis] - 2);
            w->corner[axis][i] = w->square[axis][i];
        }
    for (int i = 0; i < TW_RAYS; i++) {
        w->begin[i] = begin[i];
        w->t[i] = 0;
        w->level[i] = w->met[i] = 0;
    }
}

/* Marks rays that come into the block below its surface. */
static TW_INLINE void find_walls(const struct tw_pyramid *p, const struct tw_ray_packet *r,
                                 const struct walk *w, const int32_t *unsure, int32_t *wall)
{
    float corner[4][TW_RAYS];
    double t[TW_RAYS], height[TW_RAYS];
    for (int i = 0; i < TW_RAYS; i++)
        t[i] = 0;
    read_corners(p, w->corner[0], w->corner[1], corner);
    find_heights(w, corner, r, t, height);
    for (int i = 0; i < TW_RAYS; i++)
        wall[i] = unsure[i] & (height[i] < 0);
}

/* The level at which rays begin to walk. */
static TW_INLINE void rise(const struct tw_pyramid *p, struct walk *w)
{
    int32_t level = p->levels - 1 < START_LEVEL ? p->levels - 1 : START_LEVEL;
    for (int i = 0; i < TW_RAYS; i++) {
        w->level[i] = level;
        w->square[0][i] >>= level;
        w->square[1][i] >>= level;
    }
}

static TW_INLINE void cast_body(const struct tw_pyramid *p, double bottom,
                                const struct tw_ray_packet *r, struct tw_hit_packet *hits)
{
    struct walk w;
    double begin[TW_RAYS], end[TW_RAYS];
    int32_t unsure[TW_RAYS], wall[TW_RAYS], any_unsure = 0, walking = 0;
    for (int i = 0; i < TW_RAYS; i++) {
        begin[i] = 0;
        end[i] = 1e30;
    }
    clip(r->from[0], r->along[0], 0, p->width - 1, begin, end);
    clip(r->from[1], r->along[1], 0, p->height - 1, begin, end);
    clip(r->from[2], r->along[2], bottom, 1e30, begin, end);
    for (int i = 0; i < TW_RAYS; i++) {
        double later = r->free[i] > begin[i] ? r->free[i] : begin[i];
        int32_t inside = later < end[i];
        unsure[i] = inside & (r->free[i] <= begin[i] + NEXT);
        any_unsure |= unsure[i];
        begin[i] = inside ? later : 0; /* else it counts for nothing */
        w.walking[i] = inside;
        w.end[i] = inside ? (float)(end[i] - later) : 0;
        wall[i] = 0;
    }
    start(p, r, begin, &w);
    if (any_unsure)
        find_walls(p, r, &w, unsure, wall);
    rise(p, &w);
    for (int i = 0; i < TW_RAYS; i++)
        w.walking[i] &= 1 - wall[i];
    for (int i = 0; i < TW_RAYS; i++)
        walking |= w.walking[i];
    while (walking)
        walking = step(p, &w);
    set_hits(p, r, &w, wall, hits);
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
