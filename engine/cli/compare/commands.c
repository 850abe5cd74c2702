/* SPDX-License-Identifier: MIT */
#include "cli/compare/commands.h"

#include "base/text/shell_word.h"
#include "base/text/stream.h"
#include "cli/compare/compare.h"
#include "console/compare_progress.h"
#include "study/levels.h"
#include "study/tuning.h"

#include <stdlib.h>

/* A variant with other nodes is no recipe of its own: `serve` shows it beside another. */
static void put_served(FILE *out, const struct tw_experiment *e, int32_t variant, const char *cells)
{
    int32_t own = variant % e->level_variants;
    int32_t other = e->baseline >= 0 && e->baseline != own ? e->baseline : own == 0 ? 1 : 0;
    char names[2 * TW_VARIANT_NAME_MAX + 2];
    snprintf(names, sizeof names, "%s,%s", e->variants[other].name, e->variants[own].name);
    fputs("thalweg serve ", out);
    tw_shell_word_write(out, e->file);
    fputs(" --variants ", out);
    tw_shell_word_write(out, names);
    fprintf(out, " --seed SEED%s%s", cells[0] ? " --size " : "", cells);
}

static char *command_of(const struct tw_comparison *c, int32_t variant)
{
    const struct tw_experiment *e = c->experiment;
    int32_t side = tw_side_of(c, variant);
    char *text = NULL, cells[32] = "";
    size_t length = 0;
    FILE *out = tw_stream_open(&text, &length);
    if (!out)
        return NULL;
    if (c->width > 0 || side > 0)
        snprintf(cells, sizeof cells, "%dx%d", (int)(side > 0 ? side : c->width),
                 (int)(side > 0 ? side : c->height));
    if (e->variants[variant].nodes && e->level_variants > 1)
        put_served(out, e, variant, cells);
    else
        tw_compare_command(out, &e->variants[variant], "SEED", cells);
    if (tw_stream_close(out) == 0)
        return text;
    free(text);
    return NULL;
}

enum tw_status tw_compare_commands_find(const struct tw_comparison *c,
                                        struct tw_compare_commands *commands, struct tw_error *err)
{
    int32_t variants = c->experiment->variant_count, trials = c->tuning ? c->tuning->count : 0;
    commands->variants = calloc((size_t)variants + 1, sizeof *commands->variants);
    commands->trials = calloc((size_t)trials + 1, sizeof *commands->trials);
    bool ok = commands->variants && commands->trials;
    for (int32_t v = 0; ok && v < variants; v++, commands->variant_count++)
        ok = (commands->variants[v] = command_of(c, v)) != NULL;
    for (int32_t i = 0; ok && i < trials; i++, commands->trial_count++)
        ok = (commands->trials[i] = tw_compare_trial_command(c, i, "SEED")) != NULL;
    return ok ? TW_OK : tw_error_set(err, TW_MEMORY, "out of memory");
}

void tw_compare_commands_release(struct tw_compare_commands *commands)
{
    for (int32_t v = 0; v < commands->variant_count; v++)
        free(commands->variants[v]);
    for (int32_t i = 0; i < commands->trial_count; i++)
        free(commands->trials[i]);
    free((void *)commands->variants);
    free((void *)commands->trials);
}
