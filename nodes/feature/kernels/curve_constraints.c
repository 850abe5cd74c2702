/* SPDX-License-Identifier: MIT */
/* Which band of which curve holds a cell. The distance to a curve is exact: the pieces with the
 * nearest chords are searched for the minimum of the distance to the cubic. Bins and tiles of
 * cells hold only the pieces that can be nearest to one of their cells, so the cost of a cell does
 * not grow with the number of curves. */
#include "feature/kernels/curve_constraints.h"
#include "feature/kernels/curve_flatten.h"

#include <thalweg/kernel.h>

#include <limits.h>

#define CLOSE 1e-9 /* of a segment */

enum { BIN = 128, TILE = 8, STEPS_MAX = 40, INTERVALS = 8 };

/* A bin's pieces are at[begin] and on, in curve order. */
struct bin {
    int32_t begin, count;
};

struct raster {
    struct tw_curve_segments segments;
    struct tw_curve_pieces pieces;
    struct bin *bins;
    int32_t *selected, *tile_selected; /* piece numbers, by bin */
    int32_t width, height, across;
    enum tw_curve_rise rise;
    struct tw_constraint *cells;
};

/* ---- bins and tiles ---- */

static struct tw_curve_window window_of(const struct raster *r, int32_t x0, int32_t y0,
                                        int32_t side)
{
    int32_t x1 = x0 + side < r->width ? x0 + side : r->width;
    int32_t y1 = y0 + side < r->height ? y0 + side : r->height;
    double w = (x1 - 1 - x0) / 2.0, h = (y1 - 1 - y0) / 2.0;
    return (struct tw_curve_window){x0 + w, y0 + h, sqrt(w * w + h * h)};
}

static struct tw_curve_window bin_window(const struct raster *r, int32_t bin)
{
    return window_of(r, bin % r->across * BIN, bin / r->across * BIN, BIN);
}

static void count_bins(void *context, int32_t begin, int32_t end)
{
    const struct raster *r = context;
    for (int32_t b = begin; b < end; b++) {
        struct tw_curve_window window = bin_window(r, b);
        bool envelope = false;
        r->bins[b].count =
            tw_curve_pieces_select(&r->pieces, &window, NULL, r->pieces.count, NULL, &envelope);
    }
}

/* ---- cells ---- */

struct nearest {
    double distance, t;
    int32_t segment;
};

/* Half the derivative of the squared distance from (x, y), and of that, at parameter t. */
struct derivative {
    double first, second;
};

static struct derivative derivative_at(const struct tw_curve_segment *s, double x, double y,
                                       double t)
{
    double px, py, tx, ty;
    tw_curve_point_at(s, t, &px, &py);
    tw_curve_tangent_at(s, t, &tx, &ty);
    double bend =
        (px - x) * (6 * s->x[3] * t + 2 * s->x[2]) + (py - y) * (6 * s->y[3] * t + 2 * s->y[2]);
    return (struct derivative){(px - x) * tx + (py - y) * ty, tx * tx + ty * ty + bend};
}

/* The minimum of the distance between low, where it falls, and high, where it rises: Newton's
 * steps as long as they stay between, else bisection. */
static double minimum_between(const struct tw_curve_segment *s, double x, double y, double low,
                              double high, double t)
{
    for (int i = 0; i < STEPS_MAX && high - low > CLOSE; i++) {
        t = t > low && t < high ? t : (low + high) / 2;
        struct derivative d = derivative_at(s, x, y, t);
        if (fabs(d.first) < CLOSE * d.second)
            break;
        low = d.first < 0 ? t : low;
        high = d.first < 0 ? high : t;
        t = d.second > 0 ? t - d.first / d.second : low;
    }
    return t;
}

static void keep_nearer(const struct tw_curve_segment *s, double x, double y, double t,
                        struct nearest *best)
{
    double px, py;
    tw_curve_point_at(s, t, &px, &py);
    double distance = sqrt((px - x) * (px - x) + (py - y) * (py - y));
    if (distance < best->distance) {
        best->distance = distance;
        best->t = t;
    }
}

/* The point of a piece nearest to (x, y): an end, or a minimum between. On the concave side, near
 * the centre of curvature, there may be several; then the piece is searched in intervals. */
