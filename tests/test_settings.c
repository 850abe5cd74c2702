/* SPDX-License-Identifier: MIT */
/* The digest of every node with each of its settings changed, one at a time, and with each of its
 * optional inputs connected: code that the examples of tests/golden/nodes.txt do not reach. The
 * lines of tests/golden/settings.txt may change only with the node's version
 * (THALWEG_UPDATE_GOLDEN=1 rewrites them). */
#include "support/example.h"
#include "support/golden.h"
#include "support/sanitized.h"
#include "support/settings.h"

#include "graph/key.h"
#include "node/registry.h"
#include "runner/runner.h"
#include "value/field.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 44, HEIGHT = 36, DIGESTS = 200 };

/* Results for one setting or input: the outputs for each of its values. */
struct outcome {
    int count;
    struct tw_digest at[DIGESTS];
};

static void add(struct outcome *outcome, struct tw_digest digest)
{
    assert_true(outcome->count < DIGESTS);
    outcome->at[outcome->count++] = digest;
}

/* Scratch beyond the forecast, which depends on the node's input and not on its settings.
 * - feature.shadow: each cell where light ends, and up to three behind it, is a generator of SOURCE
 *   bytes in three lists. The forecast is for natural pictures, with an eighth of the cells; nearly
 *   all are possible, and a picture as small as this one has up to a quarter.
 * - erosion.stream_power and analytical: basins in any step while the land rises around its
 * `outlets`: up to one per cell, of BASIN bytes, in two blocks at least. Natural land without
 * outlets has as few as the forecast assumes. */
static uint64_t unknown_bytes(const struct tw_node_type *type, const char *changed)
{
    enum { CELLS = WIDTH * HEIGHT, SOURCE = 32, BASIN = 29 };
    if (strcmp(type->name, "feature.shadow") == 0)
        return SOURCE * 3 * (CELLS / 4 - CELLS / 8);
    bool rises = strcmp(type->name, "erosion.stream_power") == 0 ||
                 strcmp(type->name, "erosion.analytical") == 0;
    if (rises && strcmp(changed, "outlets") == 0)
        return BASIN * 2 * CELLS;
    return 0;
}

/* Forecast bytes that these maps do not need: curves may cover the whole map, labels usually number
 * 4,096, some land has no shore to measure from, and on easy ground a road hardly winds. */
static uint64_t spare_bytes(const struct tw_node_type *type)
{
    static const char *const names[] = {"feature.diffusion", "path.road", "voronoi.domain",
                                        "water.sea"};
    enum { MAPS = 40 };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(type->name, names[i]) == 0)
            return sizeof(float) * MAPS * WIDTH * HEIGHT;
    return 0;
}

/* The forecast may exceed use by three quarters of a map, and use may exceed the forecast by as
 * much; test_forecast.c is stricter, on larger maps. */
static void check_forecast(const struct tw_recipe *recipe, const struct tw_run_summary *report,
                           const char *changed)
{
    const uint64_t cells = (uint64_t)recipe->width * (uint64_t)recipe->height;
    const uint64_t close = sizeof(float) * cells * 3 / 4;
    for (int32_t i = 0; i < recipe->count; i++) {
        const uint64_t taken = report->nodes[i].scratch_bytes,
                       forecast = report->nodes[i].forecast.scratch;
        const struct tw_node_type *type = recipe->nodes[i].type;
        if (taken > forecast + close + unknown_bytes(type, changed) ||
            forecast > taken + close + spare_bytes(type))
            fail_msg("%s with another %s takes %" PRIu64 " bytes of scratch and forecasts %" PRIu64,
                     type->name, changed, taken, forecast);
    }
}

/* NULL if the recipe is refused. */
static struct tw_result *execute(const struct tw_recipe *recipe, const char *changed,
                                 enum tw_status *status)
{
    struct tw_result *result = NULL;
    struct tw_run_summary report = {0};
    const struct tw_run_options options = {.threads = 2};
    const struct tw_run_request request = {.options = &options, .report = &report};
    *status = tw_run_execute(recipe, &request, &result, NULL);
    if (*status == TW_OK)
        check_forecast(recipe, &report, changed);
    tw_run_summary_release(&report);
    return result;
}

