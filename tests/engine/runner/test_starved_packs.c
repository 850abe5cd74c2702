/* SPDX-License-Identifier: MIT */
/* Packs without memory, an allocation at a time as in tests/test_memory.c: an action is found as it
 * was saved or not at all, what other runs left is there for the next one, and so for runs that
 * leave values on disk. */
#include "support/command.h"
#include "support/folder.h"
#include "support/inside.h"
#include "support/starved.h"

#include "base/os/file_stream.h"
#include "cache/store_pack_private.h"
#include "cache/store_private.h"
#include "runner/runner.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOOSE = 32, RUNS = 16, EACH = 3, TAKEN = 700 }; /* actions: TAKEN fill a table and more */

static struct tw_store *store;

static struct tw_sha256 key_of(int number) { return tw_sha256_of(&number, sizeof number); }

/* Cheap ones, which go to packs without LOOSE others before. */
static void save(int first, int count)
{
    atomic_store(&store->packs.loose, LOOSE);
    for (int i = first; i < first + count; i++) {
        struct tw_sha256 key = key_of(i);
        struct tw_action action = {.count = 1,
                                   .held = 1,
                                   .outputs = {{.type = TW_HEIGHTMAP, .width = i + 1, .height = 1}},
                                   .seconds = 1e-5};
        tw_store_save(store, &key, &action);
    }
}

static int count_found(int first, int count)
{
    int found = 0;
    for (int i = first; i < first + count; i++) {
        struct tw_sha256 key = key_of(i);
        struct tw_action action;
        if (!tw_store_find(store, &key, &action, NULL))
            continue;
        assert_int_equal(action.outputs[0].width, i + 1);
        found++;
    }
    return found;
}

static void open_store(void) { assert_int_equal(tw_store_open("packs", 0, &store, NULL), TW_OK); }

/* ---- a run that takes many actions, without earlier ones ---- */

static void start_new(void)
{
    folder_remove("packs");
    open_store();
}

static enum tw_status take_many(struct tw_error *error)
{
    (void)error;
    save(0, TAKEN);
    tw_store_flush(store);
    return TW_OK;
}

/* The store goes on, and the next one has what is on disk. */
static void check_new(bool done)
{
    (void)done;
    int taken = count_found(0, TAKEN);
    save(TAKEN, 1);
    assert_int_equal(count_found(TAKEN, 1), 1);
    tw_store_close(store);
    open_store();
    assert_int_equal(count_found(TAKEN, 1), 1);
    assert_true(count_found(0, TAKEN) <= taken);
    tw_store_close(store);
}

static enum tw_status take_one(struct tw_error *error)
{
    (void)error;
    save(0, 1);
    tw_store_flush(store);
    return TW_OK;
}

static int expect_records(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)at;
    if (kind == FTW_F && strstr(path, "/" TW_PACK_FOLDER "/"))
        assert_true(info->st_size > TW_PACK_HEAD + TW_PACK_CHECK);
    return 0;
}

static void check_one(bool done)
{
    (void)done;
    tw_store_close(store);
    assert_int_equal(nftw("packs", expect_records, 8, FTW_PHYS), 0);
}

static void no_pack_is_empty(void **state)
{
    (void)state;
    starve_all(&(struct act){start_new, take_one, check_one});
}

static void what_is_taken_is_whole(void **state)
{
    (void)state;
    starve_all(&(struct act){start_new, take_many, check_new});
}

/* ---- a run that reads and merges what others left ---- */

/* As many packs as there may be: one more, and small ones are merged. */
static void start_full(void)
{
    folder_remove("packs");
    for (int run = 0; run < RUNS; run++) {
        open_store();
        save(EACH * run, EACH);
        tw_store_close(store);
    }
    open_store();
}

static enum tw_status read_and_merge(struct tw_error *error)
{
    (void)error;
    (void)count_found(0, EACH * RUNS);
    save(EACH * RUNS, EACH);
    tw_store_flush(store);
    return TW_OK;
}

