/* SPDX-License-Identifier: MIT */
/* `thalweg cache push` and `pull`: copies what recipes need between the folder and the server. */
#ifndef TW_ENGINE_CLI_COMMANDS_CMD_CACHE_SHARE_H
#define TW_ENGINE_CLI_COMMANDS_CMD_CACHE_SHARE_H

#include "cli/cli.h"

/* Sends the recipes' entries in the cache `folder` to the server if `push`, else fetches those that
 * the server holds. Returns the exit code. */
int tw_cache_share(const struct tw_settings *settings, const char *folder, bool push,
                   char **recipes, int count);

#endif
