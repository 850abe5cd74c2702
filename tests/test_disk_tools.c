/* SPDX-License-Identifier: MIT */
/* Other readers and writers of files on a failing disk (support/broken_disk.h): formats, bands,
 * packs, locks, shards, judge and caches on servers. */
#include "support/broken_disk.h"
#include "support/command.h"
#include "support/folder.h"
#include "support/inside.h"
#include "support/sample.h"
#include "support/sample_formats.h"
#include "support/web_process.h"

#include "base/os/file.h"

#include <stdlib.h>
#include <string.h>

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

static void expect_assets(void)
{
    disk_expect_file("out/assets/part_x1_y1.r16.json");
    disk_expect_file("out/assets/g.exr");
}

static void expect_rows(void) { disk_expect_file("out/rows/i.npy"); }
static void expect_strips(void) { disk_expect_file("out/strips/n.png"); }
static void expect_raw(void) { disk_expect_file("out/raw/dem.npy"); }
static void expect_bands(void) { disk_expect_file("out/bands/m.r16.json"); }
static void expect_packs(void) { disk_expect_file("out/packs/n.npy"); }

static void start_without_judge(void) { folder_remove("judge.html"); }

/* The page must be complete. */
static void expect_judge(void)
{
    unsigned char *page = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read("judge.html", 1 << 24, &page, &length, NULL), TW_OK);
    assert_string_equal(page + length - strlen("</html>\n"), "</html>\n");
    free(page);
}

static void start_without_lock(void) { folder_remove("recipe.yaml.lock"); }
static void expect_lock(void) { disk_expect_success("verify recipe.yaml -q --cache-dir cache"); }

static void start_with_lock(void)
{
    folder_remove("verify");
    disk_expect_success("lock recipe.yaml -q --cache-dir cache");
}

static void start_without_shards(void) { folder_remove("shards"); }
static void start_without_table(void) { folder_remove("table.csv"); }

static void write_shards(void)
{
    disk_expect_success("compare experiment.yaml --shard 1/2 -q -o both --no-cache");
    disk_expect_success("compare experiment.yaml --shard 2/2 -q -o both --no-cache");
}

static void expect_shards(void)
{
    disk_expect_success("compare experiment.yaml --shard 2/2 -q --no-cache");
    disk_expect_success("compare experiment.yaml --gather -q");
}

static void expect_table(void) { disk_expect_file("table.csv"); }

/* ---- a cache on a server ---- */

static void start_server(void)
{
    folder_remove("out");
    web_process_start();
}

static void start_with_a_full_server(void)
{
    start_server();
    folder_remove("elsewhere");
    disk_expect_success("cache push recipe.yaml --cache-dir cache");
}

/* Another machine must get the right values. */
static void expect_sent(void)
{
    folder_remove("out");
    folder_remove("elsewhere");
    disk_expect_success("run recipe.yaml -q -o out --cache-dir elsewhere");
    sample_check(true, false);
    web_process_stop();
}

static void expect_received(void)
{
    web_process_stop();
    folder_remove("out");
    disk_expect_success("run recipe.yaml -q -o out --cache-dir elsewhere");
    sample_check(true, false);
}

/* ---- tests ---- */

enum { FEW = 2, SOME = 8 };

#define TOOL(share, command, prepare, check)                                                       \
    {                                                                                              \
        command, prepare, false, true, check, share                                                \
    }

static void try_all(const struct disk_act *acts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        disk_break(&acts[i]);
}

static void runs_survive_too(void **state)
{
    static const struct disk_act acts[] = {
        TOOL(SOME, "run bands.yaml -q -o out/bands --no-cache --bands=9", start_without_files,
             expect_bands),
        TOOL(SOME, "run rows.yaml -q -o out/rows --no-cache --bands=5", start_without_cache,
             expect_rows),
        TOOL(SOME, "run packs.yaml -q -o out/packs --cache-dir quick", start_without_packs,
             expect_packs),
        TOOL(DISK_SHARE, "run raw.yaml -q -o out/raw --no-cache", start_without_cache, expect_raw),
        TOOL(FEW, "run assets.yaml -q -o out/assets --no-cache", start_without_cache,
             expect_assets),
        TOOL(FEW, "run strips.yaml -q -o out/strips --no-cache", start_without_cache,
             expect_strips),
        TOOL(FEW, "run raw.yaml recipe.yaml -q -o out/{recipe} --no-cache --shard 1/2",
             start_without_cache, expect_raw),
    };
    (void)state;
    sample_formats_write(inside_run);
    try_all(acts, sizeof acts / sizeof *acts);
}

static void tools_survive_too(void **state)
{
    static const struct disk_act acts[] = {
        TOOL(FEW, "judge experiment.yaml -q --html judge.html --pairs 2 --cache-dir cache",
             start_without_judge, expect_judge),
        TOOL(FEW, "inspect expected/assets/part_x1_y1.r16 expected/assets/h.glb",
             start_without_files, NULL),
        TOOL(FEW, "lock recipe.yaml -q --cache-dir cache", start_without_lock, expect_lock),
        TOOL(FEW, "verify recipe.yaml -q --cache-dir cache", start_with_lock, expect_lock),
        TOOL(FEW, "compare experiment.yaml --shard 1/2 -q --no-cache", start_without_shards,
             expect_shards),
        TOOL(FEW, "compare experiment.yaml --gather both -q --csv table.csv", start_without_table,
             expect_table),
        TOOL(FEW, "cache push recipe.yaml --cache-dir cache", start_server, expect_sent),
        TOOL(FEW, "cache pull recipe.yaml --cache-dir elsewhere", start_with_a_full_server,
             expect_received),
        TOOL(FEW, "run recipe.yaml -q -o out --cache-dir elsewhere", start_with_a_full_server,
             expect_received),
    };
    (void)state;
    disk_expect_success(DISK_RUN);
    start_with_lock(); /* fills the cache with what locks need */
    write_shards();
    try_all(acts, sizeof acts / sizeof *acts);
}

static void write_over_recipe(void)
{
    static const char text[] = "thalweg: 1\nsize: 16\nnodes:\n  a: {type: source.constant}\n"
                               "  s: {type: measure.statistics, in: a}\n"
                               "export: {over.json: s}\n";
    command_write("over.json", text, sizeof text - 1);
}

/* A failing call must not hide that two names are one file. */
static void what_is_read_is_never_overwritten(void **state)
{
    (void)state;
    write_over_recipe();
    for (int e = 0; e < DISK_ERRORS; e++) {
        disk_break_around("run over.json -q -o . --no-cache", "over.json", disk_errors[e]);
        disk_break_around("run over.json -q -o out --no-cache --trace ./over.json", "over.json",
                          disk_errors[e]);
    }
}

#define FAULTS(test) cmocka_unit_test_teardown(test, disk_print_attempt)

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        FAULTS(runs_survive_too),
        FAULTS(tools_survive_too),
        FAULTS(what_is_read_is_never_overwritten),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all tests without it */
    return cmocka_run_group_tests(tests, disk_set_up, disk_tear_down);
}
