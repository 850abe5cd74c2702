/* SPDX-License-Identifier: MIT */
/* Writes a comparison's page: draws its pictures, finds how recipes differ, then prints all at
 * once. */
#include "cli/cli.h"
#include "cli/commands/compare.h"
#include "report/compare_page.h"
#include "study/levels.h"

#include <inttypes.h>
#include <stdlib.h>

enum { EDITS_MAX = 20 }; /* variants whose recipes are compared with the baseline's */

/* Reports a seed whose pictures failed; *context keeps the last status. */
static void on_failed(void *context, uint64_t seed, const struct tw_error *error)
{
    struct tw_error shown = *error;
    snprintf(shown.hint, sizeof shown.hint, "there are no pictures of seed %" PRIu64, seed);
    tw_console_error(&shown);
    *(enum tw_status *)context = error->status;
}

/* Fills the gallery. A seed that fails sets `seeds` and loses its pictures; the others continue. */
static enum tw_status add_pictures(const struct tw_comparison *c,
                                   const struct tw_compare_report *report, struct tw_gallery *g,
                                   enum tw_status *seeds, struct tw_error *err)
{
    const struct tw_gallery_run run = {.experiment = c->experiment,
                                       .load = report->load,
                                       .run = report->run,
                                       .view_width = TW_GALLERY_SIDE,
                                       .shades = true,
                                       .failed = on_failed,
                                       .context = seeds};
    enum tw_status status = tw_gallery_choose(c, report->further, g, err);
    return status == TW_OK ? tw_gallery_fill(&run, g, err) : status;
}

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

enum tw_status tw_compare_report(FILE *out, const struct tw_comparison *c,
                                 const struct tw_compare_report *report, enum tw_status *drawn,
                                 struct tw_error *err)
{
    struct tw_gallery gallery = {.seed_count = 0};
    struct tw_realism_measures realism = {.bands = NULL};
    struct tw_experiment last;
    const struct tw_comparison shown =
        tw_comparison_level(c, c->experiment->level_count - 1, &last);
    struct tw_compare_page page = {.comparison = c, .shown = &shown, .realism = &realism};
    bool compared = c->experiment->variant_count > 0;
    char *command = c->tuning ? tw_compare_best_command(c) : NULL;
    page.best_command = command;
    enum tw_status seeds = TW_OK;
    *drawn = c->signal || !compared ? TW_OK : add_pictures(&shown, report, &gallery, &seeds, err);
    if (*drawn == TW_OK && gallery.plates)
        page.gallery = &gallery;
    else if (*drawn != TW_OK)
        tw_console_error(err);
    *drawn = *drawn == TW_OK ? seeds : *drawn;
    enum tw_status status = compared ? add_edits(&shown, report, &page, err) : TW_OK;
    if (status == TW_OK && compared)
        status = add_realism(&shown, report, &realism, err);
    if (status == TW_OK)
        tw_compare_page(out, &page);
    tw_recipe_differences_release((struct tw_recipe_difference **)page.edits,
                                  page.edits ? last.variant_count : 0);
    free((void *)page.edits);
    tw_gallery_release(&gallery);
    free(command);
    return status;
}
