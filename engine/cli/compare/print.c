/* SPDX-License-Identifier: MIT */
/* Prints a comparison as text, and checks its assertions. */
#include "base/text/stream.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/compare/compare.h"
#include "console/answer.h"
#include "report/adjusted.h"
#include "report/matching.h"
#include "report/verdict/ending.h"
#include "study/levels.h"
#include "study/tuning.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
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

/* One table per measure, with the variants of a level. */
static void print_measures(FILE *out, const struct tw_comparison *c, int width)
{
    const struct tw_experiment *e = c->experiment;
    for (int32_t m = 0; e->variant_count > 0 && m < e->measure_count; m++) {
        fprintf(out, "\n%s\n  %-*s %10s %10s %21s", e->measures[m].name, width, "variant", "mean",
                "deviation", "95 % of the mean");
        if (e->baseline >= 0)
            fprintf(out, "   %10s %21s", "paired", "95 % of it");
        fputs("\n", out);
        for (int32_t v = 0; v < e->variant_count; v++)
            print_row(out, c, v, m, width);
    }
}

static void print_costs(FILE *out, const struct tw_comparison *c, int width)
{
    const struct tw_experiment *e = c->experiment;
    if (e->variant_count > 0)
        fprintf(out, "\n%-*s   seconds a run\n", width, "variant");
    for (int32_t v = 0; v < e->variant_count; v++)
        fprintf(out, "%-*s   %.4f\n", width, e->variants[v].name, mean_seconds(c, v));
    if (c->times)
        tw_compare_times_text(out, c, width);
}

static int width_of(const struct tw_experiment *e)
{
    int width = 8;
    for (int32_t v = 0; v < e->variant_count; v++)
        width = (int)strlen(e->variants[v].name) > width ? (int)strlen(e->variants[v].name) : width;
    return width;
}

static void print_head(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    tw_text_write(out, e->file, TW_TEXT_TERMINAL);
    if (e->run_count > 0) { /* the experiment does not only tune */
        fprintf(out, ": %d seed%s from %" PRIu64, (int)c->total, c->total == 1 ? "" : "s",
                tw_experiment_seed(e, 0));
        if (e->level_count > 1)
            fprintf(out, ", %d levels", (int)e->level_count);
        if (e->level_count <= 1 || e->levels->side == 0)
            fprintf(out, ", %d x %d cells", (int)c->width, (int)c->height);
    }
    fputs("\n", out);
}

/* A heading of its own for each level, if there are several. */
static void print_level(FILE *out, const struct tw_experiment *e, const struct tw_experiment *own)
{
    if (e->level_count <= 1)
        return;
    fputs("\n== ", out);
    tw_level_write(out, own->levels, TW_TEXT_TERMINAL);
    fputs("\n", out);
}

void tw_compare_text(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    const int width = width_of(e);
    struct tw_experiment own;
    print_head(out, c);
    tw_comparison_ending(out, c, &(struct tw_ending_form){"", "\n", TW_TEXT_TERMINAL});
    tw_matching_sentences(out, c, INT32_MAX, &(struct tw_ending_form){"", "\n", TW_TEXT_TERMINAL});
    tw_compare_levels_text(out, c);
    for (int32_t i = 0; i < e->level_count; i++) {
        const struct tw_comparison level = tw_comparison_level(c, i, &own);
        print_level(out, e, &own);
        print_measures(out, &level, width);
    }
    if (e->baseline >= 0)
        fprintf(
            out,
            "\npaired: differences to %s with the same seed; the word: Wilcoxon's signed-rank test "
            "at 5 %%, all comparisons together (Holm); intervals: each by itself\n",
            e->variants[e->baseline].name);
    if (e->adjusts)
        fputs("\n", out);
    tw_adjusted_sentences(out, c, INT32_MAX, &(struct tw_ending_form){"", "\n", TW_TEXT_TERMINAL});
    tw_compare_effects_text(out, c);
    tw_compare_tuning_text(out, c);
    tw_compare_fronts_text(out, c);
    for (int32_t i = 0; i < e->level_count; i++) {
        const struct tw_comparison level = tw_comparison_level(c, i, &own);
        print_level(out, e, &own);
        print_costs(out, &level, width);
    }
}

