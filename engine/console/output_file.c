/* SPDX-License-Identifier: MIT */
#include "console/output_file.h"

#include "base/os/process.h"
#include "format/sidecar.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

bool tw_console_is_stdout(const char *path) { return path && strcmp(path, "-") == 0; }

/* ---- options that name files ---- */

/* The words for an operand in error messages. */
static const char *kind_of(enum tw_command_bits command)
{
    switch (command) {
    case TW_FOR_COMPARE:
    case TW_FOR_JUDGE:
        return "the experiment";
    case TW_FOR_DIFF:
        return "what is compared";
    case TW_FOR_INSPECT:
        return "the file that is inspected";
    default:
        return "a recipe of this run";
    }
}

/* Guards an operand, the sidecar that is read with it and its lock file. A missing operand has
 * neither. */
static enum tw_status add_operand(struct tw_overwrite_guard *guard, const char *file,
                                  const char *kind, struct tw_error *err)
{
    char path[PATH_MAX];
    bool found = false;
    enum tw_status status = tw_overwrite_guard_add(guard, file, kind, err);
    if (status == TW_OK)
        status = tw_sidecar_find(file, path, &found, err);
    if (status == TW_OK && found)
        status = tw_overwrite_guard_add(guard, path, "a sidecar that is read", err);
    if (status == TW_OK && snprintf(path, sizeof path, "%s.lock", file) < PATH_MAX)
        status = tw_overwrite_guard_note(guard, path, "the lock of a recipe", err);
    return status;
}

enum tw_status tw_console_claim_outputs(struct tw_overwrite_guard *guard,
                                        const struct tw_settings *settings, struct tw_error *err)
{
    const struct {
        const char *path, *kind;
    } outputs[] = {{settings->trace, "what --trace writes"},
                   {settings->csv, "what --csv writes"},
                   {settings->csv_long, "what --csv-long writes"},
                   {settings->csv_front, "what --csv-front writes"},
                   {settings->json_lines, "what --json-lines writes"},
                   {settings->html, "what --html writes"},
                   {settings->picture, "what --picture writes"},
                   {settings->events, "what --events writes"}};
    enum tw_status status = TW_OK;
    for (size_t i = 0; status == TW_OK && i < sizeof outputs / sizeof *outputs; i++) {
        const char *path = outputs[i].path;
        if (!path || tw_console_is_stdout(path))
            continue;
        status = tw_overwrite_guard_claim(guard, path, path, outputs[i].kind, err);
        if (status == TW_OK && path != settings->events) /* the open event stream may be a pipe */
            status = tw_file_check_new(path, err);
    }
    return status;
}

enum tw_status tw_console_check_outputs(enum tw_command_bits command,
                                        const struct tw_settings *settings, char **operands,
                                        struct tw_error *err)
{
    struct tw_overwrite_guard guard = {0};
    enum tw_status status = TW_OK;
    for (char **at = operands; status == TW_OK && *at; at++)
        status = add_operand(&guard, *at, kind_of(command), err);
    for (int32_t i = 0; status == TW_OK && i < settings->answers.count; i++)
        status = tw_overwrite_guard_add(&guard, settings->answers.at[i], "answers", err);
    if (status == TW_OK)
        status = tw_console_claim_outputs(&guard, settings, err);
    tw_overwrite_guard_release(&guard);
    return status;
}

/* ---- writing ---- */

enum tw_status tw_console_write_stdout(const void *data, size_t length, struct tw_error *err)
{
    if (fwrite(data, 1, length, stdout) == length)
        return TW_OK;
    int reason = errno;
    tw_process_end_unread();
    return tw_error_set(err, TW_IO, "cannot write standard output: %s", strerror(reason));
}

enum tw_status tw_console_write_output(const struct tw_overwrite_guard *guard, const char *path,
                                       const struct tw_bytes *text, struct tw_error *err)
{
    if (tw_console_is_stdout(path))
        return tw_console_write_stdout(text->at, text->length, err);
    return tw_overwrite_guard_write(guard, path, text, err);
}
