/* SPDX-License-Identifier: MIT */
/* run and verify --on slurm: the recipes as tasks of an array that compute into the cache. The
 * command then finds all results in the cache, so its output and exit code do not depend on the
 * cluster. */
#ifndef TW_ENGINE_CLUSTER_RECIPES_CLUSTER_H
#define TW_ENGINE_CLUSTER_RECIPES_CLUSTER_H

#include "console/settings.h"

struct tw_recipes_work {
    const struct tw_settings *settings;
    const char *command; /* "run" or "verify" */
    const char *const *files;
    struct tw_recipe *const *recipes; /* loaded from `files`, in that order */
    int32_t count;
};

/* Rejects options that exclude each other; `excludes` names a given option that --on excludes, else
 * NULL. Returns the exit code. */
int tw_recipes_check_cluster(const struct tw_settings *settings, const char *excludes);
/* Submits what the cache lacks and follows it. If results are missing then, because nodes see
 * another cache or the folder is full, reports that and leaves them to the command. */
enum tw_status tw_recipes_on_cluster(const struct tw_recipes_work *work, struct tw_error *err);

#endif
