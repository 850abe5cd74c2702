/* SPDX-License-Identifier: MIT */
/* Which band of which curve holds a cell. The distance to a curve is exact: cubics are cut into
 * pieces whose chords are within FLATNESS of them, the nearest chords are starting points for
 * Newton's method on the cubic. Blocks and tiles of cells keep only the pieces that can be nearest
 * to one of their cells, so the cost of a cell does not grow with the number of curves. */
#include "common/curve_bands.h"

#include <thalweg/kernel.h>

#include <limits.h>

#define FLATNESS 0.25 /* cells */
#define FAR 1e30
#define CLOSE 1e-9 /* of a segment */

enum { BLOCK = 128, TILE = 16, PIECES_MAX = 256, NEWTON_STEPS = 3 };

/* The band's limits at a place on a curve, in cells; [0] left, [1] right. */
struct profile {
    double z, elevation, plateau, slope[2], angle[2], envelope[2];
};

/* p(t) = ((c3 t + c2) t + c1) t + c0 between two control points, t in 0..1, in cells. */
struct segment {
    double x[4], y[4];
    struct profile from, to;
    int32_t curve, number; /* counted over all inputs, and in the recipe */
    bool first, last;      /* of its curve */
};

/* A stretch of a segment and its chord. */
struct piece {
    double ax, ay, bx, by, from, to;
    double dx, dy;      /* the chord over its length squared */
    double slack;       /* the curve is at most so far from the chord */
    double core, outer; /* widest plateau + slope, and with the envelope */
    double inner;       /* narrowest outer limit of both sides */
    int32_t segment, curve;
};

/* A curve's pieces, the box around them, and how far its bands reach beyond it. */
struct curve {
    int32_t begin, end;
    double x0, y0, x1, y1, outer;
};

/* A block's pieces are at[begin] and on, in curve order. */
struct block {
    int32_t begin, count;
};

struct raster {
    struct tw_task *task;
    struct segment *segments;
    struct piece *pieces;
    struct curve *curves;
    struct block *blocks;
    int32_t *kept, *tile_kept; /* piece numbers, by block */
    int32_t control_count, segment_count, piece_count, across;
    int32_t width, height;
    struct tw_constraint *cells;
};

/* ---- curves ---- */

static struct profile profile_of(const struct tw_control *control, double side)
{
    return (struct profile){
        .z = (double)control->z,
        .elevation = control->curve < 0 ? 0 : 1,
        .plateau = (double)control->plateau * side,
        .slope = {(double)control->slope_left * side, (double)control->slope_right * side},
        .angle = {(double)control->angle_left, (double)control->angle_right},
        .envelope = {(double)control->envelope_left * side, (double)control->envelope_right * side},
    };
}

static double between(double a, double b, double t) { return a + (b - a) * t; }

static struct profile profile_at(const struct segment *s, double t)
{
    struct profile at = {between(s->from.z, s->to.z, t),
                         between(s->from.elevation, s->to.elevation, t),
                         between(s->from.plateau, s->to.plateau, t),
                         {0},
                         {0},
                         {0}};
    for (int side = 0; side < 2; side++) {
        at.slope[side] = between(s->from.slope[side], s->to.slope[side], t);
        at.angle[side] = between(s->from.angle[side], s->to.angle[side], t);
        at.envelope[side] = between(s->from.envelope[side], s->to.envelope[side], t);
    }
    return at;
}

/* Hermite coefficients of one coordinate from b[1] to b[2]; b[0] and b[3] are the points before and
 * after. Interior tangents are (next - previous) / 2, the two end segments quadratic. */
static void hermite(const double *b, bool first, bool last, double *c)
{
    double a = b[1], rise = b[2] - b[1], m0 = (b[2] - b[0]) / 2, m1 = (b[3] - b[1]) / 2;
    c[0] = a;
    c[1] = first && last ? rise : first ? 2 * rise - m1 : m0;
    c[2] = first && last ? 0 : first ? m1 - rise : last ? rise - m0 : 3 * rise - 2 * m0 - m1;
    c[3] = first || last ? 0 : m0 + m1 - 2 * rise;
}

static void point_at(const struct segment *s, double t, double *x, double *y)
{
    *x = ((s->x[3] * t + s->x[2]) * t + s->x[1]) * t + s->x[0];
    *y = ((s->y[3] * t + s->y[2]) * t + s->y[1]) * t + s->y[0];
}

