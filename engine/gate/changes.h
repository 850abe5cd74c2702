/* SPDX-License-Identifier: MIT */
/* Which files a work tree has changed since it left a revision, as git knows them. */
#ifndef TW_ENGINE_GATE_CHANGES_H
#define TW_ENGINE_GATE_CHANGES_H

#include "base/memory/arena.h"
#include "graph/names.h"

#include <thalweg/status.h>

#include <stdbool.h>
#include <stdint.h>

struct tw_changes {
    struct tw_arena arena;
    const char *top;        /* folder of the work tree */
    struct tw_names places; /* of changed, removed and new files */
    const struct tw_changed {
        const char *place;
        const struct tw_changed *next;
    } * all; /* the same, for patterns */
    int32_t count;
};

/* Compares the work tree that a folder lies in with the merge base of HEAD and `revision`; files
 * that git does not know count as new, unless it ignores them. TW_INPUT if there is no git, no
 * repository or no such revision. Call tw_changes_release() in any case. */
enum tw_status tw_changes_find(const char *folder, const char *revision, struct tw_changes *changes,
                               struct tw_error *err);
/* Returns whether a file has changed, what it links to, or any that a pattern of tiles names; a
 * file of a repository within this one if anything in that has. */
bool tw_changes_have(const struct tw_changes *changes, const char *path);
/* Returns whether a file lies in the work tree, so that its changes are known. */
bool tw_changes_cover(const struct tw_changes *changes, const char *path);
void tw_changes_release(struct tw_changes *changes);

#endif
