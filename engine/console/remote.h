/* SPDX-License-Identifier: MIT */
/* The remote cache that the options name, opened for a command and closed after it. */
#ifndef TW_ENGINE_CONSOLE_REMOTE_H
#define TW_ENGINE_CONSOLE_REMOTE_H

#include "cache/remote.h"
#include "console/settings.h"

/* What the options say of the server. */
struct tw_remote_options tw_cli_remote_options(const struct tw_settings *settings);
/* Sets settings->remote for a command that runs recipes; the exit code. */
int tw_cli_open_remote(enum tw_command_bits command, struct tw_settings *settings);
/* Opens it for a command whose purpose is the transfer; without --cache-url that is a mistake. */
int tw_cli_open_patient_remote(const struct tw_settings *settings, struct tw_remote **remote);
/* Prints the warnings that have not been printed yet. */
void tw_cli_close_remote(struct tw_settings *settings);

#endif
