/* SPDX-License-Identifier: MIT */
#include "report/matching.h"

#include "study/levels.h"
#include "study/matching.h"

static void put_head(FILE *out, const struct tw_experiment *e, const struct tw_ending_form *form)
{
    const struct tw_tune_goal *goal = &e->match.goal;
    fprintf(out, "%sMatched on ", form->before);
    tw_text_write(out, e->measures[goal->measure].name, form->names);
    if (goal->of_baseline)
        fputs(", near the mean of the baseline", out);
    else
        fprintf(out, ", near %.6g", goal->target);
    fprintf(out,
            " within %.4g %%, over %d pilot seed%s from %llu that the comparison does not use.%s",
            100 * goal->within, (int)e->match.seeds, e->match.seeds == 1 ? "" : "s",
            (unsigned long long)tw_match_seed(e, 0), form->after);
}

static void put_found(FILE *out, const struct tw_comparison *c, const struct tw_matched *found,
                      const struct tw_ending_form *form)
{
    const struct tw_experiment *e = c->experiment;
    fputs(form->before, out);
    tw_level_write_variant(out, e, &e->variants[found->variant], form->names);
    fputs(found->reached ? ": " : ": not reached, the nearest is ", out);
    tw_text_write(out, found->axis->name, form->names);
    fputs(" ", out);
    tw_text_write(out, found->value, form->names);
    fprintf(out, " gives %.6g on pilot seeds, target %.6g", found->pilot_mean, found->target);
    if (c->total > 0)
        fprintf(out, "; in the comparison %.6g, %+.3g from %s",
                tw_comparison_summary(c, found->variant, e->match.goal.measure).mean,
                tw_match_remaining(c, found),
                e->match.goal.of_baseline ? "the baseline's" : "the target");
    fprintf(out, ".%s", form->after);
}

void tw_matching_sentences(FILE *out, const struct tw_comparison *c, int32_t most,
                           const struct tw_ending_form *form)
{
    const struct tw_match *match = &c->experiment->match;
    if (match->seeds == 0)
        return;
    put_head(out, c->experiment, form);
    for (int32_t i = 0; i < match->found_count && i < most; i++)
        put_found(out, c, &match->found[i], form);
    if (match->found_count > most)
        fprintf(out, "%sAnd %d more.%s", form->before, (int)(match->found_count - most),
                form->after);
}
