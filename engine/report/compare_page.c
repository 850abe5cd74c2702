/* SPDX-License-Identifier: MIT */
#include "report/compare_page.h"

#include "report/html.h"
#include "report/terms.h"
#include "report/verdict/ending.h"
#include "report/verdict/verdict.h"
#include "study/front.h"
#include "study/levels.h"
#include "study/tuning.h"

#include <inttypes.h>

enum {
    MATCHED_MAX = 12, /* variants whose matching is stated */
    ADJUSTED_MAX = 4  /* differences at equal values that are */
};

/* ---- head ---- */

static void put_counts(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    int32_t seeds = c->total > 0 ? c->total : e->seed_count;
    int32_t planned = e->run_count - e->variant_count;
    if (e->variant_count > 0)
        fprintf(out, "<li><b>%d</b> variant%s</li>", (int)e->level_variants,
                e->level_variants == 1 ? "" : "s");
    if (planned > 0)
        fprintf(out, "<li><b>%d</b> runs of the plan</li>", (int)planned);
    if (c->tuning)
        fprintf(out, "<li><b>%d</b> trials</li>", (int)c->tuning->count);
    fprintf(out, "<li><b>%d</b> seed%s from %" PRIu64 "</li>", (int)seeds, seeds == 1 ? "" : "s",
            tw_experiment_seed(e, 0));
}

static void put_facts(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    fputs("<ul class=\"facts\">", out);
    put_counts(out, c);
    if (e->level_count > 1)
        fprintf(out, "<li><b>%d</b> levels</li>", (int)e->level_count);
    if (e->level_count <= 1 || e->levels->side == 0)
        fprintf(out, "<li><b>%d &times; %d</b> cells</li>",
                (int)(c->width > 0 ? c->width : c->tuning->width),
                (int)(c->height > 0 ? c->height : c->tuning->height));
    if (e->baseline >= 0) {
        fputs("<li>baseline <b>", out);
        tw_html_text(out, e->variants[e->baseline].name);
        fputs("</b></li>", out);
    }
    fputs("<li>", out);
    tw_html_text(out, e->file);
    fputs("</li><li>thalweg " TW_VERSION "</li></ul>\n", out);
}

/* A sentence each on the sensitivity plan and the tuning; without variants these are the verdict.
 */
static void put_findings(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    bool compared = e->variant_count > 0;
    if (compared && e->sensitivity.factor_count > 0) {
        fputs("<p class=\"rest\">", out);
        tw_verdict_sensitivity(out, c, TW_TEXT_HTML);
        fputs("</p>\n", out);
    }
    if (c->tuning && (compared || e->sensitivity.factor_count > 0)) {
        fputs("<p class=\"rest\">", out);
        tw_verdict_tuning(out, c, TW_TEXT_HTML);
        fputs("</p>\n", out);
    }
}

/* How equal the terms are, a paragraph each: the results come on the first screen. */
static void put_header(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    fputs("<header><div><h1>", out);
    tw_html_text(out, e->about && e->about[0] ? e->about : e->file);
    fputs("</h1>\n<p class=\"verdict\">", out);
    tw_verdict_sentence(out, c, TW_TEXT_HTML);
    fputs("</p>\n<p class=\"rest\">", out);
    tw_verdict_others(out, c, TW_TEXT_HTML);
    fputs("</p>\n", out);
    put_findings(out, c);
    tw_comparison_ending(out, c,
                         &(struct tw_ending_form){"<p class=\"rest\">", "</p>\n", TW_TEXT_HTML});
    tw_comparison_terms(out, c,
                        &(struct tw_terms_form){"<p class=\"rest\">", "</p>\n", MATCHED_MAX,
                                                ADJUSTED_MAX, TW_TEXT_HTML});
    put_facts(out, c);
    fputs("</div></header>\n", out);
}

static void put_link(FILE *out, const char *section, const char *name)
{
    fprintf(out, "<a href=\"#%s\">%s</a>", section, name);
}

