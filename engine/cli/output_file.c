/* SPDX-License-Identifier: MIT */
#include "cli/output_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

bool tw_cli_is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

static enum tw_status check_folder(const char *path, struct tw_error *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash)
        return tw_file_check_place(".", path, err);
    int length = slash == path ? 1 : (int)(slash - path);
    snprintf(folder, sizeof folder, "%.*s", length, path);
    return tw_file_check_place(folder, slash + 1, err);
}

enum tw_status tw_cli_check_output(const struct tw_overwrite_guard *guard, const char *path,
                                   struct tw_error *err)
{
    if (!path || tw_cli_is_stdout(path))
        return TW_OK;
    enum tw_status status = tw_overwrite_guard_check(guard, path, path, err);
    return status == TW_OK ? check_folder(path, err) : status;
}

enum tw_status tw_cli_write_output(const struct tw_overwrite_guard *guard, const char *path,
                                   const struct tw_bytes *text, struct tw_error *err)
{
    if (tw_cli_is_stdout(path))
        return fwrite(text->at, 1, text->length, stdout) == text->length
                   ? TW_OK
                   : tw_error_set(err, TW_IO, "cannot write: %s", strerror(errno));
    enum tw_status status = tw_cli_check_output(guard, path, err);
    return status == TW_OK ? tw_file_write(path, text->at, text->length, err) : status;
}
