/* SPDX-License-Identifier: MIT */
/* Where the exports of a recipe go: --out, or what its project says, with the placeholders
 * replaced. */
#ifndef TW_ENGINE_SESSION_RECIPE_FOLDER_H
#define TW_ENGINE_SESSION_RECIPE_FOLDER_H

#include "console/settings.h"

struct tw_recipe_folder {
    char *path;    /* of all exports; a prefix of each with {output} follows */
    char *base;    /* its leading folders up to the first with a placeholder */
    char *inside;  /* the rest of `path`, "" or "hills/png" */
    char *outputs; /* with {output}: folders below `path`, as "{output}/maps"; else NULL */
    bool member;   /* the recipe belongs to a project, so that --out may have {folder} */
};

/* Reports a fault and returns the exit code 2 or 3 if a pattern has an unknown placeholder, if it
 * gives a folder that some systems cannot create, or one outside of the project that named it. */
int tw_recipe_folders_check(const struct tw_settings *settings, char **operands);
/* TW_IO if the name is too long; TW_MEMORY. */
enum tw_status tw_recipe_folder_find(const struct tw_settings *settings, const char *operand,
                                     struct tw_recipe_folder *folder, struct tw_error *err);
void tw_recipe_folder_release(struct tw_recipe_folder *folder);
/* Puts each export into the folder of its output. TW_USAGE if an output's name gives a folder that
 * some systems cannot create; TW_MEMORY. */
enum tw_status tw_recipe_folder_move_exports(const struct tw_recipe_folder *folder,
                                             struct tw_recipe *recipe, struct tw_error *err);

#endif
