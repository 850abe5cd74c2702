/* SPDX-License-Identifier: MIT */
/* Commands with little memory (support/starved.h): they must exit with code 4 and a message, or do
 * without the memory. */
#ifndef TW_TESTS_SUPPORT_STARVED_COMMAND_H
#define TW_TESTS_SUPPORT_STARVED_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

struct starved_command {
    long share; /* share of the allocations to try, unless all are tried */
    const char *command;
    void (*prepare)(void);    /* as in struct act */
    void (*check)(bool done); /* as in struct act */
};

/* Tries the commands one after another: all, or those that contain THALWEG_ACT of the environment.
 */
void starved_commands_try(const struct starved_command *commands, size_t count);
/* Tries only its last allocations, `share` of them. */
void starved_command_try_last(const struct starved_command *command);
/* Runs a command with enough memory; fails the test if it fails. */
void starved_command_expect(const char *command);
/* The file must end with `end` if it exists; with `done` it must exist. */
void starved_command_check_file(const char *path, const char *end, bool done);

#endif
