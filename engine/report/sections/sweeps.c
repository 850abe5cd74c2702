/* SPDX-License-Identifier: MIT */
/* Curves of measures over one parameter, all its sweeps in one chart; heat maps over two, one per
 * slice of a larger matrix; dots for drawn points. */
#include "report/compare_page.h"

#include "report/charts/chart.h"
#include "report/html.h"
#include "report/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 24, SLICES_MAX = 12 };

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

static const char *name_of(const struct sweeps *s, int32_t measure)
{
    return s->c->experiment->measures[measure].name;
}

/* ---- one parameter ---- */

static bool fill_series(struct sweeps *s, const struct tw_sweep *sweep, const char *param,
                        int32_t measure, struct tw_series *series)
{
    size_t count = (size_t)sweep->count;
    struct point *points = tw_arena_alloc(&s->arena, count, sizeof *points);
    double *x = tw_arena_alloc(&s->arena, 3 * count, sizeof *x);
    if (!points || !x)
        return false;
    for (int32_t i = 0; i < sweep->count; i++)
        points[i] = (struct point){tw_sweep_value(s->c->experiment, sweep->variants[i], param),
                                   sweep->variants[i]};
    qsort(points, count, sizeof *points, by_x);
    for (size_t i = 0; i < count; i++) {
        struct tw_summary mean = tw_comparison_summary(s->c, points[i].variant, measure);
        x[i] = points[i].x;
        x[count + i] = mean.mean;
        x[2 * count + i] = mean.interval;
    }
    *series = (struct tw_series){.name = sweep->name,
                                 .x = x,
                                 .y = x + count,
                                 .half = tw_has_spread(s->c) ? x + 2 * count : NULL,
                                 .count = sweep->count};
    return true;
}

static void put_chart(struct sweeps *s, int32_t measure, const char *param,
                      const struct tw_series *series, int32_t count)
{
    char title[200];
    snprintf(title, sizeof title, "Mean of %s over %s", name_of(s, measure), param);
    fputs("<figure>", s->out);
    tw_chart_curves(s->out, title, param, series, count);
    fputs("<figcaption><b>", s->out);
    tw_html_text(s->out, name_of(s, measure));
    fputs("</b>, mean and its 95 % interval</figcaption></figure>\n", s->out);
}

static bool shares_param(const struct tw_sweep *a, const struct tw_sweep *b)
{
    return a->kind == TW_SWEEP_CURVE && b->kind == TW_SWEEP_CURVE &&
           strcmp(a->params[0], b->params[0]) == 0;
}

static void put_curves(struct sweeps *s, const struct tw_sweep *sweep)
{
    struct tw_series series[TW_SERIES_MAX];
    const char *names[TW_SERIES_MAX];
    int32_t count = 0, all = 0;
    for (const struct tw_sweep *other = sweep; other; other = other->next)
        if (shares_param(sweep, other) && all++ < TW_SERIES_MAX)
            names[count++] = other->name;
    tw_chart_key(s->out, names, count);
    if (all > count)
        fprintf(s->out, "<p class=\"note\">%d of %d curves.</p>\n", (int)count, (int)all);
    fputs("<div class=\"row wide\">\n", s->out);
    for (int32_t m = 0; m < s->c->experiment->measure_count; m++) {
        count = 0;
        for (const struct tw_sweep *other = sweep; other && count < TW_SERIES_MAX;
             other = other->next)
            count += shares_param(sweep, other) &&
                     fill_series(s, other, sweep->params[0], m, &series[count]);
        if (count > 0)
            put_chart(s, m, sweep->params[0], series, count);
    }
    fputs("</div>\n", s->out);
}

/* ---- drawn points ---- */

static void put_scatter(struct sweeps *s, const struct tw_sweep *sweep)
{
    fprintf(s->out,
            "<p>Each dot is one of the %d variants, wherever its other parameters stand: what "
            "those do is the height of the cloud.</p>\n",
            (int)sweep->count);
    for (int32_t m = 0; m < s->c->experiment->measure_count; m++) {
        fputs("<div class=\"row wide\">\n", s->out);
        for (int32_t i = 0; i < sweep->param_count; i++) {
            struct tw_series series;
            if (!fill_series(s, sweep, sweep->params[i], m, &series))
                continue;
            series.style = TW_SERIES_DOTS;
            put_chart(s, m, sweep->params[i], &series, 1);
        }
        fputs("</div>\n", s->out);
    }
}

/* ---- two parameters ---- */

static int32_t index_of(const double *values, double value)
{
    int32_t i = 0;
    while (values[i] < value)
        i++;
    return i;
}

/* Finds the range over all slices of the family, so that one colour means one value. */
static void find_range(const struct sweeps *s, int32_t family, int32_t measure,
                       struct tw_heat *heat)
{
    heat->low = INFINITY;
    heat->high = -INFINITY;
    for (const struct tw_sweep *slice = s->first; slice; slice = slice->next)
        for (int32_t i = 0; slice->family == family && i < slice->count; i++) {
            double mean = tw_comparison_summary(s->c, slice->variants[i], measure).mean;
            heat->low = mean < heat->low ? mean : heat->low;
            heat->high = mean > heat->high ? mean : heat->high;
        }
}

