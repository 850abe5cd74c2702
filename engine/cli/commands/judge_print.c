/* SPDX-License-Identifier: MIT */
#include "base/text/json.h"
#include "base/text/text.h"
#include "cli/cli.h"
#include "cli/commands/judge.h"
#include "console/answer.h"
#include "console/documents.h"

#include <jansson.h>
#include <string.h>

/* Returns the variant with a rank, 0 for the strongest; -1 past the last. Equally strong variants
 * keep their order. */
static int32_t ranked(const struct tw_judgement *j, int32_t rank)
{
    for (int32_t v = 0; v < j->experiment->variant_count; v++) {
        int32_t before = 0;
        for (int32_t u = 0; u < j->experiment->variant_count; u++)
            before += j->strengths[u].log > j->strengths[v].log ||
                      (u < v && !(j->strengths[u].log < j->strengths[v].log));
        if (before == rank)
            return v;
    }
    return -1;
}

static void count_results(const struct tw_judgement *j, int32_t variant, int32_t *results)
{
    memset(results, 0, 3 * sizeof *results);
    for (int32_t i = 0; i < j->count; i++) {
        const struct tw_choice_made *c = &j->choices[i];
        if (c->a == variant)
            results[(int)(2 - 2 * c->share)]++;
        else if (c->b == variant)
            results[(int)(2 * c->share)]++;
    }
}

static int name_width(const struct tw_judgement *j)
{
    int width = 8;
    for (int32_t v = 0; v < j->experiment->variant_count; v++)
        if ((int)strlen(j->experiment->variants[v].name) > width)
            width = (int)strlen(j->experiment->variants[v].name);
    for (int32_t m = 0; m < j->experiment->measure_count; m++)
        if ((int)strlen(j->experiment->measures[m].name) > width)
            width = (int)strlen(j->experiment->measures[m].name);
    return width;
}

void tw_judge_text(FILE *out, const struct tw_judgement *j)
{
    const struct tw_experiment *e = j->experiment;
    int width = name_width(j);
    tw_text_write(out, e->file, TW_TEXT_TERMINAL);
    fprintf(out, ": %d answers in %d files, %d of them ties\n\n%-*s %8s %17s %6s %6s %6s\n",
            (int)j->count, (int)j->files, (int)j->ties, width, "variant", "chosen", "95 % of it",
            "won", "tied", "lost");
    for (int32_t rank = 0; rank < e->variant_count; rank++) {
        int32_t v = ranked(j, rank), results[3];
        const struct tw_strength *s = &j->strengths[v];
        count_results(j, v, results);
        fprintf(out, "%-*s %8.2f %8.2f %8.2f %6d %6d %6d\n", width, e->variants[v].name, s->chance,
                s->low, s->high, (int)results[0], (int)results[1], (int)results[2]);
    }
    fprintf(out, "\n%-*s %8s %17s %6s\n", width, "measure", "agrees", "95 % of it", "of");
    for (int32_t m = 0; m < e->measure_count; m++) {
        const struct tw_agreement *a = &j->agreement[m];
        if (a->count > 0)
            fprintf(out, "%-*s %8.2f %8.2f %8.2f %6d\n", width, e->measures[m].name, a->share,
                    a->low, a->high, (int)a->count);
        else
            fprintf(out, "%-*s %8s %8s %8s %6d\n", width, e->measures[m].name, "-", "-", "-", 0);
    }
    fputs("\nchosen: the chance to be chosen over an average variant (Bradley and Terry); agrees: "
          "the share of choices that\nprefer what the measure puts first, 0.5 being that of a "
          "coin\n",
          out);
}

static json_t *variant_json(const struct tw_judgement *j, int32_t variant)
{
    const struct tw_strength *s = &j->strengths[variant];
    int32_t results[3];
    count_results(j, variant, results);
    return json_pack("{s:s, s:f, s:[f, f], s:f, s:i, s:i, s:i}", "name",
                     j->experiment->variants[variant].name, "chosen", s->chance, "interval", s->low,
                     s->high, "log_strength", s->log, "won", (int)results[0], "tied",
                     (int)results[1], "lost", (int)results[2]);
}

static json_t *measure_json(const struct tw_judgement *j, int32_t measure)
{
    const struct tw_agreement *a = &j->agreement[measure];
    bool known = a->count > 0;
    return json_pack("{s:s, s:i, s:o, s:o}", "name", j->experiment->measures[measure].name, "count",
                     (int)a->count, "agrees", known ? json_real(a->share) : json_null(), "interval",
                     known ? json_pack("[f, f]", a->low, a->high) : json_null());
}

void tw_judge_json(const struct tw_judgement *j)
{
    json_t *variants = json_array(), *measures = json_array();
    for (int32_t rank = 0; rank < j->experiment->variant_count; rank++)
        json_array_append_new(variants, variant_json(j, ranked(j, rank)));
    for (int32_t m = 0; m < j->experiment->measure_count; m++)
        json_array_append_new(measures, measure_json(j, m));
    tw_answer_set(TW_DOCUMENT(judge, .experiment = j->experiment->file,
                              .answers = json_integer(j->count), .files = json_integer(j->files),
                              .ties = json_integer(j->ties), .variants = variants,
                              .measures = measures));
}
