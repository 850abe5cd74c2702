/* SPDX-License-Identifier: MIT */
/* A disk that fails: the command runs with its first, second, third... system call failing, once
 * and with all after it, for five reasons. Whatever fails, the exit code is that of the
 * documentation with a message; a failing cache never ends a run; exports are whole or not there;
 * and the next run, on a disk that works, gives the right bytes and leaves no temporary file. */
#include "support/command.h"
#include "support/faulty_disk.h"
#include "support/folder.h"
#include "support/harness.h"
#include "support/inside.h"
#include "support/points.h"
#include "support/sample.h"

#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    int number;
    const char *name;
} errors[] = {
    {ENOSPC, "ENOSPC"}, {EIO, "EIO"}, {EINTR, "EINTR"}, {EMFILE, "EMFILE"}, {EACCES, "EACCES"}};
enum { ERRORS = sizeof errors / sizeof *errors };

#define RUN "run recipe.yaml -q --threads 2 -o out --cache-dir cache"
#define TEMPORARY "cache/v1/tmp" /* what is left there goes with time */
#define SHARE 35 /* of the calls of an act, for each error, when not all are tried */

/* A command and the state that it starts in. */
struct act {
    const char *name, *command;
    void (*prepare)(void);
    bool exports;     /* to out/, where nothing else is */
    const char *next; /* the run that puts everything right; NULL: RUN */
};

static char home[1024]; /* the working directory */
static long faults_tried;
static char attempted[5000]; /* the fault that is being tried; "" for none */

static bool lies_in(const char *path, const char *folder)
{
    size_t length = strlen(home);
    if (strncmp(path, home, length) == 0 && path[length] == '/')
        path += length + 1;
    length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static void check_code(const struct act *act, int code, const struct disk_fault *fault,
                       const struct disk_failure *failure)
{
    bool allowed = code == 0 || code == 3 || code == 4;
    if (act->exports && !fault->ever && lies_in(failure->path, "cache"))
        allowed = code == 0;
    else if (!fault->ever && lies_in(failure->path, "out"))
        allowed = code == 0 || code == 4;
    if (!allowed || (code != 0 && strlen(inside_messages()) < 10))
        fail_msg("exit code %d: %s", code, inside_messages());
}

/* After a failure to delete there may be files; never after another. */
static bool may_leave_files(const struct disk_fault *fault, const struct disk_failure *failure)
{
    return fault->ever || strncmp(failure->call, "unlink", 6) == 0;
}

static void check_next_run(const struct act *act)
{
    if (inside_run(act->next ? act->next : RUN) != 0)
        fail_msg("the next run: %s", inside_messages());
    sample_check(!act->next, false);
}

static void attempt(const struct act *act, const struct disk_fault *fault, bool *failed)
{
    struct disk_failure failure;
    act->prepare();
    int temporary = sample_count_temporary(TEMPORARY);
    disk_begin(fault);
    int code = inside_run(act->command);
    *failed = disk_end(&failure);
    if (!*failed) {
        assert_int_equal(code, 0);
        return;
    }
    faults_tried++;
    snprintf(attempted, sizeof attempted, "%s: call %ld%s, %s %s: %s\n", act->name, fault->which,
             fault->ever ? " and all after it" : "", failure.call, failure.path,
             strerror(fault->error));
    bool leftovers = may_leave_files(fault, &failure);
    check_code(act, code, fault, &failure);
    if (act->exports)
        sample_check(code == 0, leftovers);
    if (!leftovers && sample_count_temporary(TEMPORARY) > temporary)
        fail_msg("a temporary file is left in the cache");
    check_next_run(act);
    attempted[0] = 0;
}

static int print_attempt(void **state)
{
    (void)state;
    print_message("%s", attempted);
    attempted[0] = 0;
    return 0;
}

/* Without a fault: how many calls there are. */
static long count_calls(const struct act *act)
{
    struct disk_failure none;
    act->prepare();
    disk_begin(&(struct disk_fault){.which = -1});
    assert_int_equal(inside_run(act->command), 0);
    assert_false(disk_end(&none));
    return disk_calls();
}

static void break_disk(const struct act *act)
{
    long before = faults_tried, total = count_calls(act);
    long step = points_step(total, act->next ? SHARE / 4 : SHARE);
    for (int e = 0; e < ERRORS; e++)
        for (int ever = 0; ever < 2; ever++) {
            bool failed = true;
            if (ever && errors[e].number == EINTR)
                continue; /* what is interrupted for ever is tried for ever */
            for (long which = 1 + e % step; failed; which += step)
                attempt(act,
                        &(struct disk_fault){
                            .which = which, .ever = ever == 1, .error = errors[e].number},
                        &failed);
        }
    print_message("%s: %ld calls, %ld faults\n", act->name, total, faults_tried - before);
}

/* ---- states to start in ---- */

static void start_without_cache(void)
{
    folder_remove("out");
    folder_remove("cache");
}

static void start_with_a_full_cache(void)
{
    folder_remove("out");
    folder_remove("report.html");
    folder_remove("table.csv");
}

static void start_with_fresh_files(void) { sample_check(true, false); }

static void start_with_old_files(void) { assert_int_equal(inside_run(RUN " --set talus=1"), 0); }

/* ---- tests ---- */

static void a_run_with_an_empty_cache(void **state)
{
    (void)state;
    break_disk(&(struct act){"empty cache", RUN, start_without_cache, true, NULL});
}

static void a_run_with_a_full_cache(void **state)
{
    (void)state;
    assert_int_equal(inside_run(RUN), 0);
    break_disk(&(struct act){"full cache", RUN, start_with_a_full_cache, true, NULL});
}

static void a_run_that_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(inside_run(RUN), 0);
    break_disk(&(struct act){"fresh exports", RUN, start_with_fresh_files, true, NULL});
}

