/* SPDX-License-Identifier: MIT */
#include "trust/killing.h"

#include "support/command.h"
#include "support/harness.h"
#include "support/sample.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct dice killing_dice;
long killing_done;

static long planned;
static const char *program;

/* ---- counting ---- */

static long option(int argc, char **argv, const char *name, long initial)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0)
            return strtol(argv[i + 1], NULL, 10);
    return initial;
}

static void report_failure(void)
{
    if (killing_done <= planned)
        fprintf(stderr, "kill %ld of %s --seed %ld failed\n", killing_done, program,
                (long)killing_dice.key);
}

void killing_begin(int argc, char **argv, long count, const char *name)
{
    planned = option(argc, argv, "--count", count);
    killing_dice.key = (uint64_t)option(argc, argv, "--seed", 1);
    program = name;
    atexit(report_failure);
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0);
}

bool killing_next(void)
{
    killing_dice.set = (uint32_t)killing_done;
    killing_dice.throws = 0;
    return killing_done++ < planned;
}

/* ---- killing ---- */

double killing_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void wait_for(double seconds)
{
    const struct timespec pause = {.tv_sec = (time_t)seconds,
                                   .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}

/* Until a file is being written: a moment that chance seldom meets. */
static void wait_for_writing(const char *folder, double seconds)
{
    int before = sample_count_temporary(folder);
    for (double end = killing_now() + seconds; killing_now() < end;)
        if (sample_count_temporary(folder) > before)
            return;
}

void killing_expect_success(int process, const char *what)
{
    int code = command_wait(process);
    if (code != 0)
        fail_msg("%s ended with %d", what, code);
}

bool killing_kill(int process, const char *folder, double longest)
{
    if (dice_below(&killing_dice, 2) == 0)
        wait_for(dice_share(&killing_dice) * longest);
    else
        wait_for_writing(folder, longest);
    kill(process, SIGKILL);
    int code = command_wait(process);
    if (code != 0 && code != 128 + SIGKILL)
        fail_msg("a process that is killed ended with %d", code);
    return code != 0;
}

/* ---- what is left in a cache ---- */

static int make_old(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    const struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    (void)info;
    (void)at;
    return kind == FTW_F ? utimensat(AT_FDCWD, path, times, 0) : 0;
}

int killing_sweep(const char *cache)
{
    char text[200];
    int left = sample_count_temporary(cache);
    snprintf(text, sizeof text, "%s/v1/tmp", cache);
    nftw(text, make_old, 16, FTW_PHYS);
    snprintf(text, sizeof text, "cache gc --cache-dir %s", cache);
    killing_expect_success(command_start(text), text);
    if (sample_count_temporary(cache) > 0)
        fail_msg("temporary files stay in %s", cache);
    return left;
}
