/* SPDX-License-Identifier: MIT */
/* Runs that export without memory, an allocation at a time as in tests/test_memory.c. */
#include "support/command.h"
#include "support/folder.h"
#include "support/harness.h"
#include "support/inside.h"
#include "support/starved.h"

#include "base/os/file.h"
#include "runner/history.h"
#include "runner/runner.h"

#include <jansson.h>
#include <stdlib.h>

static struct tw_recipe *recipe;

static void load(void)
{
    struct tw_error error;
    if (tw_recipe_load("recipe.yaml", NULL, &recipe, &error) != TW_OK)
        fail_msg("%s:%d: %s", error.file, error.line, error.message);
}

/* ---- with and without a cache ---- */

static const char *cache_dir;

static const double *expect(void *context) { return context; }

static void on_progress(void *context, const char *node, double done)
{
    (void)context;
    (void)node;
    assert_true(done >= 0 && done <= 1);
}

static enum tw_status export_to(const char *folder, struct tw_error *error)
{
    const struct tw_run_options options = {
        .threads = 2, .cache_dir = cache_dir, .progress = on_progress};
    struct tw_history *history = cache_dir ? tw_history_load(cache_dir, recipe->file) : NULL;
    double *expected = tw_history_expected(history, recipe);
    struct tw_run_summary report = {0};
    struct tw_trace trace = {0};
    const struct tw_run_request request = {.options = &options,
                                           .export_folder = folder,
                                           .expect = expect,
                                           .expect_context = expected,
                                           .trace = &trace,
                                           .report = &report};
    enum tw_status status = tw_run_execute(recipe, &request, NULL, error);
    if (cache_dir)
        tw_history_save(cache_dir, recipe, &report, history);
    tw_history_release(history);
    tw_run_summary_release(&report);
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
    starved_check_files(done);
    folder_remove("out");
    assert_int_equal(export_to("out", NULL), TW_OK);
    starved_check_files(true);
}

static void check_replaced(bool done)
{
    if (done)
        starved_check_files(true);
    assert_int_equal(export_to("out", NULL), TW_OK);
    starved_check_files(true);
}

static void exports_are_whole_or_not_there(void **state)
{
    (void)state;
    load();
    cache_dir = NULL;
    assert_int_equal(export_to("expected", NULL), TW_OK);
    starve_all(&(struct act){start_without_files, export_all, starved_check_files});
    cache_dir = "cache";
    starve_some(&(struct act){start_without_cache, export_all, check_cached}, 400);
    starve_some(&(struct act){start_with_a_full_cache, export_all, check_cached}, 400);
    starve_some(&(struct act){start_with_old_files, export_all, check_replaced}, 400);
    tw_recipe_release(recipe);
}

/* ---- traces ---- */

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
    starve_all(&(struct act){start_trace, write_trace, check_trace});
}

int __wrap_main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports_are_whole_or_not_there),
        cmocka_unit_test(a_trace_is_json_or_not_there),
    };
    int failed = cmocka_run_group_tests(tests, starved_set_up, command_tear_down);
    print_message("%ld allocations failed\n", starved_points);
    return failed;
}
