/* SPDX-License-Identifier: MIT */
/* What the cache decides: which nodes run, which blobs are read, and that nothing it holds or lacks
 * changes a byte. The nodes are an embedder's own, so they can count their runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/folder.h"
#include "support/little_endian.h"
#include "support/node_clock.h"
#include "support/until.h"

#include "runner/runner.h"

#include <dirent.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thalweg/node.h>

/* ---- counting nodes ---- */

static atomic_int fills, halves, adds, splits, lows, highs;
static atomic_int busy, busiest, begun, meeting; /* floors; how many wait for one another */
static volatile int stop;

struct fill {
    float value;
    bool slow, brief, cancel;
};

static const struct tw_param fill_params[] = {
    TW_PARAM_F32(struct fill, value, 0, -100, 100, "", "of every cell"),
    TW_PARAM_BOOL(struct fill, slow, true, "costs more than reading it back"),
    TW_PARAM_BOOL(struct fill, brief, false, "costs a tenth of that"),
    TW_PARAM_BOOL(struct fill, cancel, false, "asks for a stop and waits for it"),
    TW_PARAM_END,
};
static const struct tw_port out_port[] = {{"out", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};
static const struct tw_port in_port[] = {{"in", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};
static const struct tw_port two_ports[] = {
    {"a", TW_HEIGHTMAP, 0, "map"}, {"b", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};

/* Long enough that the cache finds a map of a few cells worth storing. */
static void be_slow(void) { node_costs(2e-3); }

static enum tw_status run_fill(struct tw_task *task)
{
    const struct fill *p = tw_task_params(task);
    struct tw_value *out = tw_task_output(task, 0);
    atomic_fetch_add(&fills, 1);
    if (p->cancel) {
        __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
        while (!tw_task_cancelled(task))
            be_slow();
        return TW_CANCELLED;
    }
    if (p->slow)
        node_costs(p->brief ? 2e-4 : 2e-3);
    for (size_t i = 0; i < tw_value_count(out); i++)
        tw_floats(out)[i] = p->value;
    return TW_OK;
}

/* Rounds down, so different inputs may give equal outputs. */
static enum tw_status run_floor(struct tw_task *task)
{
    const struct tw_value *in = tw_task_input(task, 0);
    int now = atomic_fetch_add(&busy, 1) + 1;
    atomic_fetch_add(&halves, 1);
    if (now > atomic_load(&busiest))
        atomic_store(&busiest, now);
    atomic_fetch_add(&begun, 1);
    UNTIL(atomic_load(&begun) >= atomic_load(&meeting));
    be_slow();
    for (size_t i = 0; i < tw_value_count(in); i++)
        tw_floats(tw_task_output(task, 0))[i] = (float)(int)tw_floats(in)[i];
    atomic_fetch_sub(&busy, 1);
    return TW_OK;
}

static enum tw_status run_add(struct tw_task *task)
{
    const float *a = tw_floats(tw_task_input(task, 0)), *b = tw_floats(tw_task_input(task, 1));
    struct tw_value *out = tw_task_output(task, 0);
    atomic_fetch_add(&adds, 1);
    be_slow();
    for (size_t i = 0; i < tw_value_count(out); i++)
        tw_floats(out)[i] = a[i] + b[i];
    return TW_OK;
}

/* Below and above a half; a list of both extremes. All but `out` on demand. */
static enum tw_status run_split(struct tw_task *task)
{
    const struct tw_value *in = tw_task_input(task, 0);
    float *low = tw_floats(tw_task_output(task, 1)), *high = tw_floats(tw_task_output(task, 2));
    atomic_fetch_add(&splits, 1);
    atomic_fetch_add(&lows, low != NULL);
    atomic_fetch_add(&highs, high != NULL);
    assert_true((low != NULL) == tw_task_wants(task, 1));
    assert_true((high != NULL) == tw_task_wants(task, 2));
    be_slow();
    for (size_t i = 0; i < tw_value_count(in); i++) {
        float cell = tw_floats(in)[i];
        tw_floats(tw_task_output(task, 0))[i] = cell;
        if (low)
            low[i] = cell - 1;
        if (high)
            high[i] = cell + 1;
    }
    return TW_OK;
}

static const struct tw_node_type fill_type = {.name = "test.fill",
                                              .version = 1,
                                              .summary = "fill",
                                              .outputs = out_port,
                                              .params = fill_params,
                                              .params_size = sizeof(struct fill),
                                              .run = run_fill};
static const struct tw_node_type floor_type = {.name = "test.floor",
                                               .version = 1,
                                               .summary = "floor",
                                               .inputs = in_port,
                                               .outputs = out_port,
                                               .in_place = true,
                                               .run = run_floor};
static const struct tw_node_type add_type = {.name = "test.add",
                                             .version = 1,
                                             .summary = "add",
                                             .inputs = two_ports,
                                             .outputs = out_port,
                                             .in_place = true,
                                             .run = run_add};
static const struct tw_port split_ports[] = {{"out", TW_HEIGHTMAP, 0, "map"},
                                             {"low", TW_HEIGHTMAP, TW_ON_DEMAND, "map"},
                                             {"high", TW_HEIGHTMAP, TW_ON_DEMAND, "map"},
                                             TW_PORT_END};
static const struct tw_node_type split_type = {.name = "test.split",
                                               .version = 1,
                                               .summary = "split",
                                               .inputs = in_port,
                                               .outputs = split_ports,
                                               .in_place = true,
                                               .run = run_split};
static const struct tw_node_type *const types[] = {&fill_type, &floor_type, &add_type, &split_type,
                                                   NULL};

/* ---- running in a folder of the test's own ---- */

static char folder[64], cache[96], out[96];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/thalweg-test-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(cache, sizeof cache, "%s/cache", folder);
    snprintf(out, sizeof out, "%s/out", folder);
    fills = halves = adds = splits = lows = highs = busiest = begun = meeting = 0;
    stop = 0;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static int warnings;
static struct tw_error last_warning;
static void on_warning(void *context, const struct tw_error *warning)
{
    (void)context;
    last_warning = *warning;
    warnings++;
}

static struct tw_recipe *load(const char *nodes, const char *tail)
{
    char text[8000];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const struct tw_load_options options = {.types = types};
    snprintf(text, sizeof text, "thalweg: 1\nsize: [5, 3]\nnodes:\n%s%s", nodes, tail);
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, &error) != TW_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return recipe;
}

static const char tail[] = "outputs: {height: sum}\nexport: {height.npy: height}\n";

/* Runs with the cache and exports; the caller releases the report. */
static void run_with(const char *nodes, const char *rest, struct tw_run_summary *report)
{
    struct tw_error error = {.status = TW_OK};
    struct tw_recipe *recipe = load(nodes, rest);
    const struct tw_run_options options = {.threads = 2, .cache_dir = cache, .warning = on_warning};
    const struct tw_run_request request = {
        .options = &options, .export_folder = out, .report = report, .digest_files = true};
    fills = halves = adds = splits = lows = highs = warnings = 0;
    if (tw_run_execute(recipe, &request, NULL, &error) != TW_OK)
        fail_msg("%s", error.message);
    tw_recipe_release(recipe);
}

static void run(const char *nodes, struct tw_run_summary *report) { run_with(nodes, tail, report); }

static void expect_runs(int fill, int half, int add)
{
    assert_int_equal(fills, fill);
    assert_int_equal(halves, half);
    assert_int_equal(adds, add);
}

static const char base[] = "  a: {type: test.fill, value: 1.25}\n"
                           "  b: {type: test.fill, value: 2.5}\n"
                           "  whole: {type: test.floor, in: a}\n"
                           "  sum: {type: test.add, a: whole, b: b}\n";

/* ---- tests ---- */

static void a_warm_run_computes_reads_and_writes_nothing(void **state)
{
    struct tw_run_summary report = {0};
    (void)state;
    run(base, &report);
    expect_runs(2, 1, 1);
    assert_true(report.exports[0].written);
    tw_run_summary_release(&report);
    run(base, &report);
    expect_runs(0, 0, 0);
    assert_false(report.exports[0].written);
    for (int32_t i = 0; i < report.node_count; i++) {
        assert_int_equal(report.nodes[i].outcome, TW_OUTCOME_HIT);
        assert_false(report.nodes[i].loaded);
    }
    tw_run_summary_release(&report);
}

static void equal_output_of_a_changed_node_stops_the_rebuild(void **state)
{
    struct tw_run_summary report = {0};
    (void)state;
    run(base, &report);
    tw_run_summary_release(&report);
    run("  a: {type: test.fill, value: 1.75}\n"
        "  b: {type: test.fill, value: 2.5}\n"
        "  whole: {type: test.floor, in: a}\n"
        "  sum: {type: test.add, a: whole, b: b}\n",
        &report);
    expect_runs(1, 1, 0);
    assert_false(report.exports[0].written);
    tw_run_summary_release(&report);
}

static void recipes_share_what_they_have_in_common(void **state)
{
    struct tw_run_summary report = {0};
    (void)state;
    run(base, &report);
    tw_run_summary_release(&report);
    run("  other: {type: test.fill, value: 2.5}\n"
        "  again: {type: test.fill, value: 1.25}\n"
        "  sum: {type: test.add, a: other, b: again}\n",
        &report);
    expect_runs(0, 0, 1);
    tw_run_summary_release(&report);
}

static void a_deleted_export_is_written_again_from_the_cache(void **state)
{
    char path[200];
    struct tw_run_summary report = {0};
    (void)state;
    run(base, &report);
    tw_run_summary_release(&report);
    snprintf(path, sizeof path, "%s/height.npy", out);
    assert_int_equal(unlink(path), 0);
    run(base, &report);
    expect_runs(0, 0, 0);
    assert_true(report.exports[0].written);
    assert_int_equal(access(path, R_OK), 0);
    tw_run_summary_release(&report);
}

/* A run that is killed while it replaces a file leaves a temporary one. The next run finds the file
 * as it should be and writes nothing. */
static void what_a_killed_run_left_goes_without_writing(void **state)
{
    char path[200];
    struct tw_run_summary report = {0};
    (void)state;
    run(base, &report);
    tw_run_summary_release(&report);
    snprintf(path, sizeof path, "%s/height.npy.12345-0.tmp", out);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    run(base, &report);
    assert_false(report.exports[0].written);
    assert_int_not_equal(access(path, F_OK), 0);
    tw_run_summary_release(&report);
}

static const char *target; /* "/ac/" or "/cas/" */

/* Changes the last byte of every entry there, or deletes it. */
static int spoil(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)at;
    if (kind != FTW_F || !strstr(path, target))
        return 0;
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)info->st_size - 1, SEEK_SET), 0);
    int last = fgetc(file);
    assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
    assert_int_equal(fputc(last ^ 1, file), last ^ 1);
    return fclose(file);
}

