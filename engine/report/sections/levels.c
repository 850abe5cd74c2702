/* SPDX-License-Identifier: MIT */
/* Whether the verdict holds at every level: a row per measure and variant, a column per level. */
#include "report/compare_page.h"

#include "report/html.h"
#include "report/verdict/verdict.h"
#include "study/levels.h"

static void put_cell(FILE *out, const struct tw_paired *p, bool spread)
{
    fprintf(out,
            "<td data-v=\"%.9g\"><span class=\"%s\" title=\"%s\"><span class=\"mark\" "
            "aria-hidden=\"true\">%s</span>%+.3g</span>",
            p->difference, tw_verdict_style(p->verdict), tw_verdict_names[p->verdict],
            tw_verdict_mark(p->verdict), p->difference);
    if (spread)
        fprintf(out, " <small>[%+.3g, %+.3g]</small>", p->low, p->high);
    fputs("</td>", out);
}

static void put_row(FILE *out, const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    fputs("<tr><th scope=\"row\">", out);
    tw_html_text(out, e->measures[measure].name);
    fputs("</th><td>", out);
    tw_html_text(out, e->variants[variant].name);
    fputs("</td>", out);
    for (int32_t i = 0; i < e->level_count; i++)
        put_cell(out, tw_pair_of(c, i * e->level_variants + variant, measure), tw_has_spread(c));
    fputs("</tr>\n", out);
}

void tw_section_levels(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    if (e->level_count <= 1 || e->baseline < 0)
        return;
    fputs("<section id=\"levels\"><h2>Does it hold everywhere?</h2>\n<div class=\"scroll\" "
          "tabindex=\"0\"><table class=\"sort\"><thead><tr><th scope=\"col\">measure</th><th "
          "scope=\"col\">variant</th>",
          out);
    for (int32_t i = 0; i < e->level_count; i++) {
        fputs("<th scope=\"col\">", out);
        tw_level_write(out, &e->levels[i], TW_TEXT_HTML);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int32_t m = 0; m < e->measure_count; m++)
        for (int32_t v = 0; v < e->level_variants; v++)
            if (tw_is_compared(e, v))
                put_row(out, c, v, m);
    fputs("</tbody></table></div>\n<p class=\"note\">Mean paired differences to ", out);
    tw_html_text(out, e->variants[e->baseline].name);
    fputs(" of the same level with the same seed. The marks are corrected for all levels together "
          "(Holm), the 95 % intervals are each by itself.</p></section>\n",
          out);
}