static struct nearest foot_on(const struct tw_curve_segment *s, const struct tw_curve_piece *p,
                              double x, double y, double t)
{
    struct nearest best = {TW_CURVE_FAR, p->from, p->segment};
    struct derivative low = derivative_at(s, x, y, p->from), high = derivative_at(s, x, y, p->to);
    int intervals = low.second > 0 && high.second > 0 ? 1 : INTERVALS;
    keep_nearer(s, x, y, p->from, &best);
    keep_nearer(s, x, y, p->to, &best);
    for (int i = 1; i <= intervals; i++) {
        double begin = tw_curve_between(p->from, p->to, (double)(i - 1) / intervals);
        double end = tw_curve_between(p->from, p->to, (double)i / intervals);
        high = derivative_at(s, x, y, end);
        if (low.first < 0 && high.first > 0)
            keep_nearer(s, x, y, minimum_between(s, x, y, begin, end, t), &best);
        low = high;
    }
    return best;
}

/* The nearest point of a curve's pieces at[begin..end); TW_CURVE_FAR when (x, y) is out of all
 * bands, or, for a cell that has a band already, of plateau and slope: one more envelope would
 * change nothing. */
static struct nearest nearest_of(const struct raster *r, const int32_t *at, int32_t begin,
                                 int32_t end, bool banded, double x, double y)
{
    struct nearest best = {TW_CURVE_FAR, 0, 0};
    double chord = TW_CURVE_FAR, t;
    bool within = false;
    for (int32_t i = begin; i < end; i++) {
        const struct tw_curve_piece *p = &r->pieces.at[at[i]];
        double d = tw_curve_to_chord(p, x, y, &t);
        chord = d + p->slack < chord ? d + p->slack : chord;
        within |= d - p->slack <= (banded ? p->core : p->outer);
    }
    for (int32_t i = begin; i < end && within; i++) {
        const struct tw_curve_piece *p = &r->pieces.at[at[i]];
        if (tw_curve_to_chord(p, x, y, &t) - p->slack > chord)
            continue;
        struct nearest foot = foot_on(&r->segments.at[p->segment], p, x, y, t);
        if (foot.distance < best.distance)
            best = foot;
    }
    return best;
}

static void add_direction(const struct tw_curve_segment *s, double t, double *x, double *y)
{
    double tx, ty;
    tw_curve_tangent_at(s, t, &tx, &ty);
    double length = sqrt(tx * tx + ty * ty);
    *x += length > 0 ? tx / length : 0;
    *y += length > 0 ? ty / length : 0;
}

/* Where straight segments meet, the mean of their directions has either side right, however sharp
 * the kink. */
static void tangent_of(const struct tw_curve_segment *s, double t, double *x, double *y)
{
    const bool begins = t == 0 && !s->first, ends = t == 1 && !s->last;
    if (!s->straight || (!begins && !ends)) {
        tw_curve_tangent_at(s, t, x, y);
        return;
    }
    *x = *y = 0;
    add_direction(s, t, x, y);
    add_direction(begins ? s - 1 : s + 1, 1 - t, x, y);
}

static double rise_of(const struct raster *r, double angle)
{
    double sine = tw_sin_degrees(angle);
    return r->rise == TW_CURVE_RISE_SINE ? sine : sine / tw_cos_degrees(angle);
}

/* The band that holds (x, y). Past an end of the curve there is only the envelope. */
static struct tw_constraint constraint_of(const struct raster *r, const struct nearest *foot,
                                          double x, double y)
{
    const struct tw_curve_segment *s = &r->segments.at[foot->segment];
    struct tw_curve_profile at = tw_curve_profile_at(s, foot->t);
    double px, py, tx, ty, d = foot->distance;
    tw_curve_point_at(s, foot->t, &px, &py);
    tangent_of(s, foot->t, &tx, &ty);
    double along = (x - px) * tx + (y - py) * ty;
    int side = (x - px) * ty - (y - py) * tx > 0 ? 0 : 1; /* left: offset . (t_y, -t_x) > 0 */
    bool past = (s->first && foot->t == 0 && along < 0) || (s->last && foot->t == 1 && along > 0);
    if (d > at.plateau + at.slope[side] + at.envelope[side])
        return (struct tw_constraint){.band = TW_CURVE_BAND_NONE};
    if (past || d > at.plateau + at.slope[side])
        return (struct tw_constraint){.band = TW_CURVE_BAND_ENVELOPE};
    if (d <= at.plateau)
        return (struct tw_constraint){.value = (float)tw_curve_cubic_at(s->z, foot->t),
                                      .weight = (float)at.elevation,
                                      .band = TW_CURVE_BAND_PLATEAU};
    return (struct tw_constraint){.value = (float)rise_of(r, at.angle[side]),
                                  .weight = 1,
                                  .nx = (float)((x - px) / d),
                                  .ny = (float)((y - py) / d),
                                  .band = TW_CURVE_BAND_SLOPE};
}

