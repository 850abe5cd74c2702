/* SPDX-License-Identifier: MIT */
/* Prints a comparison as text and JSON, and checks its assertions. */
#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/commands/compare.h"
#include "console/answer.h"
#include "console/documents.h"
#include "report/ending.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

static double mean_seconds(const struct tw_comparison *c, int32_t variant)
{
    return c->seconds[variant].mean;
}

/* Prints a difference with an exponent if four decimals would round it to 0. */
static void print_difference(FILE *out, double v)
{
    fprintf(out, fabs(v) < 0.00005 && v != 0 ? " %+10.1e" : " %+10.4f", v);
}

static void print_row(FILE *out, const struct tw_comparison *c, int32_t variant, int32_t measure,
                      int width)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_summary s = tw_comparison_summary(c, variant, measure);
    bool spread = tw_has_spread(c);
    fprintf(out, "  %-*s %10.4f", width, e->variants[variant].name, s.mean);
    if (spread)
        fprintf(out, " %10.4f %10.4f %10.4f", s.deviation, s.mean - s.interval,
                s.mean + s.interval);
    else
        fprintf(out, " %10s %10s %10s", "-", "-", "-");
    if (e->baseline >= 0 && variant != e->baseline) {
        struct tw_summary d = tw_comparison_difference(c, variant, measure);
        fputs("  ", out);
        print_difference(out, d.mean);
        if (spread) {
            print_difference(out, d.mean - d.interval);
            print_difference(out, d.mean + d.interval);
        } else {
            fprintf(out, " %10s %10s", "-", "-");
        }
        fprintf(out, "  %s", tw_verdict_names[tw_pair_of(c, variant, measure)->verdict]);
    }
    fputs("\n", out);
}

void tw_compare_text(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    int width = 8;
    for (int32_t v = 0; v < e->variant_count; v++)
        width = (int)strlen(e->variants[v].name) > width ? (int)strlen(e->variants[v].name) : width;
    tw_text_write(out, e->file, TW_TEXT_TERMINAL);
    if (e->run_count == 0) /* the experiment only tunes */
        fputs("\n", out);
    else
        fprintf(out, ": %d seed%s from %" PRIu64 ", %d x %d cells\n", (int)c->total,
                c->total == 1 ? "" : "s", tw_experiment_seed(e, 0), (int)c->width, (int)c->height);
    tw_comparison_ending(out, c, &(struct tw_ending_form){"", "\n", TW_TEXT_TERMINAL});
    for (int32_t m = 0; e->variant_count > 0 && m < e->measure_count; m++) {
        fprintf(out, "\n%s\n  %-*s %10s %10s %21s", e->measures[m].name, width, "variant", "mean",
                "deviation", "95 % of the mean");
        if (e->baseline >= 0)
            fprintf(out, "   %10s %21s", "paired", "95 % of it");
        fputs("\n", out);
        for (int32_t v = 0; v < e->variant_count; v++)
            print_row(out, c, v, m, width);
    }
    if (e->baseline >= 0)
        fprintf(
            out,
            "\npaired: differences to %s with the same seed; the word: Wilcoxon's signed-rank test "
            "at 5 %%, all comparisons together (Holm)\n",
            e->variants[e->baseline].name);
    tw_compare_effects_text(out, c);
    tw_compare_tuning_text(out, c);
    if (e->variant_count > 0)
        fprintf(out, "\n%-*s   seconds a run\n", width, "variant");
    for (int32_t v = 0; v < e->variant_count; v++)
        fprintf(out, "%-*s   %.4f\n", width, e->variants[v].name, mean_seconds(c, v));
    if (c->times)
        tw_compare_times_text(out, c, width);
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

static json_t *variant_json(const struct tw_comparison *c, int32_t variant)
{
    const struct tw_experiment *e = c->experiment;
    json_t *measures = json_object();
    for (int32_t m = 0; m < e->measure_count; m++) {
        struct tw_summary s = tw_comparison_summary(c, variant, m);
        json_t *row = summary_json(c, &s);
        if (e->baseline >= 0 && variant != e->baseline) {
            struct tw_summary d = tw_comparison_difference(c, variant, m);
            json_object_set_new(row, "difference", summary_json(c, &d));
        }
        json_object_set_new(measures, e->measures[m].name, row);
    }
    json_t *params = json_object();
    for (int32_t i = 0; i < e->variants[variant].setting_count; i++) {
        const struct tw_setting *setting = &e->variants[variant].settings[i];
        json_object_set_new(params, setting->name, json_string(setting->text));
    }
    return json_pack("{s:s, s:o, s:f, s:o*, s:o}", "name", e->variants[variant].name, "params",
                     params, "seconds", mean_seconds(c, variant), "times",
                     tw_compare_times_json(c, variant), "measures", measures);
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
        "{s:s, s:s, s:s, s:i, s:i, s:f, s:o, s:f, s:o, s:f, s:f, s:f, s:f, s:s}", "variant",
        e->variants[variant].name, "baseline", e->variants[e->baseline].name, "measure",
        e->measures[measure].name, "count", (int)p->count, "ranked", (int)p->ranked, "difference",
        p->difference, "interval", interval_json(p->low, p->high), "hodges_lehmann",
        p->hodges_lehmann, "hodges_lehmann_interval", interval_json(p->shift_low, p->shift_high),
        "wilcoxon_p", p->wilcoxon_p, "sign_p", p->sign_p, "holm_p", p->holm_p, "effect", p->effect,
        "verdict", tw_verdict_names[p->verdict]);
}

static json_t *pairs_json(const struct tw_comparison *c)
{
    json_t *list = json_array();
    for (int32_t v = 0; c->experiment->baseline >= 0 && v < c->experiment->variant_count; v++)
        for (int32_t m = 0; v != c->experiment->baseline && m < c->experiment->measure_count; m++)
            json_array_append_new(list, pair_json(c, v, m));
    return list;
}

void tw_compare_json(const struct tw_comparison *c)
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
        .sensitivity = tw_compare_effects_json(c), .tuning = tw_compare_tuning_json(c)));
}

static int check_one(const struct tw_comparison *c, const struct tw_bound *bound, int32_t variant)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_summary s = tw_comparison_summary(c, variant, bound->measure);
    double value = tw_statistic(&s, bound->statistic);
    struct tw_error error;
    tw_case_begin(e->file, "%s: %s of %s", e->variants[variant].name,
                  tw_statistic_names[bound->statistic], e->measures[bound->measure].name);
    if (value >= bound->min && value <= bound->max)
        return 0;
    tw_error_set(&error, TW_DIFFERENCE, "%s of %s is %.9g; asserted is %s %.9g",
                 tw_statistic_names[bound->statistic], e->measures[bound->measure].name, value,
                 value < bound->min ? "at least" : "at most",
                 value < bound->min ? bound->min : bound->max);
    snprintf(error.file, sizeof error.file, "%s", e->file);
    snprintf(error.path, sizeof error.path, "variant %s", e->variants[variant].name);
    error.line = bound->place.line;
    error.column = bound->place.column;
    tw_console_error(&error);
    return 1;
}

int tw_compare_check(const struct tw_comparison *c)
{
    int failed = 0;
    for (const struct tw_bound *bound = c->experiment->bounds; bound; bound = bound->next)
        for (int32_t v = 0; v < c->experiment->variant_count; v++)
            if (bound->variant < 0 || bound->variant == v)
                failed += check_one(c, bound, v);
    return failed;
}
