/* SPDX-License-Identifier: MIT */
#include "support/starved_command.h"

#include "support/inside.h"
#include "support/points.h"
#include "support/starved.h"

#include "base/os/file.h"

#include <stdlib.h>
#include <string.h>

static const char *attempted;

static enum tw_status run(struct tw_error *error)
{
    int code = inside_run(attempted);
    bool again = code == 75 && strstr(attempted, "--shard"); /* a task that may be tried again */
    if (code != 0 && code != 4 && !again)
        fail_msg("exit code %d: %s", code, inside_messages());
    return code ? tw_error_set(error, TW_MEMORY, "%s", inside_messages()) : TW_OK;
}

void starved_command_expect(const char *command)
{
    int code = inside_run(command);
    if (code != 0)
        fail_msg("%s: exit code %d: %s", command, code, inside_messages());
}

static void try(const struct starved_command *command)
{
    const struct act act = {command->prepare, run, command->check};
    long before = starved_points;
    if (command->prepare)
        command->prepare();
    starved_command_expect(command->command);
    attempted = command->command;
    long total = starve_some(&act, command->share);
    print_message("%s: %ld allocations, %ld failures\n", command->command, total,
                  starved_points - before);
}

void starved_command_try_last(const struct starved_command *command)
{
    const struct act act = {command->prepare, run, command->check};
    attempted = command->command;
    starve_last(&act, command->share);
}

void starved_commands_try(const struct starved_command *commands, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (points_chosen(commands[i].command))
            try(&commands[i]);
}

void starved_command_check_file(const char *path, const char *end, bool done)
{
    unsigned char *data = NULL;
    size_t length = 0, expected = strlen(end);
    bool there = tw_file_read(path, 1 << 24, &data, &length, NULL) == TW_OK;
    assert_true(there || !done);
    if (there && (length < expected || memcmp(data + length - expected, end, expected) != 0))
        fail_msg("%s is cut", path);
    free(data);
}
