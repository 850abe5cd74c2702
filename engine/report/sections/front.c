/* SPDX-License-Identifier: MIT */
/* The fronts of two measures: a chart of each, what is on it, and pictures of its trials. */
#include "report/compare_page.h"

#include "report/charts/chart.h"
#include "report/html.h"
#include "study/levels.h"
#include "study/tuning.h"

#include <inttypes.h>

struct fronts {
    FILE *out;
    const struct tw_compare_page *page;
    const struct tw_comparison *c;
    const struct tw_experiment *e;
};

static const char *measure_of(const struct fronts *f, int axis)
{
    return f->e->measures[f->e->front[axis].measure].name;
}

static void put_chart(const struct fronts *f, const struct tw_front_set *front)
{
    char title[300], across[200], up[200];
    const char *words[2];
    for (int i = 0; i < 2; i++)
        words[i] = f->e->front[i].direction > 0 ? "more is better" : "less is better";
    snprintf(title, sizeof title, "%s over %s, a dot per %s", measure_of(f, 1), measure_of(f, 0),
             front->level >= 0 ? "variant" : "trial");
    snprintf(across, sizeof across, "%s, %s", measure_of(f, 0), words[0]);
    snprintf(up, sizeof up, "%s, %s", measure_of(f, 1), words[1]);
    const struct tw_scatter scatter = {
        .title = title,
        .across = across,
        .up = up,
        .front = front,
        .signs = {f->e->front[0].direction, f->e->front[1].direction},
        .group = front->level >= 0 ? "" : "t",
        .first_run = front->level >= 0 ? front->level * f->e->level_variants : 0,
        .best = front->level >= 0 ? -1 : f->c->tuning->best};
    fputs("<figure>", f->out);
    tw_chart_scatter(f->out, &scatter);
    fprintf(f->out, "<figcaption>Blue: on the front, %d of %d. %s</figcaption></figure>\n",
            (int)front->on, (int)front->count,
            front->knee >= 0
                ? "The large dot is its knee, beyond which either measure gains little."
                : "It has no knee.");
}

static void put_point(const struct fronts *f, const struct tw_front_set *front, int32_t point)
{
    int32_t count, at = front->points[point].at;
    const struct tw_setting *settings = tw_front_settings(f->c, front, point, &count);
    fputs("<tr><th scope=\"row\">", f->out);
    if (front->level >= 0)
        tw_html_text(f->out, f->e->variants[at].name);
    else
        fprintf(f->out, "trial %d", (int)at + 1);
    fputs(point == front->knee ? " <small class=\"higher\">knee</small></th>" : "</th>", f->out);
    for (int i = 0; i < 2; i++) {
        double mean = tw_front_mean(f->c, front, point, f->e->front[i].measure);
        fprintf(f->out, "<td data-v=\"%.9g\">%.5g</td>", mean, mean);
    }
    fputs("<td>", f->out);
    for (int32_t i = 0; i < count; i++) {
        fputs(i ? ", " : "", f->out);
        tw_html_text(f->out, settings[i].name);
        fputs(" ", f->out);
        tw_html_text(f->out, settings[i].text);
    }
    fputs("</td></tr>\n", f->out);
}

static void put_table(const struct fronts *f, const struct tw_front_set *front)
{
    fputs("<details><summary>What is on it</summary><div class=\"scroll\" tabindex=\"0\"><table "
          "class=\"sort\"><thead><tr><th scope=\"col\">of</th>",
          f->out);
    for (int i = 0; i < 2; i++) {
        fputs("<th scope=\"col\">", f->out);
        tw_html_text(f->out, measure_of(f, i));
        fputs("</th>", f->out);
    }
    fputs("<th scope=\"col\">parameters</th></tr></thead>\n<tbody>\n", f->out);
    for (int32_t i = 0; i < front->on; i++)
        put_point(f, front, i);
    fputs("</tbody></table></div></details>\n", f->out);
}

static void put_pictures(const struct fronts *f)
{
    const struct tw_gallery *g = f->page->tried;
    if (!g || !tw_gallery_first(g))
        return;
    fprintf(f->out, "<h3>Trials of the front, seed %" PRIu64 "</h3>\n<div class=\"plates\">\n",
            g->seeds[0]);
    for (int32_t k = 0; k < g->variants.count; k++) {
        const struct tw_plate *plate = tw_plate_of(g, 0, k);
        const struct tw_bytes *png = plate->view.at ? &plate->view : &plate->shade;
        char alt[60], attributes[100];
        if (!png->at)
            continue;
        snprintf(alt, sizeof alt, "Map of trial %d", (int)f->page->tried_at[k] + 1);
        snprintf(attributes, sizeof attributes,
                 " data-run=\"t%d\" data-seed=\"%" PRIu64 "\" data-view=\"view\"",
                 (int)f->page->tried_at[k], g->seeds[0]);
        fputs("<figure>", f->out);
        tw_html_picture(f->out, alt, attributes, png);
        fprintf(f->out, "<figcaption><b>trial %d</b></figcaption></figure>\n",
                (int)f->page->tried_at[k] + 1);
    }
    fputs("</div>\n", f->out);
}

static void put_front(const struct fronts *f, const struct tw_front_set *front)
{
    if (front->count == 0)
        return;
    fputs("<div class=\"front\"><h3>", f->out);
    if (front->level < 0)
        fputs("Trials of the tuning", f->out);
    else if (f->e->level_count > 1)
        tw_level_write(f->out, &f->e->levels[front->level], TW_TEXT_HTML);
    else
        fputs("Variants", f->out);
    fputs("</h3>\n", f->out);
    put_chart(f, front);
    put_table(f, front);
    fputs("</div>\n", f->out);
}

void tw_section_fronts(FILE *out, const struct tw_compare_page *page)
{
    const struct fronts f = {out, page, page->comparison, page->comparison->experiment};
    if (tw_front_count(f.c) == 0)
        return;
    fputs("<section id=\"fronts\"><h2>The front of ", out);
    tw_html_text(out, measure_of(&f, 0));
    fputs(" and ", out);
    tw_html_text(out, measure_of(&f, 1));
    fputs(
        "</h2>\n<p>Of these, no other is better in one of the two measures and at least as good in "
        "the other; means over the seeds. A dot opens its map.</p>\n<div class=\"row\">\n",
        out);
    for (int32_t i = 0; i < tw_front_count(f.c); i++) {
        struct tw_front_set front;
        if (tw_front_of(f.c, i, &front, NULL) == TW_OK)
            put_front(&f, &front);
        tw_front_release(&front);
    }
    fputs("</div>\n", out);
    put_pictures(&f);
    fputs("</section>\n", out);
}
