/* SPDX-License-Identifier: MIT */
/* Prints a comparison as JSON. */
#include "base/text/json.h"
#include "cli/compare/compare.h"
#include "console/answer.h"
#include "console/documents.h"
#include "study/levels.h"

#include <inttypes.h>
#include <jansson.h>

/* Cells per side; of maps that are not square, "64x32". */
static json_t *size_json(const struct tw_comparison *c, int32_t variant)
{
    int32_t side = tw_side_of(c, variant);
    return side > 0 ? json_integer(side) : json_sprintf("%dx%d", (int)c->width, (int)c->height);
}

/* The values of crossed parameters. */
static json_t *factors_json(const struct tw_experiment *e, int32_t variant)
{
    const struct tw_factor_level *level = &e->levels[tw_level_of(e, variant)];
    json_t *factors = json_object();
    for (int32_t i = 0; i < level->setting_count; i++)
        json_object_set_new(factors, level->settings[i].name, json_string(level->settings[i].text));
    return factors;
}

/* Gives null for deviation and interval if there is only one sample. */
static json_t *summary_json(const struct tw_comparison *c, const struct tw_summary *s)
{
    json_t *deviation = NULL, *interval = NULL;
    if (tw_has_spread(c)) {
        deviation = json_real(s->deviation);
        interval = json_pack("[f, f]", s->mean - s->interval, s->mean + s->interval);
    }
    return json_pack("{s:f, s:o?, s:f, s:f, s:o?}", "mean", s->mean, "deviation", deviation, "min",
                     s->least, "max", s->greatest, "mean_95", interval);
}

/* In the order of `seeds`. */
static json_t *samples_json(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    json_t *list = json_array();
    for (int32_t i = 0; i < c->count; i++)
        json_array_append_new(list, json_real(tw_samples(c, variant, measure)[i]));
    return list;
}

static json_t *variant_json(const struct tw_comparison *c, int32_t variant)
{
    const struct tw_experiment *e = c->experiment;
    json_t *measures = json_object();
    for (int32_t m = 0; m < e->measure_count; m++) {
        struct tw_summary s = tw_comparison_summary(c, variant, m);
        json_t *row = summary_json(c, &s);
        if (tw_is_compared(e, variant)) {
            struct tw_summary d = tw_comparison_difference(c, variant, m);
            json_object_set_new(row, "difference", summary_json(c, &d));
        }
        json_object_set_new(row, "samples", samples_json(c, variant, m));
        json_object_set_new(measures, e->measures[m].name, row);
    }
    json_t *params = json_object();
    for (int32_t i = 0; i < e->variants[variant].setting_count; i++) {
        const struct tw_setting *setting = &e->variants[variant].settings[i];
        json_object_set_new(params, setting->name, json_string(setting->text));
    }
    return json_pack("{s:s, s:o, s:s?, s:o, s:f, s:o*, s:o}", "name", e->variants[variant].name,
                     "size", size_json(c, variant), "digest",
                     c->digests ? c->digests[variant] : NULL, "params", params, "seconds",
                     c->seconds[variant].mean, "times", tw_compare_times_json(c, variant),
                     "measures", measures);
}

/* Returns null if there are too few seeds for an interval. */
static json_t *interval_json(double low, double high)
{
    return low == low ? json_pack("[f, f]", low, high) : json_null();
}

static json_t *pair_json(const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_paired *p = tw_pair_of(c, variant, measure);
    return json_pack(
        "{s:s, s:s, s:o, s:o, s:s, s:i, s:i, s:f, s:o, s:f, s:o, s:f, s:f, s:f, s:f, s:s}",
        "variant", e->variants[variant].name, "baseline", e->variants[e->baseline].name, "size",
        size_json(c, variant), "factors", factors_json(e, variant), "measure",
        e->measures[measure].name, "count", (int)p->count, "ranked", (int)p->ranked, "difference",
        p->difference, "interval", interval_json(p->low, p->high), "hodges_lehmann",
        p->hodges_lehmann, "hodges_lehmann_interval", interval_json(p->shift_low, p->shift_high),
        "wilcoxon_p", p->wilcoxon_p, "sign_p", p->sign_p, "holm_p", p->holm_p, "effect", p->effect,
        "verdict", tw_verdict_names[p->verdict]);
}

static json_t *pairs_json(const struct tw_comparison *c)
{
    json_t *list = json_array();
    for (int32_t v = 0; v < c->experiment->variant_count; v++)
        for (int32_t m = 0; tw_is_compared(c->experiment, v) && m < c->experiment->measure_count;
             m++)
            json_array_append_new(list, pair_json(c, v, m));
    return list;
}

void tw_compare_json(const struct tw_comparison *c, const struct tw_against *against)
{
    const struct tw_experiment *e = c->experiment;
    json_t *seeds = json_array(), *variants = json_array();
    for (int32_t i = 0; i < c->count; i++) {
        char text[24]; /* a JSON number cannot hold all 64 bits */
        snprintf(text, sizeof text, "%" PRIu64, c->seeds[i]);
        json_array_append_new(seeds, json_string(text));
    }
    for (int32_t v = 0; v < e->variant_count; v++)
        json_array_append_new(variants, variant_json(c, v));
    const char *baseline = e->baseline >= 0 ? e->variants[e->baseline].name : NULL;
    tw_answer_set(TW_DOCUMENT(
        compare, .experiment = e->file, .size = tw_document_size(c->width, c->height),
        .baseline = tw_document_text(baseline), .total = json_integer(c->total), .seeds = seeds,
        .variants = variants, .pairs = pairs_json(c), .stopped = tw_document_text(c->signal),
        .failed = json_integer(c->failed), .narrow = json_boolean(c->narrow),
        .sensitivity = tw_compare_effects_json(c), .tuning = tw_compare_tuning_json(c),
        .fronts = tw_compare_fronts_json(c), .matching = tw_compare_matching_json(c),
        .adjusted = tw_compare_adjusted_json(c),
        .against = against ? tw_against_json(against, c) : NULL));
}