static int drop(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info;
    (void)at;
    return kind == FTW_F && strstr(path, target) ? unlink(path) : 0;
}

static void damaged_or_missing_blobs_are_computed_again(void **state)
{
    struct tw_run_summary report = {0};
    char path[200];
    (void)state;
    target = "/cas/";
    snprintf(path, sizeof path, "%s/height.npy", out);
    for (int damage = 0; damage < 2; damage++) {
        run(base, &report);
        struct tw_sha256 before = report.exports[0].identity.sha256;
        tw_run_summary_release(&report);
        assert_int_equal(nftw(cache, damage ? spoil : drop, 16, FTW_PHYS), 0);
        unlink(path);
        run(base, &report);
        expect_runs(2, 1, 1);
        assert_int_equal(warnings > 0, damage);
        assert_true(report.exports[0].identity.has_sha256);
        assert_memory_equal(&report.exports[0].identity.sha256, &before, sizeof before);
        tw_run_summary_release(&report);
        run(base, &report);
        expect_runs(0, 0, 0);
        tw_run_summary_release(&report);
    }
}

/* The node and the export of an entry are named; one that is missing is no reason to warn. */
static void damaged_actions_are_computed_again_with_a_warning(void **state)
{
    struct tw_run_summary report = {0};
    (void)state;
    target = "/ac/";
    for (int damage = 0; damage < 2; damage++) {
        run(base, &report);
        tw_run_summary_release(&report);
        assert_int_equal(nftw(cache, damage ? spoil : drop, 16, FTW_PHYS), 0);
        run(base, &report);
        expect_runs(2, 1, 1);
        assert_int_equal(warnings, damage ? 5 : 0); /* four nodes and the export */
        tw_run_summary_release(&report);
    }
    assert_string_equal(last_warning.message,
                        "a cache entry of height.npy was damaged; it is written again");
}

