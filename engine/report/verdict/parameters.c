/* SPDX-License-Identifier: MIT */
/* Writes a sentence each on what a sensitivity plan and a tuning found. */
#include "report/verdict/verdict.h"

#include "study/effects.h"
#include "study/tuning.h"

#include <math.h>

enum { NAMED_MAX = 3 };

static void put_bold(FILE *out, const char *name, enum tw_text_form form)
{
    fputs(form == TW_TEXT_HTML ? "<b>" : "", out);
    tw_text_write(out, name, form);
    fputs(form == TW_TEXT_HTML ? "</b>" : "", out);
}

/* ---- sensitivity ---- */

/* Distance between the least and the greatest mean of a curve. */
static double span_of(const struct tw_comparison *c, int32_t factor, int32_t measure)
{
    double low = INFINITY, high = -INFINITY;
    for (int32_t p = 0; p < c->experiment->sensitivity.points; p++) {
        int32_t v = tw_compare_curve_variant(c, factor, p);
        double mean = tw_comparison_summary(c, v, measure).mean;
        low = mean < low ? mean : low;
        high = mean > high ? mean : high;
    }
    return high - low;
}

/* How much each parameter matters; below 0 if unknown. */
static void find_weights(const struct tw_comparison *c, int32_t measure, double *weights)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    struct tw_index indices[TW_FACTORS_MAX];
    bool known = s->rows > 0 && tw_compare_indices(c, measure, indices);
    for (int32_t f = 0; f < s->factor_count; f++)
        if (s->rows > 0) {
            weights[f] = known && !isnan(indices[f].total) ? indices[f].total : -1;
        } else if (s->trajectories > 0) {
            struct tw_effect effect = tw_compare_effect(c, f, measure);
            weights[f] = effect.count < 2 ? -1 : effect.mu_star;
        } else {
            weights[f] = span_of(c, f, measure);
        }
}

/* Sorts factors by falling weight; returns how many weights are known. */
static int32_t rank(const struct tw_comparison *c, int32_t measure, double *weights, int32_t *order)
{
    int32_t count = 0;
    find_weights(c, measure, weights);
    for (int32_t f = 0; f < c->experiment->sensitivity.factor_count; f++) {
        int32_t k = count;
        if (weights[f] < 0)
            continue;
        for (; k > 0 && weights[order[k - 1]] < weights[f]; k--)
            order[k] = order[k - 1];
        order[k] = f;
        count++;
    }
    return count;
}

/* In bold Markdown a star would end the bold text. */
static const char *const mu_star[] = {
    [TW_TEXT_TERMINAL] = "mu*", [TW_TEXT_HTML] = "&mu;*", [TW_TEXT_MARKDOWN] = "mu\\*"};

void tw_verdict_sensitivity(FILE *out, const struct tw_comparison *c, enum tw_text_form form)
{
    const struct tw_sensitivity *s = &c->experiment->sensitivity;
    double weights[TW_FACTORS_MAX];
    int32_t order[TW_FACTORS_MAX], measure = tw_verdict_measure(c->experiment);
    int32_t count = c->total > 0 ? rank(c, measure, weights, order) : 0;
    if (count == 0) {
        fputs("Nothing is known of the parameters.", out);
        return;
    }
    put_bold(out, s->factors[order[0]].name, form);
    fputs(count > 1 ? " matters most for " : " moves ", out);
    tw_text_write(out, c->experiment->measures[measure].name, form);
    fprintf(out, " (%s %.3g)",
            s->rows > 0           ? "total Sobol index"
            : s->trajectories > 0 ? mu_star[form]
                                  : "its mean spans",
            weights[order[0]]);
    for (int32_t k = 1; k < count && k < NAMED_MAX; k++) {
        fputs(k == 1 ? ", then " : ", ", out);
        put_bold(out, s->factors[order[k]].name, form);
        fprintf(out, " (%.3g)", weights[order[k]]);
    }
    if (count > NAMED_MAX)
        fprintf(out, " and %d more", (int)(count - NAMED_MAX));
    fprintf(out, "; %d seed%s.", (int)c->total, c->total == 1 ? "" : "s");
}

/* ---- tuning ---- */

/* Prints by how much a constraint is missed: by a share, or by a number if it is about 0. */
static void put_miss(FILE *out, double from, double miss)
{
    if (miss > 0 && from == 0)
        fprintf(out, ", missed by %.3g", miss);
    else if (miss > 0)
        fprintf(out, ", missed by %.2g %%", 100 * miss);
    fputs(")", out);
}

static void put_constraint(FILE *out, const struct tw_tuning *t, const struct tw_tune_goal *goal,
                           const double *means)
{
    double miss = tw_tune_miss(goal, means, t->baseline);
    const double mean = means[goal->measure];
    if (goal->kind == TW_TUNE_NEAR) {
        const double target = tw_tune_target(goal, t->baseline);
        fprintf(out, " (%s %.5g", goal->of_baseline ? "the baseline's" : "target", target);
        put_miss(out, target, miss);
    } else if (goal->kind == TW_TUNE_BOUNDED) {
        bool low = goal->min > -HUGE_VAL && (mean < goal->min || !(goal->max < HUGE_VAL));
        fprintf(out, low ? " (at least %.5g" : " (at most %.5g", low ? goal->min : goal->max);
        put_miss(out, low ? goal->min : goal->max, miss);
    }
}

static void put_reached(FILE *out, const struct tw_comparison *c, enum tw_text_form form)
{
    const struct tw_tune *tune = &c->experiment->tune;
    const double *means = c->tuning->trials[c->tuning->best].means;
    for (int32_t g = 0; g < tune->goal_count; g++) {
        const struct tw_tune_goal *goal = &tune->goals[g];
        fputs(g ? ", " : "", out);
        tw_text_write(out, c->experiment->measures[goal->measure].name, form);
        fprintf(out, " to %.5g", means[goal->measure]);
        put_constraint(out, c->tuning, goal, means);
    }
}

void tw_verdict_tuning(FILE *out, const struct tw_comparison *c, enum tw_text_form form)
{
    const struct tw_tuning *t = c->tuning;
    const struct tw_trial *best = &t->trials[t->best];
    if (!tw_trial_has_run(best)) {
        if (t->count == 1)
            fputs("The only trial failed.", out);
        else
            fprintf(out, "All %d trials failed.", (int)t->count);
        return;
    }
    bool constrained = tw_tune_is_constrained(&c->experiment->tune);
    fputs(constrained && !t->reached ? "Not reached, the nearest is: " : "", out);
    for (int32_t p = 0; p < c->experiment->tune.param_count; p++) {
        fputs(p ? ", " : "", out);
        put_bold(out, best->settings[p].name, form);
        fputs(" ", out);
        put_bold(out, best->settings[p].text, form);
    }
    fputs(c->experiment->tune.param_count == 1 ? " brings " : " bring ", out);
    put_reached(out, c, form);
    fprintf(out, ": %s %d trial%s.",
            constrained && t->reached ? "reached, the best of" : "the best of", (int)t->count,
            t->count == 1 ? "" : "s");
}
