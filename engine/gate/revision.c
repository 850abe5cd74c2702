/* SPDX-License-Identifier: MIT */
/* Uses git's plumbing with a private index and work tree: `read-tree` of the folder's tree, then
 * `checkout-index`, which in a subfolder of the repository's own work tree would take only the
 * files below it. */
#include "gate/revision.h"

#include "base/os/file.h"
#include "base/os/process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Comparing must not run programs that a repository configures: hooks, file monitors. */
#define QUIET_GIT "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"

/* An existing path is a path, even with a colon. */
bool tw_revision_is_one(const char *text)
{
    struct tw_file_id id;
    const char *colon = strchr(text, ':');
    bool named = colon && colon > text && colon[1] && text[0] != '-';
    return named && !(tw_file_identify(text, true, &id, NULL) == TW_OK && id.exists);
}

static bool run(const char *const *arguments, const char *variable)
{
    struct tw_bytes output = {0};
    bool ok = tw_process_run(arguments, variable, &output);
    free(output.at);
    return ok;
}

enum tw_status tw_revision_check_out(const char *text, char *folder, char *file,
                                     struct tw_error *err)
{
    const char *colon = strchr(text, ':'), *path = colon + 1, *slash = strrchr(path, '/');
    char tree[PATH_MAX], index[PATH_MAX + 32], files[PATH_MAX + 8], work_tree[PATH_MAX + 32];
    struct tw_file_id id;
    enum tw_status status = tw_file_make_temporary_folder(folder, err);
    if (status != TW_OK)
        return status;
    snprintf(tree, sizeof tree, "%.*s:./%.*s", (int)(colon - text), text,
             slash ? (int)(slash - path) : 0, path);
    snprintf(index, sizeof index, "GIT_INDEX_FILE=%s/index", folder);
    snprintf(files, sizeof files, "%s/tree", folder);
    snprintf(work_tree, sizeof work_tree, "--work-tree=%s", files);
    const char *const read_tree[] = {"git", QUIET_GIT, "read-tree", tree, NULL};
    const char *const check_out[] = {"git", QUIET_GIT, work_tree, "checkout-index", "--all", NULL};
    bool ok =
        tw_file_make_folder(files, NULL) == TW_OK && run(read_tree, index) && run(check_out, index);
    int length = snprintf(file, PATH_MAX, "%s/tree/%s", folder, slash ? slash + 1 : path);
    if (ok && length < PATH_MAX && tw_file_identify(file, true, &id, NULL) == TW_OK && id.exists)
        return TW_OK;
    tw_file_remove_folder(folder);
    if (!tw_process_finds("git"))
        return tw_error_set(err, TW_INPUT, "'%.200s' needs git, and there is no such program",
                            text);
    tw_error_set(err, TW_INPUT,
                 "git has no '%.200s'; expected REVISION:PATH, such as HEAD~1:hills.yaml, "
                 "in a git repository",
                 text);
    return TW_INPUT;
}
