/* SPDX-License-Identifier: MIT */
/* Seeds are run one after the other, and each says how far the comparison is; and why a shard of
 * them cannot be opened. */
#include "support/command.h"
#include "support/harness.h"

#include "runner/runner.h"
#include "study/experiment_run.h"
#include "study/round.h"
#include "study/shard.h"

#include <stdio.h>
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

/* ---- what a variant needs ---- */

/* `mild` and `steep` share `base`; each has an erosion of its own behind a switch. */
static const char branches[] =
    "thalweg: 1\nsize: 16\nparams: {kind: 0}\nnodes:\n"
    "  base: {type: noise.perlin}\n"
    "  mild: {type: shape.blur, in: base}\n"
    "  steep: {type: shape.terrace, in: base}\n"
    "  land: {type: combine.switch, in: [mild, steep], index: \"${kind}\"}\n"
    "  stats: {type: measure.statistics, in: land}\n"
    "  aside: {type: shape.invert, in: base}\n"
    "outputs: {height: land, stats: stats, aside: aside}\n";

static struct tw_experiment *load_experiment(const char *measures)
{
    char text[400];
    const struct tw_load_options load = {.set = NULL};
    struct tw_experiment *experiment = NULL;
    struct tw_error error = {.status = TW_OK};
    int length = snprintf(text, sizeof text,
                          "thalweg-experiment: 1\nrecipe: recipe.yaml\nseeds: [7]\nmeasure: [%s]\n"
                          "variants: {mild: {}, steep: {params: {kind: 1}}}\n",
                          measures);
    command_write("recipe.yaml", branches, strlen(branches));
    command_write("experiment.yaml", text, (size_t)length);
    if (tw_experiment_load("experiment.yaml", &load, &experiment, &error) != TW_OK)
        fail_msg("%s", error.message);
    return experiment;
}

/* The paths of what a variant needs, in their order. */
static void list_needed(const struct tw_compare_round *round, int32_t variant, char *names)
{
    names[0] = 0;
    for (int32_t i = 0; i < round->parts[variant]->count; i++)
        if (round->needed[variant][i]) {
            strcat(names, round->parts[variant]->nodes[i].path);
            strcat(names, " ");
        }
}

static void expect_needed(const char *measures, const char *mild, const char *steep)
{
    char names[200];
    const struct tw_load_options load = {.set = NULL};
    struct tw_experiment *experiment = load_experiment(measures);
    struct tw_compare_round round = {0};
    assert_int_equal(tw_compare_round_build(experiment, &load, 7, &round, NULL), TW_OK);
    list_needed(&round, 0, names);
    assert_string_equal(names, mild);
    list_needed(&round, 1, names);
    assert_string_equal(names, steep);
    tw_compare_round_release(&round, experiment->run_count);
    tw_experiment_release(experiment);
}

static void a_variant_needs_its_own_branch(void **state)
{
    (void)state;
    expect_needed("stats.mean", "base mild stats ", "base steep stats ");
    expect_needed("aside.mean, aside.max", "base aside ", "base aside ");
    expect_needed("seconds", "base mild stats aside ", "base steep stats aside ");
    expect_needed("height.max, seconds", "base mild stats aside ", "base steep stats aside ");
}

/* What `seconds` counts is computed, whatever else is measured: without, every sample is 0. */
static void seconds_alone_are_measured(void **state)
{
    const struct tw_load_options load = {.set = NULL};
    const struct tw_run_options run = {.threads = 1};
    const struct tw_compare_request request = {.load = &load, .run = &run};
    struct tw_experiment *experiment = load_experiment("seconds");
    struct tw_comparison c = {0};
    (void)state;
    assert_int_equal(tw_comparison_create(experiment, &c, NULL), TW_OK);
    assert_int_equal(tw_compare_run(&request, &c, NULL), TW_OK);
    for (int32_t v = 0; v < 2; v++) {
        assert_true(tw_comparison_summary(&c, v, 0).mean > 0);
        assert_true(c.seconds[v].mean == tw_comparison_summary(&c, v, 0).mean);
    }
    tw_comparison_release(&c);
    tw_experiment_release(experiment);
}

/* `low` and `high` share `fill`, of which only `high` uses the depth, an output on demand; no
 * output needs `spare`, and only `seconds` needs `aside`. */
static const char shared[] = "thalweg: 1\nsize: 16\nparams: {kind: 0}\nnodes:\n"
                             "  base: {type: noise.perlin}\n"
                             "  fill: {type: shape.fill_depressions, in: base}\n"
                             "  low: {type: shape.blur, in: fill}\n"
                             "  high: {type: combine.add, a: fill, b: fill.depth}\n"
                             "  land: {type: combine.switch, in: [low, high], index: \"${kind}\"}\n"
                             "  stats: {type: measure.statistics, in: land}\n"
                             "  spare: {type: shape.invert, in: base}\n"
                             "  aside: {type: shape.terrace, in: base}\n"
                             "outputs: {height: land, stats: stats, aside: aside}\n";