static void tangent_at(const struct segment *s, double t, double *x, double *y)
{
    *x = (3 * s->x[3] * t + 2 * s->x[2]) * t + s->x[1];
    *y = (3 * s->y[3] * t + 2 * s->y[2]) * t + s->y[1];
}

static int32_t curve_of(const struct tw_control *control)
{
    return control->curve < 0 ? ~control->curve : control->curve;
}

/* The segment from control point i of a list to the next; cell centres are at whole numbers. */
static struct segment segment_of(const struct raster *r, const struct tw_value *list, int32_t i,
                                 int32_t curve)
{
    const struct tw_control *at = list->data;
    struct segment s = {.curve = curve, .number = curve_of(&at[i])};
    double x[4], y[4];
    s.first = i == 0 || curve_of(&at[i - 1]) != curve_of(&at[i]);
    s.last = i + 2 >= list->width || curve_of(&at[i + 2]) != curve_of(&at[i]);
    for (int32_t k = 0; k < 4; k++) {
        const struct tw_control *c = &at[tw_clamp_index(i + k - 1, list->width)];
        x[k] = (double)c->x * r->width - 0.5;
        y[k] = (double)c->y * r->height - 0.5;
    }
    hermite(x, s.first, s.last, s.x);
    hermite(y, s.first, s.last, s.y);
    s.from = profile_of(&at[i], r->width);
    s.to = profile_of(&at[i + 1], r->width);
    return s;
}

/* A plateau may pass between the centres of cells. */
static void warn_of_thin(const struct raster *r, const struct segment *s)
{
    double widest = s->from.plateau > s->to.plateau ? s->from.plateau : s->to.plateau;
    if (s->first && s->from.elevation > 0 && widest < 0.7)
        tw_task_warn(r->task,
                     "curve %d has a plateau of %.3g cells, so it may miss the cells; from 0.71 "
                     "on it does not",
                     (int)s->number, widest);
}

static enum tw_status gather(struct raster *r, int first)
{
    int64_t most = 0;
    int32_t curve = -1;
    for (int i = first; i < tw_task_input_count(r->task); i++)
        most += tw_task_input(r->task, i)->width;
    if (most > INT_MAX / PIECES_MAX)
        return tw_task_fail(r->task, "%lld control points are more than %d", (long long)most,
                            INT_MAX / PIECES_MAX);
    r->control_count = (int32_t)most;
    r->segments = tw_task_scratch(r->task, (size_t)most + 1, sizeof *r->segments);
    if (!r->segments)
        return tw_task_no_memory(r->task);
    for (int i = first; i < tw_task_input_count(r->task); i++) {
        const struct tw_value *list = tw_task_input(r->task, i);
        const struct tw_control *at = list->data;
        for (int32_t k = 0; k + 1 < list->width; k++) {
            curve += k == 0 || curve_of(&at[k - 1]) != curve_of(&at[k]);
            if (curve_of(&at[k]) != curve_of(&at[k + 1]))
                continue;
            r->segments[r->segment_count] = segment_of(r, list, k, curve);
            warn_of_thin(r, &r->segments[r->segment_count++]);
        }
    }
    return TW_OK;
}

/* ---- pieces ---- */

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* Length of the longest second derivative, which is at an end of the segment. */
static double bend(const struct segment *s)
{
    double x0 = 2 * s->x[2], y0 = 2 * s->y[2], x1 = x0 + 6 * s->x[3], y1 = y0 + 6 * s->y[3];
    return sqrt(larger(x0 * x0 + y0 * y0, x1 * x1 + y1 * y1));
}

/* A chord over an interval h of t is within bend h^2 / 8 of the curve. */
static int32_t pieces_of(const struct segment *s)
{
    double wanted = sqrt(bend(s) / (8 * FLATNESS));
    return wanted > PIECES_MAX - 1 ? PIECES_MAX : 1 + (int32_t)wanted;
}

static void limits(struct piece *piece, const struct profile *at)
{
    for (int side = 0; side < 2; side++) {
        double core = at->plateau + at->slope[side], outer = core + at->envelope[side];
        piece->core = larger(piece->core, core);
        piece->outer = larger(piece->outer, outer);
        piece->inner = smaller(piece->inner, outer);
    }
}

static struct piece piece_of(const struct segment *s, int32_t segment, int32_t i, int32_t count)
{
    struct piece piece = {.from = (double)i / count,
                          .to = (double)(i + 1) / count,
                          .slack = bend(s) / (8.0 * count * count),
                          .inner = FAR,
                          .segment = segment,
                          .curve = s->curve};
    struct profile from = profile_at(s, piece.from), to = profile_at(s, piece.to);
    point_at(s, piece.from, &piece.ax, &piece.ay);
    point_at(s, piece.to, &piece.bx, &piece.by);
    double dx = piece.bx - piece.ax, dy = piece.by - piece.ay, square = dx * dx + dy * dy;
    piece.dx = square > 0 ? dx / square : 0;
    piece.dy = square > 0 ? dy / square : 0;
    limits(&piece, &from);
    limits(&piece, &to);
    return piece;
}

