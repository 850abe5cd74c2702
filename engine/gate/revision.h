/* SPDX-License-Identifier: MIT */
/* Recipes of a git revision. */
#ifndef TW_ENGINE_GATE_REVISION_H
#define TW_ENGINE_GATE_REVISION_H

#include <thalweg/status.h>

#include <stdbool.h>

/* "HEAD~1:hills.yaml": a revision and, after the first colon, a path. False for a plain path. */
bool tw_revision_is_one(const char *text);
/* Writes the recipe's folder, as it was in that revision, into a temporary folder, so that recipes
 * and files that it names are found, too. The path counts from the current folder. `folder` and
 * `file` hold 4096 bytes; remove the folder with tw_file_remove_folder(). The repository, its index
 * and its work tree stay as they are. TW_INPUT when git is missing, knows no such revision, or has
 * no such file in it. */
enum tw_status tw_revision_check_out(const char *text, char *folder, char *file,
                                     struct tw_error *err);

#endif