/* Plateau before slope before envelope, then the nearer curve, then the first. */
static void fill_cell(const struct raster *r, const int32_t *at, int32_t count, bool envelope,
                      int32_t x, int32_t y)
{
    struct tw_constraint best = {.band = envelope ? TW_CURVE_BAND_ENVELOPE : TW_CURVE_BAND_NONE};
    double distance = TW_CURVE_FAR;
    for (int32_t i = 0, end; i < count; i = end) {
        end = i;
        while (end < count && r->pieces.at[at[end]].curve == r->pieces.at[at[i]].curve)
            end++;
        struct nearest foot = nearest_of(r, at, i, end, best.band != TW_CURVE_BAND_NONE, x, y);
        if (foot.distance == TW_CURVE_FAR)
            continue;
        struct tw_constraint found = constraint_of(r, &foot, x, y);
        if (found.band < best.band || (found.band == best.band && foot.distance < distance)) {
            best = found;
            distance = foot.distance;
        }
    }
    r->cells[(size_t)y * (size_t)r->width + (size_t)x] = best;
}

static void fill_tile(const struct raster *r, const struct bin *bin, bool envelope, int32_t x0,
                      int32_t y0)
{
    struct tw_curve_window window = window_of(r, x0, y0, TILE);
    int32_t *at = r->tile_selected + bin->begin;
    int32_t count = tw_curve_pieces_select(&r->pieces, &window, r->selected + bin->begin,
                                           bin->count, at, &envelope);
    for (int32_t y = y0; y < y0 + TILE && y < r->height; y++)
        for (int32_t x = x0; x < x0 + TILE && x < r->width; x++)
            fill_cell(r, at, count, envelope, x, y);
}

static void fill_bins(void *context, int32_t begin, int32_t end)
{
    const struct raster *r = context;
    for (int32_t b = begin; b < end; b++) {
        const struct bin *bin = &r->bins[b];
        int32_t left = b % r->across * BIN, top = b / r->across * BIN;
        struct tw_curve_window window = bin_window(r, b);
        bool envelope = false;
        tw_curve_pieces_select(&r->pieces, &window, NULL, r->pieces.count, r->selected + bin->begin,
                               &envelope);
        for (int32_t y = top; y < top + BIN && y < r->height; y += TILE)
            for (int32_t x = left; x < left + BIN && x < r->width; x += TILE)
                fill_tile(r, bin, envelope, x, y);
    }
}

enum tw_status tw_curve_constraints_fill(struct tw_task *task, int first, enum tw_curve_rise rise,
                                         struct tw_constraint *cells)
{
    struct raster r = {
        .width = tw_task_width(task), .height = tw_task_height(task), .rise = rise, .cells = cells};
    r.across = (r.width + BIN - 1) / BIN;
    int32_t bins = r.across * ((r.height + BIN - 1) / BIN);
    size_t total = 0;
    enum tw_status status = tw_curve_segments_create(task, first, &r.segments);
    if (status == TW_OK)
        status = tw_curve_pieces_create(task, &r.segments, &r.pieces);
    if (status != TW_OK)
        return status;
    r.bins = tw_task_scratch(task, (size_t)bins, sizeof *r.bins);
    if (!r.bins)
        return tw_task_no_memory(task);
    tw_rows(task, bins, 1, count_bins, &r);
    for (int32_t b = 0; b < bins; b++) {
        r.bins[b].begin = (int32_t)total;
        total += (size_t)r.bins[b].count;
    }
    if (total > INT_MAX)
        return tw_task_fail(task, "the curves are too many for this map");
    r.selected = tw_task_scratch(task, total + 1, sizeof *r.selected);
    r.tile_selected = tw_task_scratch(task, total + 1, sizeof *r.tile_selected);
    if (!r.selected || !r.tile_selected)
        return tw_task_no_memory(task);
    tw_rows(task, bins, 1, fill_bins, &r);
    return TW_OK;
}

/* A curve has a few dozen pieces, of which some concern each bin. */
void tw_curve_constraints_forecast(struct tw_forecast *f, int first)
{
    enum { BINS_PER_PIECE = 4 };
    struct raster r;
    uint64_t points = 0;
    uint64_t across = ((uint64_t)f->width + BIN - 1) / BIN;
    uint64_t down = ((uint64_t)f->height + BIN - 1) / BIN;
    for (int i = first; i < f->input_count; i++)
        points += (uint64_t)f->inputs[i];
    tw_forecast_scratch(f, points + 1, sizeof *r.segments.at);
    tw_curve_pieces_forecast(f, points);
    tw_forecast_scratch(f, across * down, sizeof *r.bins);
    tw_forecast_scratch(f, points * TW_CURVE_PIECES_TYPICAL * BINS_PER_PIECE,
                        sizeof *r.selected + sizeof *r.tile_selected);
}
