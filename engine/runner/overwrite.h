/* SPDX-License-Identifier: MIT */
/* Keeps written files from replacing files that were read (recipes, experiments, files of nodes),
 * and each other. Existing files are compared by device and inode, so names do not matter; others
 * by their place. */
#ifndef TW_ENGINE_RUNNER_OVERWRITE_H
#define TW_ENGINE_RUNNER_OVERWRITE_H

#include "base/memory/bytes.h"
#include "base/os/checkout.h"
#include "base/os/file.h"
#include "graph/graph.h"
#include "graph/names.h"

/* Files to protect. Starts as {0}. */
struct tw_overwrite_guard {
    struct tw_guarded_file {
        struct tw_file_id id;
        const char *kind; /* for messages: "a recipe of this run"; borrowed */
        char node[128];   /* the node that reads it; "": none */
    } * files;
    size_t count, capacity;
    struct tw_names places; /* places of files to be written, with their kind */
    struct tw_arena arena;  /* for the names in `places` */
    /* What makes read-only files writable that are to be written; NULL: they are replaced. */
    const struct tw_checkout *checkout;
};

/* Adds a file if it exists. TW_IO if that cannot be determined; TW_MEMORY. */
enum tw_status tw_overwrite_guard_add(struct tw_overwrite_guard *guard, const char *path,
                                      const char *kind, struct tw_error *err);
/* Adds every file that a recipe reads. */
enum tw_status tw_overwrite_guard_add_readings(struct tw_overwrite_guard *guard,
                                               const struct tw_recipe *recipe,
                                               struct tw_error *err);
/* TW_PATH if writing a file of that path would replace a protected one; messages call it `name`.
 * TW_IO if that cannot be determined. */
enum tw_status tw_overwrite_guard_check(const struct tw_overwrite_guard *guard, const char *path,
                                        const char *name, struct tw_error *err);
/* Notes a file that will be written, whether it exists or not; of two at one place the first
 * counts. TW_MEMORY. */
enum tw_status tw_overwrite_guard_note(struct tw_overwrite_guard *guard, const char *path,
                                       const char *kind, struct tw_error *err);
/* Checks and notes: TW_PATH also if another file will be written there. */
enum tw_status tw_overwrite_guard_claim(struct tw_overwrite_guard *guard, const char *path,
                                        const char *name, const char *kind, struct tw_error *err);
/* Claims the file of an export below `folder`; an error has the export's place in the recipe. */
enum tw_status tw_overwrite_guard_claim_export(struct tw_overwrite_guard *guard, const char *folder,
                                               const struct tw_export *item, struct tw_error *err);
/* Checks again, since a run may have created one of them, and writes the file and its folder; what
 * is read-only as the guard's `checkout` says. */
enum tw_status tw_overwrite_guard_write(const struct tw_overwrite_guard *guard, const char *path,
                                        const struct tw_bytes *text, struct tw_error *err);
void tw_overwrite_guard_release(struct tw_overwrite_guard *guard);

#endif
