/* SPDX-License-Identifier: MIT */
/* Opens the remote cache that the options name for a command, and closes it afterwards. */
#ifndef TW_ENGINE_CONSOLE_REMOTE_H
#define TW_ENGINE_CONSOLE_REMOTE_H

#include "cache/remote.h"
#include "console/settings.h"

/* Collects the options that describe the server. */
struct tw_remote_options tw_console_remote_options(const struct tw_settings *settings);
/* Sets settings->remote for a command that runs recipes; returns the exit code. */
int tw_console_open_remote(enum tw_command_bits command, struct tw_settings *settings);
/* Opens the cache for a command that exists to transfer entries, and fails without --cache-url.
 * Returns the exit code. */
int tw_console_open_patient_remote(const struct tw_settings *settings, struct tw_remote **remote);
/* Closes the cache and prints its remaining warnings. */
void tw_console_close_remote(struct tw_settings *settings);

#endif