/* The oldest of too many packs that could not be merged may go. */
static void check_full(bool done)
{
    (void)done;
    tw_store_close(store);
    open_store();
    assert_true(count_found(0, EACH * RUNS) >= EACH * (RUNS - 1));
    tw_store_close(store);
}

static void what_others_left_stays(void **state)
{
    (void)state;
    starve_some(&(struct act){start_full, read_and_merge, check_full}, 150);
}

/* ---- a stream, and values that leave ---- */

static enum tw_status open_stream(struct tw_error *error)
{
    struct tw_file_stream stream;
    enum tw_status status =
        tw_file_stream_open(&stream, "recipe.yaml", UINT64_MAX, 64, true, error);
    if (status == TW_OK)
        tw_file_stream_close(&stream);
    return status;
}

static void a_stream_opens_whole_or_not(void **state)
{
    (void)state;
    starve_all(&(struct act){NULL, open_stream, NULL});
}

#define SPILLING                                                                                   \
    "thalweg: 1\nsize: 64\nnodes:\n  a: {type: noise.midpoint, seed: 1}\n"                         \
    "  b: {type: noise.midpoint, seed: 2}\n  c: {type: noise.midpoint, seed: 3}\n"                 \
    "  d: {type: erosion.fir, in: a}\n  e: {type: erosion.fir, in: b}\n"                           \
    "  f: {type: erosion.fir, in: c}\n  g: {type: combine.add, a: d, b: e}\n"                      \
    "  h: {type: combine.add, a: g, b: f}\n  i: {type: combine.add, a: h, b: a}\n"                 \
    "  j: {type: combine.add, a: i, b: b}\n  k: {type: combine.add, a: j, b: c}\n"                 \
    "outputs: {k: k}\n"

static struct tw_recipe *recipe;
static struct tw_digest expected;
static uint64_t left; /* values that left memory in the last run */

static enum tw_status run_within(uint64_t bytes, struct tw_digest *digest, struct tw_error *error)
{
    const struct tw_run_options options = {.threads = 2, .cache_dir = "cache", .max_memory = bytes};
    struct tw_result *result = NULL;
    struct tw_run_summary report = {0};
    const struct tw_run_request request = {.options = &options, .report = &report};
    enum tw_status status = tw_run_execute(recipe, &request, &result, error);
    if (status == TW_OK)
        *digest = tw_field_digest(tw_result_output(result, "k"));
    left = report.spilled.values;
    tw_run_summary_release(&report);
    tw_result_release(result);
    return status;
}

static struct tw_digest digest;

static void start_spilling(void) { folder_remove("cache"); }

static enum tw_status spill(struct tw_error *error)
{
    return run_within(5 * 64 * 64 * sizeof(float), &digest, error);
}

static void check_spilled(bool done)
{
    if (done)
        assert_memory_equal(&digest, &expected, sizeof expected);
    assert_true(!done || left > 0);
}

static void values_leave_whole_or_the_run_ends(void **state)
{
    struct tw_error error;
    (void)state;
    assert_int_equal(
        tw_recipe_parse(SPILLING, strlen(SPILLING), "spill.yaml", NULL, &recipe, &error), TW_OK);
    assert_int_equal(run_within(0, &expected, &error), TW_OK);
    starve_some(&(struct act){start_spilling, spill, check_spilled}, 300);
    tw_recipe_release(recipe);
}

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_pack_is_empty),
        cmocka_unit_test(what_is_taken_is_whole),
        cmocka_unit_test(what_others_left_stays),
        cmocka_unit_test(a_stream_opens_whole_or_not),
        cmocka_unit_test(values_leave_whole_or_the_run_ends),
    };
    int failed = cmocka_run_group_tests(tests, starved_set_up, command_tear_down);
    print_message("%ld allocations failed\n", starved_points);
    return failed;
}
