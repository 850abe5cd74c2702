/* SPDX-License-Identifier: MIT */
/* Seeds are run one after the other, and each says how far the comparison is; and why a shard of
 * them cannot be opened. */
#include "support/command.h"
#include "support/harness.h"

#include "compare/run.h"
#include "compare/shard.h"

#include <string.h>
#include <sys/resource.h>

enum { SEEDS = 3 };

static struct {
    int32_t calls, done;
    bool wrong;
} seen;

static void on_progress(void *context, const struct tw_compare_progress *p)
{
    bool next = p->done == seen.done + 1;
    (void)context;
    seen.calls++;
    seen.wrong |= p->count != SEEDS || (p->done != seen.done && !next);
    seen.wrong |= p->seed != (uint64_t)(7 + (next ? seen.done : p->done));
    seen.wrong |= !(p->share >= 0 && p->share <= 1) || (next && p->share != 0);
    seen.wrong |= next && (p->done == SEEDS ? p->left != 0 : !(p->left > 0));
    seen.done = p->done;
}

static void every_seed_says_how_far_it_is(void **state)
{
    static const char recipe[] = "thalweg: 1\nsize: 16\nnodes:\n  a: {type: noise.perlin}\n"
                                 "  stats: {type: measure.statistics, in: a}\n"
                                 "outputs: {height: a, stats: stats}\n";
    static const char text[] = "thalweg-experiment: 1\nrecipe: recipe.yaml\n"
                               "seeds: {from: 7, count: 3}\nmeasure: [stats.mean]\n"
                               "variants: {a: {}}\n";
    const struct tw_load_options load = {.set = NULL};
    const struct tw_run_options run = {.threads = 1};
    const struct tw_compare_request request = {.load = &load, .run = &run, .progress = on_progress};
    struct tw_experiment *experiment = NULL;
    struct tw_comparison c = {0};
    struct tw_error error = {.status = TW_OK};
    (void)state;
    command_write("recipe.yaml", recipe, strlen(recipe));
    command_write("experiment.yaml", text, strlen(text));
    if (tw_experiment_load("experiment.yaml", &load, &experiment, &error) != TW_OK ||
        tw_comparison_create(experiment, &c, &error) != TW_OK ||
        tw_compare_run(&request, &c, &error) != TW_OK)
        fail_msg("%s", error.message);
    assert_int_equal(c.total, SEEDS);
    assert_true(seen.calls >= SEEDS);
    assert_int_equal(seen.done, SEEDS);
    assert_false(seen.wrong);
    tw_comparison_release(&c);
    tw_experiment_release(experiment);
}

static void expect_refusal(enum tw_status status, const char *path)
{
    const struct tw_experiment experiment = {.run_count = 1};
    const struct tw_shard_origin origin = {.experiment = &experiment};
    struct tw_shard_reader reader;
    struct tw_error error = {.status = TW_OK};
    assert_int_equal(tw_shard_open(&reader, &origin, path, &error), status);
    assert_int_equal(error.status, status);
    tw_shard_close(&reader);
}

/* Work that waits for shards leaves out a bad file, and computes its seeds once more. */
static void too_few_descriptors_are_no_fault_of_a_shard(void **state)
{
    struct rlimit before, few;
    (void)state;
    command_write("shard", "", 0);
    expect_refusal(TW_INPUT, "shard");
    expect_refusal(TW_INPUT, "missing");
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    few.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    expect_refusal(TW_MEMORY, "shard");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static int set_up(void **state)
{
    (void)state;
    command_enter();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_seed_says_how_far_it_is),
        cmocka_unit_test(too_few_descriptors_are_no_fault_of_a_shard),
    };
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
