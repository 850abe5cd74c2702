/* SPDX-License-Identifier: MIT */
#include "report/compare_page.h"

#include "report/html.h"
#include "report/verdict/verdict.h"

#include <math.h>

static bool has_pair(const struct tw_comparison *c, int32_t variant)
{
    return c->experiment->baseline >= 0 && variant != c->experiment->baseline;
}

/* ---- all measures ---- */

/* The baseline's cell shows its mean, others their difference from it. */
static void put_cell(FILE *out, const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    struct tw_summary s = tw_comparison_summary(c, variant, measure);
    if (!has_pair(c, variant)) {
        fprintf(out, "<td data-v=\"%.9g\">%.4g", c->experiment->baseline >= 0 ? 0 : s.mean, s.mean);
        if (tw_has_spread(c))
            fprintf(out, " <small>&plusmn; %.2g</small>", s.interval);
        return;
    }
    const struct tw_paired *p = tw_pair_of(c, variant, measure);
    fprintf(out,
            "<td data-v=\"%.9g\"><span class=\"%s\" title=\"%s\"><span class=\"mark\" "
            "aria-hidden=\"true\">%s</span>%+.3g</span>",
            p->difference, tw_verdict_style(p->verdict), tw_verdict_names[p->verdict],
            tw_verdict_mark(p->verdict), p->difference);
    if (tw_has_spread(c))
        fprintf(out, " <small>[%+.3g, %+.3g]</small>", p->low, p->high);
}

static void put_head(FILE *out, const struct tw_experiment *e)
{
    static const char *const goals[] = {" (less is better)", "", " (more is better)"};
    fputs("<thead><tr><th scope=\"col\">variant</th>", out);
    for (int32_t m = 0; m < e->measure_count; m++) {
        fprintf(out, "<th scope=\"col\" title=\"");
        tw_html_text(out, e->measures[m].name);
        fprintf(out, "%s\">", goals[e->measures[m].goal + 1]);
        tw_html_text(out, e->measures[m].name);
        fputs(e->measures[m].goal > 0 ? " &uarr;" : e->measures[m].goal < 0 ? " &darr;" : "", out);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void put_legend(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    if (e->baseline < 0) {
        fputs("<p class=\"note\">Means, &plusmn; half of their 95 % intervals.</p>\n", out);
        return;
    }
    fputs("<p class=\"note\">", out);
    for (int v = TW_SAME; v <= TW_TOO_FEW; v++)
        fprintf(out, "<span class=\"%s\">%s</span> %s &ensp; ",
                tw_verdict_style((enum tw_verdict)v), tw_verdict_mark((enum tw_verdict)v),
                v == TW_SAME ? "nothing shown" : tw_verdict_names[v]);
    fputs("<br>Mean paired differences to ", out);
    tw_html_text(out, e->variants[e->baseline].name);
    fputs(
        " with the same seed and their 95 % intervals, each by itself; of the baseline the mean. The mark is "
        "Wilcoxon's signed-rank test at 5 %, all comparisons together (Holm). &uarr; and &darr; "
        "beside a measure: what better is.</p>\n",
        out);
}

void tw_section_summary(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"sort\">", out);
    put_head(out, e);
    for (int32_t v = 0; v < e->variant_count; v++) {
        fputs("<tr><th scope=\"row\">", out);
        tw_html_text(out, e->variants[v].name);
        fputs(v == e->baseline ? " <small class=\"unshown\">baseline</small></th>" : "</th>", out);
        for (int32_t m = 0; m < e->measure_count; m++) {
            put_cell(out, c, v, m);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    put_legend(out, c);
}

/* ---- one measure in full ---- */

enum { MEAN_CELLS = 3, PAIR_CELLS = 7 };

static void put_number(FILE *out, const char *format, double value)
{
    if (isnan(value))
        fputs("<td>-</td>", out);
    else {
        fprintf(out, "<td data-v=\"%.9g\">", value);
        fprintf(out, format, value);
        fputs("</td>", out);
    }
}

/* A number above its interval. */
static void put_sure(FILE *out, const char *format, double value, double low, double high)
{
    fprintf(out, "<td data-v=\"%.9g\">", value);
    fprintf(out, format, value);
    if (!isnan(low)) {
        fputs(" <small>", out);
        fprintf(out, format, low);
        fputs(" to ", out);
        fprintf(out, format, high);
        fputs("</small>", out);
    }
    fputs("</td>", out);
}

static void put_pair(FILE *out, const struct tw_paired *p)
{
    put_sure(out, "%+.4f", p->difference, p->low, p->high);
    put_sure(out, "%+.4f", p->hodges_lehmann, p->shift_low, p->shift_high);
    put_number(out, "%+.2f", p->effect);
    put_number(out, "%.3g", p->sign_p);
    put_number(out, "%.3g", p->wilcoxon_p);
    put_number(out, "%.3g", p->holm_p);
    fprintf(out, "<td class=\"%s\">%s</td>", tw_verdict_style(p->verdict),
            tw_verdict_names[p->verdict]);
}

void tw_section_numbers(FILE *out, const struct tw_comparison *c, int32_t measure)
{
    static const char *const mean_heads[MEAN_CELLS] = {"variant", "mean, its 95 %", "deviation"};
    static const char *const pair_heads[PAIR_CELLS] = {"paired difference, its 95 %",
                                                       "Hodges-Lehmann, its 95 %",
                                                       "effect",
                                                       "p, signs",
                                                       "p, Wilcoxon",
                                                       "p, Holm",
                                                       "verdict"};
    const struct tw_experiment *e = c->experiment;
    fputs("<details><summary>All numbers</summary>\n<div class=\"scroll\" tabindex=\"0\"><table "
          "class=\"sort\"><thead><tr>",
          out);
    for (int i = 0; i < MEAN_CELLS; i++)
        fprintf(out, "<th scope=\"col\">%s</th>", mean_heads[i]);
    for (int i = 0; e->baseline >= 0 && i < PAIR_CELLS; i++)
        fprintf(out, "<th scope=\"col\">%s</th>", pair_heads[i]);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int32_t v = 0; v < e->variant_count; v++) {
        struct tw_summary s = tw_comparison_summary(c, v, measure);
        bool spread = tw_has_spread(c);
        fputs("<tr><th scope=\"row\">", out);
        tw_html_text(out, e->variants[v].name);
        fputs("</th>", out);
        put_sure(out, "%.4f", s.mean, spread ? s.mean - s.interval : NAN, s.mean + s.interval);
        put_number(out, "%.4f", spread ? s.deviation : NAN);
        if (has_pair(c, v))
            put_pair(out, tw_pair_of(c, v, measure));
        for (int i = 0; e->baseline == v && i < PAIR_CELLS; i++)
            fputs("<td></td>", out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div></details>\n", out);
}
