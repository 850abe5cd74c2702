/* SPDX-License-Identifier: MIT */
#include "report/verdict/verdict.h"

#include "base/text/text.h"

#include <math.h>

enum { NAMED_MAX = 3 }; /* variants that a sentence names; the table lists the others */

int32_t tw_verdict_measure(const struct tw_experiment *e)
{
    for (int32_t m = 0; m < e->measure_count; m++)
        if (e->measures[m].goal != 0)
            return m;
    return 0;
}

const char *tw_verdict_mark(enum tw_verdict verdict)
{
    static const char *const marks[] = {
        "~", "\xE2\x96\xB2", "\xE2\x96\xBC", "\xE2\x86\x91", "\xE2\x86\x93", "\xE2\x80\xA6"};
    return marks[verdict];
}

const char *tw_verdict_style(enum tw_verdict verdict)
{
    static const char *const styles[] = {"unshown", "better", "worse",
                                         "higher",  "lower",  "unshown"};
    return styles[verdict];
}

struct sentence {
    FILE *out;
    const struct tw_comparison *c;
    int32_t measure;
    enum tw_text_form form;
};

static void put_name(const struct sentence *s, const char *name)
{
    if (s->form == TW_TEXT_HTML)
        fputs("<b>", s->out);
    tw_text_write(s->out, name, s->form);
    if (s->form == TW_TEXT_HTML)
        fputs("</b>", s->out);
}

static bool is_in(const struct sentence *s, int32_t variant, enum tw_verdict verdict)
{
    return variant != s->c->experiment->baseline &&
           tw_pair_of(s->c, variant, s->measure)->verdict == verdict;
}

static int32_t count_of(const struct sentence *s, enum tw_verdict verdict)
{
    int32_t count = 0;
    for (int32_t v = 0; v < s->c->experiment->variant_count; v++)
        count += is_in(s, v, verdict);
    return count;
}

/* The next variant with this verdict by size of its difference; ties in their order. */
static int32_t next_of(const struct sentence *s, enum tw_verdict verdict, int32_t last)
{
    int32_t best = -1;
    double limit = last >= 0 ? fabs(tw_pair_of(s->c, last, s->measure)->difference) : INFINITY;
    double most = -1;
    for (int32_t v = 0; v < s->c->experiment->variant_count; v++) {
        double size = is_in(s, v, verdict) ? fabs(tw_pair_of(s->c, v, s->measure)->difference) : -1;
        if (size > most && (size < limit || (size == limit && v > last))) {
            most = size;
            best = v;
        }
    }
    return best;
}

static void put_rest(const struct sentence *s, int32_t rest)
{
    if (rest > 0)
        fprintf(s->out, " and %d more", (int)rest);
}

/* "a: +0.12 [0.08, 0.16], b: ..." */
static void put_variants(const struct sentence *s, enum tw_verdict verdict, bool numbers)
{
    int32_t count = count_of(s, verdict), v = -1;
    for (int32_t i = 0; i < count && i < NAMED_MAX; i++) {
        v = next_of(s, verdict, v);
        fputs(i ? ", " : "", s->out);
        put_name(s, s->c->experiment->variants[v].name);
        const struct tw_paired *p = tw_pair_of(s->c, v, s->measure);
        if (numbers)
            fprintf(s->out, " (%+.3g [%+.3g, %+.3g])", p->difference, p->low, p->high);
    }
    put_rest(s, count - NAMED_MAX);
}

/* "a scores better than b on m: +0.12 [+0.08, +0.16], 20 seeds" */
static void put_leader(const struct sentence *s, enum tw_verdict verdict, const char *does)
{
    const struct tw_experiment *e = s->c->experiment;
    int32_t v = next_of(s, verdict, -1);
    const struct tw_paired *p = tw_pair_of(s->c, v, s->measure);
    put_name(s, e->variants[v].name);
    fprintf(s->out, " %s ", does);
    put_name(s, e->variants[e->baseline].name);
    fputs(" on ", s->out);
    tw_text_write(s->out, e->measures[s->measure].name, s->form);
    fprintf(s->out, ": %+.3g [%+.3g, %+.3g], %d seeds", p->difference, p->low, p->high,
            (int)s->c->total);
    int32_t others = count_of(s, verdict) - 1;
    if (others > 0) {
        bool goal = e->measures[s->measure].goal != 0;
        fprintf(s->out, "; so %s ",
                goal         ? (others > 1 ? "do" : "does")
                : others > 1 ? "are"
                             : "is");
        for (int32_t i = 0; i < others && i < NAMED_MAX; i++) {
            v = next_of(s, verdict, v);
            fputs(i ? ", " : "", s->out);
            put_name(s, e->variants[v].name);
        }
        put_rest(s, others - NAMED_MAX);
    }
}

