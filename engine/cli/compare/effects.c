/* SPDX-License-Identifier: MIT */
/* Prints sensitivity as text and JSON. */
#include "cli/compare/compare.h"

#include "base/text/text.h"
#include "study/effects.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static void print_name(FILE *out, const char *name, int width)
{
    fputs("  ", out);
    tw_text_write(out, name, TW_TEXT_TERMINAL);
    fprintf(out, "%*s", width > (int)strlen(name) ? width - (int)strlen(name) : 0, "");
}

static void print_effects(FILE *out, const struct tw_comparison *c, int32_t measure, int width)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    fprintf(out,
            "\n%s: effects over the whole range (Morris, %d trajectories, %d levels), mu* with "
            "the half width of 95 %%\n",
            c->experiment->measures[measure].name, (int)s->trajectories, (int)s->levels);
    fprintf(out, "  %-*s %10s %11s %10s %10s\n", width, "parameter", "mu*", "", "mu", "sigma");
    for (int32_t f = 0; f < s->factor_count; f++) {
        struct tw_effect effect = tw_compare_effect(c, f, measure);
        print_name(out, s->factors[f].name, width);
        if (effect.count < 2)
            fprintf(out, " %10s %11s %10s %10s\n", "-", "", "-", "-");
        else
            fprintf(out, " %10.4f +- %8.4f %+10.4f %10.4f\n", effect.mu_star, effect.interval,
                    effect.mu, effect.sigma);
    }
}

static void print_indices(FILE *out, const struct tw_comparison *c, int32_t measure, int width)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    struct tw_index indices[TW_FACTORS_MAX];
    bool known = tw_compare_indices(c, measure, indices);
    fprintf(
        out,
        "\n%s: shares of its variance (Sobol, %d x (%d + 2) runs a seed), with 95 %% intervals\n",
        c->experiment->measures[measure].name, (int)s->rows, (int)s->factor_count);
    fprintf(out, "  %-*s %25s %25s %12s\n", width, "parameter", "alone (first order)", "total",
            "interactions");
    for (int32_t f = 0; f < s->factor_count; f++) {
        const struct tw_index *index = &indices[f];
        print_name(out, s->factors[f].name, width);
        if (!known || isnan(index->total))
            fprintf(out, " %25s %25s %12s\n", "-", "-", "-");
        else
            fprintf(out, " %7.3f [%6.3f, %6.3f] %7.3f [%6.3f, %6.3f] %12.3f\n", index->first,
                    index->first_low, index->first_high, index->total, index->total_low,
                    index->total_high, index->total - index->first);
    }
}

static const char *value_at(const struct tw_comparison *c, int32_t factor, int32_t point)
{
    const struct tw_experiment *e = c->experiment;
    return tw_variant_value(&e->variants[tw_compare_curve_variant(c, factor, point)],
                            e->sensitivity.factors[factor].name);
}

static void print_curve(FILE *out, const struct tw_comparison *c, int32_t factor, int width)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_sensitivity *s = &e->sensitivity;
    fputs("\n", out);
    print_name(out, s->factors[factor].name, width);
    for (int32_t m = 0; m < e->measure_count; m++)
        fprintf(out, "  %*s", c->total > 1 ? 22 : 10, e->measures[m].name);
    fputs("\n", out);
    for (int32_t p = 0; p < s->points; p++) {
        print_name(out, value_at(c, factor, p), width);
        for (int32_t m = 0; m < e->measure_count; m++) {
            struct tw_summary sum =
                tw_comparison_summary(c, tw_compare_curve_variant(c, factor, p), m);
            fprintf(out, "  %10.4f", sum.mean);
            if (tw_has_spread(c))
                fprintf(out, " +- %8.4f", sum.interval);
        }
        fputs("\n", out);
    }
}

void tw_compare_effects_forecast(FILE *out, const struct tw_experiment *e)
{
    const struct tw_sensitivity *s = &e->sensitivity;
    const int32_t runs = e->run_count - e->variant_count;
    const char *before = "sensitivity: ";
    if (s->factor_count == 0)
        return;
    const struct {
        const char *name;
        int32_t count, each;
    } plans[] = {{"morris", s->trajectories, s->factor_count + 1},
                 {"indices", s->rows, s->factor_count + 2},
                 {"curves", s->points, s->factor_count}};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        if (plans[i].count == 0)
            continue;
        fprintf(out, "%s%s %d x %d", before, plans[i].name, (int)plans[i].count,
                (int)plans[i].each);
        before = " + ";
    }
    fprintf(out, " = %d runs a seed; %lld with %d seed%s\n", (int)runs,
            (long long)runs * e->seed_count, (int)e->seed_count, e->seed_count == 1 ? "" : "s");
}

