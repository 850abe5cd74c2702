/* SPDX-License-Identifier: MIT */
#include "report/compare_page.h"

#include "report/charts/chart.h"
#include "report/html.h"
#include "report/verdict/verdict.h"
#include "study/levels.h"

#include <inttypes.h>

struct pictures {
    FILE *out;
    const struct tw_experiment *e;
    const struct tw_gallery *g;
};

static const char *name_of(const struct pictures *p, int32_t k)
{
    return p->e->variants[p->g->variants.at[k]].name;
}

/* The number of a variant among those of all levels. */
static int32_t run_of(const struct pictures *p, int32_t k)
{
    return p->e->first_run + p->g->variants.at[k];
}

static void put_image(const struct pictures *p, int32_t seed, int32_t k, const char *view,
                      const char *what, const struct tw_bytes *png)
{
    char alt[300], attributes[120];
    if (!png->at)
        return;
    snprintf(alt, sizeof alt, "%s of %s at seed %" PRIu64, what, name_of(p, k), p->g->seeds[seed]);
    snprintf(attributes, sizeof attributes,
             " data-run=\"%d\" data-seed=\"%" PRIu64 "\" data-view=\"%s\"", (int)run_of(p, k),
             p->g->seeds[seed], view);
    tw_html_picture(p->out, alt, attributes, png);
}

static void put_plate(const struct pictures *p, int32_t seed, int32_t k)
{
    const struct tw_plate *plate = tw_plate_of(p->g, seed, k);
    bool baseline = p->g->variants.at[k] == p->e->baseline;
    fputs("<figure>", p->out);
    put_image(p, seed, k, "view", "View in three dimensions", &plate->view);
    fputs("<div class=\"pair\">", p->out);
    put_image(p, seed, k, "shade", plate->heights.data ? "Hillshade" : "Picture", &plate->shade);
    put_image(p, seed, k, "difference", "Difference to the baseline", &plate->difference);
    if (baseline && p->g->difference > 0)
        fputs("<div class=\"blank\">baseline: differences are to this</div>", p->out);
    fputs("</div><figcaption><b>", p->out);
    tw_html_text(p->out, name_of(p, k));
    fputs("</b></figcaption></figure>\n", p->out);
}

/* White in the middle, coloured by the root of the share as in map_difference.c. */
static void put_legend(const struct pictures *p)
{
    enum { STEPS = 40, WIDTH = 320 };
    if (!(p->g->difference > 0))
        return;
    tw_svg_begin(p->out, WIDTH + 40, 44, "Colours of differences: blue is lower, red is higher");
    for (int i = 0; i < STEPS; i++) {
        static const int red[] = {103, 0, 31}, blue[] = {5, 48, 97};
        double share = 2.0 * i / (STEPS - 1) - 1, amount = share < 0 ? -share : share;
        const int *end = share > 0 ? red : blue;
        fprintf(p->out, "<rect x=\"%d\" y=\"2\" width=\"9\" height=\"14\" fill=\"rgb(%d,%d,%d)\"/>",
                20 + i * WIDTH / STEPS, (int)(255 + (end[0] - 255) * amount + 0.5),
                (int)(255 + (end[1] - 255) * amount + 0.5),
                (int)(255 + (end[2] - 255) * amount + 0.5));
    }
    for (int i = -2; i <= 2; i++)
        tw_svg_text(p->out, 20 + (i + 2) * WIDTH / 4.0, 32, TW_MIDDLE, "soft", "%+.2g",
                    p->g->difference * i * (i < 0 ? -i : i) / 4);
    tw_svg_end(p->out);
}

static void put_options(const struct pictures *p, const char *name, const char *label,
                        int32_t chosen)
{
    fprintf(p->out, "<label>%s <select name=\"%s\">", label, name);
    for (int32_t k = 0; k < p->g->variants.count; k++) {
        fprintf(p->out, "<option value=\"%d\"%s>", (int)run_of(p, k),
                k == chosen ? " selected" : "");
        tw_html_text(p->out, name_of(p, k));
        fputs("</option>", p->out);
    }
    fputs("</select></label>\n", p->out);
}

