/* SPDX-License-Identifier: MIT */
/* Kills `thalweg run` at random moments, or as soon as it writes, on a cache that is sometimes new
 * and along with other runs in the same folders. After every kill the next run must give the right
 * bytes and leave no other file among the exports; what is left in the cache must go with its age.
 *
 *   kills [--count N] [--seed N]
 *
 * CI kills 100 runs; anyone may kill more. */
#include "trust/killing.h"

#include "support/command.h"
#include "support/folder.h"
#include "support/harness.h"
#include "support/sample.h"

#include <stdio.h>

/* Maps so large that writing takes a share of the time. */
#define SIZE " --size 240x160"
#define RUN "run recipe.yaml -q --threads 2 -o out --cache-dir cache" SIZE

/* Seconds of a run without cache. */
static double measure(void)
{
    double least = 10;
    for (int i = 0; i < 5; i++) {
        double begin = killing_now();
        folder_remove("cache");
        killing_expect_success(command_start(RUN), "a run that nobody kills");
        double seconds = killing_now() - begin;
        least = seconds < least ? seconds : least;
    }
    return least;
}

static void start_somewhere(void)
{
    if (dice_below(&killing_dice, 8) == 0)
        folder_remove("cache");
    if (dice_below(&killing_dice, 2) == 0)
        folder_remove("out");
}

/* True when the run was still going on. */
static bool kill_one(double longest)
{
    char command[200];
    int other = -1;
    snprintf(command, sizeof command, RUN " --set talus=%d", 1 + (int)dice_below(&killing_dice, 8));
    if (dice_below(&killing_dice, 4) == 0)
        other = command_start(RUN);
    const char *folder = dice_below(&killing_dice, 2) ? "out" : "cache/v1/tmp";
    bool hit = killing_kill(command_start(command), folder, longest);
    if (other >= 0)
        killing_expect_success(other, "a run concurrent with one that is killed");
    return hit;
}

int main(int argc, char **argv)
{
    long kills = 0, hits = 0, swept = 0;
    killing_begin(argc, argv, 100, "kills");
    command_enter();
    sample_write();
    killing_expect_success(command_start("run recipe.yaml -q -o expected --no-cache" SIZE),
                           "the first run");
    double longest = 1.1 * measure();
    for (; killing_next(); kills++) {
        start_somewhere();
        hits += kill_one(longest);
        killing_expect_success(command_start(RUN), "the run after a kill");
        sample_check(true, false);
        if (kills % 50 == 49)
            swept += killing_sweep("cache");
    }
    swept += killing_sweep("cache");
    command_leave();
    printf("%ld kills, %ld of them before the run had ended, %ld files swept from the cache\n",
           kills, hits, swept);
    return hits > kills / 4 ? 0 : 1; /* fewer say nothing */
}