/* Whose entries a pack held is not known, so the warning names none. The first few cheap entries of
 * a run become files of their own, of nodes or exports as they finish: of so many nodes some are in
 * a pack, in any order. */
static void damaged_packs_are_computed_again_with_a_warning(void **state)
{
    enum { MORE_THAN_HAVE_FILES = 80 };
    struct tw_run_summary report = {0};
    char nodes[6000] = "  sum: {type: test.fill, slow: false}\n";
    char *end = nodes + strlen(nodes);
    (void)state;
    for (int i = 0; i < MORE_THAN_HAVE_FILES; i++)
        end += sprintf(end, "  n%d: {type: test.fill, value: %d, slow: false}\n", i, i);
    end += sprintf(end, "export: {");
    for (int i = 0; i < MORE_THAN_HAVE_FILES; i++)
        end += sprintf(end, "%d.npy: n%d, ", i, i);
    sprintf(end, "}\n");
    target = "/pk/";
    for (int damage = 0; damage < 2; damage++) {
        run_with(nodes, "", &report);
        tw_run_summary_release(&report);
        assert_int_equal(nftw(cache, damage ? spoil : drop, 16, FTW_PHYS), 0);
        run_with(nodes, "", &report);
        assert_true(fills > 0);
        assert_int_equal(warnings, damage);
        tw_run_summary_release(&report);
        assert_int_equal(folder_remove(cache), 0);
    }
    assert_string_equal(last_warning.message, "1 file of cheap nodes' entries in the cache was "
                                              "damaged; what was in it is computed again");
}

