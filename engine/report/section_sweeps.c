/* SPDX-License-Identifier: MIT */
/* Curves of measures over one parameter, all sweeps of it in one chart, and maps over two. */
#include "report/compare_page.h"

#include "report/chart.h"
#include "report/page.h"
#include "report/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sweeps {
    FILE *out;
    const struct tw_comparison *c;
    struct tw_arena arena;
    struct tw_sweep *first;
};

struct point {
    double x;
    int32_t variant;
};

static int by_x(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    int order = (p->x > q->x) - (p->x < q->x);
    return order ? order : (p->variant > q->variant) - (p->variant < q->variant);
}

/* ---- one parameter ---- */

static bool fill_series(struct sweeps *s, const struct tw_sweep *sweep, int32_t measure,
                        struct tw_series *series)
{
    size_t count = (size_t)sweep->count;
    struct point *points = tw_arena_alloc(&s->arena, count, sizeof *points);
    double *x = tw_arena_alloc(&s->arena, 3 * count, sizeof *x);
    if (!points || !x)
        return false;
    for (int32_t i = 0; i < sweep->count; i++)
        points[i] =
            (struct point){tw_sweep_value(s->c->experiment, sweep->variants[i], sweep->params[0]),
                           sweep->variants[i]};
    qsort(points, count, sizeof *points, by_x);
    for (size_t i = 0; i < count; i++) {
        struct tw_summary mean = tw_comparison_summary(s->c, points[i].variant, measure);
        x[i] = points[i].x;
        x[count + i] = mean.mean;
        x[2 * count + i] = mean.interval;
    }
    *series = (struct tw_series){
        .name = tw_arena_copy(&s->arena, sweep->name, (size_t)sweep->name_length),
        .x = x,
        .y = x + count,
        .half = tw_has_spread(s->c) ? x + 2 * count : NULL,
        .count = sweep->count};
    return series->name != NULL;
}

static bool shares_param(const struct tw_sweep *a, const struct tw_sweep *b)
{
    return a->param_count == 1 && b->param_count == 1 && strcmp(a->params[0], b->params[0]) == 0;
}

/* Whether a sweep before this one has the same parameter, so that a chart shows it already. */
static bool is_shown(const struct sweeps *s, const struct tw_sweep *sweep)
{
    for (const struct tw_sweep *before = s->first; before != sweep; before = before->next)
        if (shares_param(before, sweep))
            return true;
    return false;
}

static void put_curves(struct sweeps *s, const struct tw_sweep *sweep, int32_t measure, bool key)
{
    struct tw_series series[TW_SERIES_MAX];
    const char *names[TW_SERIES_MAX];
    char title[200];
    int32_t count = 0;
    for (const struct tw_sweep *other = sweep; other && count < TW_SERIES_MAX; other = other->next)
        if (shares_param(sweep, other) && fill_series(s, other, measure, &series[count])) {
            names[count] = series[count].name;
            count++;
        }
    if (count == 0)
        return;
    if (key) {
        tw_chart_key(s->out, names, count);
        fputs("<div class=\"row wide\">\n", s->out);
    }
    const char *name = s->c->experiment->measures[measure].name;
    snprintf(title, sizeof title, "Mean of %s over %s", name, sweep->params[0]);
    fputs("<figure>", s->out);
    tw_chart_curves(s->out, title, sweep->params[0], series, count);
    fputs("<figcaption><b>", s->out);
    tw_page_text(s->out, name);
    fputs("</b>, mean and its 95 % interval</figcaption></figure>\n", s->out);
}

/* ---- two parameters ---- */

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The different values of a parameter, in order. */
static double *values_of(struct sweeps *s, const struct tw_sweep *sweep, int32_t which,
                         int32_t *count)
{
    double *all = tw_arena_alloc(&s->arena, (size_t)sweep->count, sizeof *all);
    int32_t kept = 0;
    for (int32_t i = 0; all && i < sweep->count; i++)
        all[i] = tw_sweep_value(s->c->experiment, sweep->variants[i], sweep->params[which]);
    if (all)
        qsort(all, (size_t)sweep->count, sizeof *all, by_number);
    for (int32_t i = 0; all && i < sweep->count; i++)
        if (i == 0 || all[i] > all[kept - 1])
            all[kept++] = all[i];
    *count = kept;
    return all;
}

static int32_t index_of(const double *values, double value)
{
    int32_t i = 0;
    while (values[i] < value)
        i++;
    return i;
}

static void put_heat(struct sweeps *s, const struct tw_sweep *sweep, int32_t measure)
{
    enum { SIDE_MAX = 24 };
    const struct tw_experiment *e = s->c->experiment;
    struct tw_heat heat = {.across = sweep->params[1], .down = sweep->params[0]};
    heat.x = values_of(s, sweep, 1, &heat.columns);
    heat.y = values_of(s, sweep, 0, &heat.rows);
    if (!heat.x || !heat.y || heat.columns > SIDE_MAX || heat.rows > SIDE_MAX)
        return;
    double *values = tw_arena_alloc(&s->arena, (size_t)(heat.rows * heat.columns), sizeof *values);
    char title[200];
    for (int32_t i = 0; values && i < heat.rows * heat.columns; i++)
        values[i] = NAN;
    for (int32_t i = 0; values && i < sweep->count; i++) {
        int32_t v = sweep->variants[i], row = index_of(heat.y, tw_sweep_value(e, v, heat.down));
        int32_t column = index_of(heat.x, tw_sweep_value(e, v, heat.across));
        values[row * heat.columns + column] = tw_comparison_summary(s->c, v, measure).mean;
    }
    snprintf(title, sizeof title, "Mean of %s over %s and %s", e->measures[measure].name,
             heat.across, heat.down);
    heat.title = title;
    heat.values = values;
    if (!values)
        return;
    fputs("<figure>", s->out);
    tw_chart_heat(s->out, &heat);
    fputs("<figcaption><b>", s->out);
    tw_page_text(s->out, e->measures[measure].name);
    fputs("</b>, mean</figcaption></figure>\n", s->out);
}

static void put_sweep(struct sweeps *s, const struct tw_sweep *sweep)
{
    fputs("<h3>", s->out);
    for (int32_t i = 0; i < sweep->param_count; i++) {
        fputs(i ? " and " : "", s->out);
        tw_page_text(s->out, sweep->params[i]);
    }
    fputs("</h3>\n", s->out);
    if (sweep->param_count == 2)
        fputs("<div class=\"row\">\n", s->out);
    for (int32_t m = 0; m < s->c->experiment->measure_count; m++)
        if (sweep->param_count == 1)
            put_curves(s, sweep, m, m == 0);
        else
            put_heat(s, sweep, m);
    fputs("</div>\n", s->out);
}

void tw_section_sweeps(FILE *out, const struct tw_comparison *c)
{
    struct sweeps s = {.out = out, .c = c};
    s.first = tw_sweeps_find(&s.arena, c->experiment);
    if (s.first)
        fputs("<section id=\"sweeps\"><h2>What the parameters do</h2>\n", out);
    for (const struct tw_sweep *sweep = s.first; sweep; sweep = sweep->next)
        if (!is_shown(&s, sweep))
            put_sweep(&s, sweep);
    if (s.first)
        fputs("</section>\n", out);
    tw_arena_release(&s.arena);
}
