/* SPDX-License-Identifier: MIT */
/* Writes a comparison's page: draws its pictures, finds how recipes differ, then prints all at
 * once. */
#include "cli/cli.h"
#include "cli/compare/commands.h"
#include "cli/compare/compare.h"
#include "cli/compare/pictures.h"
#include "report/compare_page.h"
#include "study/levels.h"

#include <stdlib.h>

enum { EDITS_MAX = 20 }; /* variants whose recipes are compared with the baseline's */

static enum tw_status add_edits(const struct tw_comparison *c,
                                const struct tw_compare_report *report,
                                struct tw_compare_page *page, struct tw_error *err)
{
    size_t variants = (size_t)c->experiment->variant_count;
    struct tw_recipe_difference **edits = calloc(variants + 1, sizeof *edits);
    page->edits = edits;
    page->edited = tw_choose_variants(c, EDITS_MAX);
    if (!edits)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    return tw_recipe_differences_find(c->experiment, c->seeds[0], report->load, &page->edited,
                                      edits, err);
}

static enum tw_status add_realism(const struct tw_comparison *c,
                                  const struct tw_compare_report *report,
                                  struct tw_realism_measures *found, struct tw_error *err)
{
    struct tw_recipe *recipe = NULL;
    enum tw_status status =
        tw_experiment_recipe(c->experiment, tw_recipe_difference_base(c->experiment), c->seeds[0],
                             report->load, &recipe, err);
    if (status == TW_OK)
        tw_realism_measures_find(c->experiment, recipe, found);
    tw_recipe_release(recipe);
    return status;
}

/* The pictures, as far as they can be drawn: the page shows its numbers without them. */
static void add_pictures(const struct tw_comparison *c, const struct tw_compare_report *report,
                         struct tw_compare_pictures *pictures, struct tw_compare_page *page,
                         enum tw_status *drawn, struct tw_error *err)
{
    enum tw_status seeds = TW_OK;
    *drawn = c->signal ? TW_OK : tw_compare_draw(c, report, pictures, &seeds, err);
    if (*drawn != TW_OK)
        tw_console_error(err);
    else if (pictures->levels && pictures->levels[pictures->level_count - 1].plates) {
        page->galleries = pictures->levels;
        page->gallery = &pictures->levels[pictures->level_count - 1];
    }
    if (*drawn == TW_OK && pictures->tried.plates) {
        page->tried = &pictures->tried;
        page->tried_at = pictures->tried_at;
    }
    *drawn = *drawn == TW_OK ? seeds : *drawn;
}

/* Adds what the page says of the variants of one level. */
static enum tw_status add_variants(const struct tw_comparison *shown,
                                   const struct tw_compare_report *report,
                                   struct tw_realism_measures *realism,
                                   struct tw_compare_page *page, struct tw_error *err)
{
    if (shown->experiment->variant_count == 0)
        return TW_OK;
    enum tw_status status = add_edits(shown, report, page, err);
    return status == TW_OK ? add_realism(shown, report, realism, err) : status;
}

enum tw_status tw_compare_report(FILE *out, const struct tw_comparison *c,
                                 const struct tw_compare_report *report, enum tw_status *drawn,
                                 struct tw_error *err)
{
    struct tw_compare_pictures pictures = {0};
    struct tw_compare_commands commands = {0};
    struct tw_realism_measures realism = {.bands = NULL};
    struct tw_experiment last;
    const struct tw_comparison shown =
        tw_comparison_level(c, c->experiment->level_count - 1, &last);
    struct tw_compare_page page = {.comparison = c, .shown = &shown, .realism = &realism};
    char *command = c->tuning ? tw_compare_best_command(c) : NULL;
    page.best_command = command;
    add_pictures(c, report, &pictures, &page, drawn, err);
    enum tw_status status = add_variants(&shown, report, &realism, &page, err);
    if (status == TW_OK)
        status = tw_compare_commands_find(c, &commands, err);
    page.commands = commands.variants;
    page.trial_commands = commands.trials;
    if (status == TW_OK)
        tw_compare_page(out, &page);
    tw_recipe_differences_release((struct tw_recipe_difference **)page.edits,
                                  page.edits ? last.variant_count : 0);
    free((void *)page.edits);
    tw_compare_pictures_release(&pictures);
    tw_compare_commands_release(&commands);
    free(command);
    return status;
}
