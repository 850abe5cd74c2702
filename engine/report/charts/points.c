/* SPDX-License-Identifier: MIT */
#include "report/charts/chart.h"

enum {
    WIDTH = TW_CHART_WIDTH,
    HEIGHT = 290,
    LEFT = 58,
    RIGHT = WIDTH - 122, /* names stand beside the points */
    TOP = 12,
    BOTTOM = 240,
    LINE = 15
};

static double greatest(const double *values, int32_t count)
{
    double most = 0;
    for (int32_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

/* Sorts points from the top down, so that names can move down. */
static void sort_by_top(const double *top, int32_t count, int32_t *order)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t k = i;
        for (; k > 0 && top[order[k - 1]] > top[i]; k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

/* Finds the first free line for a name at the point or below it. */
static double find_line(const double *left, const double *line, const int32_t *order, int32_t at,
                        double top)
{
    double y = top;
    for (int32_t k = 0; k < at; k++) {
        double distance = left[order[k]] - left[order[at]], over = y - line[order[k]];
        if (distance < 130 && distance > -130 && over < LINE && over > -LINE) {
            y = line[order[k]] + LINE;
            k = -1;
        }
    }
    return y;
}

static void put_points(FILE *out, const struct tw_points *p, const struct tw_scale *x,
                       const struct tw_scale *y)
{
    double left[TW_POINTS_MAX], top[TW_POINTS_MAX], line[TW_POINTS_MAX];
    int32_t order[TW_POINTS_MAX];
    for (int32_t i = 0; i < p->count; i++) {
        left[i] = tw_scale_at(x, p->x[i]);
        top[i] = tw_scale_at(y, p->y[i]);
    }
    sort_by_top(top, p->count, order);
    for (int32_t k = 0; k < p->count; k++) {
        int32_t i = order[k];
        line[i] = find_line(left, line, order, k, top[i]);
        fprintf(out,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" class=\"dot c1\"><title>%.4g, "
                "%.4g</title></circle>\n",
                left[i], top[i], p->x[i], p->y[i]);
        if (line[i] > top[i])
            tw_svg_line(out, left[i], top[i], left[i] + 8, line[i], "axis");
        tw_svg_name(out, left[i] + 10, line[i] + 4, TW_START, 16, p->names[i]);
    }
}

/* Both scales begin at 0: the place of a point without any effect. */
void tw_chart_points(FILE *out, const struct tw_points *p)
{
    struct tw_scale x = tw_scale_fit(0, greatest(p->x, p->count), LEFT, RIGHT, 4);
    struct tw_scale y = tw_scale_fit(0, greatest(p->y, p->count), BOTTOM, TOP, 5);
    double equal = x.high < y.high ? x.high : y.high;
    tw_svg_begin(out, WIDTH, HEIGHT, "%s", p->title);
    tw_svg_ticks_left(out, &y, LEFT, RIGHT);
    tw_svg_ticks_below(out, &x, TOP, BOTTOM);
    tw_svg_line(out, LEFT, BOTTOM, tw_scale_at(&x, equal), tw_scale_at(&y, equal), "zero");
    put_points(out, p, &x, &y);
    tw_svg_text(out, (LEFT + RIGHT) / 2.0, BOTTOM + 36, TW_MIDDLE, "soft", "%s", p->across);
    fprintf(out,
            "<text x=\"14\" y=\"%d\" text-anchor=\"middle\" class=\"soft\" transform=\"rotate(-90 "
            "14 %d)\">%s</text>\n",
            (TOP + BOTTOM) / 2, (TOP + BOTTOM) / 2, p->up);
    tw_svg_end(out);
}
