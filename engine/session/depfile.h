/* SPDX-License-Identifier: MIT */
/* --depfile: which files a run wrote, and which it read for them, in the form of Make. */
#ifndef TW_ENGINE_SESSION_DEPFILE_H
#define TW_ENGINE_SESSION_DEPFILE_H

#include "session/recipe_set.h"

/* Appends "out/a.png: a.yaml parts.yaml" for each recipe, and each input as a target without
 * prerequisites, so that Make continues when one is removed. */
enum tw_status tw_depfile_print(const struct tw_settings *settings,
                                const struct tw_recipe_set *parts, struct tw_bytes *text,
                                struct tw_error *err);

#endif