/* Sums the costs of the nodes that a run of the variant alone computes, as --times runs it. */
static double cost_alone(const struct tw_compare_round *round, int32_t variant, const double *cost)
{
    const struct tw_run_options run = {.threads = 1};
    struct tw_run_summary report = {0};
    struct tw_result *result = NULL;
    const struct tw_run_request request = {.options = &run, .report = &report};
    double sum = 0;
    assert_int_equal(tw_run_execute(round->parts[variant], &request, &result, NULL), TW_OK);
    for (int32_t i = 0; i < report.node_count; i++)
        if (report.nodes[i].outcome == TW_OUTCOME_COMPUTED)
            sum += cost[round->node_of[variant][i]];
    tw_result_release(result);
    tw_run_summary_release(&report);
    return sum;
}

/* Costs are powers of two, so that a sum says which nodes it has, and how often. */
static void seconds_count_what_a_run_alone_computes(void **state)
{
    enum { NODES_MAX = 50 };
    const struct tw_load_options load = {.set = NULL};
    struct tw_experiment *experiment = load_experiment("seconds, height.max");
    struct tw_compare_round round = {0};
    struct tw_node_summary nodes[NODES_MAX] = {{.seconds = 0}};
    double cost[NODES_MAX], sums[2];
    (void)state;
    command_write("recipe.yaml", shared, strlen(shared));
    assert_int_equal(tw_compare_round_build(experiment, &load, 7, &round, NULL), TW_OK);
    const struct tw_run_summary report = {.nodes = nodes, .node_count = round.merged->count};
    assert_in_range(report.node_count, 1, NODES_MAX);
    for (int32_t i = 0; i < report.node_count; i++) {
        cost[i] = nodes[i].seconds = (double)((uint64_t)1 << i);
        nodes[i].outcome = i % 2 ? TW_OUTCOME_HIT : TW_OUTCOME_COMPUTED;
    }
    for (int32_t v = 0; v < 2; v++) {
        sums[v] = tw_compare_round_seconds(&round, v, &report);
        assert_true(sums[v] == cost_alone(&round, v, cost));
    }
    assert_true(sums[0] != sums[1]);
    assert_true(((uint64_t)sums[0] & (uint64_t)sums[1]) != 0);
    tw_compare_round_release(&round, experiment->run_count);
    tw_experiment_release(experiment);
    command_write("recipe.yaml", branches, strlen(branches));
}

/* A second run finds results in the cache, and what they cost. */
static void seconds_of_cached_results_are_those_of_their_computation(void **state)
{
    const struct tw_load_options load = {.set = NULL};
    const struct tw_run_options run = {.threads = 1, .cache_dir = "cache"};
    const struct tw_compare_request request = {.load = &load, .run = &run};
    struct tw_experiment *experiment = load_experiment("seconds");
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct tw_comparison c = {0};
        assert_int_equal(tw_comparison_create(experiment, &c, NULL), TW_OK);
        assert_int_equal(tw_compare_run(&request, &c, NULL), TW_OK);
        assert_true(c.seconds[0].mean > 0 && c.seconds[1].mean > 0);
        tw_comparison_release(&c);
    }
    tw_experiment_release(experiment);
}

static const char *failed_variant;

static void on_failed(void *context, const struct tw_compare_failure *failure)
{
    (void)context;
    failed_variant = failure->variant ? failure->variant->name : "none";
}

/* Not the first one whose recipe has the node. */
static void a_failure_names_the_variant_that_needs_the_node(void **state)
{
    static const char recipe[] =
        "thalweg: 1\nsize: 16\nparams: {kind: 0}\nnodes:\n"
        "  base: {type: noise.perlin}\n"
        "  large: {type: shape.remap, in: base, to: [1e9, 1e9]}\n"
        "  square: {type: combine.multiply, a: large, b: large}\n"
        "  cube: {type: combine.multiply, a: square, b: large}\n"
        "  huge: {type: combine.multiply, a: cube, b: square}\n"
        "  land: {type: combine.switch, in: [base, huge], index: \"${kind}\"}\n"
        "outputs: {height: land}\n";
    const struct tw_load_options load = {.set = NULL};
    const struct tw_run_options run = {.threads = 1};
    const struct tw_compare_request request = {.load = &load, .run = &run, .failed = on_failed};
    struct tw_experiment *experiment = load_experiment("height.mean");
    struct tw_comparison c = {0};
    (void)state;
    command_write("recipe.yaml", recipe, strlen(recipe));
    assert_int_equal(tw_comparison_create(experiment, &c, NULL), TW_OK);
    assert_int_equal(tw_compare_run(&request, &c, NULL), TW_NODE);
    assert_non_null(failed_variant);
    assert_string_equal(failed_variant, "steep");
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
        cmocka_unit_test(a_variant_needs_its_own_branch),
        cmocka_unit_test(seconds_alone_are_measured),
        cmocka_unit_test(seconds_count_what_a_run_alone_computes),
        cmocka_unit_test(seconds_of_cached_results_are_those_of_their_computation),
        cmocka_unit_test(a_failure_names_the_variant_that_needs_the_node),
        cmocka_unit_test(too_few_descriptors_are_no_fault_of_a_shard),
    };
    return cmocka_run_group_tests(tests, set_up, command_tear_down);
}
