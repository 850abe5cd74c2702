/* SPDX-License-Identifier: MIT */
/* What is written must not replace what was read: recipes, experiments and the files of nodes.
 * Files are compared by device and inode, so names do not matter. */
#ifndef TW_ENGINE_RUN_OVERWRITE_H
#define TW_ENGINE_RUN_OVERWRITE_H

#include "base/file.h"
#include "graph/graph.h"

/* Files that must stay. Starts as {0}. */
struct tw_overwrite_guard {
    struct tw_guarded_file {
        struct tw_file_id id;
        const char *kind; /* as messages have it: "a recipe of this run"; borrowed */
        char node[128];   /* that reads it; "": none */
    } * files;
    size_t count, capacity;
};

/* Adds a file where it exists. TW_IO when that cannot be found out, TW_MEMORY. */
enum tw_status tw_overwrite_guard_add(struct tw_overwrite_guard *guard, const char *path,
                                      const char *kind, struct tw_error *err);
/* The same with what a recipe reads. */
enum tw_status tw_overwrite_guard_add_readings(struct tw_overwrite_guard *guard,
                                               const struct tw_recipe *recipe,
                                               struct tw_error *err);
/* TW_PATH when writing a file of that path would replace one of them; `name` is what messages call
 * it. TW_IO when that cannot be found out. */
enum tw_status tw_overwrite_guard_check(const struct tw_overwrite_guard *guard, const char *path,
                                        const char *name, struct tw_error *err);
/* The same of an export below `folder`; the error has its place in the recipe. */
enum tw_status tw_overwrite_guard_check_export(const struct tw_overwrite_guard *guard,
                                               const char *folder, const struct tw_export *item,
                                               struct tw_error *err);
void tw_overwrite_guard_release(struct tw_overwrite_guard *guard);

#endif
