/* SPDX-License-Identifier: MIT */
/* Every measure of every level in full: intervals, every seed, pairs, all numbers; folded. */
#include "report/compare_page.h"

#include "report/charts/chart.h"
#include "report/html.h"
#include "report/verdict/verdict.h"
#include "study/levels.h"

enum {
    PANELS_MAX = 12, /* panels of pairs, per measure */
    TITLE_MAX = 3    /* variants beside a folded measure's name */
};

static void put_pairs(FILE *out, const struct tw_comparison *c, int32_t measure)
{
    struct tw_choice choice = tw_choose_variants(c, PANELS_MAX + 1);
    double low = 0, high = 0;
    tw_chart_range(c, &choice, measure, &low, &high);
    fputs("<figure><div class=\"row\">\n", out);
    for (int32_t k = 0; k < choice.count; k++)
        if (choice.at[k] != c->experiment->baseline)
            tw_chart_pairs(out, c, choice.at[k], measure, low, high);
    if (c->count > TW_PAIR_LINES_MAX)
        fprintf(out,
                "</div><figcaption>%d of %d seeds, joined to their pairs: ", (int)TW_PAIR_LINES_MAX,
                (int)c->total);
    else
        fputs("</div><figcaption>Every seed, joined to its pair: ", out);
    fputs(c->experiment->measures[measure].goal
              ? "<span class=\"better\">green</span> where the variant is better, <span "
                "class=\"worse\">orange</span> where it is worse."
              : "<span class=\"higher\">blue</span> where the variant is higher, <span "
                "class=\"lower\">purple</span> where it is lower.",
          out);
    if (choice.count < c->experiment->variant_count)
        fprintf(out, " %d of %d variants.", (int)choice.count - 1,
                (int)c->experiment->variant_count - 1);
    fputs("</figcaption></figure>\n", out);
}

static void put_level_title(FILE *out, const struct tw_experiment *e, int32_t level)
{
    if (e->level_count <= 1)
        return;
    fputs("<h3 class=\"level\">At ", out);
    tw_level_write(out, &e->levels[level], TW_TEXT_HTML);
    fputs("</h3>\n", out);
}

/* The measure, and what became of the first variants, for those who leave it folded. */
static void put_title(FILE *out, const struct tw_comparison *c, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_choice choice = tw_choose_variants(c, TITLE_MAX + 1);
    fputs("<h3>", out);
    tw_html_text(out, e->measures[measure].name);
    fputs(e->measures[measure].goal > 0   ? " <small class=\"rest\">more is better</small>"
          : e->measures[measure].goal < 0 ? " <small class=\"rest\">less is better</small>"
                                          : "",
          out);
    fputs("</h3>", out);
    for (int32_t k = 0; e->baseline >= 0 && k < choice.count; k++) {
        if (choice.at[k] == e->baseline)
            continue;
        const struct tw_paired *p = tw_pair_of(c, choice.at[k], measure);
        fputs(" <span class=\"rest\">", out);
        tw_html_text(out, e->variants[choice.at[k]].name);
        fprintf(out, " <span class=\"%s\">%s %+.3g</span></span>", tw_verdict_style(p->verdict),
                tw_verdict_mark(p->verdict), p->difference);
    }
}

/* `number` tells the sections of a page apart. */
static void put_measure(FILE *out, const struct tw_comparison *c, int32_t measure, int32_t number)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_choice choice = tw_choose_variants(c, TW_CHOICE_MAX);
    bool pairs = e->baseline >= 0 && e->variant_count > 1;
    fprintf(out, "<section id=\"measure-%d\"><details class=\"part\"><summary>", (int)number);
    put_title(out, c, measure);
    fputs("</summary>\n<div class=\"row wide\">\n", out);
    if (pairs && tw_has_spread(c)) {
        fputs("<figure>", out);
        tw_chart_forest(out, c, &choice, measure);
        fputs(
            "<figcaption>Mean <b>paired</b> difference, 95 % interval. Where the interval holds 0, "
            "nothing is certain about the direction.</figcaption></figure>\n",
            out);
    }
    fputs("<figure>", out);
    tw_chart_spread(out, c, &choice, measure);
    if (c->count < c->total)
        fprintf(out, "<figcaption>A random sample of %d of the %d seeds", (int)c->count,
                (int)c->total);
    else if (tw_chart_dot_step(c->count) > 1)
        fprintf(out, "<figcaption>One dot for %d seeds", (int)tw_chart_dot_step(c->count));
    else
        fputs("<figcaption>Every seed", out);
    fputs("; the box holds the middle half, the line is the median.</figcaption></figure>\n", out);
    if (pairs)
        put_pairs(out, c, measure);
    fputs("</div>\n", out);
    tw_section_numbers(out, c, measure);
    fputs("</details></section>\n", out);
}

void tw_section_measures(FILE *out, const struct tw_comparison *c)
{
    fputs(
        "<section id=\"measures\"><h2>Measure by measure</h2>\n<p class=\"note live\" hidden>A dot "
        "opens the map of its seed, and the command that makes it.</p>\n",
        out);
    for (int32_t i = 0; i < c->experiment->level_count; i++) {
        struct tw_experiment own;
        const struct tw_comparison level = tw_comparison_level(c, i, &own);
        put_level_title(out, c->experiment, i);
        for (int32_t m = 0; m < own.measure_count; m++)
            put_measure(out, &level, m, i * own.measure_count + m);
    }
    fputs("</section>\n", out);
}
