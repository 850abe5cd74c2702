/* SPDX-License-Identifier: MIT */
/* Which parameters matter: mu* against sigma for every measure, and curves of one parameter at a
 * time. */
#include "report/compare_page.h"

#include "report/charts/chart.h"
#include "report/html.h"
#include "report/sweep.h"
#include "study/effects.h"

#include <math.h>
#include <stdlib.h>

/* ---- screening ---- */

static void put_points(FILE *out, const struct tw_comparison *c, int32_t measure)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    char title[200];
    snprintf(title, sizeof title, "%s: mu* and sigma of every parameter's effects",
             c->experiment->measures[measure].name);
    struct tw_points points = {.title = title,
                               .across = "\xCE\xBC*: how much it matters",
                               .up = "\xCF\x83: how much that depends"};
    for (int32_t f = 0; f < s->factor_count; f++) {
        struct tw_effect effect = tw_compare_effect(c, f, measure);
        if (effect.count < 2)
            continue;
        points.names[points.count] = s->factors[f].name;
        points.x[points.count] = effect.mu_star;
        points.y[points.count++] = effect.sigma;
    }
    fputs("<figure>", out);
    if (points.count > 0)
        tw_chart_points(out, &points);
    fputs("<figcaption><b>", out);
    tw_html_text(out, c->experiment->measures[measure].name);
    fputs("</b></figcaption></figure>\n", out);
}

static void put_row(FILE *out, const char *name, const struct tw_effect *effect)
{
    fputs("<tr><th scope=\"row\">", out);
    tw_html_text(out, name);
    if (effect->count < 2)
        fprintf(out, "</th><td>-</td><td>-</td><td>-</td><td>-</td><td>%d</td></tr>\n",
                (int)effect->count);
    else
        fprintf(out,
                "</th><td data-v=\"%.9g\">%.4g</td><td>&#177; %.4g</td>"
                "<td data-v=\"%.9g\">%+.4g</td>"
                "<td data-v=\"%.9g\">%.4g</td><td>%d</td></tr>\n",
                effect->mu_star, effect->mu_star, effect->interval, effect->mu, effect->mu,
                effect->sigma, effect->sigma, (int)effect->count);
}

static void put_table(FILE *out, const struct tw_comparison *c, int32_t measure)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    fputs(
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"sort\"><thead><tr><th "
        "scope=\"col\">parameter</th><th scope=\"col\">&mu;*</th><th scope=\"col\">95 %</th><th scope=\"col\">&mu;</th><th "
        "scope=\"col\">&sigma;</th><th scope=\"col\">effects</th></tr></thead>\n<tbody>\n",
        out);
    for (int32_t f = 0; f < s->factor_count; f++) {
        struct tw_effect effect = tw_compare_effect(c, f, measure);
        put_row(out, s->factors[f].name, &effect);
    }
    fputs("</tbody></table></div>\n", out);
}

static void put_screening(FILE *out, const struct tw_comparison *c)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    fprintf(
        out,
        "<p>Morris' screening, %d trajectories over %d levels: an effect is the change of a "
        "measure's mean over the seeds for a step of one parameter, as if the step were its whole "
        "range. <b>&mu;*</b> is the mean of the effects' sizes: on the right matters. "
        "<b>&sigma;</b> is their deviation: high up the effect is not the same everywhere, because "
        "it is not linear or because other parameters have a say. On the dashed line both are "
        "equal. <b>&mu;</b>, their mean, is smaller than &mu;* where effects cancel. &mu;* has its 95 %% interval "
        "(Student).</p>\n",
        (int)s->trajectories, (int)s->levels);
    for (int32_t m = 0; m < c->experiment->measure_count; m++) {
        fputs("<div class=\"row wide\">\n", out);
        put_points(out, c, m);
        put_table(out, c, m);
        fputs("</div>\n", out);
    }
}

/* ---- Sobol indices ---- */

/* Estimates below 0 are of shares near it, and lie on the chart's edge. */
static void put_index_points(FILE *out, const struct tw_comparison *c, int32_t measure,
                             const struct tw_index *indices)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    char title[200];
    snprintf(title, sizeof title, "%s: share of the variance, alone and in total",
             c->experiment->measures[measure].name);
    struct tw_points points = {
        .title = title, .across = "alone: first order", .up = "total, with interactions"};
    for (int32_t f = 0; f < s->factor_count && !isnan(indices[f].total); f++) {
        points.names[points.count] = s->factors[f].name;
        points.x[points.count] = indices[f].first > 0 ? indices[f].first : 0;
        points.y[points.count++] = indices[f].total;
    }
    fputs("<figure>", out);
    if (points.count > 0)
        tw_chart_points(out, &points);
    fputs("<figcaption><b>", out);
    tw_html_text(out, c->experiment->measures[measure].name);
    fputs("</b></figcaption></figure>\n", out);
}

