/* SPDX-License-Identifier: MIT */
/* Kills `thalweg run` at random moments, or as soon as it writes, on a cache that is sometimes new
 * and along with other runs in the same folders. After every kill the next run must give the right
 * bytes and leave no other file among the exports; what is left in the cache must go with its age.
 *
 *   kills [--count N] [--seed N]
 *
 * CI kills 100 runs; anyone may kill more. */
#include "support/command.h"
#include "support/dice.h"
#include "support/folder.h"
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

/* Maps so large that writing takes a share of the time. */
#define SIZE " --size 240x160"
#define RUN "run recipe.yaml -q --threads 2 -o out --cache-dir cache" SIZE

static struct dice dice;
static long done, planned; /* kills */

static void report_failure(void)
{
    if (done < planned)
        fprintf(stderr, "kill %ld with --seed %ld failed\n", done + 1, (long)dice.key);
}

static double now(void)
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
    for (double end = now() + seconds; now() < end;)
        if (sample_count_temporary(folder) > before)
            return;
}

static void expect_success(int process, const char *what)
{
    int code = command_wait(process);
    if (code != 0)
        fail_msg("%s ended with %d", what, code);
}

/* Seconds of a run without cache. */
static double measure(void)
{
    double least = 10;
    for (int i = 0; i < 5; i++) {
        double begin = now();
        folder_remove("cache");
        expect_success(command_start(RUN), "a run that nobody kills");
        least = now() - begin < least ? now() - begin : least;
    }
    return least;
}

static void start_somewhere(void)
{
    if (dice_below(&dice, 8) == 0)
        folder_remove("cache");
    if (dice_below(&dice, 2) == 0)
        folder_remove("out");
}

/* True when the run was still going on. */
static bool kill_one(double longest)
{
    char command[200];
    int other = -1;
    snprintf(command, sizeof command, RUN " --set talus=%d", 1 + (int)dice_below(&dice, 8));
    if (dice_below(&dice, 4) == 0)
        other = command_start(RUN);
    int victim = command_start(command);
    if (dice_below(&dice, 2) == 0)
        wait_for(dice_share(&dice) * longest);
    else
        wait_for_writing(dice_below(&dice, 2) ? "out" : "cache/v1/tmp", longest);
    kill(victim, SIGKILL);
    int code = command_wait(victim);
    if (code != 0 && code != 128 + SIGKILL)
        fail_msg("a run that is killed ended with %d", code);
    if (other >= 0)
        expect_success(other, "a run concurrent with one that is killed");
    return code != 0;
}

static void check_next_run(void)
{
    expect_success(command_start(RUN), "the run after a kill");
    sample_check(true, false);
}

/* ---- what is left in the cache ---- */

static int make_old(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    const struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    (void)info;
    (void)at;
    return kind == FTW_F ? utimensat(AT_FDCWD, path, times, 0) : 0;
}

static int sweep_cache(void)
{
    int left = sample_count_temporary("cache");
    nftw("cache/v1/tmp", make_old, 16, FTW_PHYS);
    expect_success(command_start("cache gc --cache-dir cache"), "cache gc");
    if (sample_count_temporary("cache") > 0)
        fail_msg("temporary files stay in the cache");
    return left;
}

static long option(int argc, char **argv, const char *name, long initial)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0)
            return strtol(argv[i + 1], NULL, 10);
    return initial;
}

int main(int argc, char **argv)
{
    long hits = 0, swept = 0;
    planned = option(argc, argv, "--count", 100);
    atexit(report_failure);
    dice.key = (uint64_t)option(argc, argv, "--seed", 1);
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0);
    command_enter();
    sample_write();
    expect_success(command_start("run recipe.yaml -q -o expected --no-cache" SIZE),
                   "the first run");
    double longest = 1.1 * measure();
    for (; done < planned; done++) {
        dice.set = (uint32_t)done;
        dice.throws = 0;
        start_somewhere();
        hits += kill_one(longest);
        check_next_run();
        if (done % 50 == 49 || done + 1 == planned)
            swept += sweep_cache();
    }
    command_leave();
    printf("%ld kills, %ld of them before the run had ended, %ld files swept from the cache\n",
           done, hits, swept);
    return hits > done / 4 ? 0 : 1; /* fewer say nothing */
}
