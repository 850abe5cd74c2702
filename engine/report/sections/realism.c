/* SPDX-License-Identifier: MIT */
/* The numbers of measure.realism against the bands of real ranges. */
#include "report/compare_page.h"

#include "report/charts/chart.h"
#include "report/html.h"

#include <string.h>

/* The measures of one output, in the order of the bands. */
struct group {
    const struct tw_comparison *c;
    const struct tw_realism_band *bands;
    const char *output;
    int32_t count, measures[TW_REALISM_COUNT], band_of[TW_REALISM_COUNT];
};

static struct group find_group(const struct tw_compare_page *page, int32_t first)
{
    const struct tw_realism_measures *r = page->realism;
    const struct tw_experiment *e = page->shown->experiment;
    struct group g = {page->shown, r->bands, e->measures[first].output, 0, {0}, {0}};
    for (int32_t band = 0; band < TW_REALISM_COUNT; band++)
        for (int32_t m = first; m < e->measure_count; m++)
            if (r->band_of[m] == band && strcmp(e->measures[m].output, g.output) == 0) {
                g.measures[g.count] = m;
                g.band_of[g.count++] = band;
                break;
            }
    return g;
}

/* Whether an earlier measure has the output, so that its group has this one. */
static bool is_shown(const struct tw_compare_page *page, int32_t measure)
{
    const struct tw_measure *measures = page->shown->experiment->measures;
    for (int32_t m = 0; m < measure; m++)
        if (page->realism->band_of[m] >= 0 &&
            strcmp(measures[m].output, measures[measure].output) == 0)
            return true;
    return false;
}

static const struct tw_realism_band *band_of(const struct group *g, int32_t row)
{
    return &g->bands[g->band_of[row]];
}

/* ---- chart ---- */

static void place(const struct group *g, int32_t row, int32_t variant, struct tw_placed *value)
{
    const struct tw_realism_band *band = band_of(g, row);
    const struct tw_summary s = tw_comparison_summary(g->c, variant, g->measures[row]);
    value->mean = tw_realism_place(band, s.mean);
    value->low = tw_realism_place(band, s.least);
    value->high = tw_realism_place(band, s.greatest);
    snprintf(value->words, sizeof value->words, "%.4g, of seeds %.4g to %.4g", s.mean, s.least,
             s.greatest);
}

static void put_chart(FILE *out, const struct group *g, const struct tw_choice *choice)
{
    struct tw_band_chart bands = {.title = "numbers of measure.realism in the bands of real ranges",
                                  .count = g->count,
                                  .series = choice->count};
    const char *names[TW_SERIES_MAX];
    for (int32_t k = 0; k < choice->count; k++)
        names[k] = g->c->experiment->variants[choice->at[k]].name;
    for (int32_t i = 0; i < g->count; i++) {
        bands.names[i] = band_of(g, i)->name;
        for (int32_t k = 0; k < choice->count; k++)
            place(g, i, choice->at[k], &bands.values[i][k]);
    }
    fputs("<figure>", out);
    tw_chart_bands(out, &bands);
    fputs("<figcaption><p>", out);
    tw_chart_key_of_colours(out, names, choice->count);
    fputs(
        "</p>A dot is the mean, its line goes from the lowest to the highest seed. Each row has a "
        "scale of its own, on which the band of real ranges is the shaded "
        "part.</figcaption></figure>\n",
        out);
}

/* ---- table ---- */

static int put_cell(FILE *out, const struct group *g, int32_t row, int32_t variant)
{
    static const char *const words[] = {"below", "inside", "above"};
    const double mean = tw_comparison_summary(g->c, variant, g->measures[row]).mean;
    const int verdict = tw_realism_verdict(band_of(g, row), mean);
    fprintf(out, "<td data-v=\"%.9g\"><span class=\"%s\">%.3g</span> <small>%s</small></td>", mean,
            verdict == 0 ? "same" : "worse", mean, words[verdict + 1]);
    return verdict == 0;
}

static void put_table(FILE *out, const struct group *g, const struct tw_choice *choice)
{
    int inside[TW_SERIES_MAX] = {0};
    fputs("<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">number</th><th "
          "scope=\"col\">real ranges</th>",
          out);
    for (int32_t k = 0; k < choice->count; k++) {
        fputs("<th scope=\"col\">", out);
        tw_html_text(out, g->c->experiment->variants[choice->at[k]].name);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (int32_t i = 0; i < g->count; i++) {
        const struct tw_realism_band *band = band_of(g, i);
        fprintf(out, "<tr><th scope=\"row\">%s</th><td>%.3g to %.3g</td>", band->name, band->p5,
                band->p95);
        for (int32_t k = 0; k < choice->count; k++)
            inside[k] += put_cell(out, g, i, choice->at[k]);
        fputs("</tr>\n", out);
    }
    fputs("<tr><th scope=\"row\">means inside</th><td></td>", out);
    for (int32_t k = 0; k < choice->count; k++)
        fprintf(out, "<td>%d of %d</td>", inside[k], (int)g->count);
    fputs("</tr>\n</tbody></table></div>\n", out);
}

void tw_section_realism(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_comparison *c = page->shown;
    const struct tw_choice choice = tw_choose_variants(c, TW_SERIES_MAX);
    if (!page->realism || !page->realism->bands)
        return;
    fputs(
        "<section id=\"realism\"><h2>Like real mountains?</h2>\n<p>Numbers of "
        "<code>measure.realism</code> and the bands that hold 90&nbsp;% of 13 real ranges. Chance "
        "or tuning can bring any one of them inside: of all nine, real ranges have 6 or more "
        "inside, noise and stream power alone do not. Look at the pictures, too.</p>\n",
        out);
    for (int32_t m = 0; m < c->experiment->measure_count; m++) {
        if (page->realism->band_of[m] < 0 || is_shown(page, m))
            continue;
        const struct group g = find_group(page, m);
        fputs("<h3>", out);
        tw_html_text(out, g.output);
        fputs("</h3>\n<div class=\"row wide\">\n", out);
        put_chart(out, &g, &choice);
        put_table(out, &g, &choice);
        fputs("</div>\n", out);
    }
    if (choice.count < c->experiment->variant_count)
        fprintf(out, "<p class=\"note\">%d of %d variants.</p>\n", (int)choice.count,
                (int)c->experiment->variant_count);
    fputs("</section>\n", out);
}
