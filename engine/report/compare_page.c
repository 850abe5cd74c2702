/* SPDX-License-Identifier: MIT */
#include "report/compare_page.h"

#include "report/chart.h"
#include "report/page.h"
#include "report/verdict.h"

#include <inttypes.h>

enum { PANELS_MAX = 12 }; /* of pairs, per measure */

/* ---- head ---- */

static void put_facts(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    fprintf(out,
            "<ul class=\"facts\"><li><b>%d</b> variants</li><li><b>%d</b> seeds from %" PRIu64
            "</li><li><b>%d &times; %d</b> cells</li>",
            (int)e->variant_count, (int)c->count, c->seeds[0], (int)c->width, (int)c->height);
    if (e->baseline >= 0) {
        fputs("<li>baseline <b>", out);
        tw_page_text(out, e->variants[e->baseline].name);
        fputs("</b></li>", out);
    }
    fputs("<li>", out);
    tw_page_text(out, e->file);
    fputs("</li><li>thalweg " TW_VERSION "</li></ul>\n", out);
}

/* Why there are as many seeds as there are. */
static void put_end(FILE *out, const struct tw_comparison *c)
{
    if (c->signal)
        fprintf(out, "<p class=\"rest\">Stopped by %s after %d of %d seeds.</p>\n", c->signal,
                (int)c->count, (int)c->experiment->seed_count);
    if (c->narrow)
        fputs("<p class=\"rest\">Ended when every interval was as narrow as the experiment asks "
              "for.</p>\n",
              out);
    if (c->failed > 0)
        fprintf(out, "<p class=\"rest\">%d seeds failed and are left out.</p>\n", (int)c->failed);
}

static void put_header(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    fputs("<header><div><h1>", out);
    tw_page_text(out, e->about && e->about[0] ? e->about : e->file);
    fputs("</h1>\n<p class=\"verdict\">", out);
    tw_verdict_sentence(out, c, TW_TEXT_HTML);
    fputs("</p>\n<p class=\"rest\">", out);
    tw_verdict_others(out, c, TW_TEXT_HTML);
    fputs("</p>\n", out);
    put_end(out, c);
    put_facts(out, c);
    fputs("</div></header>\n", out);
}

static void put_navigation(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_gallery *g = page->gallery;
    fputs("<nav aria-label=\"sections\"><div><a href=\"#summary\">Summary</a><a "
          "href=\"#measures\">Measures</a>",
          out);
    if (g && g->plates && g->plates[0].shade.at)
        fputs("<a href=\"#pictures\">Pictures</a>", out);
    if (g && g->has_heights)
        fputs("<a href=\"#histograms\">Slopes</a>", out);
    if (page->edits)
        fputs("<a href=\"#recipes\">Recipes</a>", out);
    fputs("<a href=\"#times\">Times</a><a href=\"#reading\">How to read</a><button id=\"theme\" "
          "class=\"live\" type=\"button\" hidden>Dark</button></div></nav>\n",
          out);
}

/* ---- measures ---- */

static void put_pairs(FILE *out, const struct tw_comparison *c, int32_t measure)
{
    struct tw_choice choice = tw_choose_variants(c, PANELS_MAX + 1);
    double low = 0, high = 0;
    tw_chart_range(c, &choice, measure, &low, &high);
    fputs("<figure><div class=\"row\">\n", out);
    for (int32_t k = 0; k < choice.count; k++)
        if (choice.at[k] != c->experiment->baseline)
            tw_chart_pairs(out, c, choice.at[k], measure, low, high);
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

static void put_measure(FILE *out, const struct tw_comparison *c, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_choice choice = tw_choose_variants(c, TW_CHOICE_MAX);
    bool pairs = e->baseline >= 0 && e->variant_count > 1;
    fprintf(out, "<section id=\"measure-%d\"><h3>", (int)measure);
    tw_page_text(out, e->measures[measure].name);
    fputs(e->measures[measure].goal > 0   ? " <small class=\"rest\">more is better</small>"
          : e->measures[measure].goal < 0 ? " <small class=\"rest\">less is better</small>"
                                          : "",
          out);
    fputs("</h3>\n<div class=\"row wide\">\n", out);
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
    fputs("<figcaption>Every seed; the box holds the middle half, the line is the "
          "median.</figcaption></figure>\n</div>\n",
          out);
    if (pairs)
        put_pairs(out, c, measure);
    tw_section_numbers(out, c, measure);
    fputs("</section>\n", out);
}

/* ---- foot ---- */

static void put_times(FILE *out, const struct tw_comparison *c)
{
    struct tw_choice choice = tw_choose_variants(c, TW_CHOICE_MAX);
    fputs(
        "<section id=\"times\"><h2>What it costs</h2>\n<p>Seconds that a run of each variant takes "
        "by itself, shared nodes included: measured now, or when the cache got it.</p>\n<figure>",
        out);
    tw_chart_times(out, c, &choice);
    fputs("<figcaption>Bars end at the mean, lines are 95 % "
          "intervals.</figcaption></figure></section>\n",
          out);
}

static void put_reading(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    int32_t pairs = e->baseline >= 0 ? (e->variant_count - 1) * e->measure_count : 0;
    fputs(
        "<section id=\"reading\"><h2>How to read this</h2>\n<p>All variants ran with the same "
        "seeds, so each difference is between two maps that have everything else in common. An "
        "<b>interval</b> says which differences the seeds leave possible; it is what to decide by. "
        "A <b>mark</b> says only that a difference as clear as this one would be rare by chance, "
        "not that it matters. <b>~</b> does not mean equal: look at how wide the interval "
        "is.</p>\n",
        out);
    if (pairs > 0)
        fprintf(
            out,
            "<p>Comparisons on this page: %d. At 5 %% each, %.2g of them would be marked by chance "
            "alone; the p-values are corrected for that (Holm 1979). What was not named "
            "before the run as the measure that decides is a hint for the next "
            "experiment.</p>\n",
            (int)pairs, 0.05 * pairs);
    fputs("</section>\n", out);
}

void tw_compare_page(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_comparison *c = page->comparison;
    tw_page_begin(out, c->experiment->about && c->experiment->about[0] ? c->experiment->about
                                                                       : c->experiment->file);
    put_header(out, c);
    put_navigation(out, page);
    fputs("<main>\n", out);
    tw_section_summary(out, c);
    tw_section_sweeps(out, c);
    tw_section_pictures(out, c, page->gallery);
    fputs("<section id=\"measures\"><h2>Measure by measure</h2>\n", out);
    for (int32_t m = 0; m < c->experiment->measure_count; m++)
        put_measure(out, c, m);
    fputs("</section>\n", out);
    tw_section_histograms(out, c, page->gallery);
    tw_section_recipes(out, page);
    put_times(out, c);
    put_reading(out, c);
    fputs("</main>\n", out);
    tw_page_end(out);
}
