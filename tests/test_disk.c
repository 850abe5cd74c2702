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
#include "support/web_process.h"

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
    bool exports;        /* to out/, where nothing else is */
    bool again;          /* the next run is the same once more */
    void (*check)(void); /* what the next run has left; may be NULL */
    long share;          /* 0: SHARE */
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
    bool allowed = code == 0 || code == 3 || code == 4 ||
                   (code == 75 && strstr(act->command, "--shard")); /* a task to be tried again */
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
    if (inside_run(act->again ? act->command : RUN) != 0)
        fail_msg("the next run: %s", inside_messages());
    sample_check(!act->again, false);
    if (act->check)
        act->check();
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
    long step = points_step(total, act->share ? act->share : SHARE);
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
    break_disk(&(struct act){
        .name = "empty cache", .command = RUN, .prepare = start_without_cache, .exports = true});
}

static void a_run_with_a_full_cache(void **state)
{
    (void)state;
    assert_int_equal(inside_run(RUN), 0);
    break_disk(&(struct act){
        .name = "full cache", .command = RUN, .prepare = start_with_a_full_cache, .exports = true});
}

static void a_run_that_changes_nothing(void **state)
{
    (void)state;
    assert_int_equal(inside_run(RUN), 0);
    break_disk(&(struct act){.name = "fresh exports",
                             .command = RUN,
                             .prepare = start_with_fresh_files,
                             .exports = true});
}

static void a_run_without_a_cache(void **state)
{
    (void)state;
    break_disk(&(struct act){.name = "no cache",
                             .command = "run recipe.yaml -q -o out --no-cache",
                             .prepare = start_with_a_full_cache,
                             .exports = true});
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
    break_disk(&(struct act){.name = "bands",
                             .command = BANDS,
                             .prepare = start_with_a_full_cache,
                             .again = true,
                             .share = SHARE / 4});
}

static void a_run_that_replaces_files(void **state)
{
    (void)state;
    break_disk(
        &(struct act){.name = "old exports", .command = RUN, .prepare = start_with_old_files});
}

static void care_of_the_cache(void **state)
{
    (void)state;
    assert_int_equal(inside_run(RUN), 0);
    break_disk(&(struct act){.name = "gc",
                             .command = "cache gc --max-size 4K --cache-dir cache",
                             .prepare = start_with_fresh_files});
}

static void a_comparison(void **state)
{
    (void)state;
    static const char compare[] =
        "compare experiment.yaml -q --cache-dir cache --html report.html --csv table.csv";
    assert_int_equal(inside_run(RUN), 0);
    assert_int_equal(inside_run(compare), 0);
    break_disk(
        &(struct act){.name = "compare", .command = compare, .prepare = start_with_a_full_cache});
}

/* ---- tools ---- */

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

static void expect_success(const char *command)
{
    if (inside_run(command) != 0)
        fail_msg("%s: %s", command, inside_messages());
}

/* Tiles with sidecars, what a program asks for, and formats of more than one part. */
static void write_assets(void)
{
    write_text("assets.yaml", "thalweg: 1\nsize: 17\nworld: {side_m: 100, height_m: 20}\n"
                              "nodes:\n  h: {type: noise.perlin}\n"
                              "export:\n"
                              "  part.r16: {from: h, tiles: {cells: 9, share_edge: true}, "
                              "sidecar: true}\n"
                              "  g.exr: {from: h, for: godot}\n"
                              "  h.tif: h\n  h.glb: h\n");
    write_text("levels.r32", "00112233445566771122334455667788");
    write_text("levels.json", "{\"schema\": \"thalweg.sidecar/1\", \"rows\": \"south to north\"}");
    write_text("raw.yaml",
               "thalweg: 1\nsize: [4, 2]\nnodes:\n"
               "  dem: {type: source.heightmap, file: levels.r32, columns: 4, rows: 2}\n"
               "export: {dem.npy: dem}\n");
    expect_success("run assets.yaml -q -o expected/assets --no-cache");
    expect_success("run raw.yaml -q -o expected/raw --no-cache");
    write_text("rows.yaml", "thalweg: 1\nsize: [24, 16]\nnodes:\n"
                            "  g: {type: source.heightmap, file: ground.png}\n"
                            "  i: {type: shape.invert, in: g}\n"
                            "export: {i.npy: i, g.r16: g}\n");
    write_text("strips.yaml", "thalweg: 1\nsize: [500, 400]\nnodes:\n"
                              "  n: {type: noise.perlin, frequency: 90}\nexport: {n.png: n}\n");
    expect_success("run rows.yaml -q -o expected/rows --no-cache");
    expect_success("run strips.yaml -q -o expected/strips --no-cache");
}

