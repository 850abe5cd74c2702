/* SPDX-License-Identifier: MIT */
#include "cli/compare/pictures.h"

#include "cli/cli.h"
#include "study/front.h"
#include "study/levels.h"
#include "study/trial.h"
#include "study/tuning.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LEVELS_MAX = 4 }; /* whose pictures a page has room for: the last ones */

/* Reports a seed whose pictures failed; *context keeps the last status. */
static void on_failed(void *context, uint64_t seed, const struct tw_error *error)
{
    struct tw_error shown = *error;
    snprintf(shown.hint, sizeof shown.hint, "there are no pictures of seed %" PRIu64, seed);
    tw_console_error(&shown);
    *(enum tw_status *)context = error->status;
}

static struct tw_gallery_run run_of(const struct tw_experiment *e,
                                    const struct tw_compare_report *report, enum tw_status *seeds)
{
    return (struct tw_gallery_run){.experiment = e,
                                   .load = report->load,
                                   .run = report->run,
                                   .view_width = TW_GALLERY_SIDE,
                                   .shades = true,
                                   .failed = on_failed,
                                   .context = seeds};
}

static enum tw_status draw_level(const struct tw_comparison *c,
                                 const struct tw_compare_report *report, int32_t level,
                                 int32_t small, struct tw_gallery *g, enum tw_status *seeds,
                                 struct tw_error *err)
{
    struct tw_experiment own;
    const struct tw_comparison part = tw_comparison_level(c, level, &own);
    const struct tw_gallery_run run = run_of(&own, report, seeds);
    enum tw_status status = tw_gallery_choose(&part, report->further, small, g, err);
    return status == TW_OK ? tw_gallery_fill(&run, g, err) : status;
}

static enum tw_status draw_levels(const struct tw_comparison *c,
                                  const struct tw_compare_report *report,
                                  struct tw_compare_pictures *p, enum tw_status *seeds,
                                  struct tw_error *err)
{
    enum tw_status status = TW_OK;
    int32_t count = c->experiment->level_count, first = count > LEVELS_MAX ? count - LEVELS_MAX : 0;
    p->levels = calloc((size_t)count, sizeof *p->levels);
    if (!p->levels)
        return tw_error_set(err, TW_MEMORY, "out of memory");
    p->level_count = count;
    for (int32_t i = first; status == TW_OK && i < count; i++)
        status = draw_level(c, report, i, TW_GALLERY_SMALL_MAX / (count - first), &p->levels[i],
                            seeds, err);
    return status;
}

/* ---- trials ---- */

static void choose_trial(struct tw_compare_pictures *p, int32_t trial)
{
    int32_t *count = &p->tried.variants.count;
    for (int32_t i = 0; i < *count; i++)
        if (p->tried_at[i] == trial)
            return;
    if (*count < TW_GALLERY_VARIANTS) {
        p->tried.variants.at[*count] = *count;
        p->tried_at[(*count)++] = trial;
    }
}

/* The best, the knee, both ends, and what lies evenly between. */
static enum tw_status choose_trials(const struct tw_comparison *c, struct tw_compare_pictures *p,
                                    struct tw_error *err)
{
    struct tw_front_set front;
    enum tw_status status = tw_front_of(c, tw_front_count(c) - 1, &front, err);
    if (status == TW_OK && tw_trial_has_run(&c->tuning->trials[c->tuning->best]))
        choose_trial(p, c->tuning->best);
    if (front.knee >= 0)
        choose_trial(p, front.points[front.knee].at);
    for (int32_t i = 0; front.on > 0 && i < TW_GALLERY_VARIANTS; i++)
        choose_trial(p, front.points[i * (front.on - 1) / (TW_GALLERY_VARIANTS - 1)].at);
    tw_front_release(&front);
    return status;
}

static enum tw_status draw_trials(const struct tw_comparison *c,
                                  const struct tw_compare_report *report,
                                  struct tw_compare_pictures *p, enum tw_status *seeds,
                                  struct tw_error *err)
{
    const struct tw_experiment *e = c->experiment;
    struct tw_variant tried[TW_GALLERY_VARIANTS], first;
    enum tw_status status = choose_trials(c, p, err);
    if (status != TW_OK || p->tried.variants.count == 0)
        return status;
    struct tw_experiment own = tw_experiment_trial(e, c->tuning->trials[p->tried_at[0]].settings,
                                                   e->tune.param_count, &first);
    for (int32_t i = 0; i < p->tried.variants.count; i++) {
        tried[i] = first;
        tried[i].settings = c->tuning->trials[p->tried_at[i]].settings;
    }
    own.variants = tried;
    own.variant_count = own.level_variants = own.run_count = p->tried.variants.count;
    const struct tw_gallery_run run = run_of(&own, report, seeds);
    p->tried.seed_count = 1;
    p->tried.seeds[0] = tw_experiment_seed(e, 0);
    return tw_gallery_fill(&run, &p->tried, err);
}

enum tw_status tw_compare_draw(const struct tw_comparison *c,
                               const struct tw_compare_report *report,
                               struct tw_compare_pictures *pictures, enum tw_status *seeds,
                               struct tw_error *err)
{
    enum tw_status status = TW_OK;
    if (c->experiment->variant_count > 0)
        status = draw_levels(c, report, pictures, seeds, err);
    if (status == TW_OK && c->tuning && tw_front_count(c) > 0)
        status = draw_trials(c, report, pictures, seeds, err);
    return status;
}

void tw_compare_pictures_release(struct tw_compare_pictures *pictures)
{
    for (int32_t i = 0; i < pictures->level_count; i++)
        tw_gallery_release(&pictures->levels[i]);
    free(pictures->levels);
    tw_gallery_release(&pictures->tried);
}
