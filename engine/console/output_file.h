/* SPDX-License-Identifier: MIT */
/* Files that options name, as --trace FILE: they never replace what the command reads or writes
 * besides, and - is standard output. */
#ifndef TW_ENGINE_CONSOLE_OUTPUT_FILE_H
#define TW_ENGINE_CONSOLE_OUTPUT_FILE_H

#include "base/memory/bytes.h"
#include "console/settings.h"
#include "runner/overwrite.h"

#include <stdbool.h>

bool tw_cli_is_stdout(const char *path);
/* Before anything is read: TW_PATH when a file that an option names is an operand, its lock, its
 * sidecar or what another option writes; TW_IO when it cannot be written. */
enum tw_status tw_cli_check_outputs(enum tw_command_bits command,
                                    const struct tw_settings *settings, char **operands,
                                    struct tw_error *err);
/* Before anything runs, of the files that options name: TW_PATH when one would replace a guarded
 * file or one that the guard knows will be written. */
enum tw_status tw_cli_claim_outputs(struct tw_overwrite_guard *guard,
                                    const struct tw_settings *settings, struct tw_error *err);
/* TW_IO; ends the process where the pipe behind standard output has lost its reader. */
enum tw_status tw_cli_write_stdout(const void *data, size_t length, struct tw_error *err);
/* Checks against guarded files again, since the run may have created some, and writes. */
enum tw_status tw_cli_write_output(const struct tw_overwrite_guard *guard, const char *path,
                                   const struct tw_bytes *text, struct tw_error *err);

#endif
