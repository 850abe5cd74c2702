/* SPDX-License-Identifier: MIT */
/* Which curves, grids and clouds of points the variants of an experiment are. */
#include "support/command.h"
#include "support/harness.h"

#include "report/sweep.h"

#include <stdio.h>
#include <string.h>

#define HEAD "thalweg-experiment: 1\nrecipe: r.yaml\nseeds: [1]\nmeasure: [s.mean]\n"
#define MATRIX(entries) HEAD "matrix: {" entries "}\n"
#define DRAWN "x: {from: 0, to: 1}, y: {from: 1, to: 2}, "

/* Of each: its kind, its name, its parameters and how many variants it has. */
static const struct row {
    const char *text, *sweeps;
} rows[] = {
    {HEAD "variants: {plain: {}}\n", ""},
    {HEAD "variants: {plain: {}, hard: {params: {x: 2}}}\n", ""},
    {HEAD "variants: {soft: {sweep: {x: [1, 2]}}, hard: {sweep: {y: [3, 4, 5]}}}\n",
     "curve soft x 2; curve hard y 3; "},
    {MATRIX("x: [1, 2, 3]"), "curve matrix x 3; "},
    {MATRIX("x: [a, b]"), ""},
    {MATRIX("x: [a, 1, 2]"), ""},
    {MATRIX("x: [1, 2, a]"), ""},
    {MATRIX("x: [1, 2, 3], y: [7]"), "curve matrix x 3; "},
    {MATRIX("x: [1, 2, 3], y: [a, b]"), "curve y=a x 3; curve y=b x 3; "},
    {MATRIX("x: [1, 2], y: [1, 2, 3]"), "grid matrix x y 6; "},
    {MATRIX("x: [1, 2], y: [1, 2], z: [0, 5, 9]"),
     "grid z=0 x y 4; grid z=5 x y 4; grid z=9 x y 4; "},
    {MATRIX("x: [1, 2, 3], y: [1, 2, 3], exclude: [{x: 1, y: 1}, {x: 2, y: 2}]"),
     "grid matrix x y 7; "},

    /* a grid with four places a variant at most, and a cloud */
    {MATRIX("x: {from: 0, to: 1}, draws: {sobol: 9}"), "curve matrix x 9; "},
    {MATRIX(DRAWN "draws: {random: 4}"), "grid matrix x y 4; "},
    {MATRIX(DRAWN "draws: {random: 5}"), "scatter matrix x y 5; "},
    {MATRIX(DRAWN "z: {from: 0, to: 3}, draws: {random: 2}"),
     "grid z=1.0429 x y 1; grid z=2.31382 x y 1; "},
    {MATRIX(DRAWN "z: {from: 0, to: 3}, draws: {random: 3}"), "scatter matrix x y z 3; "},
};

static void describe(const struct tw_sweep *sweep, char *text, size_t size)
{
    static const char *const kinds[] = {"curve", "grid", "scatter"};
    size_t used = 0;
    text[0] = 0;
    for (; sweep && used < size; sweep = sweep->next) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s %s", kinds[sweep->kind], sweep->name);
        for (int32_t i = 0; i < sweep->param_count && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, " %s", sweep->params[i]);
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, " %d; ", (int)sweep->count);
    }
}

static void variants_are_curves_grids_and_clouds(void **state)
{
    static const struct tw_load_options options = {.diagnostic = NULL};
    char text[1000];
    (void)state;
    command_write("r.yaml", "", 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tw_experiment *experiment = NULL;
        struct tw_error error = {.status = TW_OK};
        struct tw_arena arena = {0};
        command_write("e.yaml", rows[i].text, strlen(rows[i].text));
        if (tw_experiment_load("e.yaml", &options, &experiment, &error) != TW_OK)
            fail_msg("%s: %s", rows[i].text, error.message);
        describe(tw_sweeps_find(&arena, experiment), text, sizeof text);
        if (strcmp(text, rows[i].sweeps) != 0)
            fail_msg("%s: '%s'; expected '%s'", rows[i].text, text, rows[i].sweeps);
        tw_arena_release(&arena);
        tw_experiment_release(experiment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(variants_are_curves_grids_and_clouds, command_set_up,
                                        command_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
