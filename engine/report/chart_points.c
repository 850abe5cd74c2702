/* SPDX-License-Identifier: MIT */
#include "report/chart.h"

enum { WIDTH = 560, HEIGHT = 320, LEFT = 62, RIGHT = 470, TOP = 12, BOTTOM = 270 };

static double greatest(const double *values, int32_t count)
{
    double most = 0;
    for (int32_t i = 0; i < count; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

/* Both scales begin at 0, which is where a point without any effect is. */
void tw_chart_points(FILE *out, const struct tw_points *p)
{
    struct tw_scale x = tw_scale_fit(0, greatest(p->x, p->count), LEFT, RIGHT, 6);
    struct tw_scale y = tw_scale_fit(0, greatest(p->y, p->count), BOTTOM, TOP, 5);
    tw_svg_begin(out, WIDTH, HEIGHT, "%s", p->title);
    tw_svg_ticks_left(out, &y, LEFT, RIGHT);
    tw_svg_ticks_below(out, &x, TOP, BOTTOM);
    for (int32_t i = 0; i < p->count; i++) {
        double left = tw_scale_at(&x, p->x[i]), top = tw_scale_at(&y, p->y[i]);
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" class=\"dot c1\"/>\n", left, top);
        tw_svg_name(out, left + 8, top + 4, TW_START, 16, p->names[i]);
    }
    tw_svg_text(out, (LEFT + RIGHT) / 2.0, BOTTOM + 36, TW_MIDDLE, "soft", "%s", p->across);
    tw_svg_text(out, LEFT + 4, TOP + 10, TW_START, "soft", "%s", p->up);
    tw_svg_end(out);
}
