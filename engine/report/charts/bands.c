/* SPDX-License-Identifier: MIT */
/* Numbers and the band in which each should lie: one row per number, whose own scale has the ends
 * of its band where all rows have them. */
#include "report/charts/chart.h"

enum { WIDTH = 380, NAMES = 76, LEFT = 88, RIGHT = WIDTH - 14, TOP = 6, FOOT = 24, LINE = 9 };
#define FAR 3.0 /* where a scale ends */

static double place_at(double place)
{
    const double within = place < -FAR ? -FAR : place > FAR ? FAR : place;
    return LEFT + (within + FAR) / (2 * FAR) * (RIGHT - LEFT);
}

static void put_band(FILE *out, int bottom)
{
    static const char *const words[] = {"5 %", "median", "95 %"};
    fprintf(out, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" class=\"box\"/>\n",
            place_at(-1), TOP, place_at(1) - place_at(-1), bottom - TOP);
    tw_svg_line(out, place_at(0), TOP, place_at(0), bottom, "zero");
    for (int i = 0; i < 3; i++)
        tw_svg_text(out, place_at(i - 1), bottom + 16, TW_MIDDLE, "soft", "%s", words[i]);
}

/* What lies off the scale is an arrow at its end. */
static void put_value(FILE *out, double y, const struct tw_placed *value)
{
    const double at = place_at(value->mean);
    fprintf(out,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"whisker\"/>"
            "<g class=\"dot\"><title>%s</title>",
            place_at(value->low), y, place_at(value->high), y, value->words);
    if (value->mean >= -FAR && value->mean <= FAR)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/></g>\n", at, y);
    else
        fprintf(out, "<path d=\"M%.1f %.1fv8l%d -4z\"/></g>\n", at, y - 4,
                value->mean > 0 ? 8 : -8);
}

void tw_chart_bands(FILE *out, const struct tw_band_chart *bands)
{
    const int row = LINE * bands->series + 10, bottom = TOP + row * bands->count;
    tw_svg_begin(out, WIDTH, bottom + FOOT, "%s", bands->title);
    put_band(out, bottom);
    for (int32_t i = 0; i < bands->count; i++) {
        const double top = TOP + (double)row * i;
        if (i > 0)
            tw_svg_line(out, 0, top, WIDTH, top, "axis");
        tw_svg_text(out, NAMES, top + row / 2.0 + 4, TW_END, "", "%s", bands->names[i]);
        for (int32_t s = 0; s < bands->series; s++) {
            fprintf(out, "<g class=\"c%d\">", (int)(s % TW_SERIES_MAX));
            put_value(out, top + 5 + LINE * (s + 0.5), &bands->values[i][s]);
            fputs("</g>\n", out);
        }
    }
    tw_svg_end(out);
}
