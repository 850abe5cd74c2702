/* SPDX-License-Identifier: MIT */
#include "path/kernels/migrate.h"

#include <thalweg/kernel.h>
#include <thalweg/sample.h>

enum { FALL_POINTS = 10 }; /* to either side */
static const double GAMMA = 2.5, BORDER_CELLS = 2, END_WIDTHS = 6, APART_WIDTHS = 1.5;
/* Bends below are noise of the arithmetic, which would grow. */
static const double LEAST_BEND = 1e-9;

static double clip(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

static double sample(const struct tw_migration *m, const struct tw_value *map, double x, double y)
{
    return (double)tw_sample(tw_floats(map), map->width, map->height, (float)(x - 0.5),
                             (float)(y - 0.5), m->stems->wrap);
}

double tw_migration_free(const struct tw_migration *m, const struct tw_course_point *at)
{
    return m->hold ? 1 - clip(sample(m, m->hold, at->x, at->y)) : 1;
}

/* Half the way between the neighbours of point i; at the ends the way to the only one. */
static void central(const struct tw_course *course, int32_t i, double *dx, double *dy)
{
    const int32_t last = course->count - 1, from = i > 0 ? i - 1 : 0, to = i < last ? i + 1 : last;
    *dx = (course->at[to].x - course->at[from].x) / (to - from);
    *dy = (course->at[to].y - course->at[from].y) / (to - from);
}

/* R0, the curvature in widths, above 0 where the river turns left. Second derivatives are central
 * differences of central differences: those of neighbours would make zigzags of every other point
 * grow from round to round. */
static void find_bends(struct tw_course *course)
{
    course->bend[0] = course->bend[course->count - 1] = 0;
    for (int32_t i = 1; i + 1 < course->count; i++) {
        double dx, dy, before[2], after[2];
        central(course, i, &dx, &dy);
        central(course, i - 1, &before[0], &before[1]);
        central(course, i + 1, &after[0], &after[1]);
        double ax = (after[0] - before[0]) / 2, ay = (after[1] - before[1]) / 2;
        double square = dx * dx + dy * dy, width = course->at[i].width;
        double bend = square > 0 ? width * (dy * ax - dx * ay) / (square * sqrt(square)) : 0;
        bend = bend < -1 ? -1 : bend > 1 ? 1 : bend;
        course->bend[i] = fabs(bend) < LEAST_BEND ? 0 : bend;
    }
}

static double distance(const struct tw_course_point *a, const struct tw_course_point *b)
{
    return sqrt((a->x - b->x) * (a->x - b->x) + (a->y - b->y) * (a->y - b->y));
}

/* R1: -R0 and the mean of R0 upstream, whose weight falls over two widths, less where the river
 * winds much. */
static void find_rates(struct tw_course *course)
{
    const struct tw_course_point *first = course->at, *last = first + course->count - 1;
    const double length = course->along[course->count - 1];
    const double chord = distance(first, last);
    const double winding = length > 0 ? tw_pow(chord / length, 2.0 / 3) : 0;
    double sum = 0, weight = 0;
    for (int32_t i = 0; i < course->count; i++) {
        double step = i ? course->along[i] - course->along[i - 1] : 0;
        double fading = step > 0 ? tw_exp(-step / (2 * course->at[i].width)) : 1;
        sum = sum * fading + course->bend[i];
        weight = weight * fading + 1;
        course->move[i] = winding * (GAMMA * sum / weight - course->bend[i]);
    }
}

/* The true slope of the river over 21 points. */
static double slope_at(const struct tw_migration *m, const struct tw_course *course, int32_t i)
{
    int32_t from = i - FALL_POINTS, to = i + FALL_POINTS;
    from = from < 0 ? 0 : from;
    to = to < course->count ? to : course->count - 1;
    double way = course->along[to] - course->along[from];
    return way > 0 ? (course->at[from].z - course->at[to].z) / way * m->per_slope : 0;
}

/* How easily the bank yields towards (nx, ny): banks that rise far above the water do not. */
static double bank_yields(const struct tw_migration *m, const struct tw_course_point *p, double nx,
                          double ny)
{
    if (!m->ground)
        return 1;
    double rise = sample(m, m->ground, p->x + nx * p->width, p->y + ny * p->width) - p->z;
    double most = m->confine * p->depth;
    if (most > 0)
        return clip(1.5 - rise / most);
    return rise > 0 ? 0 : 1;
}

static bool may_lie(const struct tw_migration *m, const struct tw_course_point *p, double x,
                    double y, double to_mouth)
{
    const struct tw_stems *s = m->stems;
    bool inside = x >= BORDER_CELLS && x <= s->width - BORDER_CELLS && y >= BORDER_CELLS &&
                  y <= s->height - BORDER_CELLS;
    if (!s->wrap && !inside)
        return false;
    double apart = APART_WIDTHS * p->width;
    return to_mouth < END_WIDTHS * p->width || tw_stems_nearest(s, x, y, apart).gap >= apart;
}

/* The part of the rate R1 that takes place at point i, in the direction of its sign. Ends are held
 * by their distance, not by the way to them, so that no river curls around its mouth. */
static double freedom(const struct tw_migration *m, const struct tw_course *course, int32_t i,
                      double nx, double ny)
{
    const struct tw_course_point *p = &course->at[i];
    const double sign = course->move[i] < 0 ? -1 : 1;
    const double to_source = distance(p, course->at);
    const double to_mouth = distance(p, course->at + course->count - 1);
    const double to_end = to_source < to_mouth ? to_source : to_mouth;
    double share = clip((m->steep[1] - slope_at(m, course, i)) / (m->steep[1] - m->steep[0]));
    share *= clip(to_end / (END_WIDTHS * p->width)) * tw_migration_free(m, p);
    return share > 0 ? share * bank_yields(m, p, sign * nx, sign * ny) : 0;
}

/* Turns the rates into the way that each point moves to its right; returns whether any does. */
static bool find_moves(const struct tw_migration *m, struct tw_course *course)
{
    bool any = false;
    course->move[0] = course->move[course->count - 1] = 0;
    for (int32_t i = 1; i + 1 < course->count; i++) {
        const struct tw_course_point *p = &course->at[i];
        double tx = p[1].x - p[-1].x, ty = p[1].y - p[-1].y, size = sqrt(tx * tx + ty * ty);
        if (course->move[i] == 0 || !(size > 0)) {
            course->move[i] = 0;
            continue;
        }
        double nx = -ty / size, ny = tx / size;
        double way = p->width * m->rate * course->move[i] * freedom(m, course, i, nx, ny);
        way = way < -p->width / 4 ? -p->width / 4 : way > p->width / 4 ? p->width / 4 : way;
        double to_mouth = course->along[course->count - 1] - course->along[i];
        if (way != 0 && !may_lie(m, p, p->x + nx * way, p->y + ny * way, to_mouth))
            way = 0;
        course->move[i] = way;
        any |= way != 0;
    }
    return any;
}

/* Moves all points at once, each by the way in `move` to the right of its neighbours' chord. */
static void apply_moves(struct tw_course *course)
{
    struct tw_course_point before = course->at[0];
    for (int32_t i = 1; i + 1 < course->count; i++) {
        struct tw_course_point *p = &course->at[i], here = *p;
        double tx = p[1].x - before.x, ty = p[1].y - before.y, size = sqrt(tx * tx + ty * ty);
        if (course->move[i] != 0) {
            p->x -= ty / size * course->move[i];
            p->y += tx / size * course->move[i];
        }
        before = here;
    }
}

bool tw_migrate(const struct tw_migration *m, struct tw_course *course)
{
    tw_course_measure(course);
    find_bends(course);
    find_rates(course);
    if (!find_moves(m, course))
        return false;
    apply_moves(course);
    return true;
}

void tw_migration_smooth(const struct tw_migration *m, struct tw_course *course)
{
    struct tw_course_point before = course->at[0];
    for (int32_t i = 1; i + 1 < course->count; i++) {
        struct tw_course_point *p = &course->at[i], here = *p;
        double share = 0.05 * tw_migration_free(m, p);
        p->x += share * ((before.x - p->x) + (p[1].x - p->x));
        p->y += share * ((before.y - p->y) + (p[1].y - p->y));
        before = here;
    }
}
