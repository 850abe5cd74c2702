/* SPDX-License-Identifier: MIT */
/* Writes at which levels the deciding measure is better, worse or not shown, variant by variant. */
#include "report/verdict/verdict.h"

#include "study/levels.h"

enum { VARIANTS_MAX = 3, LEVELS_MAX = 4 }; /* that a sentence names */

static void put_bold(FILE *out, const char *name, enum tw_text_form form)
{
    fputs(form == TW_TEXT_HTML ? "<b>" : "", out);
    tw_text_write(out, name, form);
    fputs(form == TW_TEXT_HTML ? "</b>" : "", out);
}

static bool is_at(const struct tw_comparison *c, int32_t level, int32_t variant,
                  enum tw_verdict verdict)
{
    int32_t run = level * c->experiment->level_variants + variant;
    return tw_pair_of(c, run, tw_verdict_measure(c->experiment))->verdict == verdict;
}

static int32_t count_at(const struct tw_comparison *c, int32_t variant, enum tw_verdict verdict)
{
    int32_t count = 0;
    for (int32_t i = 0; i < c->experiment->level_count; i++)
        count += is_at(c, i, variant, verdict);
    return count;
}

/* "better at size 32 and size 64", or "better at all 3 levels" */
static void put_places(FILE *out, const struct tw_comparison *c, int32_t variant,
                       enum tw_verdict verdict, enum tw_text_form form)
{
    const struct tw_experiment *e = c->experiment;
    int32_t count = count_at(c, variant, verdict), named = 0;
    fputs(verdict == TW_SAME ? "not shown to differ at " : "", out);
    if (verdict != TW_SAME)
        fprintf(out, "%s at ", tw_verdict_names[verdict]);
    if (count == e->level_count || count > LEVELS_MAX) {
        fprintf(out, count == e->level_count ? "all %d levels" : "%d levels", (int)count);
        return;
    }
    for (int32_t i = 0; i < e->level_count; i++) {
        if (!is_at(c, i, variant, verdict))
            continue;
        fputs(named == 0 ? "" : named + 1 == count ? " and " : "; ", out);
        tw_level_write(out, &e->levels[i], form);
        named++;
    }
}

static void put_variant(FILE *out, const struct tw_comparison *c, int32_t variant,
                        enum tw_text_form form)
{
    static const enum tw_verdict order[] = {TW_BETTER, TW_HIGHER, TW_WORSE,
                                            TW_LOWER,  TW_SAME,   TW_TOO_FEW};
    int32_t parts = 0;
    put_bold(out, c->experiment->variants[variant].name, form);
    fputs(" is ", out);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (count_at(c, variant, order[i]) == 0)
            continue;
        fputs(parts++ ? ", " : "", out);
        if (order[i] == TW_TOO_FEW)
            fputs("undecided, since there are too few seeds", out);
        else
            put_places(out, c, variant, order[i], form);
    }
}

void tw_verdict_levels(FILE *out, const struct tw_comparison *c, enum tw_text_form form)
{
    const struct tw_experiment *e = c->experiment;
    int32_t named = 0;
    if (e->baseline < 0 || e->level_variants < 2) {
        fprintf(out, "%d variant%s at %d levels; none is compared.", (int)e->level_variants,
                e->level_variants == 1 ? "" : "s", (int)e->level_count);
        return;
    }
    fputs("On ", out);
    tw_text_write(out, e->measures[tw_verdict_measure(e)].name, form);
    fputs(", against ", out);
    put_bold(out, e->variants[e->baseline].name, form);
    fputs(", ", out);
    for (int32_t v = 0; v < e->level_variants && named < VARIANTS_MAX; v++)
        if (tw_is_compared(e, v)) {
            fputs(named++ ? "; " : "", out);
            put_variant(out, c, v, form);
        }
    int32_t more = e->level_variants - 1 - named;
    if (more > 0)
        fprintf(out, "; %d more variant%s in the table", (int)more, more == 1 ? "" : "s");
    fprintf(out, ". %d seed%s.", (int)c->total, c->total == 1 ? "" : "s");
}