static void box_curves(struct raster *r)
{
    for (int32_t i = 0; i < r->piece_count; i++) {
        const struct piece *p = &r->pieces[i];
        struct curve *c = &r->curves[p->curve];
        if (i == 0 || p[-1].curve != p->curve)
            *c = (struct curve){i, i, FAR, FAR, -FAR, -FAR, 0};
        c->end = i + 1;
        c->x0 = smaller(c->x0, smaller(p->ax, p->bx));
        c->y0 = smaller(c->y0, smaller(p->ay, p->by));
        c->x1 = larger(c->x1, larger(p->ax, p->bx));
        c->y1 = larger(c->y1, larger(p->ay, p->by));
        c->outer = larger(c->outer, p->outer + p->slack);
    }
}

static enum tw_status cut(struct raster *r)
{
    size_t total = 0;
    for (int32_t i = 0; i < r->segment_count; i++)
        total += (size_t)pieces_of(&r->segments[i]);
    r->pieces = tw_task_scratch(r->task, total + 1, sizeof *r->pieces);
    r->curves = tw_task_scratch(r->task, (size_t)r->control_count + 1, sizeof *r->curves);
    if (!r->pieces || !r->curves)
        return tw_task_no_memory(r->task);
    for (int32_t i = 0; i < r->segment_count; i++) {
        int32_t count = pieces_of(&r->segments[i]);
        for (int32_t k = 0; k < count; k++)
            r->pieces[r->piece_count++] = piece_of(&r->segments[i], i, k, count);
    }
    box_curves(r);
    return TW_OK;
}

/* Distance to the chord, and the parameter of its nearest point. */
static double to_chord(const struct piece *p, double x, double y, double *t)
{
    double along = (x - p->ax) * p->dx + (y - p->ay) * p->dy;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    double ox = p->ax + along * (p->bx - p->ax) - x, oy = p->ay + along * (p->by - p->ay) - y;
    *t = between(p->from, p->to, along);
    return sqrt(ox * ox + oy * oy);
}

/* ---- blocks and tiles ---- */

struct window {
    double x, y, radius; /* a disc that holds its cells */
};

