/* SPDX-License-Identifier: MIT */
#include "feature/kernels/curve_segments.h"

#include <thalweg/kernel.h>

#include <limits.h>

static struct tw_curve_profile profile_of(const struct tw_control *control, double side)
{
    return (struct tw_curve_profile){
        .elevation = (double)control->elevation,
        .plateau = (double)control->plateau * side,
        .slope = {(double)control->slope_left * side, (double)control->slope_right * side},
        .angle = {(double)control->angle_left, (double)control->angle_right},
        .envelope = {(double)control->envelope_left * side, (double)control->envelope_right * side},
    };
}

struct tw_curve_profile tw_curve_profile_at(const struct tw_curve_segment *s, double t)
{
    struct tw_curve_profile at = {
        .elevation = tw_curve_between(s->from.elevation, s->to.elevation, t),
        .plateau = tw_curve_between(s->from.plateau, s->to.plateau, t),
    };
    for (int side = 0; side < 2; side++) {
        at.slope[side] = tw_curve_between(s->from.slope[side], s->to.slope[side], t);
        at.angle[side] = tw_curve_between(s->from.angle[side], s->to.angle[side], t);
        at.envelope[side] = tw_curve_between(s->from.envelope[side], s->to.envelope[side], t);
    }
    return at;
}

/* Interior tangents are (next - previous) / 2, the two end segments quadratic. */
static void cubic(const double b[4], bool first, bool last, double c[4])
{
    double rise = b[2] - b[1], m0 = (b[2] - b[0]) / 2, m1 = (b[3] - b[1]) / 2;
    c[0] = b[1];
    c[1] = first ? 2 * rise - m1 : m0;
    c[2] = first ? m1 - rise : last ? rise - m0 : 3 * rise - 2 * m0 - m1;
    c[3] = first || last ? 0 : m0 + m1 - 2 * rise;
}

static void straight(const double b[4], double c[4])
{
    c[0] = b[1];
    c[1] = b[2] - b[1];
    c[2] = c[3] = 0;
}

/* Returns the tangent between the rises before and after a point: 0 at an extremum or next to a
 * level stretch, else at most three times the lesser rise. Of the regions in which cubics are
 * monotone (Fritsch and Carlson 1980) this is the square. */
static double monotone_tangent(double tangent, double before, double after)
{
    double most = 3 * (fabs(before) < fabs(after) ? fabs(before) : fabs(after));
    if (before > 0 && after > 0)
        return tangent < 0 ? 0 : tangent < most ? tangent : most;
    if (before < 0 && after < 0)
        return tangent > 0 ? 0 : tangent > -most ? tangent : -most;
    return 0;
}

/* The tangents of cubic(), those at the ends of the curve included, as far as they are monotone. */
static void monotone(const double b[4], bool first, bool last, double c[4])
{
    double before = b[1] - b[0], rise = b[2] - b[1], after = b[3] - b[2];
    double m0 = first ? monotone_tangent((3 * rise - after) / 2, rise, rise)
                      : monotone_tangent((before + rise) / 2, before, rise);
    double m1 = last ? monotone_tangent((3 * rise - before) / 2, rise, rise)
                     : monotone_tangent((rise + after) / 2, rise, after);
    c[0] = b[1];
    c[1] = m0;
    c[2] = 3 * rise - 2 * m0 - m1;
    c[3] = m0 + m1 - 2 * rise;
}

void tw_curve_coefficients(enum tw_interpolation interpolation, const double b[4], bool first,
                           bool last, double c[4])
{
    if (interpolation == TW_CURVE_STRAIGHT || (first && last))
        straight(b, c);
    else if (interpolation == TW_CURVE_MONOTONE)
        monotone(b, first, last, c);
    else
        cubic(b, first, last, c);
}

/* The segment from control point i of a list to the next; cell centres are at whole numbers. */
static struct tw_curve_segment segment_of(const struct tw_task *task, const struct tw_value *list,
                                          int32_t i, int32_t curve)
{
    const struct tw_control *at = tw_controls(list);
    struct tw_curve_segment s = {.curve = curve, .number = at[i].curve};
    int32_t width = tw_task_width(task), height = tw_task_height(task);
    double x[4], y[4], z[4];
    s.first = i == 0 || at[i - 1].curve != at[i].curve;
    s.last = i + 2 >= list->width || at[i + 2].curve != at[i].curve;
    for (int32_t k = 0; k < 4; k++) {
        const struct tw_control *c = &at[tw_clamp_index(i + k - 1, list->width)];
        x[k] = (double)c->x * width - 0.5;
        y[k] = (double)c->y * height - 0.5;
        z[k] = (double)c->z;
    }
    enum tw_interpolation height_by = (enum tw_interpolation)at[i].interpolation;
    s.straight = height_by == TW_CURVE_STRAIGHT;
    enum tw_interpolation course_by = s.straight ? TW_CURVE_STRAIGHT : TW_CURVE_CUBIC;
    tw_curve_coefficients(course_by, x, s.first, s.last, s.x);
    tw_curve_coefficients(course_by, y, s.first, s.last, s.y);
    tw_curve_coefficients(height_by, z, s.first, s.last, s.z);
    s.from = profile_of(&at[i], width);
    s.to = profile_of(&at[i + 1], width);
    return s;
}

/* A plateau may pass between the centres of cells. */
static void warn_of_thin(struct tw_task *task, const struct tw_curve_segment *s)
{
    double widest = s->from.plateau > s->to.plateau ? s->from.plateau : s->to.plateau;
    if (s->first && s->from.elevation > 0 && widest < 0.7)
        tw_task_warn(task,
                     "curve %d has a plateau of %.3g cells, so it may miss the cells; from 0.71 "
                     "on it does not",
                     (int)s->number, widest);
}

enum tw_status tw_curve_segments_create(struct tw_task *task, int first,
                                        struct tw_curve_segments *to)
{
    int64_t most = 0;
    int32_t curve = -1;
    for (int i = first; i < tw_task_input_count(task); i++)
        most += tw_task_input(task, i)->width;
    if (most > INT_MAX / TW_CURVE_PIECES_MAX)
        return tw_task_fail(task, "%lld control points are more than %d", (long long)most,
                            INT_MAX / TW_CURVE_PIECES_MAX);
    *to = (struct tw_curve_segments){.curves_max = (int32_t)most};
    to->at = tw_task_scratch(task, (size_t)most + 1, sizeof *to->at);
    if (!to->at)
        return tw_task_no_memory(task);
    for (int i = first; i < tw_task_input_count(task); i++) {
        const struct tw_value *list = tw_task_input(task, i);
        const struct tw_control *at = tw_controls(list);
        for (int32_t k = 0; k + 1 < list->width; k++) {
            curve += k == 0 || at[k - 1].curve != at[k].curve;
            if (at[k].curve != at[k + 1].curve)
                continue;
            to->at[to->count] = segment_of(task, list, k, curve);
            warn_of_thin(task, &to->at[to->count++]);
        }
    }
    return TW_OK;
}
