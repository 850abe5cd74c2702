/* SPDX-License-Identifier: MIT */
#include "report/compare_page.h"
#include "report/pictures/pair_picture.h"
#include "report/terms.h"
#include "report/verdict/ending.h"
#include "report/verdict/verdict.h"
#include "study/effects.h"
#include "study/levels.h"
#include "study/tuning.h"

#include <inttypes.h>
#include <math.h>

enum {
    MATCHED_MAX = 3, /* variants whose matching is stated */
    ADJUSTED_MAX = 3 /* differences at equal values that are */
};

/* Whether there are sentences on equal terms. */
static bool has_terms(const struct tw_experiment *e) { return e->match.seeds > 0 || e->adjusts; }

/* Rows of a table, by the number of tables, so that all fit 40 lines. */
static int32_t rows_of(const struct tw_comparison *c)
{
    static const int32_t rows[] = {22, 8, 3}, beside_terms[] = {20, 6, 2};
    const struct tw_experiment *e = c->experiment;
    bool screened = e->sensitivity.trajectories > 0 || e->sensitivity.rows > 0;
    return (has_terms(e) ? beside_terms : rows)[screened + (c->times != NULL)];
}

static void put_more(FILE *out, int32_t more)
{
    if (more > 0)
        fprintf(out, "| and %d more |\n", (int)more);
}

static void put_cell(FILE *out, const struct tw_comparison *c, int32_t variant, int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_summary s = tw_comparison_summary(c, variant, measure);
    if (!tw_is_compared(e, variant)) {
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
    const struct tw_choice choice = tw_choose_variants(c, rows_of(c));
    put_head(out, e);
    for (int32_t k = 0; k < choice.count; k++) {
        int32_t v = choice.at[k];
        fputs("| ", out);
        tw_text_write(out, e->variants[v].name, TW_TEXT_MARKDOWN);
        fputs(v == e->baseline ? " (baseline) |" : " |", out);
        for (int32_t m = 0; m < e->measure_count; m++)
            put_cell(out, c, v, m);
        fputs("\n", out);
    }
    put_more(out, e->variant_count - choice.count);
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
    for (int32_t v = 0; v < e->variant_count && v < rows_of(c); v++) {
        fputs("| ", out);
        tw_level_write_variant(out, e, &e->variants[v], TW_TEXT_MARKDOWN);
        fputs(" |", out);
        put_median(out, &c->times[v].wall);
        put_median(out, &c->times[v].processor);
        fputs("\n", out);
    }
    put_more(out, e->variant_count - rows_of(c));
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
    for (int32_t f = 0; f < s->factor_count && f < rows_of(c); f++) {
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
    put_more(out, s->factor_count - rows_of(c));
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
    for (int32_t m = 0; m < c->experiment->measure_count && m * s->factor_count < rows_of(c); m++) {
        struct tw_index indices[TW_FACTORS_MAX];
        bool known = tw_compare_indices(c, m, indices);
        for (int32_t f = 0; f < s->factor_count && m * s->factor_count + f < rows_of(c); f++) {
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
    put_more(out, c->experiment->measure_count * s->factor_count - rows_of(c));
    fprintf(out,
            "\nSobol indices, %d x (%d + 2) runs a seed: shares of the variance of a measure's "
            "mean, with 95 %% intervals.\n",
            (int)s->rows, (int)s->factor_count);
}

/* Writes findings of sensitivity and tuning, except a sentence that is already the verdict; of two
 * tables on parameters the one that says more. */
static void put_findings(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    bool screened = e->sensitivity.factor_count > 0;
    if (screened && e->variant_count > 0) {
        fputs("\n", out);
        tw_verdict_sensitivity(out, c, TW_TEXT_MARKDOWN);
        fputs("\n", out);
    }
    if (e->sensitivity.rows > 0)
        put_indices(out, c);
    else if (e->sensitivity.trajectories > 0)
        put_effects(out, c);
    if (c->tuning && (screened || e->variant_count > 0)) {
        fputs("\n", out);
        tw_verdict_tuning(out, c, TW_TEXT_MARKDOWN);
        fputs("\n", out);
    }
}

/* Whether the verdict holds at every level: a row per measure and variant, a column per level. */
static void put_levels(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    int32_t rows = 0;
    fputs("| measure | variant |", out);
    for (int32_t i = 0; i < e->level_count; i++) {
        fputs(" ", out);
        tw_level_write(out, &e->levels[i], TW_TEXT_MARKDOWN);
        fputs(" |", out);
    }
    fputs("\n|---|---|", out);
    for (int32_t i = 0; i < e->level_count; i++)
        fputs("---:|", out);
    fputs("\n", out);
    for (int32_t m = 0; m < e->measure_count; m++)
        for (int32_t v = 0; v < e->level_variants; v++) {
            if ((e->baseline >= 0 && v == e->baseline) || ++rows > rows_of(c))
                continue;
            fputs("| ", out);
            tw_text_write(out, e->measures[m].name, TW_TEXT_MARKDOWN);
            fputs(" | ", out);
            tw_text_write(out, e->variants[v].name, TW_TEXT_MARKDOWN);
            fputs(" |", out);
            for (int32_t i = 0; i < e->level_count; i++)
                put_cell(out, c, i * e->level_variants + v, m);
            fputs("\n", out);
        }
    put_more(out, rows - rows_of(c));
}

static void put_results(FILE *out, const struct tw_comparison *c)
{
    if (c->experiment->variant_count == 0)
        return;
    fputs("\n", out);
    if (c->experiment->level_count > 1)
        put_levels(out, c);
    else
        put_table(out, c);
}

static void put_picture(FILE *out, const struct tw_comparison *c, const char *picture)
{
    struct tw_experiment own;
    const struct tw_comparison last = tw_comparison_level(c, c->experiment->level_count - 1, &own);
    struct tw_pair_shown shown;
    if (!picture || c->signal || !tw_pair_choose(&last, &shown))
        return;
    fputs("\n![left: ", out);
    tw_text_write(out, own.variants[shown.left].name, TW_TEXT_MARKDOWN);
    fputs(", right: ", out);
    tw_text_write(out, own.variants[shown.right].name, TW_TEXT_MARKDOWN);
    if (c->experiment->level_count > 1) {
        fputs(", ", out);
        tw_level_write(out, own.levels, TW_TEXT_MARKDOWN);
    }
    fprintf(out, ", seed %" PRIu64 "](", shown.seed);
    tw_text_write(out, picture, TW_TEXT_MARKDOWN);
    fputs(")\n", out);
}

/* A paragraph each. */
void tw_compare_markdown(FILE *out, const struct tw_comparison *c, const char *picture)
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
    tw_comparison_terms(
        out, c, &(struct tw_terms_form){"\n", "\n", MATCHED_MAX, ADJUSTED_MAX, TW_TEXT_MARKDOWN});
    put_results(out, c);
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
    put_picture(out, c, picture);
}
