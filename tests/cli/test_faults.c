/* SPDX-License-Identifier: MIT */
/* Commands about recipes and files without memory, an allocation at a time as in
 * tests/test_memory.c; files are whole or not there; no leak. */
#include "support/command.h"
#include "support/folder.h"
#include "support/inside.h"
#include "support/sample_formats.h"
#include "support/starve.h"
#include "support/starved.h"
#include "support/starved_command.h"
#include "support/web_process.h"

#include "cluster/node_probe.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void start_without_files(void) { folder_remove("out"); }

static void start_without_cache(void)
{
    folder_remove("out");
    folder_remove("cache");
}

static void start_without_packs(void)
{
    folder_remove("out");
    folder_remove("quick");
}

static void check_some(const char *path, bool done)
{
    starved_check_files(false);
    assert_true(!done || access(path, R_OK) == 0);
}

static void check_assets(bool done) { check_some("out/assets/part_x1_y1.r16.json", done); }
static void check_raw(bool done) { check_some("out/raw/dem.npy", done); }
static void check_rows(bool done) { check_some("out/rows/i.npy", done); }
static void check_strips(bool done) { check_some("out/strips/n.png", done); }
static void check_bands(bool done) { check_some("out/bands/m.r16.json", done); }
static void check_packs(bool done) { check_some("out/packs/n.npy", done); }

static void start_without_lock(void) { folder_remove("recipe.yaml.lock"); }

/* A lock is whole or not there: what is there holds. */
static void check_lock(bool done)
{
    bool there = access("recipe.yaml.lock", R_OK) == 0;
    assert_true(there || !done);
    if (there && inside_run("verify recipe.yaml -q --cache-dir cache") != 0)
        fail_msg("%s", inside_messages());
}

/* ---- a cache on a server ---- */

static void start_server(void) { web_process_start(); }

/* What was sent is whole or not there: another machine gets the right files. */
static void check_sent(bool done)
{
    (void)done;
    folder_remove("out");
    folder_remove("elsewhere");
    starved_command_expect("run recipe.yaml -q -o out --cache-dir elsewhere");
    starved_check_files(true);
    web_process_stop();
}

static void start_with_a_full_server(void)
{
    web_process_start();
    folder_remove("out");
    folder_remove("elsewhere");
    starved_command_expect("cache push recipe.yaml --cache-dir cache");
}

static void check_received(bool done)
{
    starved_check_files(false);
    check_sent(done);
}

/* ---- tests ---- */

static void runs_end_with_a_message(void **state)
{
    static const char other[] = "thalweg: 1\nsize: 16\nnodes:\n  a: {type: noise.perlin}\n"
                                "export: {a.npy: a}\n";
    static const struct starved_command commands[] = {
        {100, "run recipe.yaml -q --json --explain -o out --cache-dir cache --trace trace.json",
         start_without_cache, starved_check_files},
        {40,
         "run recipe.yaml other.yaml -q -o several/{recipe} --events events.jsonl --no-cache "
         "--format sarif",
         NULL, NULL},
        {10, "run bands.yaml -q -o out/bands --no-cache --bands=5", start_without_files,
         check_bands},
        {40, "run rows.yaml -q -o out/rows --no-cache --bands=5", start_without_files, check_rows},
        {40, "run strips.yaml -q -o out/strips --no-cache --threads 2", start_without_files,
         check_strips},
        {20, "run packs.yaml -q -o out/packs --cache-dir quick", start_without_packs, check_packs},
        {10, "run raw.yaml recipe.yaml -q -o out/{recipe} --no-cache --shard 1/2",
         start_without_files, check_raw},
        {10, "run assets.yaml -q -o out/assets --no-cache", start_without_files, check_assets},
        {100, "run raw.yaml -q -o out/raw --no-cache", start_without_files, check_raw},
    };
    (void)state;
    command_write("other.yaml", other, sizeof other - 1);
    sample_formats_write(inside_run);
    starved_commands_try(commands, sizeof commands / sizeof *commands);
}

