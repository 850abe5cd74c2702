/* SPDX-License-Identifier: MIT */
/* Charts with one row per variant: a line of words above each, a shared scale below. */
#include "report/charts/chart.h"

#include "base/text/number.h"
#include "report/verdict/verdict.h"

#include <inttypes.h>
#include <stdlib.h>

/* WORDS: the mark and "-1.04e-05 [-1.23e-05, -8.5e-06]"; NAME and SHORT: characters of a name,
 * alone and beside words */
enum {
    WIDTH = TW_CHART_WIDTH,
    LEFT = 22,
    RIGHT = WIDTH - 24,
    WORDS = 214,
    NAME = 50,
    SHORT = 20,
    ROW = 38,
    TOP = 8,
    FOOT = 40
};

struct rows {
    FILE *out;
    struct tw_scale scale;
    int bottom;
};

/* Of a row's words, and of its drawing. */
static double words_y(int32_t k) { return TOP + ROW * k + 12; }

static double row_y(int32_t k) { return TOP + ROW * k + 26; }

static void begin_rows(struct rows *rows, FILE *out, int32_t count, double low, double high)
{
    rows->out = out;
    rows->bottom = TOP + ROW * count;
    rows->scale = tw_scale_fit(low, high, LEFT, RIGHT, 4);
    tw_svg_ticks_below(out, &rows->scale, TOP, rows->bottom);
}

static void put_axis_name(const struct rows *rows, const char *text)
{
    tw_svg_text(rows->out, (LEFT + RIGHT) / 2.0, rows->bottom + 32, TW_MIDDLE, "soft", "%s", text);
}

/* ---- forest plot ---- */

static void find_intervals(const struct tw_comparison *c, const struct tw_choice *choice,
                           int32_t measure, double *low, double *high)
{
    *low = *high = 0;
    for (int32_t k = 0; k < choice->count; k++) {
        const struct tw_paired *p = tw_pair_of(c, choice->at[k], measure);
        if (choice->at[k] == c->experiment->baseline)
            continue;
        *low = p->low < *low ? p->low : *low;
        *high = p->high > *high ? p->high : *high;
    }
}

static void put_interval(const struct rows *rows, int32_t k, const struct tw_paired *p)
{
    const char *style = tw_verdict_style(p->verdict);
    double y = row_y(k), words = words_y(k);
    double left = tw_scale_at(&rows->scale, p->low), right = tw_scale_at(&rows->scale, p->high);
    fprintf(rows->out,
            "<g class=\"%s\" stroke-width=\"2\"><line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
            "y2=\"%.1f\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/></g>\n",
            style, left, y, right, y, tw_scale_at(&rows->scale, p->difference), y);
    tw_svg_text(rows->out, WIDTH - WORDS, words, TW_START, style, "%s",
                tw_verdict_mark(p->verdict));
    tw_svg_text(rows->out, WIDTH - 2, words, TW_END, "", "%+.3g [%+.3g, %+.3g]", p->difference,
                p->low, p->high);
}

void tw_chart_forest(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                     int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    struct rows rows;
    double low, high;
    int32_t at = 0, count = choice->count - 1;
    find_intervals(c, choice, measure, &low, &high);
    tw_svg_begin(out, WIDTH, TOP + ROW * count + FOOT,
                 "%s: mean paired difference to %s with its 95 %% interval, per variant",
                 e->measures[measure].name, e->variants[e->baseline].name);
    begin_rows(&rows, out, count, low, high);
    double zero = tw_scale_at(&rows.scale, 0);
    tw_svg_line(out, zero, TOP, zero, rows.bottom, "zero");
    for (int32_t k = 0; k < choice->count; k++) {
        if (choice->at[k] == e->baseline)
            continue;
        tw_svg_name(out, 0, words_y(at), TW_START, SHORT, e->variants[choice->at[k]].name);
        put_interval(&rows, at, tw_pair_of(c, choice->at[k], measure));
        at++;
    }
    put_axis_name(&rows, "paired difference");
    tw_svg_end(out);
}

