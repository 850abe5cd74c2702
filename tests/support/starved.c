/* SPDX-License-Identifier: MIT */
#include "support/starved.h"

#include "support/command.h"
#include "support/inside.h"
#include "support/points.h"
#include "support/sample.h"
#include "support/starve.h"

#include "base/json.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum { POINTS_MAX = 100000 }; /* allocations of one act: more are an endless loop */

long starved_points;

static void attempt(const struct act *act, long which, bool ever, bool *failed)
{
    struct tw_error error = {.status = TW_OK};
    if (act->prepare)
        act->prepare();
    starve_begin(which, ever);
    enum tw_status status = act->run(&error);
    *failed = starve_end();
    starved_points += *failed;
    if (status != TW_OK && (status != TW_MEMORY || !*failed))
        fail_msg("allocation %ld%s: status %d, %s: %s", which, ever ? " and all after it" : "",
                 (int)status, error.path, error.message);
    if (status != TW_OK) {
        assert_int_equal(error.status, status);
        if (!error.message[0])
            fail_msg("allocation %ld%s: no message", which, ever ? " and all after it" : "");
    }
    if (act->check)
        act->check(status == TW_OK);
}

long starve_some(const struct act *act, long share)
{
    bool failed = false;
    attempt(act, LONG_MAX, false, &failed);
    long total = starve_calls(), step = points_step(total, share);
    for (int ever = 0; ever < 2; ever++) {
        failed = true;
        for (long which = 1; failed; which += step) {
            assert_true(which < POINTS_MAX);
            attempt(act, which, ever == 1, &failed);
        }
    }
    return total;
}

long starve_all(const struct act *act) { return starve_some(act, LONG_MAX); }

int starved_set_up(void **state)
{
    (void)state;
    tw_json_watch_memory();
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0); /* files by the thousand: spare the disk */
    command_enter();
    sample_write();
    assert_int_equal(inside_run("run recipe.yaml -q -o expected --no-cache"), 0);
    return 0;
}

void starved_check_files(bool all) { sample_check(all, false); }
