/* SPDX-License-Identifier: MIT */
/* A comparison as one page without scripts or other files: a table and a chart a measure, and a
 * picture a variant. */
#include "cli/compare.h"
#include "cli/page.h"
#include "field/codec.h"

#include <inttypes.h>
#include <string.h>

static const char head[] =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>\n<style>\n"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:75em;margin:2em auto;padding:0 1em}\n"
    "table{border-collapse:collapse;margin:.5em 0 2em}td,th{padding:.2em .8em;text-align:right}\n"
    "th:first-child,td:first-child{text-align:left}tr:nth-child(even){background:#8881}\n"
    "figure{display:inline-block;margin:.5em}img{width:256px;image-rendering:auto}\n"
    "@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}}\n"
    "</style></head><body>\n";

/* Means as points, confidence as bars, on a scale from the least to the greatest. */
static void put_bar(FILE *out, const struct tw_summary *s, double low, double high)
{
    double scale = high > low ? 240 / (high - low) : 0;
    double left = (s->mean - s->interval - low) * scale, mean = (s->mean - low) * scale;
    fprintf(out,
            "<svg width=\"250\" height=\"14\"><line x1=\"%.1f\" x2=\"%.1f\" y1=\"7\" y2=\"7\" "
            "stroke=\"#888\" stroke-width=\"3\"/><circle cx=\"%.1f\" cy=\"7\" r=\"4\" "
            "fill=\"#2a7ae2\"/></svg>",
            5 + left, 5 + left + 2 * s->interval * scale, 5 + mean);
}

static void put_measure(FILE *out, const struct tw_comparison *c, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    double low = 1e300, high = -1e300;
    for (int32_t v = 0; v < e->variant_count; v++) {
        struct tw_summary s = tw_comparison_summary(c, v, measure);
        low = s.mean - s.interval < low ? s.mean - s.interval : low;
        high = s.mean + s.interval > high ? s.mean + s.interval : high;
    }
    fputs("<h2>", out);
    tw_page_text(out, e->measures[measure].name);
    fprintf(out, "</h2><table><tr><th>variant<th>mean<th>deviation<th>95 %% of the mean<th>%s\n",
            e->baseline >= 0 ? "<th>paired difference<th>95 % of it<th>verdict<th>p (Holm)" : "");
    for (int32_t v = 0; v < e->variant_count; v++) {
        struct tw_summary s = tw_comparison_summary(c, v, measure);
        fputs("<tr><td>", out);
        tw_page_text(out, e->variants[v].name);
        fprintf(out, "<td>%.4f", s.mean);
        if (tw_has_spread(c))
            fprintf(out, "<td>%.4f<td>%.4f to %.4f<td>", s.deviation, s.mean - s.interval,
                    s.mean + s.interval);
        else
            fputs("<td>-<td>-<td>", out);
        put_bar(out, &s, low, high);
        if (e->baseline >= 0 && v != e->baseline) {
            struct tw_summary d = tw_comparison_difference(c, v, measure);
            fprintf(out, "<td>%+.4f", d.mean);
            if (tw_has_spread(c))
                fprintf(out, "<td>%+.4f to %+.4f", d.mean - d.interval, d.mean + d.interval);
            else
                fputs("<td>-", out);
            const struct tw_paired *p = tw_pair_of(c, v, measure);
            fprintf(out, "<td>%s<td>%.3g", tw_verdict_names[p->verdict], p->holm_p);
        }
        fputs("\n", out);
    }
    fputs("</table>\n", out);
}

static void put_pictures(FILE *out, const struct tw_comparison *c)
{
    fprintf(out, "<h2>Pictures</h2><p>Seed %" PRIu64 ".</p>\n", c->seeds[0]);
    for (int32_t v = 0; c->pictures && v < c->experiment->variant_count; v++) {
        if (!c->pictures[v].at)
            continue;
        fputs("<figure>", out);
        tw_page_picture(out, c->experiment->variants[v].name, &c->pictures[v]);
        fputs("<figcaption>", out);
        tw_page_text(out, c->experiment->variants[v].name);
        fputs("</figcaption></figure>\n", out);
    }
}

void tw_compare_html(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    fprintf(out, head, "thalweg compare");
    fputs("<h1>", out);
    tw_page_text(out, e->file);
    fputs("</h1><p>", out);
    tw_page_text(out, e->about);
    fprintf(out, "</p><p>%d seeds from %" PRIu64 ", %d x %d cells, thalweg " TW_VERSION ".",
            (int)c->total, c->seeds[0], (int)c->width, (int)c->height);
    if (e->baseline >= 0) {
        fputs(" Differences are to ", out);
        tw_page_text(out, e->variants[e->baseline].name);
        fputs(" with the same seed.", out);
    }
    fputs("</p>\n", out);
    for (int32_t m = 0; m < e->measure_count; m++)
        put_measure(out, c, m);
    put_pictures(out, c);
    fputs("</body></html>\n", out);
}
