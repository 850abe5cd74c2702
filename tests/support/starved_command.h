/* SPDX-License-Identifier: MIT */
/* Commands with little memory (support/starved.h): exit code 4 and a message, or the work goes on
 * without. */
#ifndef TW_TESTS_SUPPORT_STARVED_COMMAND_H
#define TW_TESTS_SUPPORT_STARVED_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

struct starved_command {
    long share; /* of the allocations, when not all are tried */
    const char *command;
    void (*prepare)(void);    /* as in struct act */
    void (*check)(bool done); /* the same */
};

/* Tries them one after the other: all, or those in which THALWEG_ACT of the environment occurs. */
void starved_commands_try(const struct starved_command *commands, size_t count);
/* Tries only its last allocations, `share` of them. */
void starved_command_try_last(const struct starved_command *command);
/* Runs a command that has enough memory; fails the test when it fails. */
void starved_command_expect(const char *command);
/* A file that `ends` so, or none; `done` asks for one. */
void starved_command_check_file(const char *path, const char *end, bool done);

#endif