/* ---- outputs on demand ---- */

#define SPLIT                                                                                      \
    "  a: {type: test.fill, value: 1.25}\n"                                                        \
    "  s: {type: test.split, in: a}\n"

/* Runs SPLIT with one user of two of its outputs; returns the sum's first cell. */
static float run_split_with(const char *a, const char *b, struct tw_run_summary *report)
{
    char nodes[300], path[200];
    float cell = 0;
    snprintf(nodes, sizeof nodes, SPLIT "  sum: {type: test.add, a: %s, b: %s}\n", a, b);
    run(nodes, report);
    snprintf(path, sizeof path, "%s/height.npy", out);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 128, SEEK_SET), 0);
    assert_int_equal(fread(&cell, sizeof cell, 1, file), 1);
    assert_int_equal(fclose(file), 0);
    to_little_endian(&cell, 1, sizeof cell);
    return cell;
}

static void expect_split(int run_count, int low, int high)
{
    assert_int_equal(splits, run_count);
    assert_int_equal(lows, low);
    assert_int_equal(highs, high);
}

static void an_output_that_nobody_uses_is_not_computed(void **state)
{
    struct tw_run_summary report = {0};
    (void)state;
    assert_true(run_split_with("s", "s.high", &report) == 3.5f);
    expect_split(1, 0, 1);
    assert_int_equal(report.nodes[1].stamped, 5); /* low has no digest */
    tw_run_summary_release(&report);
}

static void an_entry_answers_what_it_holds_and_grows(void **state)
{
    struct tw_run_summary report = {0};
    (void)state;
    (void)run_split_with("s", "s", &report);
    expect_split(1, 0, 0);
    tw_run_summary_release(&report);
    (void)run_split_with("s.low", "s.low", &report); /* not held */
    expect_split(1, 1, 0);
    assert_int_equal(report.nodes[1].lacking, 2);
    tw_run_summary_release(&report);
    assert_true(run_split_with("s", "s.low", &report) == 1.5f); /* held since both runs */
    expect_split(0, 0, 0);
    assert_int_equal(report.nodes[1].outcome, TW_OUTCOME_HIT);
    tw_run_summary_release(&report);
    (void)run_split_with("s.high", "s.low", &report);
    expect_split(1, 1, 1);
    tw_run_summary_release(&report);
    (void)run_split_with("s.high", "s.high", &report);
    expect_split(0, 0, 0);
    tw_run_summary_release(&report);
}

