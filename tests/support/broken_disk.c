/* SPDX-License-Identifier: MIT */
#include "support/broken_disk.h"

#include "support/call_paths.h"
#include "support/command.h"
#include "support/faulty_disk.h"
#include "support/inside.h"
#include "support/points.h"
#include "support/sample.h"

#include "base/os/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEMPORARY "cache/v1/tmp" /* later runs clean up what is left here */

enum { EACH_MAX = 600 }; /* above this, "all" means all paths of calls */

const int disk_errors[DISK_ERRORS] = {ENOSPC, EIO, EINTR, EMFILE, EACCES};

static char home[1024]; /* the working directory */
static long faults_tried;
static char attempted[5000]; /* the fault being tried; "" for none */

static bool is_inside(const char *path, const char *folder)
{
    size_t length = strlen(home);
    if (strncmp(path, home, length) == 0 && path[length] == '/')
        path += length + 1;
    length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static void check_code(const struct disk_act *act, int code, const struct disk_fault *fault,
                       const struct disk_failure *failure)
{
    bool again = code == 75 && strstr(act->command, "--shard"); /* a task that may be tried again */
    bool allowed = code == 0 || code == 3 || code == 4 || again;
    if (act->exports && !fault->ever && is_inside(failure->path, "cache"))
        allowed = code == 0;
    else if (!fault->ever && is_inside(failure->path, "out"))
        allowed = code == 0 || code == 4 || again;
    if (!allowed || (code != 0 && strlen(inside_messages()) < 10))
        fail_msg("exit code %d: %s", code, inside_messages());
}

/* Files may be left after a failed deletion, but after no other failure. */
static bool may_leave_files(const struct disk_fault *fault, const struct disk_failure *failure)
{
    return fault->ever || strncmp(failure->call, "unlink", 6) == 0;
}

static void check_next_run(const struct disk_act *act)
{
    if (inside_run(act->again ? act->command : DISK_RUN) != 0)
        fail_msg("the next run: %s", inside_messages());
    sample_check(!act->again, false);
    if (act->check)
        act->check();
}

static void note_attempt(const char *name, const struct disk_fault *fault,
                         const struct disk_failure *failure)
{
    snprintf(attempted, sizeof attempted, "%s: call %ld%s, %s %s: %s\n", name, fault->which,
             fault->ever ? " and all after it" : "", failure->call, failure->path,
             strerror(fault->error));
}

/* Returns false if the command makes fewer calls. */
static bool attempt(const struct disk_act *act, const struct disk_fault *fault)
{
    struct disk_failure failure;
    act->prepare();
    int temporary = sample_count_temporary(TEMPORARY);
    disk_begin(fault);
    int code = inside_run(act->command);
    if (!disk_end(&failure)) {
        assert_int_equal(code, 0);
        return false;
    }
    faults_tried++;
    note_attempt(act->command, fault, &failure);
    bool leftovers = may_leave_files(fault, &failure);
    check_code(act, code, fault, &failure);
    if (act->exports)
        sample_check(code == 0, leftovers);
    if (!leftovers && sample_count_temporary(TEMPORARY) > temporary)
        fail_msg("a temporary file is left in the cache");
    check_next_run(act);
    attempted[0] = 0;
    return true;
}

/* Runs the act without a fault and returns the number of its calls. */
static long count_calls(const struct disk_act *act)
{
    struct disk_failure none;
    act->prepare();
    disk_note();
    assert_int_equal(inside_run(act->command), 0);
    assert_false(disk_end(&none));
    return disk_calls();
}

static void try_each(const struct disk_act *act, struct disk_fault fault, long step)
{
    for (; attempt(act, &fault); fault.which += step)
        ;
}

/* Tries the calls that count_calls() noted. */
static void try_paths(const struct disk_act *act, struct disk_fault fault)
{
    const long *numbers;
    long found = call_paths_list(&numbers);
    for (long i = 0; i < found; i++) {
        fault.which = numbers[i];
        (void)attempt(act, &fault);
    }
}

void disk_break(const struct disk_act *act)
{
    if (!points_chosen(act->command))
        return;
    long before = faults_tried, total = count_calls(act);
    long step = points_step(total, act->share ? act->share : DISK_SHARE);
    bool by_paths = points_all() && !points_each() && total > EACH_MAX;
    for (int e = 0; e < DISK_ERRORS; e++)
        for (int ever = 0; ever < 2; ever++) {
            struct disk_fault fault = {
                .which = 1 + e % step, .ever = ever == 1, .error = disk_errors[e]};
            if (ever && fault.error == EINTR)
                continue; /* a call that is always interrupted would be retried for ever */
            if (by_paths)
                try_paths(act, fault);
            else
                try_each(act, fault, step);
        }
    print_message("%s: %ld calls by %ld paths, %ld faults\n", act->command, total,
                  call_paths_count(), faults_tried - before);
}

void disk_break_around(const char *command, const char *file, int error)
{
    struct tw_sha256 before, after;
    uint64_t length;
    bool failed = true;
    assert_int_equal(tw_file_sha256(file, 1 << 20, &before, &length, NULL), TW_OK);
    for (struct disk_fault fault = {.which = 1, .error = error}; failed; fault.which++) {
        struct disk_failure failure = {.call = "", .path = ""};
        disk_begin(&fault);
        int code = inside_run(command);
        failed = disk_end(&failure);
        faults_tried += failed;
        note_attempt(command, &fault, &failure);
        assert_int_equal(tw_file_sha256(file, 1 << 20, &after, &length, NULL), TW_OK);
        assert_memory_equal(&before, &after, sizeof before);
        assert_true(code == 3 || code == 4);
    }
    attempted[0] = 0;
}

void disk_expect_success(const char *command)
{
    if (inside_run(command) != 0)
        fail_msg("%s: %s", command, inside_messages());
}

void disk_expect_file(const char *path)
{
    if (access(path, R_OK) != 0)
        fail_msg("%s is missing", path);
}

int disk_set_up(void **state)
{
    (void)state;
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0); /* thousands of files: spare the disk */
    command_enter();
    assert_non_null(getcwd(home, sizeof home));
    sample_write();
    disk_expect_success("run recipe.yaml -q -o expected --no-cache");
    return 0;
}

int disk_print_attempt(void **state)
{
    (void)state;
    print_message("%s", attempted);
    attempted[0] = 0;
    return 0;
}

int disk_tear_down(void **state)
{
    print_message("%ld faults\n", faults_tried);
    return command_tear_down(state);
}
