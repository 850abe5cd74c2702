/* SPDX-License-Identifier: MIT */
#include "report/compare_page.h"
#include "report/ending.h"
#include "report/verdict.h"
#include "study/effects.h"
#include "study/levels.h"
#include "study/tuning.h"

#include <math.h>

static void put_cell(FILE *out, const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_summary s = tw_comparison_summary(c, variant, measure);
    if (e->baseline < 0 || variant == e->baseline) {
        fprintf(out, " %.4g", s.mean);
        if (tw_has_spread(c))
            fprintf(out, " \xC2\xB1 %.2g", s.interval);
    } else {
        const struct tw_paired *p = tw_pair_of(c, variant, measure);
        fprintf(out, " %s %+.3g", tw_verdict_mark(p->verdict), p->difference);
        if (tw_has_spread(c))
            fprintf(out, " [%+.3g, %+.3g]", p->low, p->high);
    }
    fputs(" |", out);
}

static void put_head(FILE *out, const struct tw_experiment *e)
{
    fputs("| variant |", out);
    for (int32_t m = 0; m < e->measure_count; m++) {
        fputs(" ", out);
        tw_text_write(out, e->measures[m].name, TW_TEXT_MARKDOWN);
        fputs(e->measures[m].goal > 0   ? " \xE2\x86\x91 |"
              : e->measures[m].goal < 0 ? " \xE2\x86\x93 |"
                                        : " |",
              out);
    }
    fputs("\n|---|", out);
    for (int32_t m = 0; m < e->measure_count; m++)
        fputs("---:|", out);
    fputs("\n", out);
}

static void put_table(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    put_head(out, e);
    for (int32_t v = 0; v < e->variant_count; v++) {
        fputs("| ", out);
        tw_text_write(out, e->variants[v].name, TW_TEXT_MARKDOWN);
        fputs(v == e->baseline ? " (baseline) |" : " |", out);
        for (int32_t m = 0; m < e->measure_count; m++)
            put_cell(out, c, v, m);
        fputs("\n", out);
    }
}

static void put_median(FILE *out, const struct tw_median *time)
{
    fprintf(out, " %.4g", time->median);
    if (!isnan(time->low))
        fprintf(out, " [%.4g, %.4g]", time->low, time->high);
    fputs(" |", out);
}

/* Times of separate runs of each variant. */
static void put_times(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    fputs("\n| variant | seconds on the clock | of processors |\n|---|---:|---:|\n", out);
    for (int32_t v = 0; v < e->variant_count; v++) {
        fputs("| ", out);
        tw_level_write_variant(out, e, &e->variants[v], TW_TEXT_MARKDOWN);
        fputs(" |", out);
        put_median(out, &c->times[v].wall);
        put_median(out, &c->times[v].processor);
        fputs("\n", out);
    }
    fprintf(out, "\nEach variant by itself %d times, interleaved, without cache: medians%s.\n",
            (int)c->times[0].count, isnan(c->times[0].wall.low) ? "" : " with 95 % intervals");
}

/* mu* of every parameter and measure, with sigma. */
static void put_effects(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    const struct tw_sensitivity *s = &e->sensitivity;
    fputs("\n| parameter |", out);
    for (int32_t m = 0; m < e->measure_count; m++) {
        fputs(" ", out);
        tw_text_write(out, e->measures[m].name, TW_TEXT_MARKDOWN);
        fputs(" |", out);
    }
    fputs("\n|---|", out);
    for (int32_t m = 0; m < e->measure_count; m++)
        fputs("---:|", out);
    fputs("\n", out);
    for (int32_t f = 0; f < s->factor_count; f++) {
        fputs("| ", out);
        tw_text_write(out, s->factors[f].name, TW_TEXT_MARKDOWN);
        fputs(" |", out);
        for (int32_t m = 0; m < e->measure_count; m++) {
            struct tw_effect effect = tw_compare_effect(c, f, m);
            if (effect.count < 2)
                fputs(" - |", out);
            else
                fprintf(out, " %.3g (%.3g) |", effect.mu_star, effect.sigma);
        }
        fputs("\n", out);
    }
    fprintf(out,
            "\nMorris' screening, %d trajectories: mu\\*, the mean size of a parameter's effects "
            "over its range, and (sigma), their deviation.\n",
            (int)s->trajectories);
}

