/* SPDX-License-Identifier: MIT */
/* What is written must not replace what was read (recipes, experiments and the files of nodes), nor
 * what else is written. Files that exist are compared by device and inode, so names do not matter;
 * those that do not yet, by their place. */
#ifndef TW_ENGINE_RUNNER_OVERWRITE_H
#define TW_ENGINE_RUNNER_OVERWRITE_H

#include "base/memory/bytes.h"
#include "base/os/file.h"
#include "graph/graph.h"
#include "graph/names.h"

/* Files that must stay. Starts as {0}. */
struct tw_overwrite_guard {
    struct tw_guarded_file {
        struct tw_file_id id;
        const char *kind; /* as messages have it: "a recipe of this run"; borrowed */
        char node[128];   /* that reads it; "": none */
    } * files;
    size_t count, capacity;
    struct tw_names places; /* of files that will be written, to their kind */
    struct tw_arena arena;  /* of the places' names */
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
/* Notes a file that something will write, whether it is there or not; of two files at one place the
 * first counts. TW_MEMORY. */
enum tw_status tw_overwrite_guard_note(struct tw_overwrite_guard *guard, const char *path,
                                       const char *kind, struct tw_error *err);
/* Checks and notes: TW_PATH also when something else writes there. */
enum tw_status tw_overwrite_guard_claim(struct tw_overwrite_guard *guard, const char *path,
                                        const char *name, const char *kind, struct tw_error *err);
/* The same of an export below `folder`; the error has its place in the recipe. */
enum tw_status tw_overwrite_guard_claim_export(struct tw_overwrite_guard *guard, const char *folder,
                                               const struct tw_export *item, struct tw_error *err);
/* Checks again, since a run may have created one of them, and writes the file and its folder. */
enum tw_status tw_overwrite_guard_write(const struct tw_overwrite_guard *guard, const char *path,
                                        const struct tw_bytes *text, struct tw_error *err);
void tw_overwrite_guard_release(struct tw_overwrite_guard *guard);

#endif
