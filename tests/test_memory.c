/* SPDX-License-Identifier: MIT */
/* Runs out of memory: repeats loading and running with the first, second, third... allocation
 * failing, once or with all later ones, until none fails. The status must be TW_MEMORY, or the work
 * must go on without the memory (of a cache or trace); files are complete or missing; and the
 * sanitizer build finds no leak. */
#include "support/command.h"
#include "support/example.h"
#include "support/harness.h"
#include "support/inside.h"
#include "support/starved.h"

#include "base/text/json.h"
#include "gate/lock.h"
#include "graph/merge.h"
#include "runner/runner.h"
#include "runner/watch.h"
#include "study/experiment.h"

#include <stdlib.h>
#include <string.h>

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
    assert_true(starve_all(&(struct act){NULL, load_only, check_load}) > 200);
}

static struct tw_watch *watch;

static enum tw_status watch_files(struct tw_error *error)
{
    watch = NULL;
    enum tw_status status = tw_watch_create(&watch, error);
    if (status == TW_OK)
        status = tw_watch_add(watch, "recipe.yaml", error);
    return status == TW_OK ? tw_watch_add(watch, "/tmp/another.yaml", error) : status;
}

static void check_watch(bool done)
{
    (void)done;
    tw_watch_release(watch);
}

static void files_are_watched_or_memory_is_short(void **state)
{
    (void)state;
    assert_true(starve_all(&(struct act){NULL, watch_files, check_watch}) > 6);
}

/* Numbers and strings beyond jansson's 16-byte buffer: it aborts if that cannot grow. */
static const char numbers[] =
    "{\"a\": [0.1234567890123456, 1234567890123456, -0.00000000000001234],"
    " \"a string of 32 bytes and no more\": [\"0123456789abcdef\", 1,"
    " 0.12345678901234567890123456789012, [[[\"x\", 1e-300]]]]}";

static enum tw_status load_json(struct tw_error *error)
{
    json_t *root = NULL;
    enum tw_status status = tw_json_load(numbers, strlen(numbers), 0, &root, NULL);
    assert_true((status == TW_OK) == (root != NULL));
    json_decref(root);
    return status == TW_OK ? TW_OK : tw_error_set(error, status, "no value");
}

static void json_is_read_whole_or_not(void **state)
{
    (void)state;
    assert_true(starve_all(&(struct act){NULL, load_json, NULL}) > 20);
}

/* A fault must be reported, unless there was no memory to find it. */
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
    starve_all(&(struct act){NULL, load_faulty, NULL});
}

/* Anchors, aliases and a split entry each take further memory. */
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
    assert_true(starve_all(&(struct act){NULL, load_anchored, NULL}) > 100);
}

/* Tiles and sidecars, whose names are composed of parts. */
static enum tw_status load_exports(struct tw_error *error)
{
    static const char text[] = "thalweg: 1\n"
                               "size: 64\n"
                               "nodes: {a: {type: noise.midpoint}}\n"
                               "export:\n"
                               "  h.png: {from: a, tiles: {cells: 32}, sidecar: true}\n"
                               "  k.r16: {from: a, tiles: 32}\n";
    recipe = NULL;
    return tw_recipe_parse(text, strlen(text), "exports.yaml", NULL, &recipe, error);
}

static void exports_have_names_or_memory_is_short(void **state)
{
    (void)state;
    assert_true(starve_all(&(struct act){NULL, load_exports, check_load}) > 100);
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
    starve_all(&(struct act){NULL, run_for_values, check_values});
    tw_recipe_release(recipe);
}

/* ---- locks ---- */

static struct tw_snapshot *snapshot;

static enum tw_status read_lock(struct tw_error *error)
{
    snapshot = NULL;
    return tw_lock_read("recipe.yaml.lock", &(struct tw_load_options){.set = NULL}, &snapshot,
                        error);
}

static void check_snapshot(bool done)
{
    assert_true(done == (snapshot != NULL));
    tw_snapshot_release(snapshot);
}

/* Also with memory failing for the file itself: an existing lock must not count as missing. */
static void a_lock_is_read_whole_or_not(void **state)
{
    (void)state;
    assert_int_equal(inside_run("lock recipe.yaml -q --cache-dir cache"), 0);
    assert_true(starve_all(&(struct act){NULL, read_lock, check_snapshot}) > 100);
}

/* ---- experiments ---- */

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
    starve_all(&(struct act){NULL, load_experiment, NULL});
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

/* Distances without profiles are relaxed in tiles on processors with vectors. */
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

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recipe_loads_whole_or_not),
        cmocka_unit_test(files_are_watched_or_memory_is_short),
        cmocka_unit_test(json_is_read_whole_or_not),
        cmocka_unit_test(faults_are_reported_with_little_memory),
        cmocka_unit_test(anchors_are_kept_or_memory_is_short),
        cmocka_unit_test(exports_have_names_or_memory_is_short),
        cmocka_unit_test(a_run_gives_all_values_or_none),
        cmocka_unit_test(a_lock_is_read_whole_or_not),
        cmocka_unit_test(an_experiment_loads_whole_or_not),
        cmocka_unit_test(every_node_says_that_memory_is_short),
    };
    cmocka_set_test_filter(getenv("THALWEG_TEST")); /* a pattern; all tests without it */
    int failed = cmocka_run_group_tests(tests, starved_set_up, command_tear_down);
    print_message("%ld allocations failed\n", starved_points);
    return failed;
}
