/* SPDX-License-Identifier: MIT */
/* Files that options name, such as --trace FILE. They never replace another file that the command
 * reads or writes; "-" means standard output. */
#ifndef TW_ENGINE_CONSOLE_OUTPUT_FILE_H
#define TW_ENGINE_CONSOLE_OUTPUT_FILE_H

#include "base/memory/bytes.h"
#include "console/settings.h"
#include "runner/overwrite.h"

#include <stdbool.h>

bool tw_console_is_stdout(const char *path);
/* Checks the files that options name before anything is read. Returns TW_PATH if one is an operand,
 * its lock, its sidecar or another option's file; TW_IO if it cannot be written. */
enum tw_status tw_console_check_outputs(enum tw_command_bits command,
                                        const struct tw_settings *settings, char **operands,
                                        struct tw_error *err);
/* Claims the files that options name before anything runs. Returns TW_PATH if one would replace a
 * guarded file or one that the run will write. */
enum tw_status tw_console_claim_outputs(struct tw_overwrite_guard *guard,
                                        const struct tw_settings *settings, struct tw_error *err);
/* Returns TW_IO on failure, but ends the process if standard output is a pipe without a reader. */
enum tw_status tw_console_write_stdout(const void *data, size_t length, struct tw_error *err);
/* Checks the path against guarded files again, since the run may have created some, then writes. */
enum tw_status tw_console_write_output(const struct tw_overwrite_guard *guard, const char *path,
                                       const struct tw_bytes *text, struct tw_error *err);

#endif
