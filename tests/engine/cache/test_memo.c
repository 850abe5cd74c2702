/* SPDX-License-Identifier: MIT */
/* Results in memory: what a second run computes, what it may take for that, what goes first. The
 * nodes are an embedder's own, so they can count their runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/folder.h"
#include "support/node_clock.h"

#include "runner/runner.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <thalweg/node.h>

enum { CHAIN = 15, SIDE = 64, MAP = SIDE * SIDE * 4 };

/* ---- a counting node: adds a number to every cell ---- */

static atomic_int computed;
static atomic_bool dear; /* steps are worth a place on disk */

struct step {
    float add;
};

static const struct tw_param params[] = {
    TW_PARAM_F32(struct step, add, 1, -100, 100, "", "to every cell"),
    TW_PARAM_END,
};
static const struct tw_port in_port[] = {{"in", TW_HEIGHTMAP, TW_OPTIONAL, "map"}, TW_PORT_END};
static const struct tw_port out_port[] = {{"out", TW_HEIGHTMAP, 0, "map"}, TW_PORT_END};

static enum tw_status run_step(struct tw_task *task)
{
    const struct step *p = tw_task_params(task);
    const struct tw_value *in = tw_task_input(task, 0);
    float *out = tw_floats(tw_task_output(task, 0));
    atomic_fetch_add(&computed, 1);
    if (atomic_load(&dear))
        node_costs(0.5e-3);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++)
        out[i] = (in ? tw_floats(in)[i] : 0.001f * (float)i) + p->add;
    return TW_OK;
}

static const struct tw_node_type step = {.name = "test.step",
                                         .version = 1,
                                         .summary = "step",
                                         .inputs = in_port,
                                         .outputs = out_port,
                                         .params = params,
                                         .params_size = sizeof(struct step),
                                         .in_place = true,
                                         .run = run_step};
static const struct tw_node_type *const types[] = {&step, NULL};

/* ---- a chain of them, of which one is changed ---- */

