/* SPDX-License-Identifier: MIT */
/* Charts with one row per variant: names on the left, a shared scale below. */
#include "report/chart.h"

#include "base/text/number.h"
#include "report/verdict.h"

#include <stdlib.h>
#include <string.h>

/* WORDS: the mark and "-1.04e-05 [-1.23e-05, -8.5e-06]" */
enum { WIDTH = 600, NAMES = 150, WORDS = 250, ROW = 26, TOP = 8, FOOT = 40 };

struct rows {
    FILE *out;
    struct tw_scale scale;
    int bottom;
};

static double row_y(int32_t k) { return TOP + ROW * (k + 0.5); }

static void begin_rows(struct rows *rows, FILE *out, int32_t count, double low, double high,
                       double right)
{
    rows->out = out;
    rows->bottom = TOP + ROW * count;
    rows->scale = tw_scale_fit(low, high, NAMES + 10, right, 5);
    tw_svg_ticks_below(out, &rows->scale, TOP, rows->bottom);
}

static void put_axis_name(const struct rows *rows, double right, const char *text)
{
    tw_svg_text(rows->out, (NAMES + 10 + right) / 2, rows->bottom + 32, TW_MIDDLE, "soft", "%s",
                text);
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

static void put_interval(const struct rows *rows, double y, const struct tw_paired *p)
{
    const char *style = tw_verdict_style(p->verdict);
    double left = tw_scale_at(&rows->scale, p->low), right = tw_scale_at(&rows->scale, p->high);
    fprintf(rows->out,
            "<g class=\"%s\" stroke-width=\"2\"><line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
            "y2=\"%.1f\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/></g>\n",
            style, left, y, right, y, tw_scale_at(&rows->scale, p->difference), y);
    tw_svg_text(rows->out, WIDTH - WORDS + 14, y + 4, TW_START, style, "%s",
                tw_verdict_mark(p->verdict));
    tw_svg_text(rows->out, WIDTH - 2, y + 4, TW_END, "", "%+.3g [%+.3g, %+.3g]", p->difference,
                p->low, p->high);
}

void tw_chart_forest(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                     int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    const double right = WIDTH - WORDS;
    struct rows rows;
    double low, high;
    int32_t at = 0, count = choice->count - 1;
    find_intervals(c, choice, measure, &low, &high);
    tw_svg_begin(out, WIDTH, TOP + ROW * count + FOOT,
                 "%s: mean paired difference to %s with its 95 %% interval, per variant",
                 e->measures[measure].name, e->variants[e->baseline].name);
    begin_rows(&rows, out, count, low, high, right);
    double zero = tw_scale_at(&rows.scale, 0);
    tw_svg_line(out, zero, TOP, zero, rows.bottom, "zero");
    for (int32_t k = 0; k < choice->count; k++) {
        if (choice->at[k] == e->baseline)
            continue;
        tw_svg_name(out, NAMES - 4, row_y(at) + 4, TW_END, 20, e->variants[choice->at[k]].name);
        put_interval(&rows, row_y(at), tw_pair_of(c, choice->at[k], measure));
        at++;
    }
    put_axis_name(&rows, right, "paired difference");
    tw_svg_end(out);
}

/* ---- distributions ---- */

/* Interpolates linearly between the order statistics (Hyndman and Fan 1996, type 7). */
static double quantile(const double *sorted, int32_t count, double share)
{
    double at = share * (count - 1);
    int32_t low = (int32_t)at, high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

static void put_box(const struct rows *rows, double y, const double *sorted, int32_t count)
{
    double q[3];
    for (int i = 0; i < 3; i++)
        q[i] = tw_scale_at(&rows->scale, quantile(sorted, count, (i + 1) / 4.0));
    tw_svg_line(rows->out, tw_scale_at(&rows->scale, sorted[0]), y,
                tw_scale_at(&rows->scale, sorted[count - 1]), y, "unshown");
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
static void put_dots(const struct rows *rows, double y, const double *sorted, int32_t count)
{
    int32_t step = tw_chart_dot_step(count);
    fputs("<g class=\"c1\">", rows->out);
    for (int32_t i = 0; i < count; i += step)
        fprintf(rows->out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" class=\"dot\" fill-opacity=\".6\"/>",
                tw_scale_at(&rows->scale, sorted[i]), y + 4.5 * (i / step % 3 - 1));
    fputs("</g>\n", rows->out);
}

void tw_chart_spread(FILE *out, const struct tw_comparison *c, const struct tw_choice *choice,
                     int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    struct rows rows;
    double low = 0, high = 0, *sorted = calloc((size_t)c->count + 1, sizeof *sorted);
    if (!sorted)
        return;
    tw_chart_range(c, choice, measure, &low, &high);
    tw_svg_begin(out, WIDTH, TOP + ROW * choice->count + FOOT,
                 "%s: every seed, the median and the middle half, per variant",
                 e->measures[measure].name);
    begin_rows(&rows, out, choice->count, low, high, WIDTH - 16);
    for (int32_t k = 0; k < choice->count; k++) {
        memcpy(sorted, tw_samples(c, choice->at[k], measure), (size_t)c->count * sizeof *sorted);
        qsort(sorted, (size_t)c->count, sizeof *sorted, tw_number_compare);
        tw_svg_name(out, NAMES - 4, row_y(k) + 4, TW_END, 20, e->variants[choice->at[k]].name);
        put_box(&rows, row_y(k), sorted, c->count);
        put_dots(&rows, row_y(k), sorted, c->count);
    }
    put_axis_name(&rows, WIDTH - 16, e->measures[measure].name);
    tw_svg_end(out);
    free(sorted);
}