static int32_t position(const struct tw_gallery *g, int32_t variant, int32_t otherwise)
{
    for (int32_t k = 0; k < g->variants.count; k++)
        if (g->variants.at[k] == variant)
            return k;
    return otherwise;
}

/* Two variants in one frame. Hidden until the script shows it. */
static void put_slider(const struct pictures *p)
{
    int32_t base = position(p->g, p->e->baseline, 0), other = base == 0 ? 1 : 0;
    bool views = tw_gallery_first(p->g)->view.at != NULL;
    if (p->g->variants.count < 2)
        return;
    fputs("<div class=\"live slider\" hidden><h3>Two variants in one frame</h3>\n<div "
          "class=\"tools\">",
          p->out);
    put_options(p, "left", "left", base);
    put_options(p, "right", "right", other);
    fputs("<label>seed <select name=\"seed\">", p->out);
    for (int32_t s = 0; s < p->g->seed_count; s++)
        if (!p->g->failed[s] && !p->g->small[s])
            fprintf(p->out, "<option value=\"%" PRIu64 "\">%" PRIu64 "%s%s%s</option>",
                    p->g->seeds[s], p->g->seeds[s], p->g->why[s] ? " (" : "",
                    p->g->why[s] ? p->g->why[s] : "", p->g->why[s] ? ")" : "");
    fputs("</select></label>\n<label>view <select name=\"view\">", p->out);
    if (views)
        fputs("<option value=\"view\">3-D</option>", p->out);
    fputs(
        "<option value=\"shade\">hillshade</option></select></label></div>\n"
        "<div class=\"stage\"><img class=\"under\" alt=\"\"><div class=\"over\"><img class=\"top\" "
        "alt=\"\"></div><span class=\"rule\"></span><span class=\"name left\"></span>"
        "<span class=\"name right\"></span><input type=\"range\" name=\"cut\" min=\"0\" "
        "max=\"100\" step=\"0.5\" value=\"50\" aria-label=\"where the right variant "
        "begins\"></div>\n"
        "<p class=\"note\">Drag, or use the arrow keys.</p></div>\n",
        p->out);
}

static void put_seed(const struct pictures *p, int32_t seed)
{
    const struct tw_measure *m = &p->e->measures[tw_verdict_measure(p->e)];
    fprintf(p->out, "<h3>Seed %" PRIu64, p->g->seeds[seed]);
    if (p->g->why[seed]) {
        fprintf(p->out, ": %s in ", p->g->why[seed]);
        tw_html_text(p->out, m->name);
    }
    fputs("</h3>\n<div class=\"plates\">\n", p->out);
    for (int32_t k = 0; k < p->g->variants.count; k++)
        put_plate(p, seed, k);
    fputs("</div>\n", p->out);
}

static void put_note(const struct pictures *p)
{
    const struct tw_measure *m = &p->e->measures[tw_verdict_measure(p->e)];
    const char *best = m->goal ? "best" : "highest", *worst = m->goal ? "worst" : "lowest";
    fputs("<p>The seeds at which ", p->out);
    tw_html_text(p->out, m->name);
    fprintf(p->out, " is %s, in the middle and %s on the mean of all variants.", best, worst);
    if (p->g->variants.count < p->e->variant_count)
        fprintf(p->out,
                " Of %d variants %d are shown: the baseline, and those with the %s and the %s "
                "means.",
                (int)p->e->variant_count, (int)p->g->variants.count, best, worst);
    if (p->g->has_heights)
        fprintf(p->out,
                " One light, one camera and one scale for all: heights from %.3g to %.3g, height 1 "
                "drawn as %.3g of the map's side, colours by height.",
                p->g->low, p->g->high, p->g->exaggeration);
    fputs("</p>\n", p->out);
    if (p->g->difference > 0) {
        fputs("<p class=\"note\">Small pictures: hillshade, and height minus the baseline's.</p>\n",
              p->out);
        put_legend(p);
    }
}