static void tools_end_with_a_message(void **state)
{
    static const struct starved_command commands[] = {
        {10, "lock recipe.yaml -q --cache-dir cache", start_without_lock, check_lock},
        {10, "verify recipe.yaml -q --json --cache-dir cache", NULL, NULL},
        {10, "verify recipe.yaml --format junit --cache-dir cache", NULL, NULL},
        {10, "diff recipe.yaml recipe.yaml -q --cache-dir cache", NULL, NULL},
        {100, "inspect expected/assets/part_x1_y1.r16 expected/assets/h.glb expected/assets/h.obj",
         NULL, NULL},
        {50, "inspect --json expected/assets/part_x1_y1.r16.json", NULL, NULL},
        {3, "schema", NULL, NULL},
        {3, "nodes --json", NULL, NULL},
        {10, "cache push recipe.yaml --json --cache-dir cache", start_server, check_sent},
        {10, "cache pull recipe.yaml --cache-dir elsewhere", start_with_a_full_server,
         check_received},
        {10, "run recipe.yaml -q -o out --cache-dir elsewhere", start_with_a_full_server,
         check_received},
        {10, "check recipe.yaml --json", NULL, NULL},
        {10, "graph recipe.yaml --json", NULL, NULL},
    };
    (void)state;
    starved_command_expect("lock recipe.yaml -q --cache-dir cache");
    starved_commands_try(commands, sizeof commands / sizeof *commands);
}

/* What differs is found by then, and is being reported. */
static void differences_end_with_a_message(void **state)
{
    static const struct starved_command command = {
        60, "verify recipe.yaml -q --format junit --cache-dir cache", NULL, NULL};
    (void)state;
    starved_command_expect("lock recipe.yaml -q --cache-dir cache");
    starved_command_try_last(&command);
}

/* ---- the report of a node ---- */

/* A number that is longer than the 16 bytes which jansson has for it at first. */
static const char sbatch[] =
    "#!/bin/sh\n"
    "for word; do script=$word; done\n"
    "echo '1000\nnode\nthalweg 1\nshared\n{\"checks\": [0.12345678901234567890123456789]}' "
    ">\"${script%.sh}.txt\"\n"
    "echo 50\n";

/* With one allocation failing, or none of number 0: how many there are. */
static long look_at_node(long which)
{
    const struct tw_settings settings = {.no_cache = true, .poll = 0.001};
    struct tw_probe_report report;
    struct tw_error error;
    starve_begin(which, false);
    enum tw_status status = tw_node_probe(&settings, "shards", 0, &report, &error);
    (void)starve_end();
    if (status == TW_OK)
        assert_int_equal(json_array_size(report.checks), 1);
    else
        assert_int_equal(status, TW_MEMORY);
    tw_probe_report_release(&report);
    return starve_calls();
}

static void a_report_is_read_whole_or_memory_is_short(void **state)
{
    char path[5000], here[4096], *before = strdup(getenv("PATH"));
    (void)state;
    assert_non_null(getcwd(here, sizeof here));
    mkdir("bin", 0777);
    command_write("bin/sbatch", sbatch, sizeof sbatch - 1);
    command_write("bin/squeue", "#!/bin/sh\n", 10);
    assert_int_equal(chmod("bin/sbatch", 0755) | chmod("bin/squeue", 0755), 0);
    snprintf(path, sizeof path, "%s/bin:%s", here, before);
    setenv("PATH", path, 1);
    long total = look_at_node(0);
    for (long which = total - 11; which <= total; which++)
        (void)look_at_node(which);
    setenv("PATH", before, 1);
    free(before);
}

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_end_with_a_message),
        cmocka_unit_test(tools_end_with_a_message),
        cmocka_unit_test(differences_end_with_a_message),
        cmocka_unit_test(a_report_is_read_whole_or_memory_is_short),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all without it */
    int failed = cmocka_run_group_tests(tests, starved_set_up, command_tear_down);
    print_message("%ld allocations failed\n", starved_points);
    return failed;
}
