/* SPDX-License-Identifier: MIT */
#include "support/command.h"

#include "support/folder.h"
#include "support/harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS = 100 };

static char folder[256];

void command_enter(void)
{
    char cache[300];
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/thalweg-test-XXXXXX", base && base[0] ? base : "/tmp");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    snprintf(cache, sizeof cache, "%s/.cache", folder);
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("NO_COLOR", "1", 1);
    unsetenv("GITHUB_ACTIONS"); /* so that these tests also run in GitHub's CI */
}

void command_leave(void)
{
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(folder_remove(folder), 0);
}

int command_set_up(void **state)
{
    (void)state;
    command_enter();
    return 0;
}

int command_tear_down(void **state)
{
    (void)state;
    command_leave();
    return 0;
}

void command_write(const char *name, const void *data, size_t length)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void execute(const char *arguments)
{
    char text[1 << 14], *list[ARGUMENTS + 2] = {TW_COMMAND}, *rest = text;
    snprintf(text, sizeof text, "%s", arguments);
    for (int i = 1; i <= ARGUMENTS && (list[i] = strtok_r(rest, " ", &rest)); i++)
        ;
    execv(TW_COMMAND, list);
    _exit(126);
}

static int start(const char *arguments, const char *out, const char *err)
{
    fflush(NULL);
    int process = fork();
    assert_true(process >= 0);
    if (process > 0)
        return process;
    if (!freopen(out, "w", stdout) || !freopen(err, "w", stderr))
        _exit(125);
    execute(arguments);
    return 0;
}

int command_start(const char *arguments) { return start(arguments, "/dev/null", "/dev/null"); }

int command_start_into(const char *arguments, const char *out)
{
    return start(arguments, out, "/dev/null");
}

static FILE *events; /* of the command that command_start_node() started */

/* Reads events from a named pipe, so that no test waits for a fixed time. */
int command_start_node(const char *arguments, const char *out)
{
    static const char pipe_name[] = "events.pipe";
    char text[4096], line[4096] = "";
    (void)unlink(pipe_name);
    assert_int_equal(mkfifo(pipe_name, 0600), 0);
    snprintf(text, sizeof text, "%s --events %s", arguments, pipe_name);
    int process = start(text, out, "/dev/null");
    events = fopen(pipe_name, "r"); /* returns once the command has opened it too */
    assert_non_null(events);
    while (fgets(line, sizeof line, events) && !strstr(line, "\"node-started\""))
        ;
    assert_non_null(strstr(line, "\"node-started\""));
    return process;
}

int command_wait(int process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        assert_int_equal(errno, EINTR);
    if (events)
        fclose(events);
    events = NULL;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int command_run_into(const char *arguments, const char *out)
{
    return command_wait(start(arguments, out, "/dev/null"));
}

static void read_back(const char *name, char *text, size_t size)
{
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, size - 1, file)] = 0;
    fclose(file);
    unlink(name);
}

void command_run(const char *arguments, struct command_result *result)
{
    result->code = command_wait(start(arguments, ".stdout", ".stderr"));
    read_back(".stdout", result->out, sizeof result->out);
    read_back(".stderr", result->err, sizeof result->err);
    assert_int_not_equal(result->code, 126);
}

void command_expect(const char *arguments, int code, struct command_result *result)
{
    command_run(arguments, result);
    if (result->code != code)
        fail_msg("%s: exit code %d\n%s%s", arguments, result->code, result->out, result->err);
}

void command_expect_words(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("\"%s\" is not in:\n%s", words, text);
}
