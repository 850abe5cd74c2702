/* SPDX-License-Identifier: MIT */
#include "report/verdict/ending.h"

#include "study/levels.h"

#include <stdarg.h>

enum { NAMED_MAX = 3 }; /* variants that a sentence names */

static void put(FILE *out, const struct tw_ending_form *form, const char *format, ...)
    TW_PRINTF(3, 4);

static void put(FILE *out, const struct tw_ending_form *form, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs(form->before, out);
    vfprintf(out, format, arguments);
    fputs(form->after, out);
    va_end(arguments);
}

static void put_signal(FILE *out, const struct tw_comparison *c, const struct tw_ending_form *form)
{
    if (c->signal && c->total == 0)
        put(out, form, "Stopped by %s.", c->signal);
    else if (c->signal)
        put(out, form, "Stopped by %s after %d of %d seeds.", c->signal, (int)c->total,
            (int)c->experiment->seed_count);
}

/* Finds the interval that misses its required width by most. */
static double widest(const struct tw_comparison *c, int32_t *variant, int32_t *measure)
{
    const struct tw_experiment *e = c->experiment;
    double most = 0;
    for (int32_t m = 0; m < e->measure_count; m++)
        for (int32_t v = 0; e->measures[m].until > 0 && v < e->variant_count; v++) {
            double times = 2 * tw_comparison_difference(c, v, m).interval / e->measures[m].until;
            if (!tw_is_compared(e, v) || times <= most)
                continue;
            most = times;
            *variant = v;
            *measure = m;
        }
    return most;
}

static void put_width(FILE *out, const struct tw_comparison *c, const struct tw_ending_form *form)
{
    const struct tw_experiment *e = c->experiment;
    int32_t v = 0, m = 0;
    if (c->signal || !tw_has_spread(c) || !tw_compare_has_until(e))
        return;
    if (c->narrow) {
        put(out, form, "Ended after %d of %d seeds: every interval is as narrow as until: says.",
            (int)c->total, (int)e->seed_count);
    } else if (widest(c, &v, &m) > 1) {
        double width = 2 * tw_comparison_difference(c, v, m).interval;
        fputs(form->before, out);
        fprintf(out, "All %d seeds ran and the interval of ", (int)e->seed_count);
        tw_level_write_variant(out, e, &e->variants[v], form->names);
        fputs(" on ", out);
        tw_text_write(out, e->measures[m].name, form->names);
        fprintf(out, " is still %.3g wide; until: says %.3g.%s", width, e->measures[m].until,
                form->after);
    }
}

static void put_ranks(FILE *out, const struct tw_comparison *c, const struct tw_ending_form *form)
{
    int32_t pairs = tw_compare_count_pairs(c->experiment);
    int32_t looks = tw_compare_count_looks(c->experiment), tests = pairs * looks;
    char at_looks[40] = "";
    if (looks > 1)
        snprintf(at_looks, sizeof at_looks, " at %d looks", (int)looks);
    if (pairs > 0 && c->total > 0 && !tw_pairs_suffice(c->count, tests))
        put(out, form, "Too few seeds: %d comparison%s%s need%s at least %d to show anything.",
            (int)pairs, pairs == 1 ? "" : "s", at_looks, pairs == 1 ? "s" : "",
            (int)tw_pairs_needed(tests));
    if (c->count < c->total)
        put(out, form,
            "Means and intervals are of all %d seeds; tests of ranks, quartiles and the list of "
            "seeds are of %d that were drawn from them.",
            (int)c->total, (int)c->count);
}

/* Whether all measures of its outputs equal the baseline's. Then the variant's changes reach no
 * measure, usually because it replaces a node that the recipe does not have. */
static bool is_alike(const struct tw_comparison *c, int32_t variant)
{
    const struct tw_experiment *e = c->experiment;
    int32_t alike = 0;
    for (int32_t m = 0; tw_is_compared(e, variant) && m < e->measure_count; m++) {
        const struct tw_summary d = tw_comparison_difference(c, variant, m);
        if (!e->measures[m].output)
            continue; /* seconds, which always differ, or a formula */
        if (!(d.least == 0 && d.greatest == 0))
            return false;
        alike++;
    }
    return alike > 0;
}

static void put_alike(FILE *out, const struct tw_comparison *c, const struct tw_ending_form *form)
{
    const struct tw_experiment *e = c->experiment;
    int32_t count = 0;
    if (e->baseline < 0 || c->total == 0)
        return;
    for (int32_t v = 0; v < e->variant_count; v++) {
        if (!is_alike(c, v))
            continue;
        fputs(count == 0 ? form->before : count < NAMED_MAX ? ", " : "", out);
        if (count++ < NAMED_MAX)
            tw_level_write_variant(out, e, &e->variants[v], form->names);
    }
    if (count == 0)
        return;
    if (count > NAMED_MAX)
        fprintf(out, " and %d more", (int)count - NAMED_MAX);
    fprintf(out, " %s the same as ", count == 1 ? "measures" : "measure");
    tw_text_write(out, e->variants[e->baseline].name, form->names);
    fprintf(out, " in every seed: what %s reaches no measure.%s",
            count == 1 ? "it changes" : "they change", form->after);
}

void tw_comparison_ending(FILE *out, const struct tw_comparison *c,
                          const struct tw_ending_form *form)
{
    put_signal(out, c, form);
    put_width(out, c, form);
    if (c->failed > 0)
        put(out, form, "%d seed%s failed and %s left out.", (int)c->failed,
            c->failed == 1 ? "" : "s", c->failed == 1 ? "is" : "are");
    put_alike(out, c, form);
    put_ranks(out, c, form);
}