/* False if there are too many values for a chart, or memory runs out. */
static bool fill_heat(struct sweeps *s, const struct tw_sweep *sweep, int32_t measure,
                      struct tw_heat *heat)
{
    const struct tw_experiment *e = s->c->experiment;
    heat->down = sweep->params[0];
    heat->across = sweep->params[1];
    heat->x =
        tw_sweep_values(&s->arena, e, sweep->variants, sweep->count, heat->across, &heat->columns);
    heat->y = tw_sweep_values(&s->arena, e, sweep->variants, sweep->count, heat->down, &heat->rows);
    if (!heat->x || !heat->y || heat->columns > SIDE_MAX || heat->rows > SIDE_MAX)
        return false;
    double *values =
        tw_arena_alloc(&s->arena, (size_t)(heat->rows * heat->columns), sizeof *values);
    for (int32_t i = 0; values && i < heat->rows * heat->columns; i++)
        values[i] = NAN;
    for (int32_t i = 0; values && i < sweep->count; i++) {
        int32_t v = sweep->variants[i], row = index_of(heat->y, tw_sweep_value(e, v, heat->down));
        int32_t column = index_of(heat->x, tw_sweep_value(e, v, heat->across));
        values[row * heat->columns + column] = tw_comparison_summary(s->c, v, measure).mean;
    }
    heat->values = values;
    find_range(s, sweep->family, measure, heat);
    return values != NULL;
}

static void put_heat(struct sweeps *s, const struct tw_sweep *sweep, int32_t measure)
{
    struct tw_heat heat = {.values = NULL};
    char title[300];
    if (!fill_heat(s, sweep, measure, &heat)) {
        fprintf(s->out, "<p class=\"note\">A map of more than %d values a side is not drawn.</p>\n",
                SIDE_MAX);
        return;
    }
    snprintf(title, sizeof title, "Mean of %s over %s and %s%s%s", name_of(s, measure), heat.across,
             heat.down, sweep->sliced ? ", " : "", sweep->sliced ? sweep->name : "");
    heat.title = title;
    fputs("<figure>", s->out);
    tw_chart_heat(s->out, &heat);
    fputs("<figcaption><b>", s->out);
    tw_html_text(s->out, name_of(s, measure));
    fputs("</b>, mean", s->out);
    if (sweep->sliced) {
        fputs("; ", s->out);
        tw_html_text(s->out, sweep->name);
    }
    fputs("</figcaption></figure>\n", s->out);
}

/* Puts the slices of one measure side by side. */
static void put_maps(struct sweeps *s, const struct tw_sweep *sweep)
{
    int32_t all = 0;
    for (const struct tw_sweep *slice = sweep; slice; slice = slice->next)
        all += slice->family == sweep->family;
    if (all > SLICES_MAX)
        fprintf(s->out, "<p class=\"note\">%d of %d slices; the table has all.</p>\n", SLICES_MAX,
                (int)all);
    if (all == 1)
        fputs("<div class=\"row\">\n", s->out);
    for (int32_t m = 0; m < s->c->experiment->measure_count; m++) {
        int32_t count = 0;
        if (all > 1)
            fputs("<div class=\"row\">\n", s->out);
        for (const struct tw_sweep *slice = sweep; slice; slice = slice->next)
            if (slice->family == sweep->family && count++ < SLICES_MAX)
                put_heat(s, slice, m);
        if (all > 1)
            fputs("</div>\n", s->out);
    }
    if (all == 1)
        fputs("</div>\n", s->out);
}

/* ---- all ---- */

/* Whether an earlier sweep's chart includes this one. */
static bool is_shown(const struct sweeps *s, const struct tw_sweep *sweep)
{
    for (const struct tw_sweep *before = s->first; before != sweep; before = before->next)
        if (shares_param(before, sweep) || before->family == sweep->family)
            return true;
    return false;
}

static void put_sweep(struct sweeps *s, const struct tw_sweep *sweep)
{
    fputs("<h3>", s->out);
    for (int32_t i = 0; i < sweep->param_count; i++) {
        fputs(i == 0 ? "" : i + 1 < sweep->param_count ? ", " : " and ", s->out);
        tw_html_text(s->out, sweep->params[i]);
    }
    fputs("</h3>\n", s->out);
    if (sweep->kind == TW_SWEEP_CURVE)
        put_curves(s, sweep);
    else if (sweep->kind == TW_SWEEP_GRID)
        put_maps(s, sweep);
    else
        put_scatter(s, sweep);
}

bool tw_section_has_sweeps(const struct tw_comparison *c)
{
    struct tw_arena arena = {0};
    bool has = tw_sweeps_find(&arena, c->experiment) != NULL;
    tw_arena_release(&arena);
    return has;
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