static void put_no_pairs(const struct sentence *s)
{
    const struct tw_comparison *c = s->c;
    int32_t variants = c->experiment->variant_count;
    if (variants == 0 && c->experiment->sensitivity.factor_count > 0)
        tw_verdict_sensitivity(s->out, c, s->form);
    else if (variants == 0 && c->tuning)
        tw_verdict_tuning(s->out, c, s->form);
    else if (c->experiment->baseline < 0)
        fprintf(s->out, "%d variant%s over %d seed%s; without a baseline none is compared.",
                (int)variants, variants == 1 ? "" : "s", (int)c->total, c->total == 1 ? "" : "s");
    else if (c->experiment->variant_count < 2)
        fprintf(s->out, "There is nothing to compare the baseline with.");
    else
        fprintf(s->out, "Nothing can be shown by %d seed%s.", (int)c->total,
                c->total == 1 ? "" : "s");
}

static void put_verdicts(const struct sentence *s, enum tw_verdict up, enum tw_verdict down)
{
    const struct tw_experiment *e = s->c->experiment;
    bool goal = up == TW_BETTER, ups = count_of(s, up) > 0, downs = count_of(s, down) > 0;
    if (ups)
        put_leader(s, up, goal ? "scores better than" : "is higher than");
    else if (downs && goal) {
        fputs("No variant is shown to score better than ", s->out);
        put_name(s, e->variants[e->baseline].name);
        fputs(" on ", s->out);
        tw_text_write(s->out, e->measures[s->measure].name, s->form);
        fprintf(s->out, ", %d seeds", (int)s->c->total);
    }
    if (downs) {
        fputs(ups || goal ? (goal ? "; worse: " : "; lower: ") : "", s->out);
        if (ups || goal)
            put_variants(s, down, true);
        else
            put_leader(s, down, "is lower than");
    }
    if (count_of(s, TW_SAME) > 0) {
        fputs(ups || downs ? "; nothing shown for " : "Nothing is shown for ", s->out);
        put_variants(s, TW_SAME, false);
        if (!ups && !downs) {
            fputs(" on ", s->out);
            tw_text_write(s->out, e->measures[s->measure].name, s->form);
            fprintf(s->out, ", %d seeds", (int)s->c->total);
        }
    }
    fputs(".", s->out);
}

/* False if every cell would say that there are too few seeds, or if there is nothing to compare. */
static bool can_show(const struct tw_comparison *c)
{
    int32_t tests = tw_compare_count_tests(c->experiment);
    return tests > 0 && tw_pairs_suffice(c->count, tests);
}

void tw_verdict_sentence(FILE *out, const struct tw_comparison *c, enum tw_text_form form)
{
    if (c->experiment->level_count > 1) {
        tw_verdict_levels(out, c, form);
        return;
    }
    struct sentence s = {out, c, tw_verdict_measure(c->experiment), form};
    bool goal = c->experiment->measures[s.measure].goal != 0;
    if (!can_show(c))
        put_no_pairs(&s);
    else
        put_verdicts(&s, goal ? TW_BETTER : TW_HIGHER, goal ? TW_WORSE : TW_LOWER);
}

void tw_verdict_others(FILE *out, const struct tw_comparison *c, enum tw_text_form form)
{
    const struct tw_experiment *e = c->experiment;
    int32_t decides = tw_verdict_measure(e), shown = 0;
    if (!can_show(c) || e->level_count > 1) /* the table says it level by level */
        return;
    for (int32_t m = 0; m < e->measure_count; m++) {
        struct sentence s = {out, c, m, form};
        bool goal = e->measures[m].goal != 0;
        if (m == decides)
            continue;
        fputs(shown++ ? "; " : "Besides, ", out);
        tw_text_write(out, e->measures[m].name, form);
        fprintf(out, ": %d %s, %d %s, %d not shown",
                (int)count_of(&s, goal ? TW_BETTER : TW_HIGHER), goal ? "better" : "higher",
                (int)count_of(&s, goal ? TW_WORSE : TW_LOWER), goal ? "worse" : "lower",
                (int)count_of(&s, TW_SAME));
    }
    fputs(shown ? "." : "", out);
}
