/* SPDX-License-Identifier: MIT */
#include "report/charts/chart.h"

#include "report/html.h"

enum {
    WIDTH = TW_CHART_WIDTH,
    HEIGHT = 250,
    LEFT = 54,
    RIGHT = WIDTH - 24,
    TOP = 12,
    BOTTOM = 204
};

/* Lines also differ in their dashes, for readers who cannot tell the colours apart. */
static const char *const dashes[TW_SERIES_MAX] = {"", "7 3", "2 3", "9 3 2 3", "4 4", "12 4"};

struct plot {
    FILE *out;
    struct tw_scale x, y;
};

static void find_range(const struct tw_series *series, int32_t count, double *range)
{
    range[0] = range[1] = series[0].x[0];
    range[2] = range[3] = series[0].y[0];
    for (int32_t s = 0; s < count; s++)
        for (int32_t i = 0; i < series[s].count; i++) {
            double x = series[s].x[i], y = series[s].y[i];
            double half = series[s].half ? series[s].half[i] : 0;
            range[0] = x < range[0] ? x : range[0];
            range[1] = x > range[1] ? x : range[1];
            range[2] = y - half < range[2] ? y - half : range[2];
            range[3] = y + half > range[3] ? y + half : range[3];
        }
}

static struct plot begin_plot(FILE *out, const char *title, const char *across, const double *range)
{
    struct plot plot = {out, tw_scale_fit(range[0], range[1], LEFT, RIGHT, 4),
                        tw_scale_fit(range[2], range[3], BOTTOM, TOP, 5)};
    tw_svg_begin(out, WIDTH, HEIGHT, "%s", title);
    tw_svg_ticks_left(out, &plot.y, LEFT, RIGHT);
    tw_svg_ticks_below(out, &plot.x, TOP, BOTTOM);
    tw_svg_text(out, (LEFT + RIGHT) / 2.0, BOTTOM + 36, TW_MIDDLE, "soft", "%s", across);
    return plot;
}

static void begin_line(const struct plot *plot, int32_t series)
{
    fprintf(plot->out,
            "<g class=\"c%d\"><polyline class=\"curve\" stroke-dasharray=\"%s\" points=\"",
            (int)(series % TW_SERIES_MAX), dashes[series % TW_SERIES_MAX]);
}

static void put_intervals(const struct plot *plot, const struct tw_series *s)
{
    for (int32_t i = 0; i < s->count; i++) {
        double x = tw_scale_at(&plot->x, s->x[i]);
        fprintf(plot->out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" class=\"dot\"><title>%.4g: "
                "%.4g</title></circle>",
                x, tw_scale_at(&plot->y, s->y[i]), s->x[i], s->y[i]);
        if (s->half)
            tw_svg_line(plot->out, x, tw_scale_at(&plot->y, s->y[i] - s->half[i]), x,
                        tw_scale_at(&plot->y, s->y[i] + s->half[i]), "whisker");
    }
}

void tw_chart_curves(FILE *out, const char *title, const char *across,
                     const struct tw_series *series, int32_t count)
{
    double range[4];
    find_range(series, count, range);
    struct plot plot = begin_plot(out, title, across, range);
    for (int32_t s = 0; s < count; s++) {
        begin_line(&plot, s);
        for (int32_t i = 0; series[s].style != TW_SERIES_DOTS && i < series[s].count; i++)
            fprintf(out, "%.1f,%.1f ", tw_scale_at(&plot.x, series[s].x[i]),
                    tw_scale_at(&plot.y, series[s].y[i]));
        fputs("\"/>", out);
        if (series[s].style != TW_SERIES_LINE)
            put_intervals(&plot, &series[s]);
        fputs("</g>\n", out);
    }
    tw_svg_end(out);
}

void tw_chart_steps(FILE *out, const char *title, const char *across,
                    const struct tw_series *series, int32_t count, double width)
{
    double range[4];
    find_range(series, count, range);
    range[1] += width;
    range[2] = 0;
    struct plot plot = begin_plot(out, title, across, range);
    for (int32_t s = 0; s < count; s++) {
        begin_line(&plot, s);
        for (int32_t i = 0; i < series[s].count; i++)
            fprintf(out, "%.1f,%.1f %.1f,%.1f ", tw_scale_at(&plot.x, series[s].x[i]),
                    tw_scale_at(&plot.y, series[s].y[i]),
                    tw_scale_at(&plot.x, series[s].x[i] + width),
                    tw_scale_at(&plot.y, series[s].y[i]));
        fputs("\"/></g>\n", out);
    }
    tw_svg_end(out);
}

static void put_key(FILE *out, int32_t i, const char *dash, const char *name)
{
    fprintf(out,
            "<span class=\"key c%d\"><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\"><line "
            "x1=\"0\" y1=\"5\" x2=\"26\" y2=\"5\" class=\"curve\" "
            "stroke-dasharray=\"%s\"/></svg>",
            (int)(i % TW_SERIES_MAX), dash);
    tw_html_text(out, name);
    fputs("</span>", out);
}

void tw_chart_key(FILE *out, const char *const *names, int32_t count)
{
    fputs("<p>", out);
    for (int32_t i = 0; i < count; i++)
        put_key(out, i, dashes[i % TW_SERIES_MAX], names[i]);
    fputs("</p>\n", out);
}

void tw_chart_key_of_colours(FILE *out, const char *const *names, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        put_key(out, i, "none", names[i]);
}