void tw_compare_effects_text(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_sensitivity *s = &e->sensitivity;
    int width = 10;
    for (int32_t f = 0; f < s->factor_count; f++)
        width = (int)strlen(s->factors[f].name) > width ? (int)strlen(s->factors[f].name) : width;
    for (int32_t m = 0; s->trajectories > 0 && m < e->measure_count; m++)
        print_effects(out, c, m, width);
    for (int32_t m = 0; s->rows > 0 && m < e->measure_count; m++)
        print_indices(out, c, m, width);
    if (s->points > 0)
        fputs("\none parameter at a time, the others as in the recipe: means, with the half width "
              "of 95 %\n",
              out);
    for (int32_t f = 0; s->points > 0 && f < s->factor_count; f++)
        print_curve(out, c, f, width);
}

/* Effects' sizes are at least 0. */
static json_t *mu_star_95(const struct tw_effect *effect)
{
    double low = effect->mu_star - effect->interval;
    return effect->count < 2
               ? NULL
               : json_pack("[f, f]", low > 0 ? low : 0, effect->mu_star + effect->interval);
}

static json_t *effects_json(const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_sensitivity *s = &e->sensitivity;
    json_t *list = json_array();
    for (int32_t m = 0; s->trajectories > 0 && m < e->measure_count; m++)
        for (int32_t f = 0; f < s->factor_count; f++) {
            struct tw_effect effect = tw_compare_effect(c, f, m);
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:i, s:f, s:o?, s:f, s:f}", "measure",
                                e->measures[m].name, "parameter", s->factors[f].name, "count",
                                (int)effect.count, "mu_star", effect.mu_star, "mu_star_95",
                                mu_star_95(&effect), "mu", effect.mu, "sigma", effect.sigma));
        }
    return list;
}

static json_t *pair_json(double low, double high)
{
    return isnan(low) ? NULL : json_pack("[f, f]", low, high);
}

/* The indices of all parameters for a measure; null where the measure is constant. */
static void append_indices(json_t *list, const struct tw_comparison *c, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_index indices[TW_FACTORS_MAX];
    if (!tw_compare_indices(c, measure, indices))
        return;
    for (int32_t f = 0; f < e->sensitivity.factor_count; f++) {
        const struct tw_index *index = &indices[f];
        bool known = !isnan(index->total);
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:o?, s:o?, s:o?, s:o?}", "measure",
                            e->measures[measure].name, "parameter", e->sensitivity.factors[f].name,
                            "first", known ? json_real(index->first) : NULL, "first_95",
                            pair_json(index->first_low, index->first_high), "total",
                            known ? json_real(index->total) : NULL, "total_95",
                            pair_json(index->total_low, index->total_high)));
    }
}

static json_t *curve_json(const struct tw_comparison *c, int32_t factor, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_sensitivity *s = &e->sensitivity;
    json_t *points = json_array();
    for (int32_t p = 0; p < s->points; p++) {
        struct tw_summary sum =
            tw_comparison_summary(c, tw_compare_curve_variant(c, factor, p), measure);
        json_t *interval =
            tw_has_spread(c) ? json_pack("[f, f]", sum.mean - sum.interval, sum.mean + sum.interval)
                             : NULL;
        json_array_append_new(points, json_pack("{s:s, s:f, s:o?}", "value", value_at(c, factor, p),
                                                "mean", sum.mean, "mean_95", interval));
    }
    return json_pack("{s:s, s:s, s:o}", "parameter", s->factors[factor].name, "measure",
                     e->measures[measure].name, "points", points);
}

json_t *tw_compare_effects_json(const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_sensitivity *s = &e->sensitivity;
    if (s->factor_count == 0)
        return NULL;
    json_t *curves = json_array(), *indices = json_array();
    for (int32_t m = 0; s->rows > 0 && m < e->measure_count; m++)
        append_indices(indices, c, m);
    for (int32_t f = 0; s->points > 0 && f < s->factor_count; f++)
        for (int32_t m = 0; m < e->measure_count; m++)
            json_array_append_new(curves, curve_json(c, f, m));
    return json_pack("{s:i, s:i, s:o, s:i, s:o, s:o}", "trajectories", (int)s->trajectories,
                     "levels", (int)s->levels, "effects", effects_json(c), "rows", (int)s->rows,
                     "indices", indices, "curves", curves);
}
