/* SPDX-License-Identifier: MIT */
#include "support/starved.h"

#include "support/call_paths.h"
#include "support/command.h"
#include "support/inside.h"
#include "support/points.h"
#include "support/sample.h"
#include "support/starve.h"

#include "base/text/json.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    POINTS_MAX = 100000, /* allocations of one act: more mean an endless loop */
    EACH_MAX = 600,      /* above this, "all" means all paths of calls */
};

long starved_points;

/* Checks the outcome; `failed`: an allocation has failed. */
static void judge(const struct act *act, enum tw_status status, const struct tw_error *error,
                  bool failed, const char *which)
{
    starved_points += failed;
    if (status != TW_OK && (status != TW_MEMORY || !failed))
        fail_msg("allocation %s: status %d, %s: %s", which, (int)status, error->path,
                 error->message);
    if (status != TW_OK) {
        assert_int_equal(error->status, status);
        if (!error->message[0])
            fail_msg("allocation %s: no message", which);
    }
    if (act->check)
        act->check(status == TW_OK);
}

/* Returns false if the act needs fewer allocations. */
static bool attempt(const struct act *act, long which, bool ever)
{
    struct tw_error error = {.status = TW_OK};
    char text[60];
    snprintf(text, sizeof text, "%ld%s", which, ever ? " and all after it" : "");
    if (act->prepare)
        act->prepare();
    starve_begin(which, ever);
    enum tw_status status = act->run(&error);
    bool failed = starve_end();
    judge(act, status, &error, failed, text);
    return failed;
}

/* Returns how many allocations the act needs. */
static long count(const struct act *act)
{
    struct tw_error error = {.status = TW_OK};
    if (act->prepare)
        act->prepare();
    starve_note();
    enum tw_status status = act->run(&error);
    bool failed = starve_end();
    judge(act, status, &error, failed, "without end");
    return starve_calls();
}

static void try_paths(const struct act *act)
{
    const long *numbers;
    long found = call_paths_list(&numbers);
    print_message("%ld paths of calls, %ld allocations\n", call_paths_count(), found);
    for (long i = 0; i < 2 * found; i++)
        (void)attempt(act, numbers[i / 2], i % 2 == 1);
    (void)attempt(act, LONG_MAX, false); /* so that it leaves what other acts need */
}

static void try_each(const struct act *act, long step)
{
    for (int ever = 0; ever < 2; ever++)
        for (long which = 1; attempt(act, which, ever == 1); which += step)
            assert_true(which < POINTS_MAX);
}

long starve_some(const struct act *act, long share)
{
    long total = count(act);
    if (points_all() && !points_each() && total > EACH_MAX && share < LONG_MAX)
        try_paths(act);
    else
        try_each(act, points_step(total, share));
    return total;
}

void starve_last(const struct act *act, long last)
{
    long total = count(act);
    for (long which = total > last ? total - last : 1; which <= total; which++)
        for (int ever = 0; ever < 2; ever++)
            (void)attempt(act, which, ever == 1);
}

long starve_all(const struct act *act) { return starve_some(act, LONG_MAX); }

int starved_set_up(void **state)
{
    (void)state;
    tw_json_watch_memory();
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0); /* thousands of files: spare the disk */
    command_enter();
    sample_write();
    assert_int_equal(inside_run("run recipe.yaml -q -o expected --no-cache"), 0);
    return 0;
}

void starved_check_files(bool all) { sample_check(all, false); }
