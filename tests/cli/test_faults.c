/* SPDX-License-Identifier: MIT */
/* Commands without memory, an allocation at a time as in tests/test_memory.c: exit code 4 and a
 * message, or the work goes on without; files are whole or not there; no leak. */
#include "support/command.h"
#include "support/folder.h"
#include "support/inside.h"
#include "support/sample.h"
#include "support/starved.h"
#include "support/web_process.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void start_without_files(void) { folder_remove("out"); }

static void start_without_cache(void)
{
    folder_remove("out");
    folder_remove("cache");
}

static const char *command;

static enum tw_status run_command(struct tw_error *error)
{
    int code = inside_run(command);
    bool again = code == 75 && strstr(command, "--shard"); /* a task that may be tried again */
    if (code != 0 && code != 4 && !again)
        fail_msg("exit code %d: %s", code, inside_messages());
    return code ? tw_error_set(error, TW_MEMORY, "%s", inside_messages()) : TW_OK;
}

static void start_without_report(void)
{
    folder_remove("report.html");
    folder_remove("table.csv");
}

/* The last lines of files are there, or the files are not. */
static void check_report(bool done)
{
    static const char *const names[] = {"report.html", "table.csv"}, *const ends[] = {"</html>\n",
                                                                                      "\n"};
    for (size_t i = 0; i < 2; i++) {
        unsigned char *data = NULL;
        size_t length = 0, end = strlen(ends[i]);
        bool there = tw_file_read(names[i], 1 << 24, &data, &length, NULL) == TW_OK;
        assert_true(there || !done);
        if (there && (length < end || memcmp(data + length - end, ends[i], end) != 0))
            fail_msg("%s is cut", names[i]);
        free(data);
    }
}

static void commands_end_with_a_message(void **state)
{
    (void)state;
    command = "run recipe.yaml -q --json --explain -o out --cache-dir cache --trace trace.json";
    starve_some(&(struct act){start_without_cache, run_command, starved_check_files}, 100);
    static const char other[] = "thalweg: 1\nsize: 16\nnodes:\n  a: {type: noise.perlin}\n"
                                "export: {a.npy: a}\n";
    command_write("other.yaml", other, sizeof other - 1);
    command = "run recipe.yaml other.yaml -q -o several/{recipe} --events events.jsonl --no-cache "
              "--format sarif";
    starve_some(&(struct act){start_without_report, run_command, NULL}, 40);
    command = "compare experiment.yaml -q --html report.html --csv table.csv --no-cache";
    starve_some(&(struct act){start_without_report, run_command, check_report}, 40);
}

static void write_text(const char *name, const char *text)
{
    command_write(name, text, strlen(text));
}

static void expect_success(void)
{
    int code = inside_run(command);
    if (code != 0)
        fail_msg("%s: exit code %d: %s", command, code, inside_messages());
}

/* Tiles, sidecars, and the formats that other tests do not write. */
static void write_assets(void)
{
    write_text("assets.yaml", "thalweg: 1\nsize: 17\nworld: {side_m: 100, height_m: 20}\n"
                              "nodes:\n  h: {type: noise.perlin}\n"
                              "  m: {type: mask.height, in: h, low: 0.5}\n"
                              "export:\n"
                              "  part.r16: {from: h, tiles: {cells: 9, share_edge: true}, "
                              "sidecar: true}\n"
                              "  g.exr: {from: h, for: godot}\n"
                              "  h.tif: h\n  h.obj: h\n  h.glb: h\n"
                              "  s.png: [m, m]\n");
    command = "run assets.yaml -q -o expected/assets --no-cache";
    expect_success();
}

static void check_assets(bool done)
{
    sample_check(false, false);
    assert_true(!done || access("out/assets/part_x1_y1.r16.json", R_OK) == 0);
}

/* A file without a head beside a sidecar with its name but for the ending: without the sidecar its
 * rows would be upside down. */
static void write_raw(void)
{
    write_text("levels.r32", "00112233445566771122334455667788");
    write_text("levels.json", "{\"schema\": \"thalweg.sidecar/1\", \"rows\": \"south to north\"}");
    write_text("raw.yaml",
               "thalweg: 1\nsize: [4, 2]\nnodes:\n"
               "  dem: {type: source.heightmap, file: levels.r32, columns: 4, rows: 2}\n"
               "export: {dem.npy: dem}\n");
    command = "run raw.yaml -q -o expected/raw --no-cache";
    expect_success();
}

static void check_raw(bool done)
{
    sample_check(false, false);
    assert_true(!done || access("out/raw/dem.npy", R_OK) == 0);
}