/* The first output of the last node must not change when it is the only one. */
static void run_for_one(struct tw_recipe *recipe, const char *changed, const struct tw_result *all)
{
    enum tw_status status;
    struct tw_output *one = recipe->outputs;
    for (struct tw_output *o = one; o; o = o->next)
        one = o->source.port == 0 ? o : one;
    recipe->outputs = one;
    one->next = NULL;
    struct tw_result *result = execute(recipe, changed, &status);
    assert_int_equal(status, TW_OK);
    struct tw_digest expected = tw_field_digest(tw_result_output(all, one->name));
    struct tw_digest found = tw_field_digest(tw_result_output(result, one->name));
    assert_memory_equal(&found, &expected, sizeof found);
    tw_result_release(result);
}

/* `changed`: the setting or input. An error is an outcome too. Releases the recipe. */
static void run(struct tw_recipe *recipe, const char *changed, struct outcome *outcome)
{
    enum tw_status status;
    struct tw_result *result = execute(recipe, changed, &status);
    if (status != TW_OK)
        add(outcome, (struct tw_digest){{(unsigned char)status}});
    for (const struct tw_output *o = recipe->outputs; result && o; o = o->next)
        add(outcome, tw_field_digest(tw_result_output(result, o->name)));
    if (result && !UNOPTIMISED)
        run_for_one(recipe, changed, result);
    tw_result_release(result);
    tw_recipe_release(recipe);
}

static void print(struct golden *golden, const struct tw_node_type *type, const char *name,
                  const struct outcome *outcome)
{
    char line[300], hex[33];
    struct tw_digest all =
        tw_digest_of(outcome->at, (size_t)outcome->count * sizeof outcome->at[0]);
    tw_hex(all.at, sizeof all.at, hex);
    snprintf(line, sizeof line, "%s %d %s %s\n", type->name, (int)type->version, name, hex);
    golden_line(golden, line);
}

/* ---- settings ---- */

static void print_settings(struct golden *golden, const struct tw_node_type *type)
{
    for (const struct tw_param *row = type->params; row && row->name; row++) {
        struct outcome outcome = {0};
        enum settings_fit change = SETTINGS_FIT;
        for (int i = 0; change != SETTINGS_OVER; i++) {
            struct tw_recipe *recipe = example_load(type, WIDTH, HEIGHT);
            change = settings_apply(recipe, type, row, i);
            if (change == SETTINGS_UNFIT)
                add(&outcome, (struct tw_digest){{TW_RECIPE}});
            if (change == SETTINGS_FIT)
                run(recipe, row->name, &outcome);
            else
                tw_recipe_release(recipe);
        }
        if (outcome.count > 0)
            print(golden, type, row->name, &outcome);
    }
}

/* ---- inputs ---- */

static void print_inputs(struct golden *golden, const struct tw_node_type *type)
{
    for (const struct tw_port *port = type->inputs; port && port->name; port++) {
        struct outcome outcome = {0};
        struct tw_recipe *recipe = settings_connect(type, port, WIDTH, HEIGHT);
        if (!recipe)
            continue;
        run(recipe, port->name, &outcome);
        print(golden, type, port->name, &outcome);
    }
}

/* ---- borders ---- */

static void print_borders(struct golden *golden, const struct tw_node_type *type)
{
    struct outcome outcome = {0};
    if (!type->bordered)
        return;
    run(example_load_closed(type, WIDTH, HEIGHT), "borders", &outcome);
    print(golden, type, "borders", &outcome);
}

static void settings_change_bytes_only_with_versions(void **state)
{
    struct golden golden;
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/settings.txt");
    EACH_NODE_TYPE(type)
    {
        print_settings(&golden, *type);
        print_inputs(&golden, *type);
        print_borders(&golden, *type);
    }
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settings_change_bytes_only_with_versions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