static struct window window_of(const struct raster *r, int32_t x0, int32_t y0, int32_t side)
{
    int32_t x1 = x0 + side < r->width ? x0 + side : r->width;
    int32_t y1 = y0 + side < r->height ? y0 + side : r->height;
    double w = (x1 - 1 - x0) / 2.0, h = (y1 - 1 - y0) / 2.0;
    return (struct window){x0 + w, y0 + h, sqrt(w * w + h * h)};
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
static const struct piece *listed(const struct raster *r, const int32_t *at, int32_t i)
{
    return &r->pieces[at ? at[i] : i];
}

static struct reach reach_of(const struct raster *r, const struct window *w, const int32_t *at,
                             int32_t begin, int32_t end)
{
    struct reach reach = {.nearest = FAR};
    double inner = FAR, t;
    for (int32_t i = begin; i < end; i++) {
        const struct piece *p = listed(r, at, i);
        reach.nearest = smaller(reach.nearest, to_chord(p, w->x, w->y, &t) + p->slack + w->radius);
    }
    for (int32_t i = begin; i < end; i++) {
        const struct piece *p = listed(r, at, i);
        double low = to_chord(p, w->x, w->y, &t) - p->slack - w->radius;
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

static void keep(const struct raster *r, const struct window *w, const int32_t *at, int32_t begin,
                 int32_t end, double nearest, int32_t *kept)
{
    double t;
    for (int32_t i = begin; i < end; i++) {
        const struct piece *p = listed(r, at, i);
        if (to_chord(p, w->x, w->y, &t) - p->slack - w->radius <= nearest)
            *kept++ = at ? at[i] : i;
    }
}

/* The end of the run of one curve that begins a list at `begin`; without a list far curves are
 * passed over, and the run is empty. */
static int32_t run_end(const struct raster *r, const struct window *w, const int32_t *at,
                       int32_t *begin, int32_t count)
{
    int32_t end = *begin, curve = listed(r, at, *begin)->curve;
    if (!at) {
        const struct curve *c = &r->curves[curve];
        double dx = larger(larger(c->x0 - w->x, w->x - c->x1), 0);
        double dy = larger(larger(c->y0 - w->y, w->y - c->y1), 0);
        if (sqrt(dx * dx + dy * dy) > w->radius + c->outer)
            *begin = c->end;
        return c->end;
    }
    while (end < count && r->pieces[at[end]].curve == curve)
        end++;
    return end;
}

/* The pieces that matter to a window, counted and put to kept[] unless it is NULL. Once all cells
 * are known to lie within an envelope, curves that would add no more than theirs are left out. */
static int32_t select_pieces(const struct raster *r, const struct window *w, const int32_t *at,
                             int32_t count, int32_t *kept, bool *envelope)
{
    int32_t used = 0;
    for (int32_t i = 0, end; i < count && !*envelope; i = end) {
        end = run_end(r, w, at, &i, count);
        *envelope |= i < end && reach_of(r, w, at, i, end).envelope;
    }
    for (int32_t i = 0, end; i < count; i = end) {
        end = run_end(r, w, at, &i, count);
        struct reach reach = reach_of(r, w, at, i, end);
        if (i == end || !(reach.core || (reach.outer && !*envelope)))
            continue;
        if (kept)
            keep(r, w, at, i, end, reach.nearest, kept + used);
        used += reach.count;
    }
    return used;
}

static struct window block_window(const struct raster *r, int32_t block)
{
    return window_of(r, block % r->across * BLOCK, block / r->across * BLOCK, BLOCK);
}

static void count_blocks(void *context, int32_t begin, int32_t end)
{
    const struct raster *r = context;
    for (int32_t b = begin; b < end; b++) {
        struct window window = block_window(r, b);
        bool envelope = false;
        r->blocks[b].count = select_pieces(r, &window, NULL, r->piece_count, NULL, &envelope);
    }
}

/* ---- cells ---- */

struct nearest {
    double distance, t;
    int32_t segment;
};

/* The foot of the perpendicular from (x, y) on the cubic, from a parameter close to it. */
static struct nearest polish(const struct segment *s, int32_t segment, double x, double y, double t)
{
    double px, py, tx, ty;
    for (int i = 0; i < NEWTON_STEPS; i++) {
        point_at(s, t, &px, &py);
        tangent_at(s, t, &tx, &ty);
        double curl =
            (px - x) * (6 * s->x[3] * t + 2 * s->x[2]) + (py - y) * (6 * s->y[3] * t + 2 * s->y[2]);
        double slope = (px - x) * tx + (py - y) * ty, steep = tx * tx + ty * ty + curl;
        if (steep <= 0)
            break;
        if (fabs(slope) < CLOSE * steep)
            break;
        t -= slope / steep;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
    }
    point_at(s, t, &px, &py);
    return (struct nearest){sqrt((px - x) * (px - x) + (py - y) * (py - y)), t, segment};
}

/* The nearest point of a curve's pieces at[begin..end); FAR when (x, y) is out of all bands, or,
 * where the envelope is known, of plateau and slope. */
static struct nearest nearest_of(const struct raster *r, const int32_t *at, int32_t begin,
                                 int32_t end, bool envelope, double x, double y)
{
    struct nearest best = {FAR, 0, 0};
    double chord = FAR, t;
    bool within = false;
    for (int32_t i = begin; i < end; i++) {
        const struct piece *p = &r->pieces[at[i]];
        double d = to_chord(p, x, y, &t);
        chord = smaller(chord, d + p->slack);
        within |= d - p->slack <= (envelope ? p->core : p->outer);
    }
    for (int32_t i = begin; i < end && within; i++) {
        const struct piece *p = &r->pieces[at[i]];
        if (to_chord(p, x, y, &t) - p->slack > chord)
            continue;
        struct nearest foot = polish(&r->segments[p->segment], p->segment, x, y, t);
        if (foot.distance < best.distance)
            best = foot;
    }
    return best;
}

/* The band that holds (x, y). Past an end of the curve there is only the envelope. */
static struct tw_constraint constraint_of(const struct raster *r, const struct nearest *foot,
                                          double x, double y)
{
    const struct segment *s = &r->segments[foot->segment];
    struct profile at = profile_at(s, foot->t);
    double px, py, tx, ty, d = foot->distance;
    point_at(s, foot->t, &px, &py);
    tangent_at(s, foot->t, &tx, &ty);
    double along = (x - px) * tx + (y - py) * ty;
    int side = (x - px) * ty - (y - py) * tx > 0 ? 0 : 1; /* left: offset . (t_y, -t_x) > 0 */
    bool past = (s->first && foot->t == 0 && along < 0) || (s->last && foot->t == 1 && along > 0);
    if (d > at.plateau + at.slope[side] + at.envelope[side])
        return (struct tw_constraint){.band = TW_BAND_NONE};
    if (past || d > at.plateau + at.slope[side])
        return (struct tw_constraint){.band = TW_BAND_ENVELOPE};
    if (d <= at.plateau)
        return (struct tw_constraint){
            .value = (float)at.z, .weight = (float)at.elevation, .band = TW_BAND_PLATEAU};
    return (struct tw_constraint){.value = (float)tw_sin_degrees(at.angle[side]),
                                  .weight = 1,
                                  .nx = (float)((x - px) / d),
                                  .ny = (float)((y - py) / d),
                                  .band = TW_BAND_SLOPE};
}

/* Plateau before slope before envelope, then the nearer curve, then the first. */
static void fill_cell(const struct raster *r, const int32_t *at, int32_t count, bool envelope,
                      int32_t x, int32_t y)
{
    struct tw_constraint best = {.band = envelope ? TW_BAND_ENVELOPE : TW_BAND_NONE};
    double distance = FAR;
    for (int32_t i = 0, end; i < count; i = end) {
        end = i;
        while (end < count && r->pieces[at[end]].curve == r->pieces[at[i]].curve)
            end++;
        struct nearest foot = nearest_of(r, at, i, end, envelope, x, y);
        if (foot.distance == FAR)
            continue;
        struct tw_constraint found = constraint_of(r, &foot, x, y);
        if (found.band < best.band || (found.band == best.band && foot.distance < distance)) {
            best = found;
            distance = foot.distance;
        }
    }
    r->cells[(size_t)y * (size_t)r->width + (size_t)x] = best;
}

static void fill_tile(const struct raster *r, const struct block *block, bool envelope, int32_t x0,
                      int32_t y0)
{
    struct window window = window_of(r, x0, y0, TILE);
    int32_t *at = r->tile_kept + block->begin;
    int32_t count = select_pieces(r, &window, r->kept + block->begin, block->count, at, &envelope);
    for (int32_t y = y0; y < y0 + TILE && y < r->height; y++)
        for (int32_t x = x0; x < x0 + TILE && x < r->width; x++)
            fill_cell(r, at, count, envelope, x, y);
}

static void fill_blocks(void *context, int32_t begin, int32_t end)
{
    const struct raster *r = context;
    for (int32_t b = begin; b < end; b++) {
        const struct block *block = &r->blocks[b];
        int32_t left = b % r->across * BLOCK, top = b / r->across * BLOCK;
        struct window window = block_window(r, b);
        bool envelope = false;
        select_pieces(r, &window, NULL, r->piece_count, r->kept + block->begin, &envelope);
        for (int32_t y = top; y < top + BLOCK && y < r->height; y += TILE)
            for (int32_t x = left; x < left + BLOCK && x < r->width; x += TILE)
                fill_tile(r, block, envelope, x, y);
    }
}

enum tw_status tw_bands_fill(struct tw_task *task, int first, struct tw_constraint *cells)
{
    struct raster r = {
        .task = task, .width = tw_task_width(task), .height = tw_task_height(task), .cells = cells};
    r.across = (r.width + BLOCK - 1) / BLOCK;
    int32_t blocks = r.across * ((r.height + BLOCK - 1) / BLOCK);
    size_t total = 0;
    enum tw_status status = gather(&r, first);
    if (status == TW_OK)
        status = cut(&r);
    if (status != TW_OK)
        return status;
    r.blocks = tw_task_scratch(task, (size_t)blocks, sizeof *r.blocks);
    if (!r.blocks)
        return tw_task_no_memory(task);
    tw_rows(task, blocks, 1, count_blocks, &r);
    for (int32_t b = 0; b < blocks; b++) {
        r.blocks[b].begin = (int32_t)total;
        total += (size_t)r.blocks[b].count;
    }
    if (total > INT_MAX)
        return tw_task_fail(task, "the curves are too many for this map");
    r.kept = tw_task_scratch(task, total + 1, sizeof *r.kept);
    r.tile_kept = tw_task_scratch(task, total + 1, sizeof *r.tile_kept);
    if (!r.kept || !r.tile_kept)
        return tw_task_no_memory(task);
    tw_rows(task, blocks, 1, fill_blocks, &r);
    return TW_OK;
}