/* A new output of an old key stops the rebuild where it is as before. */
static void a_larger_entry_keeps_early_cutoff(void **state)
{
    static const char nodes[] = SPLIT "  b: {type: test.floor, in: s}\n"
                                      "  sum: {type: test.add, a: b, b: %s}\n";
    struct tw_run_summary report = {0};
    char text[300];
    (void)state;
    snprintf(text, sizeof text, nodes, "b");
    run(text, &report);
    tw_run_summary_release(&report);
    snprintf(text, sizeof text, nodes, "s.high");
    run(text, &report);
    expect_split(1, 0, 1);
    expect_runs(0, 0, 1); /* the floor of the same map is known */
    tw_run_summary_release(&report);
}

/* As in experiments, whose variants become one graph: two nodes of one key, different outputs. */
static void equal_nodes_with_different_uses_add_up(void **state)
{
    static const char nodes[] = SPLIT "  t: {type: test.split, in: a}\n"
                                      "  sum: {type: test.add, a: s.low, b: t.high}\n";
    struct tw_run_summary report = {0};
    (void)state;
    run(nodes, &report);
    assert_int_equal(lows, 1);
    assert_int_equal(highs, 1);
    tw_run_summary_release(&report);
    /* both writers may have read the entry before the other's was there: at most one is short */
    run(nodes, &report);
    assert_true(splits <= 1);
    tw_run_summary_release(&report);
    run(nodes, &report);
    assert_int_equal(splits, 0);
    tw_run_summary_release(&report);
}

static void values_of_an_embedder_count_as_uses(void **state)
{
    static const char tails[][80] = {"outputs: {height: s}\n", "outputs: {low: s.low}\n",
                                     "outputs: {height: s, low: s.low, high: s.high}\n"};
    static const int expected[][2] = {{0, 0}, {1, 0}, {0, 1}};
    struct tw_error error = {.status = TW_OK};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tw_recipe *recipe = load(SPLIT, tails[i]);
        struct tw_result *result = NULL;
        const struct tw_run_options options = {.only = i == 2 ? "high" : NULL};
        lows = highs = 0;
        assert_int_equal(tw_recipe_run(recipe, &options, &result, &error), TW_OK);
        assert_int_equal(lows, expected[i][0]);
        assert_int_equal(highs, expected[i][1]);
        if (i == 2)
            assert_true(tw_floats(tw_result_output(result, "high"))[14] == 2.25f);
        tw_result_release(result);
        tw_recipe_release(recipe);
    }
}

/* Two forms of a node whose author forgot to raise its version. */
static void an_entry_of_other_outputs_is_a_miss(void **state)
{
    static const struct tw_port labels_port[] = {{"out", TW_LABELS, 0, "labels"}, TW_PORT_END};
    static const struct tw_port more_ports[] = {
        {"out", TW_HEIGHTMAP, 0, "map"}, {"more", TW_LABELS, 0, "labels"}, TW_PORT_END};
    struct tw_node_type forms[3] = {fill_type, fill_type, fill_type};
    (void)state;
    forms[1].outputs = labels_port;
    forms[2].outputs = more_ports;
    for (int i = 0; i < 3; i++) {
        const struct tw_node_type *const list[] = {&forms[i], NULL};
        const struct tw_load_options load_options = {.types = list};
        const struct tw_run_options options = {.cache_dir = cache};
        struct tw_recipe *recipe = NULL;
        struct tw_result *result = NULL;
        struct tw_error error = {.status = TW_OK};
        static const char text[] = "thalweg: 1\nsize: [5, 3]\nnodes: {a: {type: test.fill}}\n"
                                   "outputs: {a: a}\n";
        assert_int_equal(
            tw_recipe_parse(text, strlen(text), "test.yaml", &load_options, &recipe, &error),
            TW_OK);
        fills = 0;
        if (tw_recipe_run(recipe, &options, &result, &error) != TW_OK)
            fail_msg("%d: %s", i, error.message);
        assert_int_equal(fills, 1);
        assert_int_equal(tw_result_output(result, "a")->type, forms[i].outputs[0].type);
        tw_result_release(result);
        tw_recipe_release(recipe);
    }
}

