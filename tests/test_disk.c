/* SPDX-License-Identifier: MIT */
/* Runs and comparisons on a failing disk (support/broken_disk.h); test_disk_tools.c covers tools.
 */
#include "support/broken_disk.h"
#include "support/folder.h"
#include "support/inside.h"
#include "support/sample.h"

#include <stdlib.h>

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
static void start_with_old_files(void) { disk_expect_success(DISK_RUN " --set talus=1"); }

/* ---- tests ---- */

static void a_run_with_an_empty_cache(void **state)
{
    (void)state;
    disk_break(
        &(struct disk_act){.command = DISK_RUN, .prepare = start_without_cache, .exports = true});
}

static void a_run_with_a_full_cache(void **state)
{
    (void)state;
    disk_expect_success(DISK_RUN);
    disk_break(&(struct disk_act){
        .command = DISK_RUN, .prepare = start_with_a_full_cache, .exports = true});
}

static void a_run_that_changes_nothing(void **state)
{
    (void)state;
    disk_expect_success(DISK_RUN);
    disk_break(&(struct disk_act){
        .command = DISK_RUN, .prepare = start_with_fresh_files, .exports = true});
}

static void a_run_without_a_cache(void **state)
{
    (void)state;
    disk_break(&(struct disk_act){.command = "run recipe.yaml -q -o out --no-cache",
                                  .prepare = start_with_a_full_cache,
                                  .exports = true});
}

static void a_run_that_replaces_files(void **state)
{
    (void)state;
    disk_break(&(struct disk_act){.command = DISK_RUN, .prepare = start_with_old_files});
}

static void care_of_the_cache(void **state)
{
    (void)state;
    disk_expect_success(DISK_RUN);
    disk_break(&(struct disk_act){.command = "cache gc --max-size 4K --cache-dir cache",
                                  .prepare = start_with_fresh_files});
}

static void a_comparison(void **state)
{
    (void)state;
    static const char compare[] =
        "compare experiment.yaml -q --cache-dir cache --html report.html --csv table.csv";
    disk_expect_success(DISK_RUN);
    disk_expect_success(compare);
    disk_break(&(struct disk_act){.command = compare, .prepare = start_with_a_full_cache});
}

#define FAULTS(test) cmocka_unit_test_teardown(test, disk_print_attempt)

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        FAULTS(a_run_with_an_empty_cache),
        FAULTS(a_run_with_a_full_cache),
        FAULTS(a_run_that_changes_nothing),
        FAULTS(a_run_without_a_cache),
        FAULTS(a_run_that_replaces_files),
        FAULTS(care_of_the_cache),
        FAULTS(a_comparison),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all tests without it */
    return cmocka_run_group_tests(tests, disk_set_up, disk_tear_down);
}