/* ---- distributions ---- */

struct sample {
    double value;
    int32_t seed; /* index */
};

/* Interpolates linearly between the order statistics (Hyndman and Fan 1996, type 7). */
static double quantile(const struct sample *sorted, int32_t count, double share)
{
    double at = share * (count - 1);
    int32_t low = (int32_t)at, high = low + 1 < count ? low + 1 : low;
    return sorted[low].value + (at - low) * (sorted[high].value - sorted[low].value);
}

static void put_box(const struct rows *rows, double y, const struct sample *sorted, int32_t count)
{
    double q[3];
    for (int i = 0; i < 3; i++)
        q[i] = tw_scale_at(&rows->scale, quantile(sorted, count, (i + 1) / 4.0));
    tw_svg_line(rows->out, tw_scale_at(&rows->scale, sorted[0].value), y,
                tw_scale_at(&rows->scale, sorted[count - 1].value), y, "unshown");
    fprintf(rows->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"14\" class=\"box\"/>\n",
            q[0], y - 7, q[2] - q[0]);
    tw_svg_line(rows->out, q[1], y - 7, q[1], y + 7, "unshown\" stroke-width=\"2.5");
}

int32_t tw_chart_dot_step(int32_t seeds)
{
    enum { DOTS_MAX = 300 };
    return seeds / DOTS_MAX + 1;
}

/* Spreads the dots of a row over three lines, so that equal ones stay visible. */
static void put_dots(const struct rows *rows, double y, const struct tw_comparison *c, int32_t run,
                     const struct sample *sorted)
{
    int32_t step = tw_chart_dot_step(c->count);
    fprintf(rows->out, "<g class=\"c1\" data-run=\"%d\">", (int)(c->experiment->first_run + run));
    for (int32_t i = 0; i < c->count; i += step)
        fprintf(rows->out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" class=\"dot\" fill-opacity=\".6\" "
                "data-seed=\"%" PRIu64 "\"/>",
                tw_scale_at(&rows->scale, sorted[i].value), y + 4.5 * (i / step % 3 - 1),
                c->seeds[sorted[i].seed]);
    fputs("</g>\n", rows->out);
}

static int by_value(const void *a, const void *b)
{
    const struct sample *x = a, *y = b;
    int order = tw_number_compare(&x->value, &y->value);
    return order ? order : (x->seed > y->seed) - (x->seed < y->seed);
}

/* Sorts a variant's samples. */
static void sort_samples(const struct tw_comparison *c, int32_t variant, int32_t measure,
                         struct sample *sorted)
{
    const double *samples = tw_samples(c, variant, measure);
    for (int32_t i = 0; i < c->count; i++)
        sorted[i] = (struct sample){samples[i], i};
    qsort(sorted, (size_t)c->count, sizeof *sorted, by_value);
}

void tw_chart_spread(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                     int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    struct rows rows;
    struct sample *sorted = calloc((size_t)c->count + 1, sizeof *sorted);
    double low = 0, high = 0;
    if (!sorted)
        return;
    tw_chart_range(c, choice, measure, &low, &high);
    tw_svg_begin(out, WIDTH, TOP + ROW * choice->count + FOOT,
                 "%s: every seed, the median and the middle half, per variant",
                 e->measures[measure].name);
    begin_rows(&rows, out, choice->count, low, high);
    for (int32_t k = 0; k < choice->count; k++) {
        sort_samples(c, choice->at[k], measure, sorted);
        tw_svg_name(out, 0, words_y(k), TW_START, NAME, e->variants[choice->at[k]].name);
        put_box(&rows, row_y(k), sorted, c->count);
        put_dots(&rows, row_y(k), c, choice->at[k], sorted);
    }
    put_axis_name(&rows, e->measures[measure].name);
    tw_svg_end(out);
    free(sorted);
}