static char folder[64], cache[96];

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/thalweg-test-XXXXXX");
    snprintf(cache, sizeof cache, "%s/cache", mkdtemp(folder));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static struct tw_recipe *load(int changed, double add)
{
    char text[CHAIN * 60 + 100];
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    const struct tw_load_options options = {.types = types};
    int used = sprintf(text, "thalweg: 1\nsize: %d\nnodes:\n", SIDE);
    for (int i = 0; i < CHAIN; i++) {
        used += sprintf(text + used, "  n%d: {type: test.step, add: %g", i, i == changed ? add : i);
        used += i ? sprintf(text + used, ", in: n%d}\n", i - 1) : sprintf(text + used, "}\n");
    }
    sprintf(text + used, "outputs: {out: n%d}\n", CHAIN - 1);
    if (tw_recipe_parse(text, strlen(text), "test.yaml", &options, &recipe, &error) != TW_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return recipe;
}

/* Nodes that ran; the result must be that of a run without a memo. */
static int run(struct tw_memo *memo, const char *cache_dir, uint64_t max_memory, int changed,
               double add)
{
    struct tw_recipe *recipe = load(changed, add);
    struct tw_result *plain = NULL, *found = NULL;
    struct tw_run_summary report = {0};
    struct tw_error error = {.status = TW_OK};
    const struct tw_run_options options = {
        .threads = 2, .cache_dir = cache_dir, .max_memory = max_memory};
    const struct tw_run_request request = {.options = &options, .memo = memo, .report = &report};
    assert_int_equal(tw_recipe_run(recipe, NULL, &plain, &error), TW_OK);
    atomic_store(&computed, 0);
    if (tw_run_execute(recipe, &request, &found, &error) != TW_OK)
        fail_msg("%s", error.message);
    assert_memory_equal(tw_result_output(plain, "out")->data, tw_result_output(found, "out")->data,
                        MAP);
    if (max_memory > 0)
        assert_true(report.used_bytes <= max_memory);
    tw_run_summary_release(&report);
    tw_result_release(plain);
    tw_result_release(found);
    tw_recipe_release(recipe);
    return atomic_load(&computed);
}

static struct tw_memo *create(uint64_t max_bytes)
{
    struct tw_memo *memo = NULL;
    assert_int_equal(tw_memo_create(max_bytes, &memo, NULL), TW_OK);
    return memo;
}

static void only_what_changed_is_computed_without_a_cache(void **state)
{
    struct tw_memo *memo = create(0);
    (void)state;
    assert_int_equal(run(memo, NULL, 0, -1, 0), CHAIN);
    assert_int_equal(run(memo, NULL, 0, -1, 0), 0);
    assert_int_equal(run(memo, NULL, 0, CHAIN - 1, 40), 1);
    assert_int_equal(run(memo, NULL, 0, CHAIN - 1, 41), 1);
    assert_int_equal(run(memo, NULL, 0, CHAIN / 2, 40), CHAIN - CHAIN / 2);
    tw_memo_release(memo);
}

/* What a run changed can be undone; what no run used since is given up. */
static void values_are_kept_for_one_run_more(void **state)
{
    struct tw_memo *memo = create(0);
    (void)state;
    run(memo, NULL, 0, -1, 0);
    uint64_t all = tw_memo_stats(memo).bytes;
    assert_int_equal(all, CHAIN * MAP);
    run(memo, NULL, 0, 0, 40);
    assert_int_equal(tw_memo_stats(memo).bytes, 2 * all);
    assert_int_equal(run(memo, NULL, 0, -1, 0), 0);
    run(memo, NULL, 0, 0, 41);
    assert_int_equal(tw_memo_stats(memo).bytes, 2 * all);
    assert_int_equal(tw_memo_stats(memo).actions, 2 * CHAIN);
    assert_int_equal(run(memo, NULL, 0, 0, 40), CHAIN);
    tw_memo_release(memo);
}

/* The least memory in which the recipe runs holds the run and what is left for the memo. */
static void a_bound_on_memory_holds_for_both(void **state)
{
    (void)state;
    for (uint64_t maps = 2; maps < CHAIN + 4; maps++) {
        struct tw_memo *memo = create(maps * MAP);
        assert_int_equal(run(memo, NULL, maps * MAP, -1, 0), CHAIN);
        assert_true(tw_memo_stats(memo).bytes <= maps * MAP);
        int last = run(memo, NULL, maps * MAP, CHAIN - 1, 40);
        assert_in_range(last, 1, CHAIN);
        assert_true(maps < CHAIN + 2 || last == 1);
        assert_true(tw_memo_stats(memo).bytes <= maps * MAP);
        tw_memo_release(memo);
    }
}

/* The memo alone is bounded, too, and what does not fit is computed. */
static void a_memo_holds_no_more_than_it_may(void **state)
{
    struct tw_memo *memo = create(5 * MAP + MAP / 2);
    (void)state;
    assert_int_equal(run(memo, NULL, 0, -1, 0), CHAIN);
    assert_int_equal(tw_memo_stats(memo).bytes, 5 * MAP);
    for (int add = 40; add < 45; add++) {
        assert_in_range(run(memo, NULL, 0, CHAIN - 1, add), 1, CHAIN); /* which stay is by time */
        assert_in_range(tw_memo_stats(memo).bytes, MAP, 5 * MAP);
    }
    tw_memo_release(memo);
}

/* Another process may use the cache on disk, or empty it: values stay, until its secret changes. */
static void memory_comes_before_the_disk(void **state)
{
    struct tw_memo *memo = create(0);
    (void)state;
    atomic_store(&dear, true);
    run(memo, cache, 0, -1, 0);
    assert_int_equal(folder_remove(cache), 0);
    assert_int_equal(run(memo, cache, 0, CHAIN - 1, 40), CHAIN); /* a new secret */
    assert_int_equal(run(memo, cache, 0, CHAIN - 1, 41), 1);
    tw_memo_release(memo);
    memo = create(0);
    assert_int_equal(run(memo, cache, 0, CHAIN - 1, 41), 0); /* found on disk, and kept */
    assert_int_equal(tw_memo_stats(memo).actions, CHAIN);
    tw_memo_release(memo);
    atomic_store(&dear, false);
}

/* ---- the memo by itself ---- */

static struct tw_memory memory;

/* A value of one number and its stamp, named by it. */
static struct tw_stamp stamp_of(int number)
{
    struct tw_stamp stamp = {.type = TW_HEIGHTMAP, .width = 100, .height = 1};
    stamp.content.at[0] = (unsigned char)number;
    return stamp;
}

static void put(struct tw_memo *memo, int number, double seconds)
{
    struct tw_value value = {0};
    struct tw_stamp stamp = stamp_of(number);
    assert_int_equal(tw_field_alloc(&value, TW_HEIGHTMAP, 100, 1, NULL), TW_OK);
    for (int i = 0; i < 100; i++)
        tw_floats(&value)[i] = (float)number;
    tw_memo_put(memo, &stamp, seconds, &value);
    tw_field_clear(&value);
}

/* Linked instead of tw_field_copy(). */
enum tw_status __real_tw_field_copy(struct tw_value *to, const struct tw_value *from,
                                    struct tw_error *err);
enum tw_status __wrap_tw_field_copy(struct tw_value *to, const struct tw_value *from,
                                    struct tw_error *err);
static bool without_copies;
enum tw_status __wrap_tw_field_copy(struct tw_value *to, const struct tw_value *from,
                                    struct tw_error *err)
{
    return without_copies ? TW_MEMORY : __real_tw_field_copy(to, from, err);
}

static bool has(struct tw_memo *memo, int number)
{
    struct tw_value value = {0};
    struct tw_stamp stamp = stamp_of(number);
    if (!tw_memo_load(memo, &stamp, &value))
        return false;
    assert_true(tw_floats(&value)[99] == (float)number);
    tw_memory_clear(&memory, &value);
    return true;
}

static void the_cheapest_of_the_oldest_go_first(void **state)
{
    struct tw_memo *memo = create(3 * 400);
    (void)state;
    memory = (struct tw_memory){0};
    tw_memo_begin(memo, NULL, &memory);
    put(memo, 1, 0.3);
    put(memo, 2, 0.1);
    put(memo, 3, 0.2);
    put(memo, 4, 0.05); /* would be the first to go */
    put(memo, 5, 0.4);  /* in place of 2 */
    assert_true(has(memo, 1) && has(memo, 3) && has(memo, 5));
    assert_false(has(memo, 2) || has(memo, 4));
    tw_memo_end(memo, true);
    tw_memo_begin(memo, NULL, &memory);
    assert_true(has(memo, 3));
    put(memo, 6, 0.01); /* in place of 1, which this run has not used */
    assert_true(has(memo, 5) && has(memo, 6));
    assert_false(has(memo, 1));
    tw_memo_end(memo, true);
    tw_memo_release(memo);
    assert_int_equal(atomic_load(&memory.used), 0);
}

/* A run that needs memory gets it, and the value it needs even when there is no place for two. */
static void a_run_gets_memory_back(void **state)
{
    struct tw_memo *memo = create(0);
    struct tw_value value = {0};
    struct tw_stamp stamp = stamp_of(2);
    (void)state;
    memory = (struct tw_memory){.limit = 1000};
    tw_memo_begin(memo, NULL, &memory);
    put(memo, 1, 1);
    put(memo, 2, 2);
    put(memo, 3, 0.5); /* the limit is the run's and the memo's */
    assert_int_equal(tw_memo_stats(memo).bytes, 800);
    assert_true(tw_memory_take(&memory, 500)); /* in place of 1 */
    assert_int_equal(tw_memo_stats(memo).bytes, 400);
    assert_true(tw_memo_load(memo, &stamp, &value)); /* the block itself */
    assert_int_equal(tw_memo_stats(memo).bytes, 0);
    assert_int_equal(atomic_load(&memory.used), 900);
    assert_false(tw_memory_take(&memory, 200));
    tw_memory_clear(&memory, &value);
    assert_true(tw_memory_take(&memory, 500));
    assert_true(atomic_load(&memory.greatest) <= 1000);
    tw_memo_end(memo, true);
    tw_memo_release(memo);
}

/* A value that could not be copied takes no room. */
static void without_memory_nothing_is_kept(void **state)
{
    struct tw_memo *memo = create(0);
    (void)state;
    memory = (struct tw_memory){0};
    tw_memo_begin(memo, NULL, &memory);
    put(memo, 1, 1);
    without_copies = true;
    put(memo, 2, 1);
    without_copies = false;
    assert_int_equal(tw_memo_stats(memo).values, 1);
    assert_int_equal(tw_memo_stats(memo).bytes, 400);
    assert_int_equal(atomic_load(&memory.used), 400);
    assert_true(has(memo, 1));
    assert_false(has(memo, 2));
    tw_memo_end(memo, true);
    tw_memo_release(memo);
}

/* A run that was stopped saw only a part of the graph. */
static void a_stopped_run_gives_nothing_up(void **state)
{
    struct tw_memo *memo = create(0);
    (void)state;
    memory = (struct tw_memory){0};
    tw_memo_begin(memo, NULL, &memory);
    put(memo, 1, 1);
    tw_memo_end(memo, true);
    for (int i = 0; i < 3; i++) {
        tw_memo_begin(memo, NULL, &memory);
        tw_memo_end(memo, false);
    }
    assert_int_equal(tw_memo_stats(memo).values, 1);
    tw_memo_release(memo);
}

/* Outputs of one key that different runs computed add up. */
static void actions_only_grow(void **state)
{
    struct tw_memo *memo = create(0);
    struct tw_sha256 key = {{7}};
    struct tw_action found, action = {.count = 2, .held = 1};
    (void)state;
    memory = (struct tw_memory){0};
    tw_memo_begin(memo, NULL, &memory);
    assert_false(tw_memo_find(memo, &key, &found));
    action.outputs[0] = stamp_of(1);
    tw_memo_save(memo, &key, &action);
    action = (struct tw_action){.count = 2, .held = 2};
    action.outputs[1] = stamp_of(2);
    tw_memo_save(memo, &key, &action);
    assert_true(tw_memo_find(memo, &key, &found));
    assert_int_equal(found.held, 3);
    assert_int_equal(found.outputs[0].content.at[0], 1);
    assert_int_equal(tw_memo_stats(memo).actions, 1);
    tw_memo_end(memo, true);
    tw_memo_release(memo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_changed_is_computed_without_a_cache),
        cmocka_unit_test(values_are_kept_for_one_run_more),
        cmocka_unit_test(a_bound_on_memory_holds_for_both),
        cmocka_unit_test(a_memo_holds_no_more_than_it_may),
        cmocka_unit_test_setup_teardown(memory_comes_before_the_disk, set_up, tear_down),
        cmocka_unit_test(the_cheapest_of_the_oldest_go_first),
        cmocka_unit_test(a_run_gets_memory_back),
        cmocka_unit_test(without_memory_nothing_is_kept),
        cmocka_unit_test(a_stopped_run_gives_nothing_up),
        cmocka_unit_test(actions_only_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