static void put_navigation(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_gallery *g = page->gallery;
    const struct tw_comparison *c = page->comparison;
    bool compared = c->experiment->variant_count > 0;
    fputs("<nav aria-label=\"sections\"><div>", out);
    if (c->experiment->level_count > 1 && c->experiment->baseline >= 0)
        put_link(out, "levels", "Levels");
    if (compared)
        put_link(out, "summary", "Summary");
    if (tw_section_has_sweeps(page->shown))
        put_link(out, "sweeps", "Sweeps");
    if (c->experiment->sensitivity.factor_count > 0)
        put_link(out, "sensitivity", "Parameters");
    if (c->tuning)
        put_link(out, "tuning", "Tuning");
    if (tw_front_count(c) > 0)
        put_link(out, "fronts", "Front");
    if (g && tw_gallery_first(g))
        put_link(out, "pictures", "Pictures");
    if (page->realism && page->realism->bands)
        put_link(out, "realism", "Realism");
    if (compared)
        put_link(out, "measures", "Measures");
    if (g && g->has_heights)
        put_link(out, "histograms", "Slopes");
    if (page->edits)
        put_link(out, "recipes", "Recipes");
    if (compared) {
        put_link(out, "times", "Times");
        put_link(out, "reading", "How to read");
    }
    fputs("<button id=\"maps\" class=\"live\" type=\"button\" hidden>Maps</button>"
          "<button id=\"theme\" class=\"live\" type=\"button\" hidden>Dark</button></div></nav>\n",
          out);
}

/* ---- foot ---- */

static void put_reading(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    int32_t pairs = tw_compare_count_pairs(e);
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

/* One level by another: the table of levels has the verdicts. */
static void put_level(FILE *out, const struct tw_comparison *c, int32_t i)
{
    struct tw_experiment own;
    const struct tw_comparison level = tw_comparison_level(c, i, &own);
    bool several = c->experiment->level_count > 1;
    if (several) {
        fputs("<details class=\"part\"><summary><h3>At ", out);
        tw_level_write(out, &c->experiment->levels[i], TW_TEXT_HTML);
        fputs("</h3></summary>\n", out);
    }
    tw_section_summary(out, &level);
    fputs(several ? "</details>\n" : "", out);
}

static void put_summaries(FILE *out, const struct tw_comparison *c)
{
    fputs("<section id=\"summary\"><h2>Summary</h2>\n", out);
    for (int32_t i = 0; i < c->experiment->level_count; i++)
        put_level(out, c, i);
    fputs("</section>\n", out);
}

/* What the sections about one level are of. */
static void put_shown(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_experiment *e = page->comparison->experiment;
    if (e->level_count <= 1)
        return;
    fputs("<p class=\"note\">Slopes, recipes and costs below are of ", out);
    tw_level_write(out, &e->levels[e->level_count - 1], TW_TEXT_HTML);
    fputs(".</p>\n", out);
}

void tw_compare_page(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_comparison *c = page->comparison;
    tw_html_begin(out, c->experiment->about && c->experiment->about[0] ? c->experiment->about
                                                                       : c->experiment->file);
    put_header(out, c);
    put_navigation(out, page);
    fputs("<main>\n", out);
    tw_section_levels(out, c);
    if (c->experiment->variant_count > 0)
        put_summaries(out, c);
    tw_section_sweeps(out, page->shown);
    tw_section_sensitivity(out, c);
    tw_section_tuning(out, page);
    tw_section_fronts(out, page);
    tw_section_pictures(out, page);
    if (c->experiment->variant_count > 0)
        tw_section_measures(out, c);
    put_shown(out, page);
    tw_section_realism(out, page);
    tw_section_histograms(out, page->shown, page->gallery);
    tw_section_recipes(out, page);
    tw_section_times(out, page->shown);
    if (c->experiment->variant_count > 0)
        put_reading(out, c);
    fputs("</main>\n", out);
    tw_section_runs(out, page);
    tw_html_end(out);
}
