/* SPDX-License-Identifier: MIT */
/* Draws pictures of lines and text: scales, ticks, and the few shapes that charts need. Colours
 * come from classes of page.css, so that charts follow light and dark. */
#ifndef TW_ENGINE_REPORT_CHARTS_SVG_H
#define TW_ENGINE_REPORT_CHARTS_SVG_H

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdio.h>

/* Maps values from `low` to `high` to pixels from `from` to `to`, which may fall. */
struct tw_scale {
    double low, high, from, to;
    double step; /* between ticks: 1, 2 or 5 times a power of ten */
    int digits;  /* decimals of a tick's label */
};

/* Fits a scale to low..high, with about `ticks` ticks; widens it a little if low = high. */
struct tw_scale tw_scale_fit(double low, double high, double from, double to, int ticks);
double tw_scale_at(const struct tw_scale *scale, double value);

enum tw_anchor { TW_START, TW_MIDDLE, TW_END };

/* Begins an <svg> with a title, which screen readers read. */
void tw_svg_begin(FILE *out, int width, int height, const char *format, ...) TW_PRINTF(4, 5);
void tw_svg_end(FILE *out);
/* `style` is a class, or "" for none. */
void tw_svg_text(FILE *out, double x, double y, enum tw_anchor anchor, const char *style,
                 const char *format, ...) TW_PRINTF(6, 7);
/* Writes at most `most` characters of a text; if it is cut, a title has all of it. */
void tw_svg_name(FILE *out, double x, double y, enum tw_anchor anchor, int most, const char *name);
void tw_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style);
/* Ticks with labels and lines across: below for a scale that runs to the right, on the left for one
 * that runs upwards. The lines end at `to`. */
void tw_svg_ticks_below(FILE *out, const struct tw_scale *scale, double top, double bottom);
void tw_svg_ticks_left(FILE *out, const struct tw_scale *scale, double left, double right);

#endif
