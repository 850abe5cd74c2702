/* SPDX-License-Identifier: MIT */
#include "report/adjusted.h"

#include "study/adjust.h"
#include "study/levels.h"

static void put_head(FILE *out, const struct tw_experiment *e, const struct tw_ending_form *form)
{
    fprintf(out, "%sAt equal ", form->before);
    tw_text_write(out, e->measures[e->covariate].name, form->names);
    fputs(" (analysis of covariance; 95 % intervals, each by itself):", out);
    fputs(form->after, out);
}

/* The slopes come first: if they differ, there is no single difference to read anywhere. */
static void put_assumptions(FILE *out, const struct tw_adjusted *a)
{
    if (!a->is_parallel)
        fprintf(out, "; do not use it: the slopes differ by %+.3g [%+.3g, %+.3g]", a->steeper,
                a->steeper_low, a->steeper_high);
    else if (!a->is_inside)
        fputs("; do not use it: no seed comes near equal values, so it is extrapolated", out);
    else
        fprintf(out, "; slopes are not shown to differ, %+.3g [%+.3g, %+.3g]", a->steeper,
                a->steeper_low, a->steeper_high);
}

static void put_found(FILE *out, const struct tw_comparison *c, int32_t variant, int32_t measure,
                      const struct tw_ending_form *form)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_adjusted a;
    fputs(form->before, out);
    tw_level_write_variant(out, e, &e->variants[variant], form->names);
    fputs(", ", out);
    tw_text_write(out, e->measures[measure].name, form->names);
    if (tw_compare_adjusted(c, variant, measure, &a)) {
        fprintf(out, ": %+.4g [%+.4g, %+.4g]", a.difference, a.low, a.high);
        put_assumptions(out, &a);
    } else {
        fputs(": not found, since it needs 6 seeds whose values and differences of ", out);
        tw_text_write(out, e->measures[e->covariate].name, form->names);
        fputs(" vary", out);
    }
    fprintf(out, ".%s", form->after);
}

void tw_adjusted_sentences(FILE *out, const struct tw_comparison *c, int32_t most,
                           const struct tw_ending_form *form)
{
    const struct tw_experiment *e = c->experiment;
    int32_t count = 0;
    if (!e->adjusts || c->count == 0)
        return;
    put_head(out, e, form);
    for (int32_t m = 0; m < e->measure_count; m++)
        for (int32_t v = 0; v < e->variant_count; v++)
            if (tw_is_adjusted(e, v, m) && count++ < most)
                put_found(out, c, v, m, form);
    if (count > most)
        fprintf(out, "%sAnd %d more.%s", form->before, (int)(count - most), form->after);
}
