/* SPDX-License-Identifier: MIT */
/* Where the system gives little the command works or says in one message why not; it never crashes.
 */
#include "support/command.h"
#include "support/harness.h"
#include "support/sanitized.h"
#include "support/waiting_maps.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void write_recipe(void)
{
    static const char text[] =
        "thalweg: 1\nsize: 64\nnodes:\n  noise: {type: noise.midpoint}\n"
        "  eroded: {type: erosion.olsen, in: noise, iterations: 3}\n"
        "outputs: {height: eroded}\nexport: {h.png: height, h.npy: height}\n";
    command_write("recipe.yaml", text, strlen(text));
}

/* Runs the recipe after a shell's `limit`; its exit code, and what it said in `said`. */
static int run(const char *limit, const char *redirect, char said[1000])
{
    char line[4096];
    snprintf(line, sizeof line,
             "rm -rf out .cache; (%s; exec %s run recipe.yaml -q %s) 2>said >/dev/null", limit,
             TW_COMMAND, redirect);
    int status = system(line);
    FILE *file = fopen("said", "r");
    assert_non_null(file);
    said[fread(said, 1, 999, file)] = 0;
    fclose(file);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void expect_answer(const char *limit)
{
    char said[1000];
    int code = run(limit, "", said);
    if (strstr(said, "while loading shared libraries"))
        return; /* we are not there yet */
    if (code != 0 && (code != 4 || strlen(said) < 10))
        fail_msg("%s: exit code %d: %s", limit, code, said);
}

static void closed_descriptors_are_no_files(void **state)
{
    static const char *const closed[] = {"0<&-", "1>&-", "2>&-", "0<&- 1>&-", "0<&- 1>&- 2>&-"};
    char said[1000];
    (void)state;
    write_recipe();
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        const bool says = strstr(closed[i], "1>&-") != NULL; /* the answer has nowhere to go */
        if (run("true", closed[i], said) != (says ? 4 : 0) ||
            (says && !strstr(closed[i], "2>&-") && !strstr(said, "cannot write")))
            fail_msg("%s: %s", closed[i], said);
    }
}

static void few_descriptors_are_reported(void **state)
{
    char limit[40];
    (void)state;
    write_recipe();
    for (int count = 4; count <= 20; count++) {
        snprintf(limit, sizeof limit, "ulimit -n %d", count);
        expect_answer(limit);
    }
}

static void little_memory_is_reported(void **state)
{
    char limit[40];
    (void)state;
    if (SANITIZED)
        skip(); /* their shadow memory does not fit */
    write_recipe();
    for (int megabytes = 12; megabytes <= 100; megabytes += 4) {
        snprintf(limit, sizeof limit, "ulimit -v %d", megabytes * 1024);
        expect_answer(limit);
    }
}

/* The sidecar would fit. */
static void a_file_that_is_too_large_leaves_nothing(void **state)
{
    static const char text[] = "thalweg: 1\nsize: 128\nnodes:\n  n: {type: noise.perlin}\n"
                               "outputs: {n: n}\nexport: {h.r32: n}\n";
    char said[1000];
    (void)state;
    command_write("recipe.yaml", text, strlen(text));
    assert_int_equal(run("ulimit -f 16", "--no-cache", said), 4);
    assert_string_equal(said, "recipe.yaml:6:10: error: cannot write out/h.r32: File too large\n"
                              "    export: {h.r32: n}\n             ^\n");
    assert_int_equal(rmdir("out"), 0); /* it is empty */
}

enum { MAPS = 60 };

static void values_on_disk_take_as_many_files_as_there_may_be(void **state)
{
    static const char spill[] = "-o out --cache-dir .cache --max-memory 100K";
    char said[1000];
    (void)state;
    waiting_maps_write("recipe.yaml", 32, MAPS);
    if (run("ulimit -Sn 40", spill, said) != 0)
        fail_msg("%s", said);
    assert_int_equal(run("ulimit -n 40", spill, said), 4);
    assert_non_null(strstr(said, "Too many open files"));
    assert_non_null(strstr(said, "every value on disk keeps a file open, and the limit is 40"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_descriptors_are_no_files),
        cmocka_unit_test(few_descriptors_are_reported),
        cmocka_unit_test(little_memory_is_reported),
        cmocka_unit_test(a_file_that_is_too_large_leaves_nothing),
        cmocka_unit_test(values_on_disk_take_as_many_files_as_there_may_be),
    };
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
