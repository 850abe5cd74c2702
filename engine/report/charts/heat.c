/* SPDX-License-Identifier: MIT */
#include "report/charts/chart.h"

#include "report/html.h"

#include <math.h>

enum { CELL = 64, CELL_MIN = 38, DOWN = 30, LEFT = 92, TOP = 8, FOOT = 44 };

/* From low to high: every fourth colour of viridis (van der Walt and Smith 2015), whose lightness
 * rises evenly. */
static const int colours[5][3] = {
    {68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}};

static void colour_of(double share, int *rgb)
{
    int below = share >= 1 ? 3 : (int)(share * 4);
    double rest = share * 4 - below;
    for (int k = 0; k < 3; k++)
        rgb[k] =
            (int)(colours[below][k] + rest * (colours[below + 1][k] - colours[below][k]) + 0.5);
}

/* Width of a cell: narrower where many would leave the screen of a phone. */
static int cell_of(const struct tw_heat *heat)
{
    int width = (TW_CHART_WIDTH - LEFT - 4) / heat->columns;
    return width > CELL ? CELL : width < CELL_MIN ? CELL_MIN : width;
}

static void put_cell(FILE *out, double x, double y, int width, double value, double share)
{
    int rgb[3];
    colour_of(share, rgb);
    fprintf(out, "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"rgb(%d,%d,%d)\"/>",
            x, y, width - 1, DOWN - 1, rgb[0], rgb[1], rgb[2]);
    fprintf(out,
            "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\" style=\"fill:%s\">%.3g</text>\n",
            x + width / 2.0, y + DOWN / 2.0 + 4, share > 0.55 ? "#000" : "#fff", value);
}

void tw_chart_heat(FILE *out, const struct tw_heat *heat)
{
    double range = heat->high - heat->low;
    int bottom = TOP + DOWN * heat->rows, cell = cell_of(heat);
    tw_svg_begin(out, LEFT + cell * heat->columns + 4, bottom + FOOT, "%s", heat->title);
    for (int32_t r = 0; r < heat->rows; r++) {
        double y = TOP + DOWN * (heat->rows - 1 - r);
        tw_svg_text(out, LEFT - 8, y + DOWN / 2.0 + 4, TW_END, "soft", "%.4g", heat->y[r]);
        for (int32_t k = 0; k < heat->columns; k++) {
            double value = heat->values[r * heat->columns + k];
            if (!isnan(value))
                put_cell(out, LEFT + cell * k, y, cell, value,
                         range > 0 ? (value - heat->low) / range : 0.5);
        }
    }
    for (int32_t k = 0; k < heat->columns; k++)
        tw_svg_text(out, LEFT + cell * (k + 0.5), bottom + 16, TW_MIDDLE, "soft", "%.4g",
                    heat->x[k]);
    tw_svg_text(out, LEFT + cell * heat->columns / 2.0, bottom + 36, TW_MIDDLE, "", "%s",
                heat->across);
    fprintf(out, "<text x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">",
            (TOP + bottom) / 2, (TOP + bottom) / 2);
    tw_html_text(out, heat->down);
    fputs("</text>\n", out);
    tw_svg_end(out);
}