static void expect_assets(void)
{
    assert_int_equal(access("out/assets/part_x1_y1.r16.json", R_OK), 0);
    assert_int_equal(access("out/assets/g.exr", R_OK), 0);
}

static void expect_rows(void) { assert_int_equal(access("out/rows/i.npy", R_OK), 0); }
static void expect_strips(void) { assert_int_equal(access("out/strips/n.png", R_OK), 0); }

/* Whole, or not there. */
static void expect_judge(void)
{
    unsigned char *page = NULL;
    size_t length = 0;
    assert_int_equal(tw_file_read("judge.html", 1 << 24, &page, &length, NULL), TW_OK);
    assert_string_equal(page + length - strlen("</html>\n"), "</html>\n");
    free(page);
}

static void start_without_judge(void) { folder_remove("judge.html"); }

static void expect_raw(void) { assert_int_equal(access("out/raw/dem.npy", R_OK), 0); }

static void start_without_lock(void) { folder_remove("recipe.yaml.lock"); }

static void expect_lock(void) { expect_success("verify recipe.yaml -q --cache-dir cache"); }

static void start_with_lock(void)
{
    folder_remove("verify");
    expect_success("lock recipe.yaml -q --cache-dir cache");
}

static void start_without_shards(void) { folder_remove("shards"); }

static void start_with_shards(void)
{
    expect_success("compare experiment.yaml --shard 1/2 -q --no-cache");
    expect_success("compare experiment.yaml --shard 2/2 -q --no-cache");
}

static void expect_shards(void)
{
    expect_success("compare experiment.yaml --shard 2/2 -q --no-cache");
    expect_success("compare experiment.yaml --gather -q");
}

static void start_server(void)
{
    folder_remove("out");
    web_process_start();
}

static void start_with_a_full_server(void)
{
    start_server();
    folder_remove("elsewhere");
    expect_success("cache push recipe.yaml --cache-dir cache");
}

/* Another machine gets the right values. */
static void expect_sent(void)
{
    folder_remove("out");
    folder_remove("elsewhere");
    expect_success("run recipe.yaml -q -o out --cache-dir elsewhere");
    sample_check(true, false);
    web_process_stop();
}

static void expect_received(void)
{
    web_process_stop();
    folder_remove("out");
    expect_success("run recipe.yaml -q -o out --cache-dir elsewhere");
    sample_check(true, false);
}

enum { TOOL_SHARE = 2 };
#define ROWS "run rows.yaml -q -o out/rows --no-cache --bands=5"
#define RAW "run raw.yaml -q -o out/raw --no-cache"

#define TOOL(command, prepare, check)                                                              \
    {                                                                                              \
        command, command, prepare, false, true, check, TOOL_SHARE                                  \
    }

static void tools_survive_too(void **state)
{
    static const struct act acts[] = {
        TOOL("run assets.yaml -q -o out/assets --no-cache", start_without_cache, expect_assets),
        {"rows", ROWS, start_without_cache, false, true, expect_rows, SHARE / 4},
        TOOL("run strips.yaml -q -o out/strips --no-cache", start_without_cache, expect_strips),
        TOOL("run raw.yaml recipe.yaml -q -o out/{recipe} --no-cache --shard 1/2",
             start_without_cache, expect_raw),
        TOOL("judge experiment.yaml -q --html judge.html --pairs 2 --cache-dir cache",
             start_without_judge, expect_judge),
        {"sidecar", RAW, start_without_cache, false, true, expect_raw, SHARE},
        TOOL("inspect expected/assets/part_x1_y1.r16 expected/assets/h.glb", start_without_cache,
             NULL),
        TOOL("lock recipe.yaml -q --cache-dir cache", start_without_lock, expect_lock),
        TOOL("verify recipe.yaml -q --cache-dir cache", start_with_lock, expect_lock),
        TOOL("compare experiment.yaml --shard 1/2 -q --no-cache", start_without_shards,
             expect_shards),
        TOOL("compare experiment.yaml --gather -q --csv table.csv", start_with_shards, NULL),
        TOOL("cache push recipe.yaml --cache-dir cache", start_server, expect_sent),
        TOOL("cache pull recipe.yaml --cache-dir elsewhere", start_with_a_full_server,
             expect_received),
        TOOL("run recipe.yaml -q -o out --cache-dir elsewhere", start_with_a_full_server,
             expect_received),
    };
    (void)state;
    write_assets();
    expect_success(RUN);
    start_with_lock(); /* the cache has what locks need */
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        break_disk(&acts[i]);
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
        FAULTS(tools_survive_too),
        FAULTS(what_is_read_is_never_overwritten),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all without it */
    int failed = cmocka_run_group_tests(tests, prepare, command_tear_down);
    print_message("%ld faults\n", faults_tried);
    return failed;
}
