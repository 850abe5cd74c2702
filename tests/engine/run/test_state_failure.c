/* SPDX-License-Identifier: MIT */
/* A node or export that fails ends what depends on it; other goals are reached, and nothing is
 * computed that only failed ones need. */
#include "support/command.h"
#include "support/folder.h"
#include "support/harness.h"

#include "runner/runner.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum tw_status gives; /* test.fail */
static int32_t computed;     /* test.count */

static enum tw_status run_failing(struct tw_task *task)
{
    return gives == TW_NODE ? tw_task_fail(task, "it failed") : gives;
}

static enum tw_status run_counted(struct tw_task *task)
{
    float *map = tw_floats(tw_task_output(task, 0));
    const struct tw_value *out = tw_task_output(task, 0);
    memset(map, 0, (size_t)out->width * (size_t)out->height * sizeof *map);
    __atomic_fetch_add(&computed, 1, __ATOMIC_RELAXED);
    return TW_OK;
}

static const struct tw_port inputs[] = {{"in", TW_HEIGHTMAP, TW_OPTIONAL, "map"}, TW_PORT_END};
static const struct tw_port outputs[] = {{"out", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};
static const struct tw_node_type failing = {.name = "test.fail",
                                            .version = 1,
                                            .summary = "fails",
                                            .inputs = inputs,
                                            .outputs = outputs,
                                            .run = run_failing};
static const struct tw_node_type counted = {.name = "test.count",
                                            .version = 1,
                                            .summary = "counts",
                                            .inputs = inputs,
                                            .outputs = outputs,
                                            .run = run_counted};
static const struct tw_node_type *const types[] = {&failing, &counted, NULL};

/* ---- a run, and what it said ---- */

static struct {
    enum tw_status status;
    struct tw_run_summary report;
    struct tw_recipe *recipe;
    char failures[500]; /* "bad: it failed; low.png: heights run..." */
} ran;

static void on_failed(void *context, const struct tw_run_failure *failure)
{
    size_t used = strlen(ran.failures);
    (void)context;
    assert_true((failure->node < 0) == (failure->item != NULL));
    snprintf(ran.failures + used, sizeof ran.failures - used, "%s%s: %.9s", used ? "; " : "",
             failure->item ? failure->item->file : ran.recipe->nodes[failure->node].path,
             failure->error->message);
}

static void start(const char *nodes, const char *exports, struct tw_run_options options)
{
    static char text[1 << 19];
    struct tw_error error;
    const struct tw_load_options load = {.types = types};
    struct tw_run_request request = {
        .options = &options, .export_folder = "out", .failed = on_failed, .report = &ran.report};
    snprintf(text, sizeof text, "thalweg: 1\nsize: 8\nnodes:\n%sexport: {%s}\n", nodes, exports);
    memset(&ran, 0, sizeof ran);
    computed = 0;
    folder_remove("out");
    if (tw_recipe_parse(text, strlen(text), "t.yaml", &load, &ran.recipe, &error) != TW_OK)
        fail_msg("%d: %s", error.line, error.message);
    ran.status = tw_run_execute(ran.recipe, &request, NULL, &error);
}

static void end(void)
{
    tw_run_summary_release(&ran.report);
    tw_recipe_release(ran.recipe);
}

static bool is_there(const char *file)
{
    for (int32_t i = 0; i < ran.report.export_count; i++)
        if (strcmp(ran.report.exports[i].item->file, file) == 0) {
            assert_int_equal(ran.report.exports[i].failed, !ran.report.exports[i].there);
            return ran.report.exports[i].there;
        }
    fail_msg("there is no export %s", file);
    return false;
}

static const struct tw_run_options ways[] = {
    {.threads = 1}, {.threads = 4}, {.threads = 1, .cache_dir = "cache"}};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* `mixed` and what makes its other input would be for nothing. */
static void others_go_on(void **state)
{
    static const char nodes[] = "  bad: {type: test.fail}\n"
                                "  after: {type: shape.invert, in: bad}\n"
                                "  slow: {type: test.count}\n"
                                "  side: {type: shape.blur, in: slow, radius: 0.1}\n"
                                "  mixed: {type: combine.add, a: after, b: side}\n"
                                "  ok: {type: source.constant, value: 0.25}\n";
    (void)state;
    gives = TW_NODE;
    for (int i = 0; i < 2 * WAYS; i++) { /* with a cold and a warm cache, too */
        start(nodes, "bad.npy: mixed, ok.npy: ok, both.npy: after", ways[i % WAYS]);
        assert_int_equal(ran.status, TW_OK);
        assert_int_equal(ran.report.failure, TW_NODE);
        assert_string_equal(ran.failures, "bad: it failed");
        assert_true(is_there("ok.npy") && !is_there("bad.npy") && !is_there("both.npy"));
        assert_int_equal(access("out/ok.npy", F_OK), 0);
        assert_true(computed == 0 || ways[i % WAYS].threads > 1 || ways[i % WAYS].cache_dir);
        end();
    }
}

/* Looks at edges of the graph (--wrap=tw_state_is_input). */
static int64_t looks;

struct tw_run;
bool __real_tw_state_is_input(const struct tw_run *run, int32_t i, int32_t edge);
bool __wrap_tw_state_is_input(const struct tw_run *run, int32_t i, int32_t edge);
bool __wrap_tw_state_is_input(const struct tw_run *run, int32_t i, int32_t edge)
{
    looks++;
    return __real_tw_state_is_input(run, i, edge);
}

/* Also where all of the chain is computed together. */
static void a_long_chain_fails_in_linear_work(void **state)
{
    enum { CHAIN = 9000, BYTES = 50 };
    static char nodes[CHAIN * BYTES];
    (void)state;
    gives = TW_NODE;
    size_t used = (size_t)sprintf(nodes, "  bad: {type: test.fail}\n"
                                         "  n0: {type: shape.invert, in: bad}\n");
    for (int i = 1; i < CHAIN - 10; i++)
        used += (size_t)sprintf(nodes + used, "  n%d: {type: shape.invert, in: n%d}\n", i, i - 1);
    for (int i = 0; i < WAYS; i++) {
        looks = 0;
        start(nodes, "bad.npy: n8000", ways[i]);
        assert_string_equal(ran.failures, "bad: it failed");
        assert_true(looks > 0 && looks < 50 * (int64_t)CHAIN);
        end();
    }
}

/* What others need as well is computed. */
static void what_others_need_is_computed(void **state)
{
    static const char nodes[] = "  bad: {type: test.fail}\n"
                                "  shared: {type: test.count}\n"
                                "  mixed: {type: combine.add, a: bad, b: shared}\n"
                                "  ok: {type: shape.invert, in: shared}\n";
    (void)state;
    gives = TW_NODE;
    for (int i = 0; i < WAYS; i++) {
        start(nodes, "bad.npy: mixed, ok.npy: ok", ways[i]);
        assert_int_equal(ran.status, TW_OK);
        assert_true(is_there("ok.npy") && !is_there("bad.npy"));
        assert_int_equal(computed, 1);
        end();
    }
}

static void an_export_fails_alone(void **state)
{
    static const char nodes[] = "  one: {type: source.constant, value: 0.25}\n"
                                "  two: {type: test.count, in: one}\n";
    (void)state;
    for (int i = 0; i < 2 * WAYS; i++) {
        start(nodes, "low.png: {from: one, range: [0.5, 1]}, one.npy: one, two.npy: two",
              ways[i % WAYS]);
        assert_int_equal(ran.status, TW_OK);
        assert_int_equal(ran.report.failure, TW_NODE);
        assert_string_equal(ran.failures, "low.png: heights r");
        assert_true(is_there("one.npy") && is_there("two.npy") && !is_there("low.png"));
        end();
    }
}

static void memory_and_signals_end_all(void **state)
{
    static const enum tw_status all[] = {TW_MEMORY, TW_LIMIT, TW_CANCELLED};
    static const char nodes[] = "  bad: {type: test.fail}\n  ok: {type: test.count, in: bad}\n";
    (void)state;
    for (int i = 0; i < 3; i++) {
        gives = all[i];
        start(nodes, "ok.npy: ok", ways[0]);
        assert_int_equal(ran.status, all[i]);
        assert_int_equal(ran.report.failure, TW_OK);
        assert_string_equal(ran.failures, "");
        end();
    }
}

/* Failures of several nodes, and a whole chain behind them. */
static void every_failure_is_reported_once(void **state)
{
    static const char nodes[] = "  a: {type: test.fail}\n"
                                "  b: {type: shape.invert, in: a}\n"
                                "  c: {type: test.fail, in: b}\n"
                                "  d: {type: test.fail}\n"
                                "  e: {type: combine.add, a: c, b: d}\n";
    (void)state;
    gives = TW_NODE;
    start(nodes, "e.npy: e, d.npy: d", ways[0]);
    assert_int_equal(ran.status, TW_OK);
    assert_string_equal(ran.failures, "a: it failed; d: it failed");
    assert_false(is_there("e.npy") || is_there("d.npy"));
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(others_go_on, command_set_up, command_tear_down),
        cmocka_unit_test_setup_teardown(a_long_chain_fails_in_linear_work, command_set_up,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(what_others_need_is_computed, command_set_up,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(an_export_fails_alone, command_set_up, command_tear_down),
        cmocka_unit_test_setup_teardown(memory_and_signals_end_all, command_set_up,
                                        command_tear_down),
        cmocka_unit_test_setup_teardown(every_failure_is_reported_once, command_set_up,
                                        command_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
