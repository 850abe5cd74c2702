/* SPDX-License-Identifier: MIT */
#include "report/charts/svg.h"

#include "report/html.h"

#include <math.h>
#include <stdarg.h>

/* 1, 2 or 5 times a power of ten, at least `least`. */
static double round_step(double least, int *digits)
{
    static const double factors[] = {1, 2, 5, 10};
    double power = 1;
    *digits = 0;
    for (; power > least && *digits < 300; (*digits)++)
        power /= 10;
    for (; power * 10 < least && power < 1e300; (*digits)--)
        power *= 10;
    for (int i = 0; i < 4; i++)
        if (power * factors[i] >= least) {
            *digits = *digits - (i == 3) > 0 ? *digits - (i == 3) : 0;
            return power * factors[i];
        }
    return least;
}

struct tw_scale tw_scale_fit(double low, double high, double from, double to, int ticks)
{
    struct tw_scale s = {.from = from, .to = to};
    double margin = fabs(low) > 1e-9 ? fabs(low) * 0.05 : 0.5;
    if (!(high - low > fabs(low) * 1e-9)) { /* one value: steps would vanish in rounding */
        high = low + margin;
        low -= margin;
    }
    s.step = round_step((high - low) / ticks, &s.digits);
    s.low = floor(low / s.step + 1e-9) * s.step;
    s.high = ceil(high / s.step - 1e-9) * s.step;
    return s;
}

double tw_scale_at(const struct tw_scale *s, double value)
{
    return s->from + (value - s->low) / (s->high - s->low) * (s->to - s->from);
}

enum { NARROW = 400 }; /* px: wider charts scroll on a small screen, so that text stays legible */

void tw_svg_begin(FILE *out, int width, int height, const char *format, ...)
{
    char title[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(title, sizeof title, format, arguments);
    va_end(arguments);
    fprintf(out, "<svg role=\"img\"%s viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\"><title>",
            width > NARROW ? " class=\"wide\"" : "", width, height, width, height);
    tw_html_text(out, title);
    fputs("</title>\n", out);
}

void tw_svg_end(FILE *out) { fputs("</svg>\n", out); }

static void begin_text(FILE *out, double x, double y, enum tw_anchor anchor, const char *style)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\"%s", x, y, anchors[anchor]);
    if (style[0])
        fprintf(out, " class=\"%s\"", style);
    fputs(">", out);
}

void tw_svg_text(FILE *out, double x, double y, enum tw_anchor anchor, const char *style,
                 const char *format, ...)
{
    char text[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    begin_text(out, x, y, anchor, style);
    tw_html_text(out, text);
    fputs("</text>\n", out);
}

/* Bytes of the first `most` characters of UTF-8. */
static size_t bytes_of(const char *text, int most)
{
    size_t i = 0;
    for (int count = 0; text[i]; i++)
        if (((unsigned char)text[i] & 0xC0) != 0x80 && ++count > most)
            break;
    return i;
}

void tw_svg_name(FILE *out, double x, double y, enum tw_anchor anchor, int most, const char *name)
{
    char cut[300];
    bool fits = !name[bytes_of(name, most)];
    snprintf(cut, sizeof cut, "%.*s%s", (int)bytes_of(name, fits ? most : most - 1), name,
             fits ? "" : "\xE2\x80\xA6");
    begin_text(out, x, y, anchor, "");
    if (!fits) {
        fputs("<title>", out);
        tw_html_text(out, name);
        fputs("</title>", out);
    }
    tw_html_text(out, cut);
    fputs("</text>\n", out);
}

void tw_svg_line(FILE *out, double x1, double y1, double x2, double y2, const char *style)
{
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1,
            x2, y2, style);
}

static int tick_count(const struct tw_scale *s)
{
    return (int)((s->high - s->low) / s->step + 0.5) + 1;
}

/* Turns -0.00 into 0.00. */
static double tick_value(const struct tw_scale *s, int i)
{
    double value = s->low + i * s->step;
    return fabs(value) < s->step / 2 ? 0 : value;
}

void tw_svg_ticks_below(FILE *out, const struct tw_scale *s, double top, double bottom)
{
    for (int i = 0; i < tick_count(s); i++) {
        double value = tick_value(s, i), x = tw_scale_at(s, value);
        tw_svg_line(out, x, top, x, bottom, "axis");
        tw_svg_text(out, x, bottom + 14, TW_MIDDLE, "soft", "%.*f", s->digits, value);
    }
}

void tw_svg_ticks_left(FILE *out, const struct tw_scale *s, double left, double right)
{
    for (int i = 0; i < tick_count(s); i++) {
        double value = tick_value(s, i), y = tw_scale_at(s, value);
        tw_svg_line(out, left, y, right, y, "axis");
        tw_svg_text(out, left - 6, y + 4, TW_END, "soft", "%.*f", s->digits, value);
    }
}
