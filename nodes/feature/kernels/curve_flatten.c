/* SPDX-License-Identifier: MIT */
#include "feature/kernels/curve_flatten.h"

#define FLATNESS 0.25 /* no chord is farther from its piece, in cells */

/* A curve's pieces, the box around them, and how far its bands reach beyond it. */
struct tw_curve_box {
    int32_t begin, end;
    double x0, y0, x1, y1, outer;
};

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* Length of the longest second derivative, which is at an end of the segment. */
static double bend(const struct tw_curve_segment *s)
{
    double x0 = 2 * s->x[2], y0 = 2 * s->y[2], x1 = x0 + 6 * s->x[3], y1 = y0 + 6 * s->y[3];
    return sqrt(larger(x0 * x0 + y0 * y0, x1 * x1 + y1 * y1));
}

/* A chord over an interval h of t is within bend h^2 / 8 of the curve. */
static int32_t pieces_of(const struct tw_curve_segment *s)
{
    double count = sqrt(bend(s) / (8 * FLATNESS));
    return count > TW_CURVE_PIECES_MAX - 1 ? TW_CURVE_PIECES_MAX : 1 + (int32_t)count;
}

static void limits(struct tw_curve_piece *piece, const struct tw_curve_profile *at)
{
    for (int side = 0; side < 2; side++) {
        double core = at->plateau + at->slope[side], outer = core + at->envelope[side];
        piece->core = larger(piece->core, core);
        piece->outer = larger(piece->outer, outer);
        piece->inner = smaller(piece->inner, outer);
    }
}

static struct tw_curve_piece piece_of(const struct tw_curve_segment *s, int32_t segment, int32_t i,
                                      int32_t count)
{
    struct tw_curve_piece piece = {.from = (double)i / count,
                                   .to = (double)(i + 1) / count,
                                   .slack = bend(s) / (8.0 * count * count),
                                   .inner = TW_CURVE_FAR,
                                   .segment = segment,
                                   .curve = s->curve};
    struct tw_curve_profile from = tw_curve_profile_at(s, piece.from);
    struct tw_curve_profile to = tw_curve_profile_at(s, piece.to);
    tw_curve_point_at(s, piece.from, &piece.ax, &piece.ay);
    tw_curve_point_at(s, piece.to, &piece.bx, &piece.by);
    double dx = piece.bx - piece.ax, dy = piece.by - piece.ay, square = dx * dx + dy * dy;
    piece.dx = square > 0 ? dx / square : 0;
    piece.dy = square > 0 ? dy / square : 0;
    limits(&piece, &from);
    limits(&piece, &to);
    return piece;
}

static void box_curves(struct tw_curve_pieces *all)
{
    for (int32_t i = 0; i < all->count; i++) {
        const struct tw_curve_piece *p = &all->at[i];
        struct tw_curve_box *c = &all->boxes[p->curve];
        if (i == 0 || p[-1].curve != p->curve)
            *c = (struct tw_curve_box){
                i, i, TW_CURVE_FAR, TW_CURVE_FAR, -TW_CURVE_FAR, -TW_CURVE_FAR, 0};
        c->end = i + 1;
        c->x0 = smaller(c->x0, smaller(p->ax, p->bx));
        c->y0 = smaller(c->y0, smaller(p->ay, p->by));
        c->x1 = larger(c->x1, larger(p->ax, p->bx));
        c->y1 = larger(c->y1, larger(p->ay, p->by));
        c->outer = larger(c->outer, p->outer + p->slack);
    }
}

enum tw_status tw_curve_pieces_create(struct tw_task *task,
                                      const struct tw_curve_segments *segments,
                                      struct tw_curve_pieces *to)
{
    size_t total = 0;
    for (int32_t i = 0; i < segments->count; i++)
        total += (size_t)pieces_of(&segments->at[i]);
    *to = (struct tw_curve_pieces){.count = 0};
    to->at = tw_task_scratch(task, total + 1, sizeof *to->at);
    to->boxes = tw_task_scratch(task, (size_t)segments->curves_max + 1, sizeof *to->boxes);
    if (!to->at || !to->boxes)
        return tw_task_no_memory(task);
    for (int32_t i = 0; i < segments->count; i++) {
        int32_t count = pieces_of(&segments->at[i]);
        for (int32_t k = 0; k < count; k++)
            to->at[to->count++] = piece_of(&segments->at[i], i, k, count);
    }
    box_curves(to);
    return TW_OK;
}