/* The variant's name with its level, to be freed; NULL if memory runs out. */
static char *name_variant(const struct tw_experiment *e, int32_t variant)
{
    char *name = NULL;
    size_t length = 0;
    FILE *out = tw_stream_open(&name, &length);
    if (!out)
        return NULL;
    tw_level_write_variant(out, e, &e->variants[variant], TW_TEXT_TERMINAL);
    if (tw_stream_close(out) == 0)
        return name;
    free(name);
    return NULL;
}

static int check_one(const struct tw_comparison *c, const struct tw_bound *bound, int32_t variant)
{
    const struct tw_experiment *e = c->experiment;
    const char *measure = e->measures[bound->measure].name;
    struct tw_summary s = tw_comparison_summary(c, variant, bound->measure);
    double value = tw_statistic(&s, bound->statistic);
    struct tw_error error;
    char *name = name_variant(e, variant);
    tw_error_set(&error, TW_DIFFERENCE, "%s of %s is %.9g; asserted is %s %.9g",
                 tw_statistic_names[bound->statistic], measure, value,
                 value < bound->min ? "at least" : "at most",
                 value < bound->min ? bound->min : bound->max);
    snprintf(error.path, sizeof error.path, "variant %s", name ? name : "");
    tw_case_begin(e->file, "%s: %s of %s", name ? name : "", tw_statistic_names[bound->statistic],
                  measure);
    free(name);
    if (value >= bound->min && value <= bound->max)
        return 0;
    snprintf(error.file, sizeof error.file, "%s", e->file);
    error.line = bound->place.line;
    error.column = bound->place.column;
    tw_console_error(&error);
    return 1;
}

/* A mean that is asserted of all variants also holds of the best trial. */
static int check_trial(const struct tw_comparison *c, const struct tw_trial *best)
{
    const struct tw_experiment *e = c->experiment;
    int failed = 0;
    for (const struct tw_bound *bound = e->bounds; bound; bound = bound->next) {
        double mean = best->means[bound->measure];
        if (bound->variant >= 0 || bound->statistic != TW_MEAN ||
            (mean >= bound->min && mean <= bound->max))
            continue;
        struct tw_error error;
        tw_error_set(&error, TW_DIFFERENCE,
                     "mean of %s is %.9g at the best trial; asserted is %s "
                     "%.9g",
                     e->measures[bound->measure].name, mean,
                     mean < bound->min ? "at least" : "at most",
                     mean < bound->min ? bound->min : bound->max);
        snprintf(error.file, sizeof error.file, "%s", e->file);
        error.line = bound->place.line;
        error.column = bound->place.column;
        tw_console_error(&error);
        failed++;
    }
    return failed;
}

/* Constraints of a tuning that are missed, if they are asserted. */
static int check_tuning(const struct tw_comparison *c)
{
    const struct tw_tuning *t = c->tuning;
    struct tw_error error;
    if (!t || !c->experiment->tune.asserts || !tw_trial_has_run(&t->trials[t->best]))
        return 0;
    int failed = check_trial(c, &t->trials[t->best]);
    if (t->reached)
        return failed;
    tw_error_set(&error, TW_DIFFERENCE, "tune: no trial keeps every constraint of goal:");
    snprintf(error.file, sizeof error.file, "%s", c->experiment->file);
    tw_console_error(&error);
    return failed + 1;
}

int tw_compare_check(const struct tw_comparison *c)
{
    int failed = 0;
    for (const struct tw_bound *bound = c->experiment->bounds; bound; bound = bound->next)
        for (int32_t v = 0; v < c->experiment->variant_count; v++)
            if (bound->variant < 0 || bound->variant == v % c->experiment->level_variants)
                failed += check_one(c, bound, v);
    return failed + check_tuning(c);
}
