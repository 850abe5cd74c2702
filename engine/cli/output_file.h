/* SPDX-License-Identifier: MIT */
/* Files that options name, as --trace FILE: they never replace what the command reads, and - is
 * standard output. */
#ifndef TW_ENGINE_CLI_OUTPUT_FILE_H
#define TW_ENGINE_CLI_OUTPUT_FILE_H

#include "base/bytes.h"
#include "run/overwrite.h"

#include <stdbool.h>

bool tw_cli_is_stdout(const char *path);
/* Before anything runs: TW_PATH when the file would replace a guarded one, TW_IO when its folder
 * cannot be written to. `path` may be NULL. */
enum tw_status tw_cli_check_output(const struct tw_overwrite_guard *guard, const char *path,
                                   struct tw_error *err);
/* Checks again, since the run may have created files, and writes. */
enum tw_status tw_cli_write_output(const struct tw_overwrite_guard *guard, const char *path,
                                   const struct tw_bytes *text, struct tw_error *err);

#endif
