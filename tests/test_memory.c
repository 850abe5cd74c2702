/* SPDX-License-Identifier: MIT */
/* Without memory: loading and running is repeated with the first, second, third... allocation
 * failing, once and with all after it, until a run needs no more. Whatever fails, the status is
 * TW_MEMORY, or the work went on without (a cache, a trace); files are whole or not there; and the
 * sanitizer build finds no leak. */
#include "support/command.h"
#include "support/example.h"
#include "support/folder.h"
#include "support/harness.h"
#include "support/inside.h"
#include "support/points.h"
#include "support/sample.h"
#include "support/starve.h"
#include "support/web_process.h"

#include "base/file.h"
#include "base/json.h"
#include "experiment/experiment.h"
#include "graph/merge.h"
#include "run/history.h"
#include "run/runner.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POINTS_MAX = 100000 }; /* allocations of one act: more are an endless loop */

/* ---- files ---- */

static int prepare(void **state)
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

static void check_files(bool all) { sample_check(all, false); }

/* ---- the acts ---- */

/* Something to do with little memory. `prepare` and `check` have as much as they want. */
struct act {
    void (*prepare)(void);
    enum tw_status (*run)(struct tw_error *error);
    void (*check)(bool done);
};

static long points_tried;

static void attempt(const struct act *act, long which, bool ever, bool *failed)
{
    struct tw_error error = {.status = TW_OK};
    if (act->prepare)
        act->prepare();
    starve_begin(which, ever);
    enum tw_status status = act->run(&error);
    *failed = starve_end();
    points_tried += *failed;
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

/* Tries about `share` of the allocations that the act needs, or all; returns how many it needs. */
static long starve_some(const struct act *act, long share)
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

static long starve(const struct act *act) { return starve_some(act, LONG_MAX); }

static struct tw_recipe *recipe;

static void load(void)
{
    struct tw_error error;
    if (tw_recipe_load("recipe.yaml", NULL, &recipe, &error) != TW_OK)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

static enum tw_status load_only(struct tw_error *error)
{
    static const char *const set[] = {"talus=9", NULL}, *const allow[] = {"/tmp", NULL};
    const struct tw_load_options options = {.set = set, .allow = allow};
    recipe = NULL;
    return tw_recipe_load("recipe.yaml", &options, &recipe, error);
}

static void check_load(bool done)
{
    assert_true(done == (recipe != NULL));
    tw_recipe_release(recipe);
}

static void a_recipe_loads_whole_or_not(void **state)
{
    (void)state;
    assert_true(starve(&(struct act){NULL, load_only, check_load}) > 200);
}

/* A fault is reported as a fault, or there was no memory to find it. */
static enum tw_status load_faulty(struct tw_error *error)
{
    static const char text[] = "thalweg: 1\n"
                               "nodes:\n"
                               "  a: {type: noise.midpiont, smoothed: ture}\n"
                               "  b: {type: erosion.thermal, in: c, taluss: 3}\n"
                               "  d: {type: shape.curve, in: b.outt, points: [{z: 1}]}\n"
                               "outputs: {height: e}\n";
    recipe = NULL;
    enum tw_status status =
        tw_recipe_parse(text, strlen(text), "faulty.yaml", NULL, &recipe, error);
    assert_null(recipe);
    return status == TW_RECIPE ? TW_OK : status;
}

static void faults_are_reported_with_little_memory(void **state)
{
    (void)state;
    starve(&(struct act){NULL, load_faulty, NULL});
}

/* Anchors, aliases and an entry that is split all take memory of their own. */
static enum tw_status load_anchored(struct tw_error *error)
{
    static const char text[] = "thalweg: 1\n"
                               "size: &side 16\n"
                               "nodes:\n"
                               "  a: &first {type: noise.midpoint}\n"
                               "  b: *first\n"
                               "  c: {type: shape.curve, in: a, points: &rows [{x: 0, z: 0}, "
                               "{x: 1, z: 1}]}\n"
                               "  d: {type: shape.curve, in: b, points: *rows}\n"
                               "  e: {type noise.midpoint}\n"
                               "outputs: {height: d}\n";
    recipe = NULL;
    enum tw_status status =
        tw_recipe_parse(text, strlen(text), "anchored.yaml", NULL, &recipe, error);
    assert_null(recipe);
    return status == TW_RECIPE ? TW_OK : status;
}

static void anchors_are_kept_or_memory_is_short(void **state)
{
    (void)state;
    assert_true(starve(&(struct act){NULL, load_anchored, NULL}) > 100);
}

static struct tw_result *result;
static struct tw_digest expected_height;

static enum tw_status run_for_values(struct tw_error *error)
{
    const struct tw_run_options options = {.threads = 2};
    result = NULL;
    return tw_recipe_run(recipe, &options, &result, error);
}

static void check_values(bool done)
{
    assert_true(done == (result != NULL));
    if (done) {
        struct tw_digest digest = tw_field_digest(tw_result_output(result, "height"));
        assert_memory_equal(&digest, &expected_height, sizeof digest);
        assert_int_equal(tw_result_output(result, "points")->width, 4);
        assert_true(tw_result_output(result, "facts")->width > 0);
    }
    tw_result_release(result);
}

static void a_run_gives_all_values_or_none(void **state)
{
    (void)state;
    load();
    assert_int_equal(run_for_values(NULL), TW_OK);
    expected_height = tw_field_digest(tw_result_output(result, "height"));
    tw_result_release(result);
    starve(&(struct act){NULL, run_for_values, check_values});
    tw_recipe_release(recipe);
}

/* ---- exports, with and without a cache ---- */

static const char *cache_dir;

static enum tw_status export_to(const char *folder, struct tw_error *error)
{
    const struct tw_run_options options = {.threads = 2, .cache_dir = cache_dir};
    struct tw_history *history = cache_dir ? tw_history_load(cache_dir, recipe->file) : NULL;
    double *expected = tw_history_expected(history, recipe);
    struct tw_run_report report = {0};
    struct tw_trace trace = {0};
    const struct tw_run_request request = {.options = &options,
                                           .export_folder = folder,
                                           .expected = expected,
                                           .trace = &trace,
                                           .report = &report};
    enum tw_status status = tw_run_execute(recipe, &request, NULL, error);
    if (cache_dir)
        tw_history_save(cache_dir, recipe, &report, history);
    tw_history_release(history);
    tw_run_report_release(&report);
    tw_trace_release(&trace);
    free(expected);
    return status;
}

static enum tw_status export_all(struct tw_error *error) { return export_to("out", error); }

static void start_without_files(void) { folder_remove("out"); }

static void start_without_cache(void)
{
    folder_remove("out");
    folder_remove("cache");
}

static void start_with_a_full_cache(void)
{
    folder_remove("out");
    assert_int_equal(export_to("other", NULL), TW_OK);
}

/* Files that an export of other values left must be replaced, not taken for fresh. */
static void start_with_old_files(void)
{
    static const char *const set[] = {"talus=1", NULL};
    struct tw_recipe *kept = recipe;
    assert_int_equal(
        tw_recipe_load("recipe.yaml", &(struct tw_load_options){.set = set}, &recipe, NULL), TW_OK);
    assert_int_equal(export_to("out", NULL), TW_OK);
    tw_recipe_release(recipe);
    recipe = kept;
}

/* What a run with little memory left in the cache does not spoil the next one. */
static void check_cached(bool done)
{
    check_files(done);
    folder_remove("out");
    assert_int_equal(export_to("out", NULL), TW_OK);
    check_files(true);
}

static void check_replaced(bool done)
{
    if (done)
        check_files(true);
    assert_int_equal(export_to("out", NULL), TW_OK);
    check_files(true);
}

static void exports_are_whole_or_not_there(void **state)
{
    (void)state;
    load();
    cache_dir = NULL;
    assert_int_equal(export_to("expected", NULL), TW_OK);
    starve(&(struct act){start_without_files, export_all, check_files});
    cache_dir = "cache";
    starve_some(&(struct act){start_without_cache, export_all, check_cached}, 400);
    starve_some(&(struct act){start_with_a_full_cache, export_all, check_cached}, 400);
    starve_some(&(struct act){start_with_old_files, export_all, check_replaced}, 400);
    tw_recipe_release(recipe);
}

/* ---- traces, experiments ---- */

static struct tw_trace trace;

static enum tw_status write_trace(struct tw_error *error)
{
    for (int i = 0; i < 3; i++)
        tw_trace_add(&trace, &(struct tw_trace_event){.name = "node", .kind = "compute"});
    struct tw_bytes text = {0};
    enum tw_status status = tw_trace_print(&trace, &text, error);
    if (status == TW_OK)
        status = tw_file_write("out/trace.json", text.at, text.length, error);
    free(text.at);
    tw_trace_release(&trace);
    return status;
}

static void start_trace(void)
{
    folder_remove("out");
    assert_int_equal(tw_file_make_folder("out", NULL), TW_OK);
}

static void check_trace(bool done)
{
    json_error_t why;
    json_t *root = json_load_file("out/trace.json", 0, &why);
    if (done && !root)
        fail_msg("out/trace.json:%d: %s", why.line, why.text);
    assert_true(done ==
                (root != NULL)); /* without memory the trace may miss events, nothing more */
    assert_true(!done || json_is_array(json_object_get(root, "traceEvents")));
    json_decref(root);
}

static void a_trace_is_json_or_not_there(void **state)
{
    (void)state;
    starve(&(struct act){start_trace, write_trace, check_trace});
}

static enum tw_status merge_variants(const struct tw_experiment *experiment, struct tw_error *error)
{
    const struct tw_load_options options = {.diagnostic = NULL};
    struct tw_recipe *parts[2] = {NULL, NULL}, *merged = NULL;
    struct tw_names seen = {0};
    int32_t node_of[64];
    enum tw_status status = TW_OK;
    for (int32_t i = 0; i < 2 && status == TW_OK; i++)
        status = tw_experiment_recipe(experiment, i, 5, &options, &parts[i], error);
    if (status == TW_OK && !(merged = tw_merge_new(parts[0], 64)))
        status = tw_error_set(error, TW_MEMORY, "out of memory");
    for (int32_t i = 0; i < 2 && status == TW_OK; i++)
        status = tw_merge_add(merged, &seen, parts[i], node_of, error);
    tw_names_release(&seen);
    if (status == TW_OK && !tw_merge_add_output(merged, "height", (struct tw_source){0, 0}))
        status = tw_error_set(error, TW_MEMORY, "out of memory");
    tw_recipe_release(merged);
    tw_recipe_release(parts[0]);
    tw_recipe_release(parts[1]);
    return status;
}

static enum tw_status load_experiment(struct tw_error *error)
{
    const struct tw_load_options options = {.diagnostic = NULL};
    struct tw_experiment *experiment = NULL;
    enum tw_status status = tw_experiment_load("experiment.yaml", &options, &experiment, error);
    if (status == TW_OK) {
        assert_int_equal(experiment->variant_count, 2);
        assert_int_equal(experiment->measure_count, 2);
        status = merge_variants(experiment, error);
    }
    tw_experiment_release(experiment);
    return status;
}

static void an_experiment_loads_whole_or_not(void **state)
{
    (void)state;
    starve(&(struct act){NULL, load_experiment, NULL});
}

/* ---- every node type ---- */

static const char *example;
static struct tw_digest digests[64];

static void digest_all(struct tw_digest to[64])
{
    for (int32_t i = 0; i < result->count; i++)
        to[i] = tw_field_digest(&result->kept[i].value);
}

static enum tw_status run_example(struct tw_error *error)
{
    const struct tw_run_options options = {.threads = 1};
    result = NULL;
    enum tw_status status = tw_recipe_run(recipe, &options, &result, error);
    return status;
}

static void check_example(bool done)
{
    struct tw_digest now[64];
    assert_true(done == (result != NULL));
    if (done) {
        digest_all(now);
        if (memcmp(now, digests, (size_t)result->count * sizeof *now) != 0)
            fail_msg("%s gives other bytes when memory is short", example);
    }
    tw_result_release(result);
}

static void starve_example(const struct tw_node_type *type)
{
    struct tw_error error;
    recipe = example_load(type, 16, 16);
    example = type->name;
    if (run_example(&error) != TW_OK)
        fail_msg("%s at 16 x 16: %s", example, error.message);
    assert_true(result->count <= 64);
    digest_all(digests);
    tw_result_release(result);
    starve_some(&(struct act){NULL, run_example, check_example}, 30);
    tw_recipe_release(recipe);
}

/* Distances without profiles are relaxed in tiles where there are vectors. */
static void every_node_says_that_memory_is_short(void **state)
{
    static const struct tw_node_type tiled = {
        .name = "feature.distance",
        .example = "points: {type: feature.points, count: 3, cost: [1, 3]}\n"
                   "distance: {type: feature.distance, generators: points}\n"};
    (void)state;
    EACH_NODE_TYPE(type)
    starve_example(*type);
    starve_example(&tiled);
}

/* ---- commands ---- */

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
    starve_some(&(struct act){start_without_cache, run_command, check_files}, 100);
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
    write_answers();
    write_plans();
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        long before = points_tried;
        command = tools[i].command;
        if (tools[i].act.prepare)
            tools[i].act.prepare();
        expect_success();
        long total = starve_some(&tools[i].act, tools[i].share);
        print_message("%s: %ld of %ld allocations failed, once and with all after it\n", command,
                      (points_tried - before) / 2, total);
    }
}

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recipe_loads_whole_or_not),
        cmocka_unit_test(faults_are_reported_with_little_memory),
        cmocka_unit_test(anchors_are_kept_or_memory_is_short),
        cmocka_unit_test(a_run_gives_all_values_or_none),
        cmocka_unit_test(exports_are_whole_or_not_there),
        cmocka_unit_test(a_trace_is_json_or_not_there),
        cmocka_unit_test(an_experiment_loads_whole_or_not),
        cmocka_unit_test(every_node_says_that_memory_is_short),
        cmocka_unit_test(commands_end_with_a_message),
        cmocka_unit_test(tools_end_with_a_message),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all without it */
    int failed = cmocka_run_group_tests(tests, prepare, command_tear_down);
    print_message("%ld allocations failed\n", points_tried);
    return failed;
}
