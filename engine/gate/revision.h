/* SPDX-License-Identifier: MIT */
/* Checks out recipes of a git revision. */
#ifndef TW_ENGINE_GATE_REVISION_H
#define TW_ENGINE_GATE_REVISION_H

#include <thalweg/status.h>

#include <stdbool.h>

/* True for a revision and, after the first colon, a path: "HEAD~1:hills.yaml". False for a plain
 * path. */
bool tw_revision_is_one(const char *text);
/* Writes the recipe's folder as of that revision into a temporary folder, with the recipes and
 * files that it names. The path counts from the current folder. `folder` and `file` hold 4096
 * bytes; remove the folder with tw_file_remove_folder(). Leaves the repository, its index and its
 * work tree alone. TW_INPUT if git is missing, does not know the revision, or has no such file in
 * it. */
enum tw_status tw_revision_check_out(const char *text, char *folder, char *file,
                                     struct tw_error *err);

#endif
