/* SPDX-License-Identifier: MIT */
/* What a plan forecasts for every node: bytes of scratch, and of the run at its peak, with each
 * setting changed, one at a time, and each optional input connected. test_forecast.c checks
 * forecasts to a tenth; the lines of tests/golden/needs.txt reveal every change
 * (THALWEG_UPDATE_GOLDEN=1 rewrites them; read the difference). */
#include "support/golden.h"
#include "support/settings.h"

#include "node/registry.h"
#include "runner/runner.h"

#include <inttypes.h>

enum { WIDTH = 301, HEIGHT = 200 };

/* Content of a line: a pair of numbers for each value. */
struct needs {
    size_t length;
    char text[800];
};

/* Releases the recipe. */
static void plan(struct tw_recipe *recipe, const struct tw_node_type *type, struct needs *needs)
{
    struct tw_run_summary report = {0};
    const struct tw_run_options options = {.threads = 2};
    const struct tw_run_request request = {
        .options = &options, .report = &report, .cache_only = true, .dry = true};
    const struct tw_node *node = settings_node(recipe, type);
    if (tw_run_execute(recipe, &request, NULL, NULL) == TW_OK)
        needs->length += (size_t)snprintf(
            needs->text + needs->length, sizeof needs->text - needs->length,
            " %" PRIu64 "/%" PRIu64, report.nodes[node - recipe->nodes].forecast.scratch,
            report.peak_bytes);
    else
        needs->length += (size_t)snprintf(needs->text + needs->length,
                                          sizeof needs->text - needs->length, " refused");
    assert_true(needs->length < sizeof needs->text);
    tw_run_summary_release(&report);
    tw_recipe_release(recipe);
}

static void print(struct golden *golden, const struct tw_node_type *type, const char *what,
                  const struct needs *needs)
{
    char line[900];
    if (needs->length == 0)
        return;
    snprintf(line, sizeof line, "%s %s:%s\n", type->name, what, needs->text);
    golden_line(golden, line);
}

/* One and two rows and columns; sides that are powers of two, and one more. */
static void print_narrow(struct golden *golden, const struct tw_node_type *type)
{
    static const int32_t sizes[][2] = {{300, 1}, {1, 300}, {300, 2},   {2, 300},
                                       {2, 2},   {3, 3},   {16, 4096}, {4097, 17}};
    struct needs needs = {0}, closed = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        plan(example_load(type, sizes[i][0], sizes[i][1]), type, &needs);
        plan(example_load_closed(type, sizes[i][0], sizes[i][1]), type, &closed);
    }
    print(golden, type, "of narrow sizes", &needs);
    print(golden, type, "of narrow sizes, closed", &closed);
}

static void print_sizes(struct golden *golden, const struct tw_node_type *type)
{
    static const int32_t sizes[][2] = {{1, 1},          {7, 3},     {64, 128},
                                       {WIDTH, HEIGHT}, {257, 129}, {1000, 700}};
    struct needs needs = {0}, closed = {0}, first = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        plan(example_load(type, sizes[i][0], sizes[i][1]), type, &needs);
    print(golden, type, "of six sizes", &needs);
    plan(example_load_closed(type, WIDTH, HEIGHT), type, &closed);
    print(golden, type, "with closed borders", &closed);
    struct tw_recipe *recipe = example_load(type, WIDTH, HEIGHT);
    for (struct tw_output *o = recipe->outputs; o; o = o->next)
        if (&recipe->nodes[o->source.node] == settings_node(recipe, type) && o->source.port == 0) {
            recipe->outputs = o;
            o->next = NULL;
        }
    plan(recipe, type, &first);
    print(golden, type, "for one output", &first);
}

static void print_settings(struct golden *golden, const struct tw_node_type *type)
{
    for (const struct tw_param *row = type->params; row && row->name; row++) {
        struct needs needs = {0};
        enum settings_fit change = SETTINGS_FIT;
        for (int i = 0; change != SETTINGS_OVER; i++) {
            struct tw_recipe *recipe = example_load(type, WIDTH, HEIGHT);
            change = settings_apply(recipe, type, row, i);
            if (change == SETTINGS_FIT)
                plan(recipe, type, &needs);
            else
                tw_recipe_release(recipe);
        }
        print(golden, type, row->name, &needs);
    }
}

/* Each setting at its least and its greatest: support/settings.h. */
static void print_ends(struct golden *golden, const struct tw_node_type *type)
{
    for (const struct tw_param *row = type->params; row && row->name; row++) {
        struct needs needs = {0};
        char name[100];
        enum settings_fit change = SETTINGS_FIT;
        for (int i = 0; change != SETTINGS_OVER; i++) {
            struct tw_recipe *recipe = example_load(type, WIDTH, HEIGHT);
            change = settings_apply_by(settings_set_end, recipe, type, row, i);
            if (change == SETTINGS_FIT)
                plan(recipe, type, &needs);
            else
                tw_recipe_release(recipe);
        }
        snprintf(name, sizeof name, "ends of %s", row->name);
        print(golden, type, name, &needs);
    }
}

static void print_inputs(struct golden *golden, const struct tw_node_type *type)
{
    for (const struct tw_port *port = type->inputs; port && port->name; port++) {
        struct needs needs = {0};
        struct tw_recipe *recipe = settings_connect(type, port, WIDTH, HEIGHT);
        if (recipe)
            plan(recipe, type, &needs);
        print(golden, type, port->name, &needs);
    }
}

static void needs_change_on_purpose_only(void **state)
{
    struct golden golden;
    (void)state;
    golden_begin(&golden, TW_GOLDEN "/needs.txt");
    EACH_NODE_TYPE(type)
    {
        print_sizes(&golden, *type);
        print_narrow(&golden, *type);
        print_settings(&golden, *type);
        print_ends(&golden, *type);
        print_inputs(&golden, *type);
    }
    golden_end(&golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(needs_change_on_purpose_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
