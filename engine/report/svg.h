/* SPDX-License-Identifier: MIT */
/* Pictures drawn with lines and text: scales, ticks, and the few shapes that charts are made of.
 * Colours come from classes of page.css, so that charts follow light and dark. */
#ifndef TW_ENGINE_REPORT_SVG_H
#define TW_ENGINE_REPORT_SVG_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdio.h>

/* Values from `low` to `high` on pixels from `from` to `to`, which may fall. */
struct tw_scale {
    double low, high, from, to;
    double step; /* between ticks: 1, 2 or 5 times a power of ten */
    int digits;  /* behind the point of a tick's label */
};

/* Holds low..high, with about `ticks` ticks. Where low = high, a little on both sides of it. */
struct tw_scale tw_scale_fit(double low, double high, double from, double to, int ticks);
double tw_scale_at(const struct tw_scale *scale, double value);

enum tw_anchor { TW_START, TW_MIDDLE, TW_END };

/* <svg> and its title, which is what screen readers say. */
void tw_svg_begin(FILE *out, int width, int height, const char *format, ...) TW_PRINTF(4, 5);
void tw_svg_end(FILE *out);
/* `style` is a class, or "" for none. */
void tw_svg_text(FILE *out, double x, double y, enum tw_anchor anchor, const char *style,
                 const char *format, ...) TW_PRINTF(6, 7);
/* Text of at most `most` characters; all of it in a title when it is cut. */
void tw_svg_name(FILE *out, double x, double y, enum tw_anchor anchor, int most, const char *name);
void tw_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style);
/* Ticks with labels and lines across: below for a scale that runs to the right, on the left for one
 * that runs upwards; `to` is where the lines end. */
void tw_svg_ticks_below(FILE *out, const struct tw_scale *scale, double top, double bottom);
void tw_svg_ticks_left(FILE *out, const struct tw_scale *scale, double left, double right);

#endif
