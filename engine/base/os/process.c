/* SPDX-License-Identifier: MIT */
#include "base/os/process.h"

#include "base/os/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ; /* POSIX leaves the declaration to programs */

static bool ignores_pipe; /* the parent ignores SIGPIPE */

/* Makes reads and writes wait. A parent that shares its own pipe may have turned that off, and then
 * a reader would spin and what a full pipe does not take would be lost. */
static void make_blocking(int descriptor)
{
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0 && (flags & O_NONBLOCK) != 0)
        (void)fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

void tw_process_start(void)
{
    int descriptor;
    /* takes the lowest free numbers; read-only, so that output still fails */
    while ((descriptor = open("/dev/null", O_RDONLY)) >= 0 && descriptor <= STDERR_FILENO)
        ;
    if (descriptor >= 0)
        close(descriptor);
    for (descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        make_blocking(descriptor);
    ignores_pipe = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
    signal(SIGXFSZ, SIG_IGN);
}

char **tw_process_arguments(int *count, char **arguments)
{
    (void)count;
    return arguments;
}

void tw_process_end_unread(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (ignores_pipe || poll(&output, 1, 0) != 1 || !(output.revents & (POLLERR | POLLHUP)))
        return;
    tw_temporary_remove_all();
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
    _Exit(128 + SIGPIPE); /* if the signal is blocked */
}

void tw_process_on_stop(void (*handler)(int number))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction parents;
    if (sigaction(SIGHUP, NULL, &parents) == 0 && parents.sa_handler != SIG_IGN)
        sigaction(SIGHUP, &action, NULL);
}

long tw_process_id(void) { return (long)getpid(); }

static uint64_t limit_of(int resource)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return (uint64_t)limit.rlim_cur;
}

uint64_t tw_process_file_limit(void) { return limit_of(RLIMIT_NOFILE); }

void tw_process_raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max)
        return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit); /* else keep the lower limit */
}

uint64_t tw_process_memory_limit(void) { return limit_of(RLIMIT_AS); }

bool tw_process_can_open(int count)
{
    int files[32], opened = 0;
    while (opened < count && (files[opened] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
        opened++;
    for (int i = 0; i < opened; i++)
        close(files[i]);
    return opened == count;
}

bool tw_process_is_terminal(FILE *stream) { return isatty(fileno(stream)); }

const char *tw_process_signal_name(int number)
{
    return number == SIGTERM ? "SIGTERM" : number == SIGHUP ? "SIGHUP" : "SIGINT";
}

/* ---- other programs ---- */

/* Returns a copy of the environment with NAME=value, replacing a variable of that name, since
 * programs use the first. */
static char **add_variable(const char *variable)
{
    size_t count = 0, length = strcspn(variable, "=") + 1, used = 0;
    while (environ[count])
        count++;
    char **all = calloc(count + 2, sizeof *all);
    for (size_t i = 0; all && i < count; i++)
        if (strncmp(environ[i], variable, length) != 0)
            all[used++] = environ[i];
    if (all)
        all[used] = (char *)variable;
    return all;
}

/* False when the pipe broke or memory ran out; does not stop the program. */
static bool read_pipe(int descriptor, struct tw_bytes *output)
{
    char block[4096];
    ssize_t length;
    bool ok = true;
    while ((length = read(descriptor, block, sizeof block)) != 0) {
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            return false;
        ok = ok && tw_bytes_append(output, block, (size_t)length, NULL) == TW_OK;
    }
    return ok;
}

/* With `errors`, standard error goes to the same pipe as standard output. */
static bool start(const char *const *arguments, char *const *environment, int output, bool errors,
                  pid_t *child)
{
    posix_spawn_file_actions_t actions;
    bool ok = posix_spawn_file_actions_init(&actions) == 0;
    if (!ok)
        return false;
    ok = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
         posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0 &&
         (errors ? posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
                 : posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY,
                                                    0)) == 0 &&
         posix_spawnp(child, arguments[0], &actions, NULL, (char *const *)arguments, environment) ==
             0;
    posix_spawn_file_actions_destroy(&actions);
    return ok;
}

/* Returns the status of waitpid(); -1 when the program did not run or its output was lost. */
static int run(const char *const *arguments, char *const *environment, bool errors,
               struct tw_bytes *output)
{
    int ends[2], status = 0;
    pid_t child;
    if (pipe(ends) != 0)
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    bool started = start(arguments, environment, ends[1], errors, &child);
    close(ends[1]);
    bool ok = started && read_pipe(ends[0], output);
    close(ends[0]);
    while (started && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return ok ? status : -1;
}

bool tw_process_run(const char *const *arguments, const char *variable, struct tw_bytes *output)
{
    char **environment = add_variable(variable);
    int status = environment ? run(arguments, environment, false, output) : -1;
    free(environment);
    return status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int tw_process_ask(const char *const *arguments, struct tw_bytes *output)
{
    int status = run(arguments, environ, true, output);
    if (status == -1)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static double used_seconds(clockid_t clock)
{
    struct timespec used = {0};
    (void)clock_gettime(clock, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

bool tw_process_finds(const char *program)
{
    const char *at = getenv("PATH");
    char path[PATH_MAX];
    while (at && *at) {
        int length = (int)strcspn(at, ":");
        int size = snprintf(path, sizeof path, "%.*s/%s", length, length > 0 ? at : ".", program);
        if (size < (int)sizeof path && access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

const char *tw_process_refusal(const char *program)
{
    (void)program;
    return "";
}

double tw_process_seconds(void) { return used_seconds(CLOCK_PROCESS_CPUTIME_ID); }
double tw_process_thread_seconds(void) { return used_seconds(CLOCK_THREAD_CPUTIME_ID); }