static void put_index_table(FILE *out, const struct tw_comparison *c,
                            const struct tw_index *indices)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"sort\"><thead><tr><th "
          "scope=\"col\">parameter</th><th scope=\"col\">alone</th><th scope=\"col\">95 %</th><th "
          "scope=\"col\">total</th><th scope=\"col\">95 %</th><th "
          "scope=\"col\">interactions</th></tr></thead>\n<tbody>\n",
          out);
    for (int32_t f = 0; f < s->factor_count; f++) {
        const struct tw_index *index = &indices[f];
        fputs("<tr><th scope=\"row\">", out);
        tw_html_text(out, s->factors[f].name);
        if (isnan(index->total))
            fputs("</th><td>-</td><td>-</td><td>-</td><td>-</td><td>-</td></tr>\n", out);
        else
            fprintf(out,
                    "</th><td>%.3f</td><td>%.3f to %.3f</td><td>%.3f</td><td>%.3f to %.3f</td>"
                    "<td>%.3f</td></tr>\n",
                    index->first, index->first_low, index->first_high, index->total,
                    index->total_low, index->total_high, index->total - index->first);
    }
    fputs("</tbody></table></div>\n", out);
}

static void put_indices(FILE *out, const struct tw_comparison *c)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    struct tw_index indices[TW_FACTORS_MAX];
    fprintf(out,
            "<p>Sobol indices from %d x (%d + 2) runs a seed: the share of the variance of a "
            "measure's mean that a parameter causes <b>alone</b> when all vary over their ranges, "
            "and in <b>total</b>, with its interactions. Above the dashed line a parameter has "
            "them: total less alone. 95 %% intervals by a bootstrap.</p>\n",
            (int)s->rows, (int)s->factor_count);
    for (int32_t m = 0; m < c->experiment->measure_count; m++) {
        if (!tw_compare_indices(c, m, indices))
            continue;
        fputs("<div class=\"row wide\">\n", out);
        put_index_points(out, c, m, indices);
        put_index_table(out, c, indices);
        fputs("</div>\n", out);
    }
}

/* ---- curves ---- */

/* `numbers` holds x, y and the half interval, one after the other. */
static struct tw_series fill_curve(const struct tw_comparison *c, int32_t factor, int32_t measure,
                                   double *numbers)
{
    const struct tw_experiment *e = c->experiment;
    int32_t points = e->sensitivity.points;
    double *x = numbers, *y = x + points, *half = y + points;
    for (int32_t p = 0; p < points; p++) {
        int32_t v = tw_compare_curve_variant(c, factor, p);
        struct tw_summary mean = tw_comparison_summary(c, v, measure);
        x[p] = tw_sweep_value(e, v, e->sensitivity.factors[factor].name);
        y[p] = mean.mean;
        half[p] = mean.interval;
    }
    return (struct tw_series){
        .x = x, .y = y, .half = tw_has_spread(c) ? half : NULL, .count = points};
}

static void put_curve(FILE *out, const struct tw_comparison *c, int32_t factor, int32_t measure,
                      double *numbers)
{
    const struct tw_experiment *e = c->experiment;
    const char *factor_name = e->sensitivity.factors[factor].name;
    const char *measure_name = e->measures[measure].name;
    struct tw_series series = fill_curve(c, factor, measure, numbers);
    char title[200];
    snprintf(title, sizeof title, "Mean of %s over %s", measure_name, factor_name);
    fputs("<figure>", out);
    tw_chart_curves(out, title, factor_name, &series, 1);
    fputs("<figcaption><b>", out);
    tw_html_text(out, measure_name);
    fputs("</b> over ", out);
    tw_html_text(out, factor_name);
    fputs("</figcaption></figure>\n", out);
}

static void put_curves(FILE *out, const struct tw_comparison *c)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    double *numbers = calloc(3 * (size_t)s->points, sizeof *numbers);
    fputs("<h3>One parameter at a time</h3>\n<p>The others as in the recipe", out);
    fputs(
        tw_has_spread(c)
            ? "; means with their 95 % intervals. Every point has the same seeds, so the shape of "
              "a curve is surer than its intervals, which hold what differs between seeds.</p>\n"
            : ".</p>\n",
        out);
    for (int32_t f = 0; numbers && f < s->factor_count; f++) {
        fputs("<div class=\"row wide\">\n", out);
        for (int32_t m = 0; m < c->experiment->measure_count; m++)
            put_curve(out, c, f, m, numbers);
        fputs("</div>\n", out);
    }
    free(numbers);
}

void tw_section_sensitivity(FILE *out, const struct tw_comparison *c)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    if (s->factor_count == 0 || c->total == 0)
        return;
    fputs("<section id=\"sensitivity\"><h2>Which parameters matter</h2>\n", out);
    if (s->trajectories > 0)
        put_screening(out, c);
    if (s->rows > 0)
        put_indices(out, c);
    if (s->points > 0)
        put_curves(out, c);
    fputs("</section>\n", out);
}
