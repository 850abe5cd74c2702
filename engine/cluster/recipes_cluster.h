/* SPDX-License-Identifier: MIT */
/* run and verify --on slurm: the recipes as tasks of an array that compute into the cache. The
 * command that follows here finds everything there, so that what it prints and writes, and how it
 * ends, is what it would be without a cluster. */
#ifndef TW_ENGINE_CLUSTER_RECIPES_CLUSTER_H
#define TW_ENGINE_CLUSTER_RECIPES_CLUSTER_H

#include "console/settings.h"

struct tw_recipes_work {
    const struct tw_settings *settings;
    const char *command; /* "run" or "verify" */
    const char *const *files;
    struct tw_recipe *const *recipes; /* loaded from these, in the same order */
    int32_t count;
};

/* Whether the options go together; `excludes` is as for tw_cluster_check_options(). Returns the
 * exit code. */
int tw_recipes_check_cluster(const struct tw_settings *settings, const char *excludes);
/* Sends what the cache does not have and follows it. What is missing then, since nodes see another
 * cache or the folder is full, is said and left to the command. */
enum tw_status tw_recipes_on_cluster(const struct tw_recipes_work *work, struct tw_error *err);

#endif
