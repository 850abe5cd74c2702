/* SPDX-License-Identifier: MIT */
#include "report/charts/chart.h"

#include "report/html.h"

enum {
    WIDTH = TW_CHART_WIDTH,
    HEIGHT = 300,
    LEFT = 58,
    RIGHT = WIDTH - 24,
    TOP = 12,
    BOTTOM = 254
};

struct plot {
    FILE *out;
    const struct tw_scatter *s;
    struct tw_scale x, y;
};

static double x_of(const struct plot *plot, int32_t i)
{
    return plot->s->signs[0] * plot->s->front->points[i].x;
}

static double y_of(const struct plot *plot, int32_t i)
{
    return plot->s->signs[1] * plot->s->front->points[i].y;
}

static void fit(struct plot *plot)
{
    double low[2] = {x_of(plot, 0), y_of(plot, 0)}, high[2] = {low[0], low[1]};
    for (int32_t i = 1; i < plot->s->front->count; i++) {
        const double at[2] = {x_of(plot, i), y_of(plot, i)};
        for (int k = 0; k < 2; k++) {
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high[k] = at[k] > high[k] ? at[k] : high[k];
        }
    }
    plot->x = tw_scale_fit(low[0], high[0], LEFT, RIGHT, 4);
    plot->y = tw_scale_fit(low[1], high[1], BOTTOM, TOP, 5);
}

static void put_line(const struct plot *plot)
{
    fputs("<g class=\"c1\"><polyline class=\"curve\" points=\"", plot->out);
    for (int32_t i = 0; i < plot->s->front->on; i++)
        fprintf(plot->out, "%.1f,%.1f ", tw_scale_at(&plot->x, x_of(plot, i)),
                tw_scale_at(&plot->y, y_of(plot, i)));
    fputs("\"/></g>\n", plot->out);
}

/* Dots of the front are blue, its knee and the best larger. */
static void put_dot(const struct plot *plot, int32_t i)
{
    const struct tw_front_set *front = plot->s->front;
    int32_t at = front->points[i].at;
    bool large = i == front->knee || at == plot->s->best;
    fprintf(plot->out,
            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" class=\"dot %s\" data-run=\"%s%d\"><title>",
            tw_scale_at(&plot->x, x_of(plot, i)), tw_scale_at(&plot->y, y_of(plot, i)),
            large ? "6" : "4", i < front->on ? "c1" : "c0", plot->s->group,
            (int)(plot->s->first_run + at));
    fprintf(plot->out, "%.4g, %.4g%s%s</title></circle>\n", x_of(plot, i), y_of(plot, i),
            i == front->knee ? ", the knee" : "", at == plot->s->best ? ", the best trial" : "");
}

void tw_chart_scatter(FILE *out, const struct tw_scatter *scatter)
{
    struct plot plot = {.out = out, .s = scatter};
    fit(&plot);
    tw_svg_begin(out, WIDTH, HEIGHT, "%s", scatter->title);
    tw_svg_ticks_left(out, &plot.y, LEFT, RIGHT);
    tw_svg_ticks_below(out, &plot.x, TOP, BOTTOM);
    put_line(&plot);
    for (int32_t i = scatter->front->count; i-- > 0;)
        put_dot(&plot, i);
    tw_svg_text(out, (LEFT + RIGHT) / 2.0, BOTTOM + 36, TW_MIDDLE, "soft", "%s", scatter->across);
    fprintf(out,
            "<text x=\"14\" y=\"%d\" text-anchor=\"middle\" class=\"soft\" transform=\"rotate(-90 "
            "14 %d)\">",
            (TOP + BOTTOM) / 2, (TOP + BOTTOM) / 2);
    tw_html_text(out, scatter->up);
    fputs("</text>\n", out);
    tw_svg_end(out);
}
