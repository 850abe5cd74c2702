/* SPDX-License-Identifier: MIT */
/* A comparison as a page for people: the verdict first, then the reasons, then pictures. One file,
 * which needs no network; without JavaScript it lacks only sorting and the slider. */
#ifndef TW_ENGINE_REPORT_COMPARE_PAGE_H
#define TW_ENGINE_REPORT_COMPARE_PAGE_H

#include "report/gallery/gallery.h"
#include "report/realism_measures.h"
#include "report/recipe_difference.h"

#include <stdio.h>

struct tw_compare_page {
    const struct tw_comparison *comparison;
    const struct tw_comparison *shown;  /* the level that pictures and recipes are of: the last */
    const struct tw_gallery *gallery;   /* of that level; NULL: no pictures */
    const struct tw_gallery *galleries; /* by level; NULL: only that one */
    const struct tw_gallery *tried;     /* of the trials that a front names, in the order of
                                           `tried_at`; NULL: no pictures */
    const int32_t *tried_at;
    char *const *commands;       /* by run: what runs a variant with the seed SEED; NULL: unknown */
    char *const *trial_commands; /* by trial; NULL: unknown */
    struct tw_recipe_difference *const *edits; /* by variant; NULL: unknown */
    struct tw_choice edited;                   /* the variants that have one */
    const struct tw_realism_measures *realism; /* NULL: unknown */
    const char *best_command; /* command that runs the best trial of a tuning; NULL: none */
};

void tw_compare_page(FILE *out, const struct tw_compare_page *page);

/* markdown.c: prints the comparison as a table with marks, in at most 40 lines, for summaries of CI
 * and pull requests. `picture` is a file of tw_pair_draw() that it shows, or NULL. */
void tw_compare_markdown(FILE *out, const struct tw_comparison *comparison, const char *picture);

/* ---- sections; each writes nothing if it has nothing to show ---- */

/* section_levels.c: the verdict by level, if there are several. */
void tw_section_levels(FILE *out, const struct tw_comparison *c);
/* section_table.c: a row per variant and a column per measure; then all numbers, per measure. */
void tw_section_summary(FILE *out, const struct tw_comparison *c);
void tw_section_numbers(FILE *out, const struct tw_comparison *c, int32_t measure);
/* section_measures.c: each measure of each level, folded. */
void tw_section_measures(FILE *out, const struct tw_comparison *c);
/* section_front.c: the fronts, measure over measure, and pictures of their trials. */
void tw_section_fronts(FILE *out, const struct tw_compare_page *page);
/* section_runs.c: what page.js shows of a run and a seed: names, commands; then its dialog. */
void tw_section_runs(FILE *out, const struct tw_compare_page *page);
/* section_pictures.c */
void tw_section_pictures(FILE *out, const struct tw_compare_page *page);
void tw_section_histograms(FILE *out, const struct tw_comparison *c, const struct tw_gallery *g);
/* section_realism.c */
void tw_section_realism(FILE *out, const struct tw_compare_page *page);
/* section_sweeps.c */
bool tw_section_has_sweeps(const struct tw_comparison *c);
void tw_section_sweeps(FILE *out, const struct tw_comparison *c);
/* section_sensitivity.c */
void tw_section_sensitivity(FILE *out, const struct tw_comparison *c);
/* section_tuning.c */
void tw_section_tuning(FILE *out, const struct tw_compare_page *page);
/* section_times.c */
void tw_section_times(FILE *out, const struct tw_comparison *c);
/* section_recipes.c */
void tw_section_recipes(FILE *out, const struct tw_compare_page *page);

#endif
