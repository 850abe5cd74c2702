/* SPDX-License-Identifier: MIT */
/* `thalweg cache push` and `pull`: what recipes need, between the folder and the server. */
#ifndef TW_ENGINE_CLI_COMMANDS_CMD_CACHE_SHARE_H
#define TW_ENGINE_CLI_COMMANDS_CMD_CACHE_SHARE_H

#include "cli/cli.h"

/* Sends what the cache in `folder` holds of the recipes to the server, or takes what the server
 * holds of them; the exit code. */
int tw_cache_share(const struct tw_settings *settings, const char *folder, bool push,
                   char **recipes, int count);

#endif