/* The same files from disk to disk, as far as rows can be written. */
static void write_bands(void)
{
    write_text("bands.yaml", "thalweg: 1\nsize: [17, 11]\nnodes:\n  h: {type: noise.perlin}\n"
                             "  i: {type: shape.invert, in: h}\n"
                             "  m: {type: mask.slope, in: i}\n"
                             "export: {h.npy: i, m.r16: m, n.r32: h}\n");
    command = "run bands.yaml -q -o expected/bands --no-cache";
    expect_success();
}

static void check_bands(bool done)
{
    sample_check(false, false);
    assert_true(!done || access("out/bands/m.r16.json", R_OK) == 0);
}

/* A PNG that is read by rows, to files that are written by rows; one that is packed in strips. */
static void write_pictures(void)
{
    write_text("rows.yaml", "thalweg: 1\nsize: [24, 16]\nnodes:\n"
                            "  g: {type: source.heightmap, file: ground.png}\n"
                            "  i: {type: shape.invert, in: g}\n"
                            "export: {i.npy: i, g.r16: g}\n");
    write_text("strips.yaml", "thalweg: 1\nsize: [500, 400]\nnodes:\n"
                              "  n: {type: noise.perlin, frequency: 90}\nexport: {n.png: n}\n");
    command = "run rows.yaml -q -o expected/rows --no-cache";
    expect_success();
    command = "run strips.yaml -q -o expected/strips --no-cache";
    expect_success();
}

static void check_pictures(bool done)
{
    sample_check(false, false);
    assert_true(!done || access("out/rows/i.npy", R_OK) == 0 ||
                access("out/strips/n.png", R_OK) == 0);
}

static void start_without_lock(void) { folder_remove("recipe.yaml.lock"); }

/* A lock is whole or not there: what is there holds. */
static void check_lock(bool done)
{
    bool there = access("recipe.yaml.lock", R_OK) == 0;
    assert_true(there || !done);
    if (there && inside_run("verify recipe.yaml -q --cache-dir cache") != 0)
        fail_msg("%s", inside_messages());
}

/* To two pairs: the page says of which experiment. */
static void write_answers(void)
{
    unsigned char *page = NULL;
    char text[1000];
    size_t length = 0;
    command = "judge experiment.yaml -q --html page.html --pairs 2 --cache-dir cache";
    expect_success();
    assert_int_equal(tw_file_read("page.html", 1 << 24, &page, &length, NULL), TW_OK);
    const char *begin = strstr((const char *)page, "\"identity\"");
    assert_non_null(begin);
    snprintf(text, sizeof text,
             "{\"format\": \"thalweg.answers/1\", %.*s\"answers\": [\"left\", \"tie\"]}",
             (int)(strstr(begin, "\"pairs\"") - begin), begin);
    write_text("answers.json", text);
    free(page);
}

static void write_plans(void)
{
#define PLAN "thalweg-experiment: 1\nrecipe: recipe.yaml\nseeds: [1]\nmeasure: [facts.mean]\n"
    write_text("plans.yaml", PLAN "matrix: {talus: [4, 8], share: {from: 0, to: 1}, "
                                  "draws: {sobol: 2}}\n"
                                  "sensitivity: {params: {talus: [2, 9]}, morris: 2, curves: 2}\n");
    write_text("tune.yaml", PLAN "tune: {params: {talus: [2, 9]}, goal: {facts.mean: 0.5}, "
                                 "budget: 3}\n");
}

static void start_without_page(void) { folder_remove("page.html"); }

/* ---- samples of shards ---- */

static void start_without_shards(void) { folder_remove("shards"); }

/* A shard is whole or not there, and says what the first one said. */
static void check_shard(bool done)
{
    static struct tw_sha256 expected;
    static bool known;
    struct tw_sha256 digest;
    uint64_t length;
    bool there =
        tw_file_sha256("shards/shard-1-of-2.jsonl", 1 << 20, &digest, &length, NULL) == TW_OK;
    assert_true(there || !done);
    if (there && known)
        assert_memory_equal(&digest, &expected, sizeof digest);
    known |= there;
    if (there)
        expected = digest;
}

static void start_with_shards(void)
{
    start_without_report();
    for (int i = 0; i < 2; i++)
        assert_int_equal(inside_run(i == 0 ? "compare experiment.yaml --shard 1/2 -q --no-cache"
                                           : "compare experiment.yaml --shard 2/2 -q --no-cache"),
                         0);
}

/* ---- a cache on a server ---- */

static void start_server(void) { web_process_start(); }