/* The values in the cache after a run that exports, or gives its values to the caller. */
static uint64_t count_stored(const char *node, bool exports)
{
    char text[200];
    struct tw_store *store;
    struct tw_store_stats stats;
    struct tw_result *result = NULL;
    snprintf(text, sizeof text, "  sum: %s\n", node);
    struct tw_recipe *recipe = load(text, tail);
    const struct tw_run_options options = {.cache_dir = cache};
    const struct tw_run_request request = {.options = &options,
                                           .export_folder = exports ? out : NULL};
    fills = 0;
    assert_int_equal(tw_run_execute(recipe, &request, exports ? NULL : &result, NULL), TW_OK);
    tw_result_release(result);
    tw_recipe_release(recipe);
    assert_int_equal(tw_store_open(cache, 0, &store, NULL), TW_OK);
    assert_int_equal(tw_store_stats(store, &stats, NULL), TW_OK);
    tw_store_close(store);
    return stats.blobs;
}

static void cheap_results_are_not_stored(void **state)
{
    (void)state;
    assert_int_equal(count_stored("{type: test.fill, value: 3, slow: false}", true), 0);
    expect_runs(1, 0, 0);
    assert_int_equal(count_stored("{type: test.fill, value: 3, slow: false}", true), 0);
    expect_runs(0, 0, 0); /* known and exported: nobody needs the map */
    assert_int_equal(count_stored("{type: test.fill, value: 4, brief: true}", true), 0);
    assert_int_equal(count_stored("{type: test.fill, value: 5}", true), 1);
}

/* It costs more than reading it, and less than what is stored for other runs. */
static void what_the_caller_takes_is_stored_sooner(void **state)
{
    (void)state;
    assert_int_equal(count_stored("{type: test.fill, value: 3, brief: true}", true), 0);
    assert_int_equal(count_stored("{type: test.fill, value: 4, brief: true}", false), 1);
}

static void a_dry_run_decides_and_does_nothing(void **state)
{
    struct tw_run_summary report = {0};
    struct tw_error error;
    struct tw_recipe *recipe = load(base, tail);
    const struct tw_run_options options = {.cache_dir = cache};
    const struct tw_run_request request = {
        .options = &options, .export_folder = out, .report = &report, .dry = true};
    (void)state;
    fills = 0;
    assert_int_equal(tw_run_execute(recipe, &request, NULL, &error), TW_OK);
    assert_int_equal(fills, 0);
    assert_int_equal(access(out, F_OK), -1);
    int computed = 0, undecided = 0;
    for (int32_t i = 0; i < report.node_count; i++) {
        computed += report.nodes[i].outcome == TW_OUTCOME_COMPUTED;
        undecided += report.nodes[i].outcome == TW_OUTCOME_UNDECIDED;
    }
    assert_int_equal(computed, 2);
    assert_int_equal(undecided, 2);
    tw_run_summary_release(&report);
    tw_recipe_release(recipe);
}

/* A file is compared where the cache knows its node, and never written. */
static void a_dry_run_says_which_files_are_there(void **state)
{
    struct tw_run_summary report = {0};
    struct tw_error error;
    char path[200];
    struct tw_recipe *recipe = load(base, tail);
    const struct tw_run_options options = {.cache_dir = cache}, none = {0};
    struct tw_run_request request = {
        .options = &options, .export_folder = out, .report = &report, .dry = true};
    (void)state;
    snprintf(path, sizeof path, "%s/height.npy", out);
    run(base, &report);
    tw_run_summary_release(&report);
    for (int i = 0; i < 3; i++) { /* as it was, without a cache, and without the file */
        request.options = i == 1 ? &none : &options;
        if (i == 2)
            assert_int_equal(unlink(path), 0);
        assert_int_equal(tw_run_execute(recipe, &request, NULL, &error), TW_OK);
        assert_int_equal(report.export_count, 1);
        assert_int_equal(report.exports[0].there, i == 0);
        assert_int_equal(report.exports[0].bytes > 0, i == 0);
        assert_false(report.exports[0].written || report.exports[0].failed);
        tw_run_summary_release(&report);
    }
    assert_int_equal(access(path, F_OK), -1);
    tw_recipe_release(recipe);
}

/* Though values are to be kept, there are none. */
static void a_dry_run_keeps_no_values(void **state)
{
    struct tw_result unset = {0}, *result = &unset;
    struct tw_error error = {.status = TW_OK};
    struct tw_recipe *recipe = load(base, tail);
    const struct tw_run_request request = {.options = &(struct tw_run_options){0}, .dry = true};
    (void)state;
    assert_int_equal(tw_run_execute(recipe, &request, &result, &error), TW_OK);
    assert_null(result);
    tw_recipe_release(recipe);
}