/* The total Sobol index of every parameter and measure, with the part that is the parameter's
 * alone.
 */
static void put_indices(FILE *out, const struct tw_comparison *c)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    fputs("\n| parameter | measure | alone | total | interactions |\n|---|---|---:|---:|---:|\n",
          out);
    for (int32_t m = 0; m < c->experiment->measure_count; m++) {
        struct tw_index indices[TW_FACTORS_MAX];
        bool known = tw_compare_indices(c, m, indices);
        for (int32_t f = 0; f < s->factor_count; f++) {
            fputs("| ", out);
            tw_text_write(out, s->factors[f].name, TW_TEXT_MARKDOWN);
            fputs(" | ", out);
            tw_text_write(out, c->experiment->measures[m].name, TW_TEXT_MARKDOWN);
            if (!known || isnan(indices[f].total))
                fputs(" | - | - | - |\n", out);
            else
                fprintf(out, " | %.2f | %.2f (%.2f to %.2f) | %.2f |\n", indices[f].first,
                        indices[f].total, indices[f].total_low, indices[f].total_high,
                        indices[f].total - indices[f].first);
        }
    }
    fprintf(out,
            "\nSobol indices, %d x (%d + 2) runs a seed: shares of the variance of a measure's "
            "mean, with 95 %% intervals.\n",
            (int)s->rows, (int)s->factor_count);
}

/* Writes findings of sensitivity and tuning, except a sentence that is already the verdict. */
static void put_findings(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    bool screened = e->sensitivity.factor_count > 0;
    if (screened && e->variant_count > 0) {
        fputs("\n", out);
        tw_verdict_sensitivity(out, c, TW_TEXT_MARKDOWN);
        fputs("\n", out);
    }
    if (e->sensitivity.trajectories > 0)
        put_effects(out, c);
    if (e->sensitivity.rows > 0)
        put_indices(out, c);
    if (c->tuning && (screened || e->variant_count > 0)) {
        fputs("\n", out);
        tw_verdict_tuning(out, c, TW_TEXT_MARKDOWN);
        fputs("\n", out);
    }
}

/* Tables of the levels, one below the other. */
static void put_levels(FILE *out, const struct tw_comparison *c)
{
    struct tw_experiment own;
    if (c->experiment->variant_count == 0)
        return;
    for (int32_t i = 0; i < c->experiment->level_count; i++) {
        const struct tw_comparison level = tw_comparison_level(c, i, &own);
        fputs("\n", out);
        if (c->experiment->level_count > 1) {
            tw_level_write(out, own.levels, TW_TEXT_MARKDOWN);
            fputs(":\n\n", out);
        }
        put_table(out, &level);
    }
}

void tw_compare_markdown(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    int32_t width = c->width > 0 ? c->width : c->tuning->width;
    int32_t height = c->height > 0 ? c->height : c->tuning->height;
    fputs("**", out);
    tw_verdict_sentence(out, c, TW_TEXT_MARKDOWN);
    fputs("** ", out);
    tw_verdict_others(out, c, TW_TEXT_MARKDOWN);
    fputs("\n", out);
    tw_comparison_ending(out, c, &(struct tw_ending_form){"\n", "\n", TW_TEXT_MARKDOWN});
    put_levels(out, c);
    put_findings(out, c);
    if (c->times)
        put_times(out, c);
    int32_t seeds = c->total > 0 ? c->total : e->seed_count;
    fprintf(out, "\n%d seed%s", (int)seeds, seeds == 1 ? "" : "s");
    if (e->level_count <= 1 || e->levels->side == 0)
        fprintf(out, ", %d x %d cells", (int)width, (int)height);
    fputs(".", out);
    if (e->baseline >= 0)
        fputs(
            " Mean paired differences to the baseline with 95 % intervals, each by itself; of the baseline the "
            "mean. \xE2\x96\xB2 better, \xE2\x96\xBC worse, \xE2\x86\x91 higher, \xE2\x86\x93 "
            "lower, ~ nothing shown, \xE2\x80\xA6 too few seeds: Wilcoxon's signed-rank test at 5 "
            "%, all comparisons together (Holm).",
            out);
    fputs("\n", out);
}