/* Seeds that have only small pictures. */
static void put_small(const struct pictures *p)
{
    int32_t count = 0;
    for (int32_t s = 0; s < p->g->seed_count; s++)
        count += p->g->small[s] && !p->g->failed[s];
    if (count == 0)
        return;
    fprintf(p->out,
            "<details class=\"part\"><summary><h3>%d more seed%s</h3> <span class=\"rest\">a "
            "hillshade of each</span></summary>\n",
            (int)count, count == 1 ? "" : "s");
    for (int32_t k = 0; k < p->g->variants.count; k++) {
        fputs("<h4>", p->out);
        tw_html_text(p->out, name_of(p, k));
        fputs("</h4>\n<div class=\"small\">\n", p->out);
        for (int32_t s = 0; s < p->g->seed_count; s++)
            if (p->g->small[s] && !p->g->failed[s])
                put_image(p, s, k, "shade", "Hillshade", &tw_plate_of(p->g, s, k)->shade);
        fputs("</div>\n", p->out);
    }
    fputs("</details>\n", p->out);
}

static void put_level(FILE *out, const struct tw_comparison *c, const struct tw_gallery *g)
{
    struct pictures p = {out, c->experiment, g};
    put_note(&p);
    put_slider(&p);
    for (int32_t s = 0; s < g->seed_count; s++)
        if (!g->failed[s] && !g->small[s])
            put_seed(&p, s);
    put_small(&p);
}

void tw_section_pictures(FILE *out, const struct tw_compare_page *page)
{
    const struct tw_comparison *c = page->comparison;
    int32_t levels = page->galleries ? c->experiment->level_count : 1;
    if (!page->gallery || !tw_gallery_first(page->gallery))
        return;
    fputs("<section id=\"pictures\"><h2>What it looks like</h2>\n", out);
    for (int32_t i = levels; i-- > 0;) {
        struct tw_experiment own;
        const struct tw_gallery *g = page->galleries ? &page->galleries[i] : page->gallery;
        const struct tw_comparison level =
            levels > 1 ? tw_comparison_level(c, i, &own) : *page->shown;
        if (!tw_gallery_first(g))
            continue;
        if (levels > 1) {
            fprintf(out, "<details class=\"part\"%s><summary><h3>At ",
                    i == levels - 1 ? " open" : "");
            tw_level_write(out, &c->experiment->levels[i], TW_TEXT_HTML);
            fputs("</h3></summary>\n", out);
        }
        put_level(out, &level, g);
        fputs(levels > 1 ? "</details>\n" : "", out);
    }
    fputs("</section>\n", out);
}

/* ---- histograms ---- */

static void put_histogram(const struct pictures *p, const char *title, const char *across,
                          const double (*shares)[TW_GALLERY_BINS], double low, double high)
{
    double x[TW_GALLERY_BINS], width = (high - low) / TW_GALLERY_BINS;
    struct tw_series series[TW_GALLERY_VARIANTS];
    for (int i = 0; i < TW_GALLERY_BINS; i++)
        x[i] = low + i * width;
    for (int32_t k = 0; k < p->g->variants.count; k++)
        series[k] = (struct tw_series){
            .name = name_of(p, k), .x = x, .y = shares[k], .count = TW_GALLERY_BINS};
    fputs("<figure>", p->out);
    tw_chart_steps(p->out, title, across, series, p->g->variants.count, width);
    fprintf(p->out, "<figcaption>%s</figcaption></figure>\n", title);
}

void tw_section_histograms(FILE *out, const struct tw_comparison *c, const struct tw_gallery *g)
{
    struct pictures p = {out, c->experiment, g};
    const char *names[TW_GALLERY_VARIANTS];
    if (!g || !g->has_heights)
        return;
    for (int32_t k = 0; k < g->variants.count; k++)
        names[k] = name_of(&p, k);
    fputs(
        "<section id=\"histograms\"><h2>Heights and slopes</h2>\n<p>Shares of the cells, over the "
        "seeds of the pictures.</p>\n",
        out);
    tw_chart_key(out, names, g->variants.count);
    fputs("<div class=\"row wide\">\n", out);
    put_histogram(&p, "Heights", "height", g->heights, g->low, g->high);
    put_histogram(&p, "Slopes", "rise per map side; the last bin holds what is steeper", g->slopes,
                  0, g->steepest > 0 ? g->steepest : 1);
    fputs("</div></section>\n", out);
}