static void a_run_without_a_cache(void **state)
{
    (void)state;
    break_disk(&(struct act){"no cache", "run recipe.yaml -q -o out --no-cache",
                             start_with_a_full_cache, true, NULL});
}

#define BANDS "run bands.yaml -q -o out --no-cache --bands=9"

/* Files that grow row by row, one after the other and side by side. */
static void a_run_in_bands(void **state)
{
    static const char text[] = "thalweg: 1\nsize: [24, 16]\nnodes:\n  n: {type: noise.perlin}\n"
                               "  s: {type: mask.slope, in: n}\n"
                               "export: {bands/n.npy: n, bands/s.r16: s}\n";
    (void)state;
    command_write("bands.yaml", text, sizeof text - 1);
    assert_int_equal(inside_run("run bands.yaml -q -o expected --no-cache"), 0);
    break_disk(&(struct act){"bands", BANDS, start_with_a_full_cache, false, BANDS});
}

static void a_run_that_replaces_files(void **state)
{
    (void)state;
    break_disk(&(struct act){"old exports", RUN, start_with_old_files, false, NULL});
}

static void care_of_the_cache(void **state)
{
    (void)state;
    assert_int_equal(inside_run(RUN), 0);
    break_disk(&(struct act){"gc", "cache gc --max-size 4K --cache-dir cache",
                             start_with_fresh_files, false, NULL});
}

static void a_comparison(void **state)
{
    (void)state;
    static const char compare[] =
        "compare experiment.yaml -q --cache-dir cache --html report.html --csv table.csv";
    assert_int_equal(inside_run(RUN), 0);
    assert_int_equal(inside_run(compare), 0);
    break_disk(&(struct act){"compare", compare, start_with_a_full_cache, false, NULL});
}

/* ---- what is read stays ---- */

static void write_over_recipe(void)
{
    static const char text[] = "thalweg: 1\nsize: 16\nnodes:\n  a: {type: source.constant}\n"
                               "  s: {type: measure.statistics, in: a}\n"
                               "export: {over.json: s}\n";
    command_write("over.json", text, sizeof text - 1);
}

static void try_to_overwrite(const char *command, int error)
{
    struct tw_sha256 before, after;
    struct disk_failure failure = {.call = "", .path = ""};
    uint64_t length;
    bool failed = true;
    write_over_recipe();
    assert_int_equal(tw_file_sha256("over.json", 1 << 20, &before, &length, NULL), TW_OK);
    for (long which = 1; failed; which++) {
        disk_begin(&(struct disk_fault){.which = which, .error = error});
        int code = inside_run(command);
        failed = disk_end(&failure);
        faults_tried += failed;
        snprintf(attempted, sizeof attempted, "%s: call %ld, %s %s: %s\n", command, which,
                 failure.call, failure.path, strerror(error));
        assert_int_equal(tw_file_sha256("over.json", 1 << 20, &after, &length, NULL), TW_OK);
        assert_memory_equal(&before, &after, sizeof before);
        assert_true(code == 3 || code == 4);
    }
    attempted[0] = 0;
}

/* A call that fails must not hide that two names are one file. */
static void what_is_read_is_never_overwritten(void **state)
{
    (void)state;
    for (int e = 0; e < ERRORS; e++) {
        try_to_overwrite("run over.json -q -o . --no-cache", errors[e].number);
        try_to_overwrite("run over.json -q -o out --no-cache --trace ./over.json",
                         errors[e].number);
    }
}

static int prepare(void **state)
{
    (void)state;
    if (access("/dev/shm", W_OK) == 0)
        setenv("TMPDIR", "/dev/shm", 0); /* files by the thousand: spare the disk */
    command_enter();
    assert_non_null(getcwd(home, sizeof home));
    sample_write();
    assert_int_equal(inside_run("run recipe.yaml -q -o expected --no-cache"), 0);
    return 0;
}

#define FAULTS(test) cmocka_unit_test_teardown(test, print_attempt)

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        FAULTS(a_run_with_an_empty_cache),
        FAULTS(a_run_with_a_full_cache),
        FAULTS(a_run_that_changes_nothing),
        FAULTS(a_run_without_a_cache),
        FAULTS(a_run_in_bands),
        FAULTS(a_run_that_replaces_files),
        FAULTS(care_of_the_cache),
        FAULTS(a_comparison),
        FAULTS(what_is_read_is_never_overwritten),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all without it */
    int failed = cmocka_run_group_tests(tests, prepare, command_tear_down);
    print_message("%ld faults\n", faults_tried);
    return failed;
}