static void memory_is_checked_before_anything_runs(void **state)
{
    struct tw_error error;
    struct tw_result *result = NULL;
    struct tw_recipe *recipe = load(base, tail);
    const uint64_t map = 5 * 3 * 4;
    struct tw_run_options options = {.threads = 8, .max_memory = map};
    (void)state;
    fills = 0;
    assert_int_equal(tw_recipe_run(recipe, &options, &result, &error), TW_LIMIT);
    assert_int_equal(fills, 0);
    assert_null(result);
    options.max_memory = 3 * map;
    assert_int_equal(tw_recipe_run(recipe, &options, &result, &error), TW_OK);
    assert_true(tw_floats(tw_result_output(result, "height"))[14] == 3.5f);
    tw_result_release(result);
    tw_recipe_release(recipe);
}

/* What is read back waits for its turn, too: else all inputs of changed nodes were there at once.
 */
static void memory_is_bounded_when_values_are_read(void **state)
{
    static const char tail_of_chain[] = "outputs: {height: c3}\n";
    static const float weights[] = {0.25f, 0.5f};
    char nodes[1000];
    (void)state;
    for (int run_number = 0; run_number < 2; run_number++) {
        struct tw_trace trace = {0};
        struct tw_result *result = NULL;
        struct tw_error error = {.status = TW_OK};
        int used = 0, loads = 0, computed = 0;
        for (int i = 0; i < 4; i++) {
            used += snprintf(nodes + used, sizeof nodes - (size_t)used,
                             "  a%d: {type: test.fill, value: %d}\n"
                             "  b%d: {type: combine.mix, a: a%d, b: a%d, weight: %g}\n"
                             "  c%d: {type: test.add, a: %c%d, b: b%d}\n",
                             i, i, i, i, i, (double)weights[run_number], i, i ? 'c' : 'b',
                             i ? i - 1 : 0, i);
        }
        struct tw_recipe *recipe = load(nodes, tail_of_chain);
        const struct tw_run_options options = {
            .threads = 2, .cache_dir = cache, .max_memory = 4 * 5 * 3 * 4};
        const struct tw_run_request request = {.options = &options, .trace = &trace};
        if (tw_run_execute(recipe, &request, &result, &error) != TW_OK)
            fail_msg("%s", error.message);
        for (size_t i = 0; i < trace.count; i++) {
            const struct tw_trace_event *event = &trace.events[i];
            loads += strcmp(event->kind, "load") == 0 && event->name[0] == 'a';
            computed += strcmp(event->kind, "compute") == 0 && event->name[0] == 'b';
            if (run_number == 1)
                assert_true(loads <= computed + 1);
        }
        assert_int_equal(computed, 4);
        assert_int_equal(loads, 4 * run_number);
        tw_trace_release(&trace);
        tw_result_release(result);
        tw_recipe_release(recipe);
    }
}

/* None of three nodes ends before all have begun. */
static void branches_run_side_by_side(void **state)
{
    struct tw_recipe *recipe = load("  a: {type: test.fill, value: 4}\n"
                                    "  p: {type: test.floor, in: a}\n"
                                    "  q: {type: test.floor, in: a}\n"
                                    "  r: {type: test.floor, in: a}\n"
                                    "  left: {type: test.add, a: p, b: q}\n"
                                    "  sum: {type: test.add, a: left, b: r}\n",
                                    tail);
    struct tw_error error;
    struct tw_result *result = NULL;
    const struct tw_run_options one = {.threads = 1}, four = {.threads = 4};
    (void)state;
    assert_int_equal(tw_recipe_run(recipe, &one, &result, &error), TW_OK);
    assert_int_equal(busiest, 1);
    tw_result_release(result);
    begun = 0;
    meeting = 3;
    assert_int_equal(tw_recipe_run(recipe, &four, &result, &error), TW_OK);
    assert_int_equal(busiest, 3);
    assert_true(tw_floats(tw_result_output(result, "height"))[0] == 12.0f);
    tw_result_release(result);
    tw_recipe_release(recipe);
}

