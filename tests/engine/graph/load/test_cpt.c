/* SPDX-License-Identifier: MIT */
/* Colour ramps of GMT as rows of a table, and every fault at its line. */
#include "support/command.h"
#include "support/recipe.h"

#include "graph/load/recipe.h"

#include <stdio.h>

static enum tw_status load_bytes(const char *cpt, size_t length, struct tw_recipe **recipe,
                                 struct tw_error *error)
{
    static const char text[] = "thalweg: 1\nnodes:\n  n: {type: noise.midpoint}\n"
                               "  a: {type: render.colour, in: n, ramp: ramp.cpt}\n"
                               "outputs: {out: a}\n";
    command_write("ramp.cpt", cpt, length);
    command_write("r.yaml", text, sizeof text - 1);
    return tw_recipe_load("r.yaml", NULL, recipe, error);
}

static enum tw_status load(const char *cpt, struct tw_recipe **recipe, struct tw_error *error)
{
    return load_bytes(cpt, strlen(cpt), recipe, error);
}

static void expect_rows(const char *cpt, const float *rows, int32_t count)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (load(cpt, &recipe, &error) != TW_OK)
        fail_msg("%s\n%d:%d: %s", cpt, error.line, error.column, error.message);
    const struct tw_node *node = recipe_node(recipe, "a");
    const struct tw_param *row = tw_node_find_param(node->type, "ramp");
    const struct tw_table *table =
        (const struct tw_table *)((const unsigned char *)node->params + row->offset);
    assert_int_equal(table->rows, count);
    assert_int_equal(table->columns, 4);
    assert_memory_equal(table->at, rows, (size_t)count * 4 * sizeof *rows);
    tw_recipe_release(recipe);
}

static void slices_become_rows(void **state)
{
    (void)state;
    const float smooth[] = {-1, 0, 0, 64, 0, 255, 255, 255, 2.5f, 90, 80, 70};
    expect_rows("# a comment\n# COLOR_MODEL = RGB\n# HINGE = 0\n"
                "-1\t0 0 64\t0\t255 255 255\n0 255 255 255 2.5 90 80 70 L ; a label\n",
                smooth, 3);
    expect_rows("#COLOR_MODEL=RGB\n#HINGE=0\n-1 0/0/64 0 white\n0 255 2.5 90/80/70\n", smooth, 3);
    expect_rows("-1 0/0/64 0 white\r\n\r\n  0 255 2.5 #5a5046 B\r\n", smooth, 3);
    const float steps[] = {0, 10, 10, 10, 1, 10, 10, 10, 1, 190, 190, 190, 2, 190, 190, 190};
    expect_rows("0 10 1 10\n1 gray 2 gray\n", steps, 4);
}

/* Below the first row, above the last; the one for no data has no use. */
static void colours_beyond_are_outer_rows(void **state)
{
    (void)state;
    const float all[] = {0, 1, 2, 3, 0, 0, 0, 0, 9, 255, 255, 255, 9, 255, 0, 0};
    expect_rows("0 0 9 255\nB 1/2/3\nF red\nN 127.5\n", all, 4);
    const float named[] = {0,   0,   0,   0,   1, 255, 255, 255, 2,   190, 190, 190, 3, 190,
                           190, 190, 4,   255, 0, 0,   5,   0,   255, 0,   6,   0,   0, 255,
                           7,   255, 255, 0,   8, 0,   255, 255, 9,   255, 0,   255};
    expect_rows("0 black 1 white\n1 white 2 gray\n2 gray 3 grey\n3 grey 4 red\n4 red 5 green\n"
                "5 green 6 blue\n6 blue 7 yellow\n7 yellow 8 cyan\n8 cyan 9 magenta\n",
                named, 10);
    const float below[] = {0, 1, 2, 3, 0, 0, 0, 0, 9, 255, 255, 255};
    expect_rows("B 1 2 3\n0 0 9 255", below, 3);
}

static void fault(const char *cpt, int line, int column, const char *words)
{
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    if (load(cpt, &recipe, &error) == TW_OK)
        fail_msg("this loads but should not:\n%s", cpt);
    assert_null(recipe);
    if (error.line != line || error.column != column || strcmp(error.file, "ramp.cpt") != 0 ||
        !strstr(error.message, words))
        fail_msg("%s\n%s:%d:%d: %s", cpt, error.file, error.line, error.column, error.message);
}

static void faults_have_their_places(void **state)
{
    (void)state;
    fault("", 1, 1, "no slices");
    fault("# only\n\n# comments\n", 4, 1, "no slices");
    fault("0 0 1 255\n1 255 2\n", 2, 1, "a value and a colour, twice");
    fault("0 0 1 255\n2 0 3 0\n", 2, 1, "expected it to begin where the one before ends");
    fault("0 0  0 255\n", 1, 6, "expected an end above it");
    fault("0 0 1 256\n", 1, 7, "256; allowed");
    fault("0 0/0/300 1 0\n", 1, 3, "300; allowed");
    fault("0 0/0 1 0\n", 1, 3, "red/green/blue");
    fault("0 0/0/0/0 1 0\n", 1, 3, "red/green/blue");
    fault("0 1//2/3 1 0\n", 1, 3, "red/green/blue");
    fault("0 1 1 /1/2/3\n", 1, 7, "red/green/blue");
    fault("0 #12345 1 0\n", 1, 3, "not a colour");
    fault("0 puce 1 0\n", 1, 3, "not a colour");
    fault("low 0 1 0\n", 1, 1, "low");
    fault("1e30 0 2e30 0\n", 1, 1, "allowed");
    fault("0 nan 1 0\n", 1, 3, "not a colour");
    fault("0 0 1 0\nB\n", 2, 1, "one colour");
    fault("# COLOR_MODEL = HSV\n0 0 1 0\n", 1, 1, "not RGB");
    fault("# HINGE = 5\n0 0 9 0\n", 1, 1, "the hinge is not 0");
    char line[400];
    snprintf(line, sizeof line, "0 0 1 0 ;%300s\n", "x");
    fault(line, 1, 1, "more than 255 bytes");
}

/* What stands behind a zero byte is not left out in silence. */
static void zero_bytes_are_refused(void **state)
{
    static const char cpt[] = "0 0 1 255\n\0001 255 2 0\n";
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    (void)state;
    assert_int_equal(load_bytes(cpt, sizeof cpt - 1, &recipe, &error), TW_INPUT);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.message, "a zero byte"));
}

static void files_stay_in_the_folder(void **state)
{
    (void)state;
    static const char text[] = "thalweg: 1\nnodes:\n  n: {type: noise.midpoint}\n"
                               "  a: {type: render.colour, in: n, ramp: /etc/passwd}\n"
                               "outputs: {out: a}\n";
    struct tw_recipe *recipe = NULL;
    struct tw_error error;
    command_write("out.yaml", text, sizeof text - 1);
    assert_int_equal(tw_recipe_load("out.yaml", NULL, &recipe, &error), TW_PATH);
    assert_int_equal(error.line, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_become_rows), cmocka_unit_test(colours_beyond_are_outer_rows),
        cmocka_unit_test(faults_have_their_places), cmocka_unit_test(zero_bytes_are_refused),
        cmocka_unit_test(files_stay_in_the_folder)};
    return cmocka_run_group_tests(tests, command_set_up, command_tear_down);
}