/* What was sent is whole or not there: another machine gets the right files. */
static void check_sent(bool done)
{
    (void)done;
    folder_remove("out");
    folder_remove("elsewhere");
    if (inside_run("run recipe.yaml -q -o out --cache-dir elsewhere") != 0)
        fail_msg("%s", inside_messages());
    sample_check(true, false);
    web_process_stop();
}

static void start_with_a_full_server(void)
{
    web_process_start();
    folder_remove("out");
    folder_remove("elsewhere");
    assert_int_equal(inside_run("cache push recipe.yaml --cache-dir cache"), 0);
}

static void check_received(bool done)
{
    sample_check(false, false);
    check_sent(done);
}

static const struct {
    long share; /* of the allocations */
    const char *command;
    struct act act;
} tools[] = {
    {10,
     "run bands.yaml -q -o out/bands --no-cache --bands=5",
     {start_without_files, run_command, check_bands}},
    {40,
     "run rows.yaml -q -o out/rows --no-cache --bands=5",
     {start_without_files, run_command, check_pictures}},
    {40,
     "run strips.yaml -q -o out/strips --no-cache --threads 2",
     {start_without_files, run_command, check_pictures}},
    {10,
     "run raw.yaml recipe.yaml -q -o out/{recipe} --no-cache --shard 1/2",
     {start_without_files, run_command, check_raw}},
    {10,
     "run assets.yaml -q -o out/assets --no-cache",
     {start_without_files, run_command, check_assets}},
    {10, "lock recipe.yaml -q --cache-dir cache", {start_without_lock, run_command, check_lock}},
    {10, "verify recipe.yaml -q --json --cache-dir cache", {NULL, run_command, NULL}},
    {10, "verify recipe.yaml --format junit --cache-dir cache", {NULL, run_command, NULL}},
    {10, "diff recipe.yaml recipe.yaml -q --cache-dir cache", {NULL, run_command, NULL}},
    {100, "run raw.yaml -q -o out/raw --no-cache", {start_without_files, run_command, check_raw}},
    {100,
     "inspect expected/assets/part_x1_y1.r16 expected/assets/h.glb expected/assets/h.obj",
     {NULL, run_command, NULL}},
    {50, "inspect --json expected/assets/part_x1_y1.r16.json", {NULL, run_command, NULL}},
    {10,
     "compare experiment.yaml --shard 1/2 -q --cache-dir cache",
     {start_without_shards, run_command, check_shard}},
    {10,
     "compare experiment.yaml --gather -q --json --html report.html --csv table.csv",
     {start_with_shards, run_command, check_report}},
    {3, "schema", {NULL, run_command, NULL}},
    {3, "nodes --json", {NULL, run_command, NULL}},
    {10,
     "cache push recipe.yaml --json --cache-dir cache",
     {start_server, run_command, check_sent}},
    {10,
     "cache pull recipe.yaml --cache-dir elsewhere",
     {start_with_a_full_server, run_command, check_received}},
    {10,
     "run recipe.yaml -q -o out --cache-dir elsewhere",
     {start_with_a_full_server, run_command, check_received}},
    {10, "check recipe.yaml --json", {NULL, run_command, NULL}},
    {10, "graph recipe.yaml --json", {NULL, run_command, NULL}},
    {10,
     "judge experiment.yaml -q --html page.html --pairs 2 --cache-dir cache",
     {start_without_page, run_command, NULL}},
    {10,
     "judge experiment.yaml --answers answers.json --json --cache-dir cache",
     {NULL, run_command, NULL}},
    {10,
     "compare plans.yaml -q --json --html page.html --cache-dir cache",
     {start_without_page, run_command, NULL}},
    {10, "compare tune.yaml -q --json --cache-dir cache", {NULL, run_command, NULL}},
};

static void tools_end_with_a_message(void **state)
{
    (void)state;
    write_assets();
    write_bands();
    write_raw();
    write_pictures();
    write_answers();
    write_plans();
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        long before = starved_points;
        command = tools[i].command;
        if (tools[i].act.prepare)
            tools[i].act.prepare();
        expect_success();
        long total = starve_some(&tools[i].act, tools[i].share);
        print_message("%s: %ld of %ld allocations failed, once and with all after it\n", command,
                      (starved_points - before) / 2, total);
    }
}

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_end_with_a_message),
        cmocka_unit_test(tools_end_with_a_message),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all without it */
    int failed = cmocka_run_group_tests(tests, starved_set_up, command_tear_down);
    print_message("%ld allocations failed\n", starved_points);
    return failed;
}
