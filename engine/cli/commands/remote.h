/* SPDX-License-Identifier: MIT */
/* The remote cache that the options name, opened for a command and closed after it, and what
 * reports say of it. */
#ifndef TW_ENGINE_CLI_COMMANDS_REMOTE_H
#define TW_ENGINE_CLI_COMMANDS_REMOTE_H

#include "cli/cli.h"
#include "runner/runner.h"

/* What the options say of the server. */
struct tw_remote_options tw_cli_remote_options(const struct tw_settings *settings);
/* Sets settings->remote for a command that runs recipes; the exit code. */
int tw_cli_open_remote(const struct tw_command *command, struct tw_settings *settings);
/* The same for one whose purpose is the transfer; without --cache-url that is a mistake. */
int tw_cli_open_patient_remote(const struct tw_settings *settings, struct tw_remote **remote);
/* Prints the warnings that have not been printed yet. */
void tw_cli_close_remote(struct tw_settings *settings);

/* "hit" and where it came from. */
const char *tw_cli_hit_words(const struct tw_node_summary *node);
/* An object of the counts; null without a remote cache. */
struct json_t *tw_cli_remote_json(const struct tw_run_summary *report);
/* "home", "remote", or null for what is not from a cache: of the entry and of the value. */
struct json_t *tw_cli_source_json(bool known, bool remote);

#endif