/* What one curve, pieces at[begin..end) of a list, may mean for the cells of a window. */
struct reach {
    double nearest; /* no cell is farther from the curve */
    int32_t count;  /* pieces that may be nearest to a cell */
    bool core;      /* a cell may be on its plateau or slope */
    bool outer;     /* a cell may be within its envelope */
    bool envelope;  /* all cells are within its envelope */
};

/* Piece i of a list; without a list, of all pieces. */
static const struct tw_curve_piece *listed(const struct tw_curve_pieces *all, const int32_t *at,
                                           int32_t i)
{
    return &all->at[at ? at[i] : i];
}

static struct reach reach_of(const struct tw_curve_pieces *all, const struct tw_curve_window *w,
                             const int32_t *at, int32_t begin, int32_t end)
{
    struct reach reach = {.nearest = TW_CURVE_FAR};
    double inner = TW_CURVE_FAR, t;
    for (int32_t i = begin; i < end; i++) {
        const struct tw_curve_piece *p = listed(all, at, i);
        reach.nearest =
            smaller(reach.nearest, tw_curve_to_chord(p, w->x, w->y, &t) + p->slack + w->radius);
    }
    for (int32_t i = begin; i < end; i++) {
        const struct tw_curve_piece *p = listed(all, at, i);
        double low = tw_curve_to_chord(p, w->x, w->y, &t) - p->slack - w->radius;
        if (low > reach.nearest)
            continue;
        inner = smaller(inner, p->inner);
        reach.core |= low <= p->core;
        reach.outer |= low <= p->outer;
        reach.count++;
    }
    reach.envelope = reach.nearest <= inner;
    return reach;
}

static void list_pieces(const struct tw_curve_pieces *all, const struct tw_curve_window *w,
                        const int32_t *at, int32_t begin, int32_t end, double nearest,
                        int32_t *selected)
{
    double t;
    for (int32_t i = begin; i < end; i++) {
        const struct tw_curve_piece *p = listed(all, at, i);
        if (tw_curve_to_chord(p, w->x, w->y, &t) - p->slack - w->radius <= nearest)
            *selected++ = at ? at[i] : i;
    }
}

/* The end of the run of one curve that begins a list at `begin`; without a list far curves are
 * passed over, and the run is empty. */
static int32_t run_end(const struct tw_curve_pieces *all, const struct tw_curve_window *w,
                       const int32_t *at, int32_t *begin, int32_t count)
{
    int32_t end = *begin, curve = listed(all, at, *begin)->curve;
    if (!at) {
        const struct tw_curve_box *c = &all->boxes[curve];
        double dx = larger(larger(c->x0 - w->x, w->x - c->x1), 0);
        double dy = larger(larger(c->y0 - w->y, w->y - c->y1), 0);
        if (sqrt(dx * dx + dy * dy) > w->radius + c->outer)
            *begin = c->end;
        return c->end;
    }
    while (end < count && all->at[at[end]].curve == curve)
        end++;
    return end;
}

int32_t tw_curve_pieces_select(const struct tw_curve_pieces *all, const struct tw_curve_window *w,
                               const int32_t *at, int32_t count, int32_t *selected, bool *envelope)
{
    int32_t used = 0;
    for (int32_t i = 0, end; i < count && !*envelope; i = end) {
        end = run_end(all, w, at, &i, count);
        *envelope |= i < end && reach_of(all, w, at, i, end).envelope;
    }
    for (int32_t i = 0, end; i < count; i = end) {
        end = run_end(all, w, at, &i, count);
        struct reach reach = reach_of(all, w, at, i, end);
        if (i == end || !(reach.core || (reach.outer && !*envelope)))
            continue;
        if (selected)
            list_pieces(all, w, at, i, end, reach.nearest, selected + used);
        used += reach.count;
    }
    return used;
}

void tw_curve_pieces_forecast(struct tw_forecast *f, uint64_t points)
{
    tw_forecast_scratch(f, points * TW_CURVE_PIECES_TYPICAL, sizeof(struct tw_curve_piece));
    tw_forecast_scratch(f, points + 1, sizeof(struct tw_curve_box));
}
