/* SPDX-License-Identifier: MIT */
/* What a call takes from a project file: its recipes, if the command line names none, and its
 * settings for those of its recipes that the call is about. */
#ifndef TW_ENGINE_CONSOLE_TAKE_PROJECT_H
#define TW_ENGINE_CONSOLE_TAKE_PROJECT_H

#include "console/settings.h"

/* Finds the project of the call. Without operands, fills `operands` with the recipes of the nearest
 * project of the working folder; otherwise leaves out what is no recipe among several. Commands
 * about the cache take only the project's cache. Reports faults and returns the exit code.
 * tw_console_leave_project() in any case. */
int tw_console_take_project(const char *command, enum tw_command_bits bit,
                            struct tw_settings *settings, char ***operands);
void tw_console_leave_project(struct tw_settings *settings);

#endif
