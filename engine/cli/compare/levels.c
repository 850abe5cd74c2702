/* SPDX-License-Identifier: MIT */
/* Prints whether the verdict holds at every level: a row per measure and variant, a column per
 * level. */
#include "cli/compare/compare.h"

#include "base/text/stream.h"
#include "study/levels.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN = 24, BYTES = 200 };

/* Prints into a field of at least COLUMN characters. */
static void print_level(FILE *out, const struct tw_factor_level *level)
{
    char *text = NULL;
    size_t length = 0;
    FILE *buffer = tw_stream_open(&text, &length);
    if (!buffer)
        return;
    tw_level_write(buffer, level, TW_TEXT_TERMINAL);
    if (tw_stream_close(buffer) == 0)
        fprintf(out, "  %*s", COLUMN, text);
    free(text);
}

static void print_verdicts(FILE *out, const struct tw_comparison *c, int32_t variant,
                           int32_t measure)
{
    const struct tw_experiment *e = c->experiment;
    for (int32_t level = 0; level < e->level_count; level++) {
        const struct tw_paired *p = tw_pair_of(c, level * e->level_variants + variant, measure);
        char cell[BYTES];
        snprintf(cell, sizeof cell, "%s %+.4f", tw_verdict_names[p->verdict], p->difference);
        fprintf(out, "  %*s", COLUMN, cell);
    }
    fputs("\n", out);
}

void tw_compare_levels_text(FILE *out, const struct tw_comparison *c)
{
    const struct tw_experiment *e = c->experiment;
    int names = 8, measures = 8;
    if (e->level_count <= 1 || e->baseline < 0)
        return;
    for (int32_t v = 0; v < e->level_variants; v++)
        names = (int)strlen(e->variants[v].name) > names ? (int)strlen(e->variants[v].name) : names;
    for (int32_t m = 0; m < e->measure_count; m++)
        measures = (int)strlen(e->measures[m].name) > measures ? (int)strlen(e->measures[m].name)
                                                               : measures;
    fprintf(out, "\nverdict by level\n  %-*s  %-*s", measures, "measure", names, "variant");
    for (int32_t i = 0; i < e->level_count; i++)
        print_level(out, &e->levels[i]);
    fputs("\n", out);
    for (int32_t m = 0; m < e->measure_count; m++)
        for (int32_t v = 0; v < e->level_variants; v++) {
            if (!tw_is_compared(e, v))
                continue;
            fprintf(out, "  %-*s  %-*s", measures, e->measures[m].name, names, e->variants[v].name);
            print_verdicts(out, c, v, m);
        }
}
