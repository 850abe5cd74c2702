/* SPDX-License-Identifier: MIT */
/* The cubics of feature curves cut into pieces whose chords are close to them, and the choice of
 * those that can matter to a window of cells. */
#ifndef TW_NODES_FEATURE_KERNELS_CURVE_FLATTEN_H
#define TW_NODES_FEATURE_KERNELS_CURVE_FLATTEN_H

#include "feature/kernels/curve_segments.h"

#include <thalweg/kernel.h>

#define TW_CURVE_FAR 1e30

/* A stretch of a segment and its chord. */
/* Between two control points, of most curves. */
enum { TW_CURVE_PIECES_TYPICAL = 32 };

struct tw_curve_piece {
    double ax, ay, bx, by, from, to;
    double dx, dy;      /* the chord over its length squared */
    double slack;       /* the curve is at most so far from the chord */
    double core, outer; /* widest plateau + slope, and with the envelope */
    double inner;       /* narrowest outer limit of both sides */
    int32_t segment, curve;
};

struct tw_curve_pieces {
    struct tw_curve_piece *at;  /* in curve order */
    struct tw_curve_box *boxes; /* one a curve */
    int32_t count;
};

/* A disc that holds the cells in question. */
struct tw_curve_window {
    double x, y, radius;
};

enum tw_status tw_curve_pieces_create(struct tw_task *task,
                                      const struct tw_curve_segments *segments,
                                      struct tw_curve_pieces *to);

/* The pieces that matter to a window, of at[0..count) or, without a list, of all; counted and put
 * to selected[] unless it is NULL. *envelope says that all cells are known to lie within an
 * envelope, and is set when they turn out to: then curves that could only add an envelope are left
 * out. */
int32_t tw_curve_pieces_select(const struct tw_curve_pieces *all, const struct tw_curve_window *w,
                               const int32_t *at, int32_t count, int32_t *selected, bool *envelope);

/* Distance to the chord, and the parameter of its nearest point. */
static inline double tw_curve_to_chord(const struct tw_curve_piece *p, double x, double y,
                                       double *t)
{
    double along = (x - p->ax) * p->dx + (y - p->ay) * p->dy;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    double ox = p->ax + along * (p->bx - p->ax) - x, oy = p->ay + along * (p->by - p->ay) - y;
    *t = tw_curve_between(p->from, p->to, along);
    return sqrt(ox * ox + oy * oy);
}

/* The scratch of the pieces of so many control points: a curve has a few dozen between two. */
void tw_curve_pieces_forecast(struct tw_forecast *f, uint64_t points);

#endif