static void a_cancelled_run_says_so_and_writes_nothing(void **state)
{
    struct tw_recipe *recipe = load("  sum: {type: test.fill, cancel: true}\n", tail);
    struct tw_error error;
    const struct tw_run_options options = {.cache_dir = cache, .cancel = &stop};
    const struct tw_run_request request = {.options = &options, .export_folder = out};
    (void)state;
    assert_int_equal(tw_run_execute(recipe, &request, NULL, &error), TW_CANCELLED);
    assert_int_equal(access(out, F_OK), -1);
    tw_recipe_release(recipe);
}

/* 9,999 nodes in a row: no recursion anywhere, and at most a few maps alive. */
static void a_chain_as_long_as_a_recipe_may_be(void **state)
{
    enum { LENGTH = 9999, BYTES = 64 * LENGTH };
    char *text = malloc(BYTES);
    struct tw_recipe *recipe = NULL;
    struct tw_result *result = NULL;
    struct tw_error error;
    const struct tw_load_options load_options = {.types = types};
    const struct tw_run_options options = {.threads = 2, .max_memory = 200};
    (void)state;
    assert_non_null(text);
    int used = snprintf(text, BYTES,
                        "thalweg: 1\nsize: [4, 4]\nnodes:\n"
                        "  n0: {type: source.constant, value: 1}\n");
    for (int i = LENGTH - 1; i > 0; i--) /* backwards: order in the file is free */
        used += snprintf(text + used, (size_t)(BYTES - used),
                         "  n%d: {type: combine.mix, a: n%d, b: n%d}\n", i, i - 1, i - 1);
    snprintf(text + used, (size_t)(BYTES - used), "outputs: {height: n%d}\n", LENGTH - 1);
    assert_int_equal(
        tw_recipe_parse(text, strlen(text), "chain.yaml", &load_options, &recipe, &error), TW_OK);
    assert_int_equal(tw_recipe_run(recipe, &options, &result, &error), TW_OK);
    assert_true(tw_floats(tw_result_output(result, "height"))[3] == 1.0f);
    tw_result_release(result);
    tw_recipe_release(recipe);
    free(text);
}

static void records_share_a_file_by_name(void **state)
{
    (void)state;
    static const char *const bad = "outputs: {height: sum}\nexport: {both.json: [sum, a]}\n";
    char text[600];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const struct tw_load_options options = {.types = types};
    snprintf(text, sizeof text, "thalweg: 1\nsize: [5, 3]\nnodes:\n%s%s", base, bad);
    assert_int_equal(tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, &error),
                     TW_RECIPE);
    assert_non_null(strstr(error.message, "cannot share a .json"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_warm_run_computes_reads_and_writes_nothing),
        TEST(equal_output_of_a_changed_node_stops_the_rebuild),
        TEST(recipes_share_what_they_have_in_common),
        TEST(a_deleted_export_is_written_again_from_the_cache),
        TEST(what_a_killed_run_left_goes_without_writing),
        TEST(damaged_or_missing_blobs_are_computed_again),
        TEST(damaged_actions_are_computed_again_with_a_warning),
        TEST(damaged_packs_are_computed_again_with_a_warning),
        TEST(an_entry_of_other_outputs_is_a_miss),
        TEST(an_output_that_nobody_uses_is_not_computed),
        TEST(an_entry_answers_what_it_holds_and_grows),
        TEST(a_larger_entry_keeps_early_cutoff),
        TEST(equal_nodes_with_different_uses_add_up),
        TEST(values_of_an_embedder_count_as_uses),
        TEST(cheap_results_are_not_stored),
        TEST(what_the_caller_takes_is_stored_sooner),
        TEST(a_dry_run_decides_and_does_nothing),
        TEST(a_dry_run_says_which_files_are_there),
        TEST(a_dry_run_keeps_no_values),
        cmocka_unit_test(a_dry_run_keeps_no_values),
        TEST(memory_is_checked_before_anything_runs),
        TEST(memory_is_bounded_when_values_are_read),
        TEST(branches_run_side_by_side),
        TEST(a_cancelled_run_says_so_and_writes_nothing),
        TEST(a_chain_as_long_as_a_recipe_may_be),
        TEST(records_share_a_file_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
