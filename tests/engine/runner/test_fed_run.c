/* SPDX-License-Identifier: MIT */
/* Runs on arrays that a program feeds: the same bytes as from a file, on any number of threads, and
 * a cache that knows what was fed. */
#include "support/folder.h"
#include "support/harness.h"

#include "runner/runner.h"
#include "value/field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 96, HEIGHT = 64, CELLS = WIDTH * HEIGHT };

static char folder[] = "/tmp/thalweg-fed-XXXXXX";
static float ground[CELLS], shares[CELLS];

static int set_up(void **state)
{
    struct tw_value terrain = harness_terrain(WIDTH, HEIGHT, 5);
    (void)state;
    memcpy(ground, terrain.data, sizeof ground);
    for (int i = 0; i < CELLS; i++)
        shares[i] = ground[CELLS - 1 - i] < 0.5f ? 0.25f : 1;
    free(terrain.data);
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return folder_remove(folder);
}

static struct tw_recipe *load(const char *text)
{
    const struct tw_load_options options = {.feeds = true, .width = WIDTH, .height = HEIGHT};
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (tw_recipe_parse(text, strlen(text), "fed.yaml", &options, &recipe, &error) != TW_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return recipe;
}

static void feed(struct tw_recipe *recipe, const char *name, struct tw_value value)
{
    struct tw_error error;
    if (tw_recipe_feed(recipe, name, &value, &error) != TW_OK)
        fail_msg("%s", error.message);
}

static void feed_ground(struct tw_recipe *recipe)
{
    feed(recipe, "ground", (struct tw_value){TW_HEIGHTMAP, WIDTH, HEIGHT, ground});
}

static struct tw_result *run(struct tw_recipe *recipe, const struct tw_run_options *options)
{
    struct tw_result *result = NULL;
    struct tw_error error;
    if (tw_recipe_run(recipe, options, &result, &error) != TW_OK)
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    return result;
}

#define HEAD "thalweg: 1\nborders: closed\n"
#define EROSION                                                                                    \
    "  worn: {type: erosion.thermal, in: ground, talus: 2, iterations: 5}\n"                       \
    "outputs: {height: worn}\n"

/* The node that the harness feeds is another way to the same values. */
static void fed_heights_give_what_a_node_gives(void **state)
{
    const struct tw_value map = {TW_HEIGHTMAP, WIDTH, HEIGHT, ground};
    (void)state;
    harness_give(0, &map);
    struct tw_result *other = harness_run(
        &(struct harness){.width = WIDTH,
                          .height = HEIGHT,
                          .head = "borders: closed\n",
                          .nodes = "ground: {type: test.map}\n"
                                   "worn: {type: erosion.thermal, in: ground, talus: 2, "
                                   "iterations: 5}\n"});
    struct tw_recipe *recipe = load(HEAD "inputs: {ground: heightmap}\nnodes:\n" EROSION);
    feed_ground(recipe);
    for (int32_t threads = 1; threads <= 4; threads *= 2) {
        struct tw_result *result = run(recipe, &(struct tw_run_options){.threads = threads});
        harness_same(tw_result_output(result, "height"),
                     tw_floats(tw_result_output(other, "worn")));
        tw_result_release(result);
    }
    tw_result_release(other);
    tw_recipe_release(recipe);
}

/* A node in place may take the block that it is given, but not what the recipe keeps. */
static void runs_leave_what_was_fed(void **state)
{
    struct tw_recipe *recipe = load(HEAD "inputs: {ground: heightmap}\nnodes:\n"
                                         "  low: {type: shape.invert, in: ground}\n"
                                         "  lower: {type: shape.power, in: low}\n"
                                         "outputs: {lower: lower}\n");
    (void)state;
    feed_ground(recipe);
    struct tw_result *first = run(recipe, NULL), *second = run(recipe, NULL);
    harness_same(tw_result_output(first, "lower"), tw_floats(tw_result_output(second, "lower")));
    tw_result_release(first);
    tw_result_release(second);
    tw_recipe_release(recipe);
}

/* Every type goes in and comes out as it is; an output may be an input. */
static void all_types_pass(void **state)
{
    static int32_t labels[CELLS];
    struct tw_point peaks[3] = {{.x = 0.25f, .y = 0.5f, .feature = 2}};
    struct tw_entry facts[2] = {{"score", 0.75}, {"count", 12}};
    struct tw_recipe *recipe = load(
        HEAD "inputs: {where: mask, peaks: points, facts: record, areas: labels, none: points}\n"
             "nodes:\n"
             "  blurred: {type: shape.blur, in: where}\n"
             "  mean: {type: measure.statistics, in: where}\n"
             "outputs: {peaks: peaks, facts: facts, areas: areas, none: none, blurred: blurred,\n"
             "  mean: mean}\n");
    (void)state;
    labels[7] = -5;
    feed(recipe, "where", (struct tw_value){TW_MASK, WIDTH, HEIGHT, shares});
    feed(recipe, "peaks", (struct tw_value){TW_POINTS, 3, 1, peaks});
    feed(recipe, "facts", (struct tw_value){TW_RECORD, 2, 1, facts});
    feed(recipe, "areas", (struct tw_value){TW_LABELS, WIDTH, HEIGHT, labels});
    feed(recipe, "none", (struct tw_value){TW_POINTS, 0, 1, NULL});
    struct tw_result *result = run(recipe, NULL);
    tw_recipe_release(recipe);
    const struct tw_value *points = tw_result_output(result, "peaks");
    assert_int_equal(points->width, 3);
    assert_memory_equal(tw_points(points), peaks, sizeof peaks);
    assert_memory_equal(tw_labels(tw_result_output(result, "areas")), labels, sizeof labels);
    assert_int_equal(tw_result_output(result, "none")->width, 0);
    assert_true(*tw_record_find(tw_result_output(result, "facts"), "count") == 12);
    assert_null(tw_record_find(tw_result_output(result, "facts"), "coun"));
    assert_true(*tw_record_find(tw_result_output(result, "mean"), "max") == 1);
    tw_result_release(result);
}

/* ---- the cache ---- */

/* How many nodes are computed, of two. */
static int computed(struct tw_recipe *recipe)
{
    const struct tw_run_options options = {.cache_dir = folder};
    struct tw_run_summary report = {0};
    struct tw_result *result = NULL;
    struct tw_error error;
    int count = 0;
    assert_int_equal(
        tw_run_execute(recipe, &(struct tw_run_request){.options = &options, .report = &report},
                       &result, &error),
        TW_OK);
    for (int32_t i = 0; i < report.node_count; i++)
        count += report.nodes[i].outcome == TW_OUTCOME_COMPUTED;
    tw_run_summary_release(&report);
    tw_result_release(result);
    return count;
}

static void the_cache_knows_what_was_fed(void **state)
{
    struct tw_recipe *recipe = load(HEAD "inputs: {ground: heightmap}\nnodes:\n" EROSION);
    (void)state;
    feed_ground(recipe);
    assert_int_equal(computed(recipe), 2);
    assert_int_equal(computed(recipe), 0);
    ground[100] += 0.5f;
    feed_ground(recipe);
    assert_int_equal(computed(recipe), 2);
    ground[100] -= 0.5f;
    feed_ground(recipe);
    assert_int_equal(computed(recipe), 0);
    tw_recipe_release(recipe);
    recipe = load(HEAD "inputs: {land: heightmap}\nnodes:\n"
                       "  worn: {type: erosion.thermal, in: land, talus: 2, iterations: 5}\n"
                       "outputs: {height: worn}\n"); /* names are not content */
    feed(recipe, "land", (struct tw_value){TW_HEIGHTMAP, WIDTH, HEIGHT, ground});
    assert_int_equal(computed(recipe), 0);
    tw_recipe_release(recipe);
}

/* ---- what is missing ---- */

static void an_input_that_was_not_fed_is_located(void **state)
{
    struct tw_recipe *recipe = load(HEAD "inputs: {ground: heightmap, where: mask}\nnodes:\n"
                                         "  a: {type: shape.invert, in: ground}\n"
                                         "  b: {type: shape.blur, in: where}\n"
                                         "outputs: {a: a, b: b}\n");
    struct tw_result *result = NULL;
    struct tw_error error;
    (void)state;
    feed_ground(recipe);
    assert_int_equal(tw_recipe_run(recipe, NULL, &result, &error), TW_USAGE);
    assert_string_equal(error.message,
                        "input 'where' has no value; expected tw_recipe_feed() before the run");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 29);
    assert_string_equal(error.path, "where");
    assert_null(result);
    result = run(recipe, &(struct tw_run_options){.only = "a"});
    assert_non_null(tw_result_output(result, "a"));
    tw_result_release(result);
    tw_recipe_release(recipe);
}

/* Both copies, the recipe's and the run's, are there; the run's counts. */
static void memory_is_forecast(void **state)
{
    struct tw_recipe *recipe = load(HEAD "inputs: {peaks: points}\nnodes: {}\n"
                                         "outputs: {peaks: peaks}\n");
    static struct tw_point peaks[100000];
    struct tw_result *result = NULL;
    struct tw_error error;
    (void)state;
    feed(recipe, "peaks", (struct tw_value){TW_POINTS, 100000, 1, peaks});
    assert_int_equal(
        tw_recipe_run(recipe, &(struct tw_run_options){.max_memory = 1 << 20}, &result, &error),
        TW_LIMIT);
    tw_result_release(run(recipe, &(struct tw_run_options){.max_memory = 2 << 20}));
    tw_recipe_release(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fed_heights_give_what_a_node_gives),
        cmocka_unit_test(runs_leave_what_was_fed),
        cmocka_unit_test(all_types_pass),
        cmocka_unit_test(the_cache_knows_what_was_fed),
        cmocka_unit_test(an_input_that_was_not_fed_is_located),
        cmocka_unit_test(memory_is_forecast),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
